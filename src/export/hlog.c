/* The form is that of HistogramLogWriter and HistogramLogReader of HdrHistogram 2.1.11, which keep
 * it by its version: comments with version, base and start time, a legend, and a line an interval:
 *
 *     Tag=NAME,START,LENGTH,MAX,HISTOGRAM
 *
 * in seconds since the base time, MAX in milliseconds where values are nanoseconds; readers expect
 * the lines in the order of their start. */
#include "export/hlog.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "export/plain_numbers.h"
#include "measure/hist.h"
#include "report/text.h"

struct writer {
    FILE *out;
    const struct report_source *source;
    bool several; /* trials */
    double at_s;  /* where the phase before ended */
    struct hist *room;
    /* ---- of the phase ---- */
    const json_t *phase;
    const struct course *course; /* NULL: no samples of it */
    char place[64];              /* "trial3.insert" */
};

/* Documents come from anywhere: what can be no time of a run, and no number of a trial, is 0. */
static double sane(double value)
{
    const double most = 1e9; /* 30 years */
    return value >= 0 && value <= most ? value : 0;
}

/* ---- the head ---- */

/* False: the document does not say. */
static bool read_start(const char *started, struct tm *tm)
{
    *tm = (struct tm){0};
    const char *end = started ? strptime(started, "%Y-%m-%dT%H:%M:%S", tm) : NULL;
    return end && strcmp(end, "Z") == 0;
}

static void write_comment(FILE *out, const char *text)
{
    char *safe = text_clean(text, TEXT_UTF8, 0);
    fprintf(out, "#%s\n", safe);
    free(safe);
}

static void add_factors(struct text *text, const json_t *factors)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)factors, name, value)
    {
        if (json_is_string(value))
            text_add(text, ", %s %s", name, json_string_value(value));
        else if (json_is_number(value))
            text_add(text, ", %s %.15g", name, json_number_value(value));
    }
}

/* Which trial a tag means. */
static void write_trials(FILE *out, const json_t *trials)
{
    size_t index;
    const json_t *trial;
    json_array_foreach(trials, index, trial)
    {
        struct text text = {0};
        const char *part = json_text_at(trial, "part");
        text_add(&text, "[trial%.0f: ", sane(json_number_at(trial, "index")));
        if (part)
            text_add(&text, "part %s, ", part);
        text_add(&text, "repeat %.0f", sane(json_number_at(trial, "repeat")));
        add_factors(&text, json_object_get(trial, "factors"));
        text_add(&text, "]");
        write_comment(out, text.data);
        text_release(&text);
    }
}

static void write_head(const struct writer *w)
{
    struct tm start;
    fputs("#[Logged with loadline " LOADLINE_VERSION ": latencies in ns]\n"
          "#[Histogram log format version 1.3]\n",
          w->out);
    if (read_start(json_text_at(w->source->summary, "started"), &start)) {
        double epoch_s = (double)timegm(&start);
        char text[64];
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &start);
        fprintf(w->out, "#[BaseTime: %.3f (seconds since epoch)]\n", epoch_s);
        fprintf(w->out, "#[StartTime: %.3f (seconds since epoch), %s]\n", epoch_s, text);
    }
    if (w->several)
        write_trials(w->out, json_object_get(w->source->summary, "trials"));
    fputs("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
          "\"Interval_Compressed_Histogram\"\n",
          w->out);
}

/* ---- lines ---- */

/* A histogram that cannot be read is left out. */
static void write_line(const struct writer *w, const char *latency, double start_s, double length_s,
                       const char *histogram)
{
    struct err ignored;
    if (!histogram || hist_decode(histogram, w->room, &ignored) != 0)
        return;
    double max_ms = w->room->count > 0 ? hist_max_ms(w->room) : 0;
    fprintf(w->out, "Tag=%s.%s,%.3f,%.3f,%.3f,%s\n", w->place, latency, start_s, length_s, max_ms,
            histogram);
}

/* A tag holds neither commas nor blanks, whatever the phase is called. */
static void name_place(struct writer *w, const json_t *trial)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const char *name = json_text_at(w->phase, "name");
    int used = 0;
    if (w->several)
        used = snprintf(w->place, sizeof w->place / 2, "trial%.0f.",
                        sane(json_number_at(trial, "index")));
    snprintf(w->place + used, sizeof w->place - (size_t)used, "%s", name && *name ? name : "phase");
    for (char *c = w->place + used; *c; c++)
        if (!strchr(plain, *c))
            *c = '_';
}

static bool has_intervals(const struct course *course)
{
    for (size_t i = 0; course && course->latencies && i < course->series.count; i++)
        if (course->latencies[i])
            return true;
    return false;
}

static void write_phase(struct writer *w)
{
    static const char *const whole[] = {"transaction", "lock_wait", "statement", "commit"};
    enum { COMMIT = 3 };
    const json_t *histograms = json_object_get(w->phase, "histograms");
    bool is_known = w->course && isfinite(w->course->start_s);
    double start_s = is_known ? w->course->start_s : w->at_s;
    double length_s = sane(json_number_at(w->phase, "elapsed_s"));
    bool each = has_intervals(w->course); /* the whole would count all commits twice */
    for (size_t i = 0; i < (each ? COMMIT : COMMIT + 1); i++)
        write_line(w, whole[i], start_s, length_s,
                   json_string_value(json_object_get(histograms, whole[i])));
    for (size_t i = 0; each && i < w->course->series.count; i++) {
        const struct interval *interval = &w->course->series.items[i];
        write_line(w, whole[COMMIT], start_s + interval->start_s, interval->seconds,
                   w->course->latencies[i]);
    }
    w->at_s = start_s + length_s;
}

static const struct course *course_of(const struct courses *courses, double trial, size_t place)
{
    return courses && trial >= 0 && trial <= UINT32_MAX
               ? courses_find(courses, (unsigned)trial, (unsigned)place)
               : NULL;
}

static void write_trial(struct writer *w, const json_t *trial)
{
    size_t place;
    json_array_foreach(json_object_get(trial, "phases"), place, w->phase)
    {
        w->course = course_of(w->source->courses, json_number_at(trial, "index"), place);
        name_place(w, trial);
        write_phase(w);
    }
}

int hlog_write(FILE *out, const struct report_source *source, struct err *err)
{
    const json_t *trials = json_object_get(source->summary, "trials"), *trial;
    struct writer w = {.out = out, .source = source, .several = json_array_size(trials) > 1};
    struct plain_numbers numbers;
    size_t index;
    if (plain_numbers_begin(&numbers, err) != 0)
        return -1;
    w.room = hist_create();
    write_head(&w);
    json_array_foreach(trials, index, trial)
    {
        write_trial(&w, trial);
    }
    hist_destroy(w.room);
    plain_numbers_end(&numbers);
    if (fflush(out) != 0 || ferror(out))
        return err_set_errno(err, ERR_FAILED, errno, "writing the histogram log");
    return 0;
}
