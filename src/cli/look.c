#include "cli/look.h"

#include "base/term.h"

struct report_options look_make(int fd, int width, const struct report_source *source)
{
    return (struct report_options){
        .width = width > 0 ? width : term_width(fd),
        .colour = term_has_colour(fd),
        .utf8 = term_is_utf8(),
        .result_path = source != NULL ? source->path : NULL,
        .courses = source != NULL ? source->courses : NULL,
    };
}
