COPY (SELECT id, stream, {key_columns}, payload FROM {table} ORDER BY id)
TO STDOUT (FORMAT binary)
