/* page_parts.h - the files of a page that were built into the program: the template, style, scripts
 * and catalogue of reports/, and dygraphs with its licence (cmake/embed.cmake, embed_page).
 *
 * Pure; texts live as long as the program. */
#ifndef PAGE_PAGE_PARTS_H
#define PAGE_PAGE_PARTS_H

#include <stddef.h>

enum page_part {
    PAGE_TEMPLATE,
    PAGE_STYLE,
    PAGE_SCRIPT,   /* reports/script/, joined in the order of their names */
    PAGE_DYGRAPHS, /* as Debian's libjs-dygraphs has it, without the hint at its source map */
    PAGE_CATALOG,  /* English patterns and their Japanese */
    PAGE_PARTS
};

/* Not NUL-terminated. */
const char *page_part_text(enum page_part part, size_t *size);
/* SHA-256 of exactly these bytes, in base64, as a content security policy wants it.  Of style,
 * script and dygraphs. */
const char *page_part_sum(enum page_part part);
/* "dygraphs 2.2.1, MIT licence, ...": one line for people. */
const char *page_part_licence(void);

#endif
