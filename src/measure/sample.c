#include "measure/sample.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const sample_mark_names[] = {"tick", "phase_start", "warm", "phase_end", "settled"};

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

struct sample *sample_create(size_t stream_count, size_t disk_count)
{
    struct sample *sample = zeroed(1, sizeof *sample);
    sample->stream_count = stream_count;
    sample->stream_commits = zeroed(stream_count, sizeof *sample->stream_commits);
    sample->stream_rows = zeroed(stream_count, sizeof *sample->stream_rows);
    sample->disk_count = disk_count;
    sample->disks = zeroed(disk_count, sizeof *sample->disks);
    sample->temperature_c = NAN;
    return sample;
}

void sample_destroy(struct sample *sample)
{
    if (sample == NULL)
        return;
    free(sample->stream_commits);
    free(sample->stream_rows);
    free(sample->disks);
    free(sample);
}

void sample_copy(struct sample *to, const struct sample *from)
{
    assert(to->stream_count == from->stream_count && to->disk_count == from->disk_count);
    uint64_t *commits = to->stream_commits, *rows = to->stream_rows;
    struct diskstats *disks = to->disks;
    struct hist *commit = to->commit;
    *to = *from;
    to->stream_commits = commits;
    to->stream_rows = rows;
    to->disks = disks;
    to->commit = commit;
    memcpy(commits, from->stream_commits, from->stream_count * sizeof *commits);
    memcpy(rows, from->stream_rows, from->stream_count * sizeof *rows);
    memcpy(disks, from->disks, from->disk_count * sizeof *disks);
}
