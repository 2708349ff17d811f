/* loop.c - what a person would write by hand: the same rows by the same SQL through the same
 * SQLite library, in a tight loop.  tests/bench/run compares loadline with it.
 *
 *     loop DIRECTORY ROWS ROWS_PER_COMMIT STREAMS [insert]
 *
 * Inserts ROWS rows a stream and deletes them again, or only inserts them; streams are threads with
 * a table each in one file, and wait for its lock with SQLite's own busy handler.  Prints one JSON
 * object a phase.  Opening, creating and checkpoints are not in the figures. */
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/parse.h"
#include "stats/summary.h"
#include "workload/row.h"

enum { STREAMS_MAX = 1000, PAYLOAD_BYTES = 100, BUSY_MS = 600000 };

struct load {
    uint64_t rows, rows_per_commit;
    unsigned streams;
    bool insert_only;
    pthread_barrier_t barrier;
    atomic_flag first_done;
};

struct stream {
    struct load *load;
    struct stream *all;
    unsigned number;
    sqlite3 *db;
    sqlite3_stmt *begin, *commit, *insert, *remove;
    int64_t *latency_ns; /* one a transaction */
    _Atomic uint64_t commits;
    double first_commits; /* when the first stream was done */
    int64_t end_ns;
};

static const struct row_shape shape = {
    .seed = 1,
    .key_columns = 1,
    .payload_bytes = PAYLOAD_BYTES,
    .random_bytes = PAYLOAD_BYTES,
};

static void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("loop: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

static void must(sqlite3 *db, int code, const char *what)
{
    if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
        die("%s: %s", what, sqlite3_errmsg(db));
}

static void run_sql(sqlite3 *db, const char *sql)
{
    must(db, sqlite3_exec(db, sql, NULL, NULL, NULL), sql);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    must(db, sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), sql);
    return statement;
}

static void step(struct stream *s, sqlite3_stmt *statement)
{
    int code = sqlite3_step(statement);
    if (code != SQLITE_DONE)
        die("%s: %s", sqlite3_sql(statement), sqlite3_errmsg(s->db));
    sqlite3_reset(statement);
}

static void stream_open(struct stream *s, const char *path)
{
    char sql[256];
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    must(s->db, sqlite3_open_v2(path, &s->db, flags, NULL), path);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    run_sql(s->db, "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                   "PRAGMA secure_delete = OFF");
    snprintf(sql, sizeof sql,
             "CREATE TABLE rows%u (id INTEGER PRIMARY KEY, stream INTEGER NOT NULL,"
             " k1 INTEGER NOT NULL, payload BLOB NOT NULL)",
             s->number);
    run_sql(s->db, sql);
    s->begin = prepare(s->db, "BEGIN IMMEDIATE");
    s->commit = prepare(s->db, "COMMIT");
}

/* After all tables are there: a later change of the schema would prepare them again. */
static void stream_prepare(struct stream *s)
{
    char sql[128];
    snprintf(sql, sizeof sql, "INSERT INTO rows%u VALUES (?, ?, ?, ?)", s->number);
    s->insert = prepare(s->db, sql);
    snprintf(sql, sizeof sql, "DELETE FROM rows%u WHERE id = ?", s->number);
    s->remove = prepare(s->db, sql);
    uint64_t commits = (s->load->rows + s->load->rows_per_commit - 1) / s->load->rows_per_commit;
    s->latency_ns = calloc(commits, sizeof *s->latency_ns);
    if (s->latency_ns == NULL)
        die("out of memory");
}

static void stream_close(struct stream *s)
{
    sqlite3_finalize(s->begin);
    sqlite3_finalize(s->commit);
    sqlite3_finalize(s->insert);
    sqlite3_finalize(s->remove);
    sqlite3_close(s->db);
    free(s->latency_ns);
}

static void insert_row(struct stream *s, uint64_t sequence)
{
    int32_t key;
    unsigned char payload[PAYLOAD_BYTES];
    row_make(&shape, s->number, sequence, &key, payload);
    sqlite3_bind_int64(s->insert, 1, row_id(s->number, sequence));
    sqlite3_bind_int64(s->insert, 2, s->number);
    sqlite3_bind_int64(s->insert, 3, key);
    sqlite3_bind_blob(s->insert, 4, payload, sizeof payload, SQLITE_STATIC);
    step(s, s->insert);
}

static void delete_row(struct stream *s, uint64_t sequence)
{
    sqlite3_bind_int64(s->remove, 1, row_id(s->number, sequence));
    step(s, s->remove);
}

static void note_first_done(struct stream *s)
{
    if (atomic_flag_test_and_set(&s->load->first_done))
        return;
    for (unsigned i = 0; i < s->load->streams; i++)
        s->all[i].first_commits = (double)atomic_load(&s->all[i].commits);
}

static void stream_phase(struct stream *s, void (*row)(struct stream *s, uint64_t sequence))
{
    const uint64_t rows = s->load->rows, step_rows = s->load->rows_per_commit;
    pthread_barrier_wait(&s->load->barrier);
    int64_t before = clock_now_ns();
    uint64_t commits = 0;
    for (uint64_t first = 0; first < rows; first += step_rows) {
        uint64_t end = rows - first < step_rows ? rows : first + step_rows;
        step(s, s->begin);
        for (uint64_t sequence = first; sequence < end; sequence++)
            row(s, sequence);
        step(s, s->commit);
        int64_t now = clock_now_ns();
        s->latency_ns[commits++] = now - before;
        atomic_store_explicit(&s->commits, commits, memory_order_relaxed);
        before = now;
    }
    s->end_ns = before;
    note_first_done(s);
    pthread_barrier_wait(&s->load->barrier);
}

static void *stream_main(void *argument)
{
    struct stream *s = argument;
    stream_phase(s, insert_row);
    if (!s->load->insert_only)
        stream_phase(s, delete_row);
    return NULL;
}

static int compare_ns(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void print_phase(const char *name, struct stream *streams, const struct load *load,
                        int64_t start_ns, int64_t cpu_ns)
{
    uint64_t commits = 0;
    int64_t end_ns = start_ns;
    double shares[STREAMS_MAX];
    for (unsigned i = 0; i < load->streams; i++) {
        commits += streams[i].commits;
        end_ns = streams[i].end_ns > end_ns ? streams[i].end_ns : end_ns;
        shares[i] = streams[i].first_commits;
    }
    int64_t *all = calloc(commits, sizeof *all);
    if (all == NULL)
        die("out of memory");
    size_t count = 0;
    for (unsigned i = 0; i < load->streams; i++)
        for (uint64_t k = 0; k < streams[i].commits; k++)
            all[count++] = streams[i].latency_ns[k];
    qsort(all, count, sizeof *all, compare_ns);
    double seconds = (double)(end_ns - start_ns) / 1e9;
    double rows = (double)(load->rows * load->streams);
    printf("{\"name\": \"%s\", \"elapsed_s\": %.9f, \"rows\": %.0f, \"commits\": %zu, ", name,
           seconds, rows, count);
    printf("\"rows_per_s\": %.3f, \"commits_per_s\": %.3f, \"cpu_s\": %.9f, ", rows / seconds,
           (double)count / seconds, (double)cpu_ns / 1e9);
    printf("\"p50_ms\": %.6f, \"p999_ms\": %.6f, \"fairness\": %.6f}\n",
           (double)all[(count - 1) / 2] / 1e6, (double)all[(count - 1) * 999 / 1000] / 1e6,
           summary_jain(shares, load->streams));
    free(all);
}

/* Main stands at the barriers too, so that it can read the clocks there. */
static void watch_phase(const char *name, struct stream *streams, struct load *load)
{
    for (unsigned i = 0; i < load->streams; i++)
        streams[i].commits = 0;
    atomic_flag_clear(&load->first_done);
    run_sql(streams[0].db, "PRAGMA wal_checkpoint(RESTART)");
    sync();
    int64_t cpu_ns = clock_process_cpu_ns(), start_ns = clock_now_ns();
    pthread_barrier_wait(&load->barrier);
    pthread_barrier_wait(&load->barrier);
    print_phase(name, streams, load, start_ns, clock_process_cpu_ns() - cpu_ns);
}

static void run_load(const char *directory, struct load *load)
{
    static struct stream streams[STREAMS_MAX];
    pthread_t threads[STREAMS_MAX];
    char path[4096];
    snprintf(path, sizeof path, "%s/loop.db", directory);
    for (unsigned i = 0; i < load->streams; i++) {
        streams[i].load = load;
        streams[i].all = streams;
        streams[i].number = i;
        stream_open(&streams[i], path);
    }
    pthread_barrier_init(&load->barrier, NULL, load->streams + 1);
    for (unsigned i = 0; i < load->streams; i++) {
        stream_prepare(&streams[i]);
        if (pthread_create(&threads[i], NULL, stream_main, &streams[i]) != 0)
            die("no thread for stream %u", i);
    }
    watch_phase("insert", streams, load);
    if (!load->insert_only)
        watch_phase("delete", streams, load);
    for (unsigned i = 0; i < load->streams; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < load->streams; i++)
        stream_close(&streams[i]);
    pthread_barrier_destroy(&load->barrier);
    unlink(path);
}

int main(int argc, char **argv)
{
    struct load load = {0};
    struct err err;
    uint64_t streams = 0;
    load.insert_only = argc == 6 && strcmp(argv[5], "insert") == 0;
    if (argc != 5 && !load.insert_only)
        die("usage: loop DIRECTORY ROWS ROWS_PER_COMMIT STREAMS [insert]");
    if (parse_count(argv[2], &load.rows, &err) != 0 ||
        parse_count(argv[3], &load.rows_per_commit, &err) != 0 ||
        parse_count(argv[4], &streams, &err) != 0)
        die("%s", err.text);
    if (load.rows == 0 || load.rows_per_commit == 0 || streams == 0 || streams > STREAMS_MAX)
        die("rows, rows a commit and streams (up to %d) are above 0", STREAMS_MAX);
    load.streams = (unsigned)streams;
    run_load(argv[1], &load);
    return 0;
}
