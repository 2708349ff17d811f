-- The first of the wanted ids that is not there
SELECT wanted.id
FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (id, place)
WHERE NOT EXISTS (SELECT FROM {table} AS found WHERE found.id = wanted.id)
ORDER BY wanted.place LIMIT 1
