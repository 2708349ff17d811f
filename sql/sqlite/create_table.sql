-- key_definitions: "k1 INTEGER NOT NULL", one for each key column
CREATE TABLE {table} (id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, {key_definitions}, payload BLOB NOT NULL)
