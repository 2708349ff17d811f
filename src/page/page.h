/* page.h - results as one HTML file that needs nothing else: no network, no other file.
 *
 * The template, style and script lie in reports/ and are built in, as is dygraphs (MIT licence),
 * with its licence line and the checksum of what was built in.  reports/README.md has the contract
 * between the data made here and the script.
 *
 * A result is untrusted: its texts reach the page as escaped text, or as data that the script only
 * ever sets as text; a content security policy allows the built-in script and style by their
 * checksums, and nothing else. */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "report/report.h"

struct page_options {
    const char *lang; /* "en", "ja"; NULL: as the browser wants it */
};

/* `comparison`: analysis/compare.h, for several results; NULL: none.  Courses should hold latencies
 * (document.h), else the page has no latency over time.  ERR_FAILED: not written. */
int page_write(FILE *out, const struct report_source *sources, size_t count,
               const json_t *comparison, const struct page_options *options, struct err *err);

#endif
