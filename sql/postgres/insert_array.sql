-- $1 are the ids, then an array a key column, then the payloads; all rows have one stream, $2
INSERT INTO {table} (id, stream, {key_columns}, payload)
SELECT id, $2, {key_columns}, payload
FROM unnest($1::bigint[], {key_arrays}, ${payload}::bytea[]) AS rows (id, {key_columns}, payload)
