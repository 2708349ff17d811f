/* markdown.h - text from anywhere, as text in GitHub Flavored Markdown: never as markup, HTML, a
 * link, a mention of somebody or a reference to an issue or a commit. */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include "report/text.h"

/* Adds `from`.  Controls become visible (text.h); what Markdown takes for its own is escaped; a
 * word that a site would make a link, a mention or a reference stands in a code span. */
enum markdown_place {
    MARKDOWN_START, /* of a paragraph or an item: what begins lists or headings there is escaped */
    MARKDOWN_INSIDE /* of a line or of a table's cell */
};
void markdown_add(struct text *text, enum markdown_place place, const char *from);

#endif
