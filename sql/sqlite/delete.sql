DELETE FROM {table} WHERE id = ?
