/* sample_line.h - one sample of a result log, from its line.
 *
 * By the scanner (base/scan.h), since a log may hold hundreds of thousands of them.  The lines come
 * from a file that may hold anything. */
#ifndef RESULT_SAMPLE_LINE_H
#define RESULT_SAMPLE_LINE_H

#include <stdbool.h>

#include "base/scan.h"
#include "device/device_set.h"
#include "measure/sample.h"

/* What is the same for all lines of a log.  It stays where it is: samples point into it. */
struct sample_line_names {
    size_t gauge_count;
    char gauges[64][64]; /* names that were seen; those beyond are left out */
    size_t member_sizes[24], field_sizes[DISK_FIELDS];
};

struct sample_line {
    struct sample *sample; /* stream_count: as many as the line says, 0 where it says none */
    size_t stream_room;
    double trial;     /* NaN: it does not say */
    bool has_work;    /* both times, commits and rows are there */
    bool has_retries; /* else they are 0 */
    bool has_cpu;     /* the client's; else 0 */
    /* The interval's commit latencies as they are encoded: they stay in the text that was read, as
     * long as that stays.  Size 0: none. */
    struct scan_text latencies;
};

void sample_line_names_init(struct sample_line_names *names);

/* One for samples of these devices.  Aborts when memory is out. */
void sample_line_init(struct sample_line *line, const struct device_set *devices);
void sample_line_release(struct sample_line *line);

/* False: no well-formed record of the kind "sample"; what it holds is then undefined. */
bool sample_line_read(struct sample_line *line, struct sample_line_names *names,
                      const struct device_set *devices, const char *text, size_t size);

#endif
