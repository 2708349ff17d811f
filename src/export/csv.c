#include "export/csv.h"

#include <errno.h>
#include <stdlib.h>

#include "export/csv_place.h"
#include "export/csv_samples.h"
#include "export/plain_numbers.h"
#include "result/metric.h"

static const char **metric_names(void)
{
    size_t count = 0;
    while (metric_rows[count].path)
        count++;
    const char **names = calloc(count + 1, sizeof *names);
    if (!names)
        abort();
    for (size_t i = 0; i < count; i++)
        names[i] = metric_rows[i].path;
    return names;
}

static void write_phases_header(struct csv_line *line, const struct csv_factors *factors)
{
    const char **names = metric_names();
    csv_place_header(line, CSV_PHASES, factors, names);
    for (size_t i = 0; names[i]; i++)
        csv_field_text(line, names[i]);
    csv_field_end(line);
    free(names);
}

static void write_phase(struct csv_line *line, const struct csv_factors *factors,
                        const struct csv_place *place)
{
    csv_place_write(line, CSV_PHASES, factors, place);
    for (const struct metric_row *row = metric_rows; row->path; row++)
        csv_field_number(line, metric_value(place->phase, row->path));
    csv_field_end(line);
}

static void write_result(struct csv_line *line, const struct csv_factors *factors,
                         const struct report_source *source, enum csv_table table)
{
    struct csv_place place = {.source = source};
    size_t t, p;
    json_array_foreach(json_object_get(source->summary, "trials"), t, place.trial)
    {
        json_array_foreach(json_object_get(place.trial, "phases"), p, place.phase)
        {
            if (table == CSV_PHASES)
                write_phase(line, factors, &place);
            else
                csv_samples_write(line, factors, &place, p);
        }
    }
}

static void write_table(FILE *out, const struct report_source *sources, size_t count,
                        enum csv_table table)
{
    struct csv_line line = {.out = out};
    struct csv_factors factors;
    csv_place_factors(&factors, sources, count);
    if (table == CSV_PHASES)
        write_phases_header(&line, &factors);
    else
        csv_samples_header(&line, &factors);
    for (size_t i = 0; i < count; i++)
        write_result(&line, &factors, &sources[i], table);
    csv_place_factors_release(&factors);
}

int csv_write(FILE *out, const struct report_source *sources, size_t count, enum csv_table table,
              struct err *err)
{
    struct plain_numbers numbers;
    if (plain_numbers_begin(&numbers, err) != 0)
        return -1;
    write_table(out, sources, count, table);
    plain_numbers_end(&numbers);
    if (fflush(out) != 0 || ferror(out))
        return err_set_errno(err, ERR_FAILED, errno, "writing CSV");
    return 0;
}

void csv_describe(enum csv_table table, csv_column_visit visit, void *ctx)
{
    csv_place_describe(table, visit, ctx);
    if (table == CSV_SAMPLES) {
        csv_samples_describe(visit, ctx);
        return;
    }
    for (const struct metric_row *row = metric_rows; row->path; row++)
        visit(ctx, row->path, row->unit, row->help);
}
