/* form_args.h - the options of the commands that show something: its form, its file, its width, its
 * language.
 *
 * A child of the command's own argp, as asked_args.h. */
#ifndef CLI_FORM_ARGS_H
#define CLI_FORM_ARGS_H

#include <argp.h>

#include "base/err.h"

enum form {
    FORM_TEXT,
    FORM_HTML,
    FORM_MARKDOWN,
    FORM_CSV,
    FORM_PROM,
    FORM_HLOG,
    FORM_SVG,
    FORM_JSON,
    FORMS,
};
/* Sets of them. */
#define FORM_BIT(form) (1U << (form))

struct form_args {
    unsigned allowed;           /* set: what the command has */
    const char *output;         /* NULL: standard output */
    const char *format, *table; /* as given; NULL */
    const char *lang;           /* "en", "ja"; NULL */
    int width;                  /* 0: the terminal's */
    struct err *err;            /* filled where argp_parse() returns EINVAL */
};

extern const struct argp form_args_argp;
extern const char form_args_title[];

/* By --format, else by the file's ending, else text.  ERR_USAGE: there is none, or the command does
 * not have it, or both contradict each other. */
int form_args_choose(const struct form_args *args, enum form *form, struct err *err);
/* Columns of text; 0: as wide as the terminal is. */
int form_args_width(const struct form_args *args);

#endif
