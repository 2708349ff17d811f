CREATE INDEX {table}_{key} ON {table} ({key})
