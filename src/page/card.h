/* card.h - a result as one picture to share: the verdict, what stopped it, the drive's model and
 * the main curve, as an SVG without scripts, links, serial numbers or host names. */
#ifndef PAGE_CARD_H
#define PAGE_CARD_H

#include "report/report.h"

int card_write(FILE *out, const struct report_source *source, struct err *err);

#endif
