#include "driver/retry.h"

#include "base/clock.h"

#define FIRST_NS   (NS_PER_MS / 2)
#define LONGEST_NS (100 * NS_PER_MS)

int64_t retry_delay_ns(unsigned attempt, struct rng *rng)
{
    int64_t longest_ns = attempt < 8 ? FIRST_NS << attempt : LONGEST_NS;
    if (longest_ns > LONGEST_NS)
        longest_ns = LONGEST_NS;
    return 1 + (int64_t)rng_below(rng, (uint64_t)longest_ns);
}
