-- A session may run as long as it must; settings that this server does not know are left out
SELECT set_config(settings.name, wanted.value, false)
FROM (VALUES
    ('search_path', 'pg_catalog'),
    ('statement_timeout', '0'),
    ('lock_timeout', '0'),
    ('transaction_timeout', '0'),
    ('idle_in_transaction_session_timeout', '0'),
    ('idle_session_timeout', '0'),
    ('jit', 'off')
) AS wanted (name, value)
JOIN pg_catalog.pg_settings AS settings USING (name)
