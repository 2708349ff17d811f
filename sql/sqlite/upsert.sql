-- assignments: "k1 = excluded.k1", one for each key column; id, stream, keys, payload
INSERT INTO {table} (id, stream, {key_columns}, payload) VALUES ({values})
  ON CONFLICT (id) DO UPDATE SET stream = excluded.stream, {assignments}, payload = excluded.payload
