/* What no key can say alone. */
#include <inttypes.h>
#include <string.h>

#include "workload/spec_inner.h"

/* What the streams keep of a common key's last change, all together: about a gigabyte. */
#define COMMON_RECORDS_MAX UINT64_C(60000000)

static int check_phases(const struct workload *load, struct err *err)
{
    uint64_t inserts = 0;
    uint64_t deletes = 0;
    for (size_t i = 0; i < load->phase_count; i++) {
        inserts += load->phases[i] == PHASE_INSERT;
        deletes += load->phases[i] == PHASE_DELETE;
        if (deletes > inserts)
            return err_set(err, ERR_USAGE,
                           "workload.phases = %s: phase %zu deletes rows that no phase has "
                           "inserted; put an insert before it",
                           workload_text(load, "workload.phases"), i + 1);
    }
    if (load->rows > (uint64_t)ROW_SEQUENCE_LIMIT / (inserts > 0 ? inserts : 1))
        return err_set(err, ERR_USAGE,
                       "workload.rows = %s with %" PRIu64 " inserts in workload.phases: ids end "
                       "at %" PRId64 " rows a stream; lower workload.rows",
                       workload_text(load, "workload.rows"), inserts, ROW_SEQUENCE_LIMIT);
    return 0;
}

static int check_files(const struct workload *load, struct err *err)
{
    if (load->layout == LAYOUT_FILE_PER_STREAM && load->files != 1)
        return err_set(err, ERR_USAGE,
                       "workload.files = %u with workload.layout = %s: that layout makes one file "
                       "or database for each stream; leave workload.files out, or set "
                       "workload.layout to table-per-stream",
                       load->files, workload_text(load, "workload.layout"));
    if (load->layout != LAYOUT_FILE_PER_STREAM && load->streams_auto && load->files > load->streams)
        return err_set(err, ERR_USAGE,
                       "workload.files = %u with search.streams_max = %u: a search begins with a "
                       "stream for each file; lower workload.files, or raise search.streams_max",
                       load->files, load->streams);
    if (load->layout != LAYOUT_FILE_PER_STREAM && load->files > load->streams)
        return err_set(err, ERR_USAGE,
                       "workload.files = %u with workload.streams = %u: a file without a stream "
                       "stays empty; lower workload.files to %u, or raise workload.streams",
                       load->files, load->streams, load->streams);
    return 0;
}

/* In this version keys overlap in mixed phases, and there alone. */
static int check_phases_of_keys(const struct workload *load, struct err *err)
{
    size_t mixed = 0;
    for (size_t i = 0; i < load->phase_count; i++)
        mixed += load->phases[i] == PHASE_MIXED;
    if (mixed > 0 && load->row_keys == ROW_KEYS_OWN)
        return err_set(err, ERR_USAGE,
                       "workload.phases = %s: in this version mixed goes with row.keys = "
                       "overlapping alone; set that, or use insert and delete",
                       workload_text(load, "workload.phases"));
    if (mixed < load->phase_count && load->row_keys == ROW_KEYS_OVERLAPPING)
        return err_set(err, ERR_USAGE,
                       "row.keys = overlapping with workload.phases = %s: in this version "
                       "overlapping keys go with mixed alone; set workload.phases = mixed",
                       workload_text(load, "workload.phases"));
    return 0;
}

static int check_overlapping(const struct workload *load, struct err *err)
{
    if (load->row_keys == ROW_KEYS_OWN)
        return 0;
    if (load->layout != LAYOUT_SHARED_TABLE)
        return err_set(err, ERR_USAGE,
                       "row.keys = overlapping with workload.layout = %s: streams have common keys "
                       "in a common table only; set workload.layout = shared-table",
                       workload_text(load, "workload.layout"));
    if (load->files != 1)
        return err_set(err, ERR_USAGE,
                       "row.keys = overlapping with workload.files = %u: streams have common keys "
                       "in one table only; leave workload.files out",
                       load->files);
    if (load->rows_per_commit > load->common_keys)
        return err_set(err, ERR_USAGE,
                       "workload.rows_per_commit = %s with row.common_keys = %s: a transaction "
                       "changes a key once at most; lower workload.rows_per_commit to %" PRIu64
                       ", or raise row.common_keys",
                       workload_text(load, "workload.rows_per_commit"),
                       workload_text(load, "row.common_keys"), load->common_keys);
    if (load->common_keys * load->streams > COMMON_RECORDS_MAX)
        return err_set(err, ERR_USAGE,
                       "row.common_keys = %s with %s = %u: each stream remembers "
                       "its last change of each key, which takes too much memory; lower "
                       "row.common_keys to %" PRIu64 ", or use fewer streams",
                       workload_text(load, "row.common_keys"),
                       load->streams_auto ? "search.streams_max" : "workload.streams",
                       load->streams, COMMON_RECORDS_MAX / load->streams);
    return 0;
}

/* A search sets by itself how long each step is and how much each stream is given. */
static int check_search(const struct workload *load, struct err *err)
{
    static const char *const others[] = {"workload.duration", "workload.until", "workload.rate"};
    if (!load->streams_auto)
        return 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *text = workload_text(load, others[i]);
        if (strcmp(text, "-") != 0)
            return err_set(err, ERR_USAGE,
                           "workload.streams = auto with %s = %s: a search sets the length of its "
                           "steps by search.step and search.step_max, and runs each as fast as it "
                           "goes; leave %s out, or give workload.streams a number",
                           others[i], text, others[i]);
    }
    if (load->pause_ns > 0)
        return err_set(err, ERR_USAGE,
                       "workload.streams = auto with workload.pause = %s: a pause comes after the "
                       "last round, and a search has none; leave workload.pause out, or give "
                       "workload.streams a number",
                       workload_text(load, "workload.pause"));
    if (load->search_step_ns > load->search_step_max_ns)
        return err_set(err, ERR_USAGE,
                       "search.step = %s is longer than search.step_max = %s: a step cannot last "
                       "at least the one and at most the other; lower search.step, or raise "
                       "search.step_max",
                       workload_text(load, "search.step"), workload_text(load, "search.step_max"));
    return 0;
}

/* The gate of the steady state is no limit: behind it there must be room for the rounds. */
static int check_steady(const struct workload *load, struct err *err)
{
    if (!load->until_steady || !(load->steady_write_bytes >= (double)load->limit_write_bytes))
        return 0;
    return err_set(err, ERR_USAGE,
                   "steady.write_bytes = %s with limit.write_bytes = %s: the run would end before "
                   "it can be steady; raise limit.write_bytes, or lower steady.write_bytes",
                   workload_text(load, "steady.write_bytes"),
                   workload_text(load, "limit.write_bytes"));
}

int spec_check(const struct workload *load, struct err *err)
{
    if (check_search(load, err) != 0 || check_steady(load, err) != 0)
        return -1;
    if (check_phases(load, err) != 0 || check_files(load, err) != 0 ||
        check_phases_of_keys(load, err) != 0)
        return -1;
    return check_overlapping(load, err);
}
