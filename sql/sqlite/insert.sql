-- rows: "(?, ?, ..., ?)" for each row; id, stream, keys, payload
INSERT INTO {table} (id, stream, {key_columns}, payload) VALUES {rows}
