-- parameters: $1 ... $n; id, stream, keys, payload
INSERT INTO {table} (id, stream, {key_columns}, payload) VALUES ({parameters})
