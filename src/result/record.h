/* record.h - the log's other records: header, sample, event.  New references. */
#ifndef RESULT_RECORD_H
#define RESULT_RECORD_H

#include "base/json.h"
#include "device/device_set.h"
#include "measure/environment.h"
#include "measure/sample.h"
#include "result/asked.h"
#include "result/drive.h"

struct header_target {
    const char *target; /* as given, without any password */
    const char *engine;
    const struct device_set *devices;
    const struct drive_reading *drives; /* [devices->count], before the run; NULL: not read */
    bool wal_elsewhere; /* the drive under test has the tables, another one the WAL that commits
                         * wait for: nothing of it says how much that drive carries */
};

struct header_record {
    const char *run_id, *started, *label; /* label NULL */
    const struct asked *asked;            /* NULL: nothing */
    const char *workload_name;
    json_t *workload; /* spec_json(); stolen */
    json_t *differs;  /* spec_differs_json(); stolen; NULL: not known */
    const struct environment *environment;
    enum smart_identify identify; /* serial numbers, WWNs and the host's name are told */
    const char *host;             /* NULL or "": unknown */
    const char *engine, *engine_version;
    json_t *engine_settings; /* stolen */
    size_t target_count;
    const struct header_target *targets;
    unsigned trials; /* planned; 0: unknown, a search makes them as the run goes */
    size_t warning_count;
    const char *const *warnings;
    bool result_on_target; /* the log lies on the file system under test */
};

json_t *header_json(const struct header_record *header);
/* Times in seconds since `origin_ns`.  Raw diskstats by device name and field name; what a
 * line does not carry is null. */
json_t *sample_json(const struct sample *sample, const struct device_set *devices,
                    int64_t origin_ns);
/* kind: "checkpoint", "limit", "signal", "reconnect", "warning", ... */
json_t *event_json(double at_s, int trial, const char *kind, const char *text);
json_t *end_json(json_t *analysis /* stolen */, bool partial);

#endif
