/* stream.h - what a stream's thread is made of: stream.c is the way of a transaction, overlap.c
 * what it sends in a mixed phase. */
#ifndef DRIVER_STREAM_H
#define DRIVER_STREAM_H

#include "driver/stage.h"

/* What an attempt at a transaction came to, and in which call. */
struct outcome {
    enum op_status status;
    uint64_t rows;    /* sent */
    const char *call; /* NULL in a failed outcome: told to stop */
    struct op_error why;
};

/* Told to stop between two batches: is the transaction cut short?  A raw file cannot undo: there a
 * transaction that began is finished. */
static inline bool stream_is_cut_short(const struct stream *s)
{
    enum stop_reason reason = stage_stopped(s->stage);
    return reason != STOP_NONE &&
           ((s->stage->adapter->caps & ADAPTER_ROLLBACK) != 0 || reason == STOP_SIGNAL);
}

static inline void stream_cut_short(struct outcome *out)
{
    out->status = OP_FATAL;
    out->call = NULL;
}

#endif
