#include "report/report.h"

#include <errno.h>

#include "report/families.h"
#include "report/sections.h"

/* Without columns: what keys of a table may take before their lines get numbers, in characters. */
enum { WIDTH_LEAST = 60, WIDTH_MOST = 120, WIDTH_OF_PAGES = 200 };

/* Text shows them in this order; the others in that of their places. */
static const struct report_section sections[] = {
    {"partial", section_partial, REPORT_VERDICT, "Verdict", SINK_UNFOLDED},
    {"title", section_title, REPORT_DRIVE, "Drive", SINK_UNFOLDED},
    {"header", section_header, REPORT_DRIVE, "Drive", SINK_UNFOLDED},
    {"settings", section_settings, REPORT_DRIVE, "Drive", SINK_UNFOLDED},
    {"phases", section_phases, REPORT_TABLES, "Measured", SINK_UNFOLDED},
    {"sweep", section_sweep, REPORT_TABLES, "Measured", SINK_UNFOLDED},
    {"verdict", section_verdict, REPORT_VERDICT, "Verdict", SINK_UNFOLDED},
    {"ceiling", section_ceiling, REPORT_VERDICT, "Verdict", SINK_UNFOLDED},
    {"scaling", section_scaling, REPORT_VERDICT, "Verdict", SINK_UNFOLDED},
    {"contention", section_contention, REPORT_VERDICT, "Verdict", SINK_UNFOLDED},
    {"steady", section_steady, REPORT_VERDICT, "Verdict", SINK_UNFOLDED},
    {"correlation", section_correlation, REPORT_VERDICT, "Verdict", SINK_UNFOLDED},
    {"buyer", section_buyer, REPORT_VERDICT, "Verdict", SINK_UNFOLDED},
    {"verified", section_verified, REPORT_VERDICT, "Verdict", SINK_UNFOLDED},
    {"drive", section_drive, REPORT_DRIVE, "Drive", SINK_UNFOLDED},
    {"notes", section_notes, REPORT_VERDICT, "Verdict", SINK_UNFOLDED},
    {"course", section_course, REPORT_TABLES, "Measured", SINK_UNFOLDED},
    {"server", section_server, REPORT_TABLES, "Server", SINK_FOLDED},
    {"detail", section_detail, REPORT_TABLES, "Detail", SINK_FOLDED},
    {"result", section_result, REPORT_DRIVE, "Drive", SINK_UNFOLDED},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

/* ---- what all forms have ---- */

static void view_open(struct view *view, struct families *families)
{
    groups_init(&view->groups, view->summary);
    families_init(families, view);
    view->families = families;
}

static int view_close(struct view *view, struct families *families, struct err *err)
{
    FILE *out = view->sink->out;
    view->sink->form->finish(view->sink);
    families_release(families);
    groups_release(&view->groups);
    errno = 0;
    if (fflush(out) != 0 || ferror(out))
        return err_set_errno(err, ERR_FAILED, errno ? errno : EIO, "write of the report");
    return 0;
}

/* Where the title leads, the verdict follows it without a heading. */
enum lead { LEAD_HEADING, LEAD_TITLE };

static void print_place(const struct view *view, enum report_place place, enum lead lead)
{
    struct sink *sink = view->sink;
    for (size_t i = 0; i < SECTIONS; i++) {
        const struct report_section *section = &sections[i];
        if (section->place != place || (lead == LEAD_TITLE && section->print == section_title))
            continue;
        if (lead == LEAD_HEADING || place != REPORT_VERDICT)
            sink->form->section(sink, section->heading, section->fold);
        section->print(view);
    }
}

/* ---- forms ---- */

int report_text(FILE *out, const json_t *summary, const struct report_options *options,
                struct err *err)
{
    int width = options->width < WIDTH_LEAST  ? WIDTH_LEAST
                : options->width > WIDTH_MOST ? WIDTH_MOST
                                              : options->width;
    struct sink sink = sink_text(out, (size_t)width, options->colour);
    struct view view = {
        .sink = &sink, .summary = summary, .options = options, .width = (size_t)width};
    struct families families;
    view_open(&view, &families);
    for (size_t i = 0; i < SECTIONS; i++)
        sections[i].print(&view);
    return view_close(&view, &families, err);
}

int report_markdown(FILE *out, const json_t *summary, const struct report_options *options,
                    struct err *err)
{
    const struct report_options own = {.utf8 = true, .result_path = options->result_path};
    struct sink sink = sink_markdown(out);
    struct view view = {
        .sink = &sink, .summary = summary, .options = &own, .width = WIDTH_OF_PAGES};
    struct families families;
    view_open(&view, &families);
    section_title(&view);
    print_place(&view, REPORT_VERDICT, LEAD_TITLE);
    print_place(&view, REPORT_DRIVE, LEAD_TITLE);
    print_place(&view, REPORT_TABLES, LEAD_TITLE);
    return view_close(&view, &families, err);
}

int report_html(FILE *out, const json_t *summary, enum report_place place, struct err *err)
{
    const struct report_options own = {.utf8 = true};
    struct sink sink = sink_html(out);
    struct view view = {
        .sink = &sink, .summary = summary, .options = &own, .width = WIDTH_OF_PAGES};
    struct families families;
    view_open(&view, &families);
    print_place(&view, place, LEAD_HEADING);
    return view_close(&view, &families, err);
}

void report_visit(struct sink *sink, const json_t *summary,
                  void (*visit)(const struct view *view, void *ctx), void *ctx)
{
    const struct report_options own = {.utf8 = true};
    struct view view = {.sink = sink, .summary = summary, .options = &own, .width = WIDTH_OF_PAGES};
    struct families families;
    view_open(&view, &families);
    visit(&view, ctx);
    sink->form->finish(sink);
    families_release(&families);
    groups_release(&view.groups);
}
