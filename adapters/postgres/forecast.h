/* forecast.h - the model of bytes and room, and what it must know of the server.  Pure. */
#ifndef ADAPTERS_POSTGRES_FORECAST_H
#define ADAPTERS_POSTGRES_FORECAST_H

#include "postgres/db.h"

struct forecast_room {
    double wal_bytes;    /* of all streams, between two checkpoints */
    double buffer_bytes; /* shared_buffers */
};

void forecast_estimate(const struct workload *load, const struct postgres_settings *settings,
                       const struct forecast_room *room, struct adapter_forecast *forecast);

#endif
