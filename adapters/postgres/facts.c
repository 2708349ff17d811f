#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postgres/db.h"
#include "postgres/integrity.h"
#include "postgres/look.h"

/* What decides durability comes first. */
static const char *const settings[] = {
    "fsync",           "synchronous_commit", "full_page_writes",   "wal_sync_method",
    "wal_level",       "commit_delay",       "commit_siblings",    "shared_buffers",
    "wal_buffers",     "max_wal_size",       "checkpoint_timeout", "checkpoint_completion_target",
    "wal_compression", "wal_segment_size",   "data_checksums",     "block_size",
    "autovacuum",
};

static void tell_setting(PGconn *handle, const char *name, const struct adapter_sink *sink)
{
    char *text = postgres_show(handle, name);
    sink->fact(sink->ctx, name, text != NULL ? text : "unknown");
    free(text);
}

/* "15.18 (Debian 15.18-0+deb12u1)" -> "15.18". */
static void tell_version(const struct postgres_db *db, const struct adapter_sink *sink)
{
    char number[24];
    char *text = postgres_show(db->admin, "server_version");
    snprintf(number, sizeof number, "%d", db->server_version);
    if (text != NULL)
        text[strcspn(text, " ")] = '\0';
    sink->fact(sink->ctx, "version", text != NULL ? text : "unknown");
    sink->fact(sink->ctx, "server_version_num", number);
    free(text);
}

static bool is_off(PGconn *handle, const char *name)
{
    char *text = postgres_show(handle, name);
    bool off = text != NULL && strcmp(text, "off") == 0;
    free(text);
    return off;
}

static void tell_durability(PGconn *handle, const struct adapter_sink *sink)
{
    if (is_off(handle, "fsync"))
        sink->fact(sink->ctx, "durability",
                   "fsync is off: a crash of the operating system or a power cut can lose commits "
                   "and corrupt the cluster");
    else if (is_off(handle, "synchronous_commit"))
        sink->fact(
            sink->ctx, "durability",
            "synchronous_commit is off: a crash of the server or of the operating system, or "
            "a power cut, can lose the last commits; nothing is corrupted");
    if (is_off(handle, "full_page_writes"))
        sink->fact(
            sink->ctx, "torn_pages",
            "full_page_writes is off: a page that is half written when power fails stays so");
}

static void tell_policy(const struct postgres_db *db, const struct adapter_sink *sink)
{
    static const char *const vacuum[] = {[POSTGRES_VACUUM_AUTO] = "auto",
                                         [POSTGRES_VACUUM_ON] = "on",
                                         [POSTGRES_VACUUM_OFF] = "off"};
    const struct postgres_settings *own = &db->settings;
    sink->fact(sink->ctx, "cluster", db->cluster != NULL ? "private" : "server");
    sink->fact(sink->ctx, "insert_method", postgres_method_name(own->insert));
    sink->fact(sink->ctx, "delete_method", postgres_method_name(own->remove));
    sink->fact(sink->ctx, "autovacuum_of_tables", own->autovacuum ? "on" : "off");
    sink->fact(sink->ctx, "vacuum", vacuum[own->vacuum]);
    sink->fact(sink->ctx, "integrity_check", postgres_integrity_name(db));
    sink->fact(sink->ctx, "role", PQuser(db->admin));
    sink->fact(sink->ctx, "settle",
               db->rights.checkpoint ? "CHECKPOINT"
                                     : "no CHECKPOINT: it takes a superuser or, from PostgreSQL 15 "
                                       "on, the role pg_checkpoint");
}

enum op_status postgres_facts(struct adapter_db *handle, const struct adapter_sink *sink,
                              struct op_error *why)
{
    struct postgres_db *db = (struct postgres_db *)handle;
    enum op_status status = postgres_look_admin(db, why);
    if (status != OP_OK)
        return status;
    tell_version(db, sink);
    tell_durability(db->admin, sink);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        tell_setting(db->admin, settings[i], sink);
    tell_policy(db, sink);
    return OP_OK;
}
