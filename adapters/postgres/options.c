#include "postgres/options.h"

#include <string.h>

#define CONF_PREFIX "postgres.conf."

static const char *const insert_methods[] = {"auto",  "statement", "pipeline",
                                             "array", "copy",      NULL};
static const char *const delete_methods[] = {"auto",  "statement", "pipeline",
                                             "array", "range",     NULL};
static const char *const commit_levels[] = {"on",           "off",          "local",
                                            "remote_write", "remote_apply", NULL};
static const char *const auto_on_off[] = {"auto", "on", "off", NULL};
static const char *const on_off[] = {"on", "off", NULL};

const struct key postgres_options[] = {
    {.name = "postgres.insert_method",
     .type = KEY_CHOICE,
     .fallback = "auto",
     .choices = insert_methods,
     .help = "how rows go in; auto: copy, or statement at one row a commit"},
    {.name = "postgres.delete_method",
     .type = KEY_CHOICE,
     .fallback = "auto",
     .choices = delete_methods,
     .help = "how rows go out; auto: array, or statement at one row a commit"},
    {.name = "postgres.synchronous_commit",
     .type = KEY_CHOICE,
     .fallback = "-",
     .optional = true,
     .choices = commit_levels,
     .help = "what a commit waits for; -: as the server has it"},
    {.name = "postgres.tablespace",
     .type = KEY_TEXT,
     .fallback = "-",
     .optional = true,
     .help = "directory on the server's host where loadline makes a tablespace for its tables"},
    {.name = "postgres.wal",
     .type = KEY_TEXT,
     .fallback = "-",
     .optional = true,
     .help = "private cluster: a second directory, for the WAL alone"},
    {.name = "postgres.user",
     .type = KEY_TEXT,
     .fallback = "-",
     .optional = true,
     .help = "private cluster: who runs the server when loadline is root; -: postgres"},
    {.name = "postgres.programs",
     .type = KEY_TEXT,
     .fallback = "-",
     .optional = true,
     .help = "private cluster: directory of initdb and postgres; -: looked for"},
    {.name = "postgres.checksums",
     .type = KEY_CHOICE,
     .fallback = "on",
     .choices = on_off,
     .help = "private cluster: checksums of data pages"},
    {.name = "postgres.autovacuum",
     .type = KEY_CHOICE,
     .fallback = "auto",
     .choices = auto_on_off,
     .help = "of loadline's tables; auto: off for a number of rows, on for a duration"},
    {.name = "postgres.vacuum",
     .type = KEY_CHOICE,
     .fallback = "auto",
     .choices = auto_on_off,
     .help = "between phases; auto: dead rows are cleared away before rows go in again"},
    {.name = CONF_PREFIX "*",
     .type = KEY_TEXT,
     .fallback = "-",
     .optional = true,
     .help =
         "private cluster: any setting of postgresql.conf, as in postgres.conf.wal_compression"},
    {.name = NULL},
};

static const char *const method_names[] = {
    [POSTGRES_STATEMENT] = "statement", [POSTGRES_PIPELINE] = "pipeline",
    [POSTGRES_ARRAY] = "array",         [POSTGRES_COPY] = "copy",
    [POSTGRES_RANGE] = "range",
};

const char *postgres_method_name(enum postgres_method method)
{
    return method_names[method];
}

static enum postgres_method method_of(const char *text, enum postgres_method many, bool one_row)
{
    for (size_t i = 0; i < sizeof method_names / sizeof *method_names; i++)
        if (strcmp(method_names[i], text) == 0)
            return (enum postgres_method)i;
    return one_row ? POSTGRES_STATEMENT : many;
}

/* NULL: not set. */
static const char *text_of(const struct workload *load, const char *key)
{
    const char *text = workload_text(load, key);
    return strcmp(text, "-") == 0 ? NULL : text;
}

static enum postgres_vacuum vacuum_of(const char *text)
{
    if (strcmp(text, "on") == 0)
        return POSTGRES_VACUUM_ON;
    return strcmp(text, "off") == 0 ? POSTGRES_VACUUM_OFF : POSTGRES_VACUUM_AUTO;
}

/* One statement cannot carry a transaction of upserts and deletes of several keys. */
static bool has_mixed_phase(const struct workload *load)
{
    for (size_t i = 0; i < load->phase_count; i++)
        if (load->phases[i] == PHASE_MIXED)
            return true;
    return false;
}

void postgres_settings_read(struct postgres_settings *settings, const struct workload *load)
{
    bool one_row = load->rows_per_commit == 1;
    const char *autovacuum = workload_text(load, "postgres.autovacuum");
    *settings = (struct postgres_settings){
        .insert = method_of(workload_text(load, "postgres.insert_method"), POSTGRES_COPY, one_row),
        .remove = method_of(workload_text(load, "postgres.delete_method"), POSTGRES_ARRAY, one_row),
        .vacuum = vacuum_of(workload_text(load, "postgres.vacuum")),
        .autovacuum = strcmp(autovacuum, "on") == 0 ||
                      (strcmp(autovacuum, "auto") == 0 && load->duration_ns > 0),
        .checksums = strcmp(workload_text(load, "postgres.checksums"), "on") == 0,
        .synchronous_commit = text_of(load, "postgres.synchronous_commit"),
        .tablespace = text_of(load, "postgres.tablespace"),
        .user = text_of(load, "postgres.user"),
        .programs = text_of(load, "postgres.programs"),
    };
    settings->single_call = one_row && settings->insert == POSTGRES_STATEMENT &&
                            settings->remove == POSTGRES_STATEMENT && !has_mixed_phase(load);
}

/* The NAME of a key postgres.conf.NAME that is set; NULL: it is another one, or the pattern. */
static const char *conf_name(const struct setting *setting)
{
    const char *key = setting->key->name;
    if (strncmp(key, CONF_PREFIX, strlen(CONF_PREFIX)) != 0 || strcmp(setting->text, "-") == 0)
        return NULL;
    key += strlen(CONF_PREFIX);
    return strcmp(key, "*") == 0 ? NULL : key;
}

void postgres_settings_conf(const struct workload *load,
                            void (*each)(void *ctx, const char *name, const char *value), void *ctx)
{
    for (size_t i = 0; i < load->setting_count; i++) {
        const char *name = conf_name(&load->settings[i]);
        if (name != NULL)
            each(ctx, name, load->settings[i].text);
    }
}

const char *postgres_settings_conf_value(const struct workload *load, const char *name)
{
    for (size_t i = 0; i < load->setting_count; i++) {
        const char *own = conf_name(&load->settings[i]);
        if (own != NULL && strcmp(own, name) == 0)
            return load->settings[i].text;
    }
    return NULL;
}
