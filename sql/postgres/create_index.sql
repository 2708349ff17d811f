CREATE INDEX ON {table} ({key}){tablespace}
