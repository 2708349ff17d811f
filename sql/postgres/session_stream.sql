-- A stream's statements go by the primary key, whatever the statistics say, and are planned once
SELECT set_config(wanted.name, wanted.value, false)
FROM (VALUES
    ('enable_seqscan', 'off'),
    ('plan_cache_mode', 'force_generic_plan')
) AS wanted (name, value)
