#include "result/server.h"

#include <math.h>
#include <stdbool.h>

#include "result/figures.h"
#include "result/put.h"

/* Each is a counter of the engine and a member of both objects. */
static const char *const counters[] = {"wal_bytes", "wal_records", "wal_full_page_images",
                                       "wal_sync_count"};

json_t *server_json(const json_t *engine, double commits, double rows)
{
    json_t *commit = json_object(), *row = json_object();
    bool known = false;
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        const json_t *counter = json_object_get(engine, counters[i]);
        double count = json_is_number(counter) ? json_number_value(counter) : NAN;
        put_real(commit, counters[i], figures_rate(count, commits));
        put_real(row, counters[i], figures_rate(count, rows));
        known |= !isnan(count);
    }
    json_t *server = known ? json_object() : NULL;
    if (server) {
        json_object_set(server, "per_commit", commit);
        json_object_set(server, "per_row", row);
    }
    json_decref(commit);
    json_decref(row);
    return server;
}
