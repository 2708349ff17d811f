/* page_data.h - the data block of a page: results as JSON (reports/README.md), compressed, in
 * base64.  The same results always make the same text.  Main thread. */
#ifndef PAGE_PAGE_DATA_H
#define PAGE_PAGE_DATA_H

#include "report/report.h"

enum { PAGE_INTERVALS_MOST = 120000, PAGE_HEAT_COLUMNS = 2000, PAGE_NAME_COLUMNS = 200 };

/* "results" and "comparison" (NULL: null).  New reference. */
json_t *page_data(const struct report_source *sources, size_t count, const json_t *comparison);
/* Heap.  Aborts when memory is out. */
char *page_data_text(const json_t *data);

/* What a result is called: its label, else the model of its drive, else its file, as clean text
 * that is not too long; heap. */
char *page_data_name(const struct report_source *source);
/* Its file without the directory, which is nobody's business; NULL: not told.  Borrowed. */
const char *page_data_file(const struct report_source *source);

#endif
