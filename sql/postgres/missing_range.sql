-- The first of the wanted ids that is not there
SELECT wanted.id
FROM generate_series($1::bigint, $2::bigint) AS wanted (id)
WHERE NOT EXISTS (SELECT FROM {table} AS found WHERE found.id = wanted.id) LIMIT 1
