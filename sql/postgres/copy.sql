COPY {table} (id, stream, {key_columns}, payload) FROM STDIN (FORMAT binary)
