/* card_curve.h - the main curve of a card: the verdict's rate over streams where these were varied,
 * else over time.  Pure but for what it draws. */
#ifndef PAGE_CARD_CURVE_H
#define PAGE_CARD_CURVE_H

#include <stdbool.h>

#include "report/headline.h"
#include "report/text.h"
#include "result/course.h"

struct card_point {
    double x, y;
};

struct card_curve {
    struct card_point *points; /* [count]; 0: there is nothing to draw */
    size_t count;
    bool over_streams; /* else over seconds of the phase, all cycles joined */
    bool is_bulk;      /* rows/s, else commits/s */
};

void card_curve_find(struct card_curve *curve, const struct headline *headline,
                     const json_t *summary, const struct courses *courses);
void card_curve_release(struct card_curve *curve);

/* As SVG into a box of the card, with its axes. */
struct card_box {
    double left, top, width, height;
};
void card_curve_draw(const struct card_curve *curve, const struct card_box *box, struct text *svg);

#endif
