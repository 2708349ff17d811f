DELETE FROM {table} WHERE id = ANY($1::bigint[])
