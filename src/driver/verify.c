#include "driver/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/overlap.h"
#include "workload/layout.h"

/* A walk along the expected rows of one table, in order of id. */
struct walk {
    struct stage *stage;
    unsigned table;
    struct verify_record *record;
    unsigned char *scratch;
    const volatile int *stop;
    unsigned stream; /* the stream that the next expected row is of; stream_count: no more */
    uint64_t sequence;
    int64_t last_id; /* of the row seen before */
    uint64_t rows_seen;
};

static struct ledger *ledger_of(const struct walk *w)
{
    return &w->stage->streams[w->stream].ledger;
}

/* Goes on to a row that is present or in doubt, at or after the position. */
static void advance(struct walk *w)
{
    for (; w->stream < w->stage->stream_count; w->stream++, w->sequence = 0) {
        if (layout_table_of_stream(w->stage->load, w->stream) != w->table)
            continue;
        w->sequence = ledger_next(ledger_of(w), w->sequence);
        if (w->sequence < ledger_limit(ledger_of(w)))
            return;
    }
}

static int64_t expected_id(const struct walk *w)
{
    return w->stream < w->stage->stream_count ? row_id(w->stream, w->sequence) : INT64_MAX;
}

void verify_show(struct verify_record *r, int64_t id, const char *what)
{
    if (r->shown == RESULT_KEYS_SHOWN)
        return;
    r->first[r->shown].id = id;
    r->first[r->shown++].what = what;
}

/* The expected row did not come. */
static void miss(struct walk *w)
{
    struct ledger *ledger = ledger_of(w);
    if (ledger_state(ledger, w->sequence) == LEDGER_MAYBE) {
        ledger_settle_doubt(ledger, w->sequence, false);
    } else {
        w->record->expected_rows++;
        w->record->lost_rows++;
        verify_show(w->record, expected_id(w), "lost");
    }
    w->sequence++;
    advance(w);
}

static void meet(struct walk *w, const struct row *row)
{
    struct ledger *ledger = ledger_of(w);
    if (ledger_state(ledger, w->sequence) == LEDGER_MAYBE)
        ledger_settle_doubt(ledger, w->sequence, true); /* the rest of its commit must be there */
    w->record->expected_rows++;
    if (!row_is_right(&w->stage->load->shape, row, w->scratch)) {
        w->record->wrong_rows++;
        verify_show(w->record, row->id, "wrong");
    }
    w->sequence++;
    advance(w);
}

static bool visit(void *ctx, const struct row *row)
{
    struct walk *w = ctx;
    w->record->found_rows++;
    /* Twice the same key, or out of order: whatever it is, it is one row too many. */
    if (w->rows_seen++ != 0 && row->id <= w->last_id) {
        w->record->surplus_rows++;
        verify_show(w->record, row->id, "surplus");
        return true;
    }
    w->last_id = row->id;
    while (expected_id(w) < row->id)
        miss(w);
    if (w->stream < w->stage->stream_count && expected_id(w) == row->id) {
        meet(w, row);
    } else {
        w->record->surplus_rows++;
        verify_show(w->record, row->id, "surplus");
    }
    return w->stop == NULL || *w->stop == 0;
}

static int scan_table(struct stage *stage, struct walk *w, struct err *err)
{
    struct op_error why;
    struct row_visitor visitor = {.ctx = w, .row = visit};
    advance(w);
    if (stage->adapter->scan(stage->db, w->table, &visitor, &why) != OP_OK)
        return err_set(err, ERR_FAILED, "reading back table %u: %s", w->table, why.text);
    while ((w->stop == NULL || *w->stop == 0) && w->stream < stage->stream_count)
        miss(w);
    return 0;
}

static bool is_stopped(const volatile int *stop)
{
    return stop != NULL && *stop != 0;
}

/* All tables; each stream's own keys. */
static int scan_own(struct stage *stage, const volatile int *stop, struct verify_record *record,
                    struct err *err)
{
    int result = 0;
    unsigned char *scratch = malloc(stage->load->shape.payload_bytes + 1);
    if (scratch == NULL)
        abort();
    for (unsigned i = 0; i < stage->stream_count; i++)
        record->in_doubt_rows += ledger_rows_in_doubt(&stage->streams[i].ledger);
    for (unsigned table = 0; table < layout_tables(stage->load) && result == 0 && !is_stopped(stop);
         table++) {
        struct walk walk = {
            .stage = stage, .table = table, .record = record, .scratch = scratch, .stop = stop};
        result = scan_table(stage, &walk, err);
    }
    free(scratch);
    return result;
}

static int leave_unchecked(struct verify_record *record)
{
    *record = (struct verify_record){.checked = false};
    return 0;
}

int verify_stage(struct stage *stage, const volatile int *stop, struct verify_record *record,
                 struct err *err)
{
    bool overlap = stage->load->row_keys == ROW_KEYS_OVERLAPPING;
    *record = (struct verify_record){.integrity_ok = true};
    snprintf(record->integrity, sizeof record->integrity, "ok");
    if ((stage->adapter->caps & ADAPTER_KEEPS_ROWS) == 0)
        return 0;
    if ((overlap ? overlap_verify : scan_own)(stage, stop, record, err) != 0)
        return -1;
    if (is_stopped(stop))
        return leave_unchecked(record);
    struct op_error why = {.text = ""};
    bool ok = false;
    enum op_status status = stage->adapter->integrity(stage->db, &ok, &why);
    if (is_stopped(stop))
        return leave_unchecked(record);
    if (status != OP_OK)
        return err_set(err, ERR_FAILED, "checking the database: %s", why.text);
    record->integrity_ok = ok;
    if (!ok)
        snprintf(record->integrity, sizeof record->integrity, "%s", why.text);
    record->checked = true;
    return 0;
}

bool verify_is_ok(const struct verify_record *r)
{
    return r->lost_rows == 0 && r->surplus_rows == 0 && r->wrong_rows == 0 && r->integrity_ok;
}
