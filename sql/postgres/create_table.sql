-- key_definitions: "k1 int NOT NULL", one for each key column
CREATE TABLE {table} (
    id bigint PRIMARY KEY{index_tablespace},
    stream int NOT NULL,
    {key_definitions},
    payload bytea NOT NULL
) WITH (autovacuum_enabled = {autovacuum}, toast.autovacuum_enabled = {autovacuum}){tablespace}
