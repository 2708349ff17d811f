#include "analysis/knee.h"

#include <math.h>
#include <stdbool.h>

#define STILL_CHANGE 0.05
#define STILL_SPREAD 0.10 /* around the middle of the least and the most */
#define STILL_SHARE  (1.0 / 3)
#define RISE_LEAST   0.10

/* The last rung that knows the rate first: what comes later is known when one is judged. */
static void find_places(const struct ladder *ladder, struct knee *knee)
{
    double most_later = -INFINITY;
    for (size_t i = ladder->count; i-- > 0;) {
        const struct rung *rung = &ladder->rungs[i];
        double rate = rung->rates[ladder->main];
        if (!(rate > 0))
            continue;
        if (++knee->known == 1)
            knee->last = rung;
        else if (knee->known == 2)
            knee->before = rung;
        if (most_later < rate * KNEE_GAIN)
            knee->at = rung;
        knee->first = rung;
        most_later = fmax(most_later, rate);
    }
}

void knee_find(const struct ladder *ladder, struct knee *knee)
{
    *knee = (struct knee){.verdict = KNEE_UNDETERMINED, .p99_beyond = NAN};
    find_places(ladder, knee);
    if (knee->known < 2)
        return;
    const struct rung *base = knee->at == knee->last ? knee->first : knee->at;
    ladder_ratio(base, knee->last, ladder->main, &knee->gain);
    double medians = knee->last->rates[ladder->main] / base->rates[ladder->main];
    if (isnan(knee->gain.ratio)) /* no repeat has both */
        knee->gain.ratio = medians;
    knee->p99_beyond = base->p99_ms > 0 ? knee->last->p99_ms / base->p99_ms : NAN;
    if (knee->at == knee->last)
        knee->verdict = KNEE_RISING;
    else if (medians * KNEE_GAIN <= 1)
        knee->verdict = KNEE_FALLING;
    else
        knee->verdict = knee->at == knee->first ? KNEE_FLAT : KNEE_FOUND;
}

/* ---- plateau ---- */

struct stretch { /* of one rate, from a rung on to the last one */
    double least, most, ratio;
};

/* How sure it is that one stands still while the other rises. */
enum stillness { STILL_NOT, STILL_NEARLY, STILL_CLEARLY };

static enum stillness judge(const struct stretch *one, const struct stretch *other, size_t points)
{
    double change = fabs(one->ratio - 1), rise = other->ratio - 1;
    bool near = (one->most - one->least) <= STILL_SPREAD * (one->most + one->least);
    if (!(rise > RISE_LEAST))
        return STILL_NOT;
    if (change < STILL_CHANGE)
        return STILL_CLEARLY;
    return points >= 3 && near && change < rise * STILL_SHARE ? STILL_NEARLY : STILL_NOT;
}

void knee_plateau(const struct ladder *ladder, struct plateau *plateau)
{
    const enum rate pair[2] = {RATE_WRITES, ladder->main};
    struct stretch stretches[2] = {{INFINITY, -INFINITY, NAN}, {INFINITY, -INFINITY, NAN}};
    const struct rung *last = NULL;
    enum stillness best = STILL_NOT;
    size_t points = 0;
    *plateau = (struct plateau){.from = NULL};
    for (size_t i = ladder->count; i-- > 0;) {
        const struct rung *rung = &ladder->rungs[i];
        if (!(rung->whole[pair[0]] > 0 && rung->whole[pair[1]] > 0))
            continue;
        last = last ? last : rung;
        points++;
        for (int k = 0; k < 2; k++) {
            double value = rung->whole[pair[k]];
            stretches[k].least = fmin(stretches[k].least, value);
            stretches[k].most = fmax(stretches[k].most, value);
            stretches[k].ratio = last->whole[pair[k]] / value;
        }
        for (int k = 0; k < 2; k++) {
            enum stillness still = judge(&stretches[k], &stretches[1 - k], points);
            if (still == STILL_NOT || still < best)
                continue;
            best = still; /* the clearest, then the longest */
            *plateau = (struct plateau){
                rung, last, pair[k], pair[1 - k], stretches[k].ratio, stretches[1 - k].ratio};
        }
    }
}
