/* page_text.h - text inside a page's markup: never more than text.  Pure but for the output. */
#ifndef PAGE_PAGE_TEXT_H
#define PAGE_PAGE_TEXT_H

#include <stdio.h>

/* With < > & and both quotes as references, so that it can stand in an element or in a quoted
 * attribute.  What is no UTF-8 becomes U+FFFD, control characters too, line separators a blank. */
void page_text_write(FILE *out, const char *text);

#endif
