INSERT INTO {table} (id, stream, {key_columns}, payload) VALUES ({parameters})
ON CONFLICT (id) DO UPDATE SET stream = EXCLUDED.stream, {key_updates}, payload = EXCLUDED.payload
