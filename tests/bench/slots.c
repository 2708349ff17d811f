/* slots.c - what the slots of an engine cost without the driver and its sampler: one stream, its
 * rows made and moved as fast as they go.
 *
 *     slots SCHEME TARGET ROWS ROWS_PER_COMMIT [KEY VALUE]...
 *
 * Inserts ROWS rows and deletes them again.  Prints one JSON object a phase; CPU is the stream's
 * thread, the making of rows included.  Opening, creating and settling are not in the figures. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adapter.h"
#include "base/clock.h"
#include "base/err.h"
#include "workload/spec.h"

static void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("slots: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

static int64_t thread_cpu_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
}

static struct workload *resolve(const struct adapter *engine, int argc, char **argv)
{
    const struct key *tables[] = {engine->options, NULL};
    struct workload *load = NULL;
    struct err err = {.kind = ERR_NONE};
    struct spec *spec = spec_create(tables);
    int bad = spec_set(spec, "workload.rows", argv[3], "rows", &err);
    if (bad == 0)
        bad = spec_set(spec, "workload.rows_per_commit", argv[4], "rows a commit", &err);
    for (int i = 5; i + 1 < argc && bad == 0; i += 2)
        bad = spec_set(spec, argv[i], argv[i + 1], "option", &err);
    size_t *choice = calloc(spec_key_count(spec), sizeof *choice);
    if (choice == NULL || bad != 0 || spec_resolve(spec, 0, choice, &load, &err) != 0)
        die("%s", err.text);
    free(choice);
    spec_destroy(spec);
    return load;
}

static void must(enum op_status status, const struct op_error *why)
{
    if (status != OP_OK)
        die("%s", why->text);
}

static void transaction(const struct adapter *engine, struct adapter_conn *conn,
                        const struct workload *load, bool insert, struct row_batch *batch,
                        uint64_t from, uint64_t to)
{
    struct op_error why;
    must(engine->begin(conn, &why), &why);
    while (from < to) {
        for (batch->count = 0; batch->count < batch->capacity && from < to; from++)
            if (insert)
                row_batch_add(batch, &load->shape, from);
            else
                row_batch_add_id(batch, from);
        must(insert ? engine->insert(conn, batch, &why) : engine->remove(conn, batch, &why), &why);
    }
    if (engine->execute != NULL)
        must(engine->execute(conn, &why), &why);
    must(engine->commit(conn, &why), &why);
}

static void phase(const struct adapter *engine, struct adapter_db *db, struct adapter_conn *conn,
                  const struct workload *load, bool insert)
{
    struct row_batch *batch = row_batch_create(&load->shape, 0);
    struct op_error why;
    uint64_t commits = 0;
    if (batch == NULL)
        die("out of memory");
    must(engine->settle(db, &why), &why);
    int64_t start_ns = clock_now_ns(), cpu_ns = thread_cpu_ns();
    for (uint64_t from = 0; from < load->rows; from += load->rows_per_commit, commits++) {
        uint64_t left = load->rows - from;
        uint64_t rows = left < load->rows_per_commit ? left : load->rows_per_commit;
        transaction(engine, conn, load, insert, batch, from, from + rows);
    }
    double seconds = (double)(clock_now_ns() - start_ns) / 1e9;
    double cpu_us = (double)(thread_cpu_ns() - cpu_ns) / 1e3;
    printf("{\"name\": \"%s\", \"elapsed_s\": %.9f, \"rows\": %ju, \"commits\": %ju, ",
           insert ? "insert" : "delete", seconds, (uintmax_t)load->rows, (uintmax_t)commits);
    printf("\"rows_per_s\": %.3f, \"commits_per_s\": %.3f, ", (double)load->rows / seconds,
           (double)commits / seconds);
    printf("\"cpu_us_per_row\": %.6f, \"cpu_us_per_commit\": %.6f}\n", cpu_us / (double)load->rows,
           cpu_us / (double)commits);
    row_batch_destroy(batch);
}

int main(int argc, char **argv)
{
    struct op_error why;
    struct adapter_db *db = NULL;
    struct adapter_conn *conn = NULL;
    if (argc < 5 || argc % 2 != 1)
        die("usage: slots SCHEME TARGET ROWS ROWS_PER_COMMIT [KEY VALUE]...");
    const struct adapter *engine = adapter_find(argv[1]);
    if (engine == NULL || engine->options == NULL || (engine->caps & ADAPTER_OTHER_USER) != 0)
        die("no such engine, or one that the driver must help: %s", argv[1]);
    struct workload *load = resolve(engine, argc, argv);
    struct adapter_config config = {.target = argv[2], .load = load};
    if ((engine->caps & ADAPTER_LOCAL_FILES) != 0)
        config.directory = argv[2];
    must(engine->open(&config, &db, &why), &why);
    must(engine->create(db, &why), &why);
    must(engine->connect(db, 0, &conn, &why), &why);
    phase(engine, db, conn, load, true);
    phase(engine, db, conn, load, false);
    engine->disconnect(conn);
    must(engine->destroy(db, &why), &why);
    engine->close(db);
    workload_destroy(load);
    return 0;
}
