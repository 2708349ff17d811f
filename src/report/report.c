#include "report/report.h"

#include <errno.h>

#include "report/families.h"
#include "report/sections.h"

enum { WIDTH_LEAST = 60, WIDTH_MOST = 120 };

static const struct report_section sections[] = {
    {"partial", section_partial}, {"header", section_header},
    {"phases", section_phases},   {"sweep", section_sweep},
    {"verdict", section_verdict}, {"ceiling", section_ceiling},
    {"scaling", section_scaling}, {"contention", section_contention},
    {"steady", section_steady},   {"correlation", section_correlation},
    {"buyer", section_buyer},     {"verified", section_verified},
    {"drive", section_drive},     {"notes", section_notes},
    {"server", section_server},   {"detail", section_detail},
    {"result", section_result},
};

int report_text(FILE *out, const json_t *summary, const struct report_options *options,
                struct err *err)
{
    int width = options->width < WIDTH_LEAST  ? WIDTH_LEAST
                : options->width > WIDTH_MOST ? WIDTH_MOST
                                              : options->width;
    struct view view = {.out = out, .summary = summary, .options = options, .width = (size_t)width};
    struct families families;
    groups_init(&view.groups, summary);
    families_init(&families, &view);
    view.families = &families;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        sections[i].print(&view);
    families_release(&families);
    groups_release(&view.groups);
    errno = 0;
    if (fflush(out) != 0 || ferror(out))
        return err_set_errno(err, ERR_FAILED, errno ? errno : EIO, "write of the report");
    return 0;
}
