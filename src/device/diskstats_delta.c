#include "device/diskstats.h"

/* Per-CPU counters are summed while they move, so a sum may seem to run back by this much. */
enum { FEW_REQUESTS = 16, FEW_SECTORS = 16 * 2048, FEW_MS = 1000 };

#define MS_FIELDS                                                                                  \
    (1U << DISK_READ_MS | 1U << DISK_WRITE_MS | 1U << DISK_IO_MS | 1U << DISK_WEIGHTED_MS |        \
     1U << DISK_DISCARD_MS | 1U << DISK_FLUSH_MS)
#define SECTOR_FIELDS                                                                              \
    (1U << DISK_READ_SECTORS | 1U << DISK_WRITE_SECTORS | 1U << DISK_DISCARD_SECTORS)

enum direction { STEADY, ROSE, FELL, WENT_ROUND, SLIPPED };

static bool is_ms(unsigned field)
{
    return (MS_FIELDS >> field) & 1;
}

static uint64_t few(unsigned field)
{
    return (SECTOR_FIELDS >> field) & 1 ? FEW_SECTORS : is_ms(field) ? FEW_MS : FEW_REQUESTS;
}

/* Where one counter went, and by how much (0 when it ran back). */
static enum direction move(unsigned field, uint64_t earlier, uint64_t later, int64_t *moved)
{
    bool narrow = earlier <= UINT32_MAX && later <= UINT32_MAX;
    uint32_t around = (uint32_t)(later - earlier);
    *moved = 0;
    if (later >= earlier) {
        /* Milliseconds below 0, and counts of 32-bit kernels, are printed as a number a little
         * below 2^32. */
        if (narrow && around >> 31 && UINT32_MAX - around < few(field))
            return SLIPPED;
        if (is_ms(field) && narrow && around >> 31 && earlier != 0)
            return FELL;
        *moved = later - earlier > INT64_MAX ? INT64_MAX : (int64_t)(later - earlier);
        return later == earlier ? STEADY : ROSE;
    }
    if (earlier - later <= few(field))
        return SLIPPED;
    /* Milliseconds are 32 bits wide everywhere, counts on 32-bit kernels only: there the
     * step must be plain to see. */
    bool wrapped =
        is_ms(field) ? around < UINT32_C(1) << 31 : around < UINT32_C(1) << 28 && earlier >> 31;
    if (narrow && wrapped) {
        *moved = around;
        return WENT_ROUND;
    }
    return FELL;
}

/* Replaced: of the requests and sectors that were not 0, nearly all fell, some by more than
 * a slip.  Times say nothing here: they wrap. */
static bool was_replaced(const struct diskstats *earlier, const struct diskstats *later,
                         uint32_t present)
{
    unsigned used = 0, fell = 0, far = 0;
    for (unsigned f = 0; f < DISK_FIELDS; f++) {
        if (!((present >> f) & 1) || is_ms(f) || f == DISK_IN_FLIGHT || earlier->value[f] == 0)
            continue;
        int64_t moved;
        enum direction way = move(f, earlier->value[f], later->value[f], &moved);
        used++;
        fell += way == FELL || way == SLIPPED;
        far += way == FELL;
    }
    return far > 0 && 4 * fell >= 3 * used;
}

void diskstats_delta(const struct diskstats *earlier, const struct diskstats *later,
                     struct disk_delta *delta)
{
    uint32_t present = earlier->present & later->present;
    *delta = (struct disk_delta){.status = DISK_MISSING};
    if (earlier->name[0] == 0 || later->name[0] == 0)
        return;
    if (was_replaced(earlier, later, present)) {
        delta->status = DISK_RESET;
        return;
    }
    struct disk_delta d = {.status = DISK_OK, .present = present};
    for (unsigned f = 0; f < DISK_FIELDS; f++) {
        if (!((present >> f) & 1))
            continue;
        if (f == DISK_IN_FLIGHT) {
            d.value[f] = (int64_t)later->value[f];
            continue;
        }
        enum direction way = move(f, earlier->value[f], later->value[f], &d.value[f]);
        if (way == FELL && !is_ms(f)) {
            delta->status = DISK_BACKWARDS;
            return;
        }
        if (way == FELL) /* a time gone astray says nothing against the counts */
            d.present &= ~(1U << f);
        if (way == WENT_ROUND)
            d.status = DISK_WRAPPED;
    }
    *delta = d;
}

static double most_per_s(unsigned field)
{
    if (is_ms(field))
        return 1e9; /* of a million requests that wait side by side */
    if (field == DISK_DISCARD_SECTORS)
        return 1e15 / DISK_SECTOR_BYTES; /* one command may discard a whole drive */
    return (SECTOR_FIELDS >> field) & 1 ? 1e12 / DISK_SECTOR_BYTES : 1e8;
}

void disk_delta_judge(struct disk_delta *delta, double seconds)
{
    if (!(seconds >= 0))
        return;
    for (unsigned f = 0; f < DISK_FIELDS; f++) {
        if (f == DISK_IN_FLIGHT || (double)delta->value[f] <= most_per_s(f) * (seconds + 1))
            continue;
        delta->value[f] = 0;
        delta->present &= ~(1U << f);
    }
}

void disk_delta_start(struct disk_delta *total)
{
    *total = (struct disk_delta){.status = DISK_OK, .present = (1U << DISK_FIELDS) - 1};
}

static bool has_numbers(enum disk_status status)
{
    return status == DISK_OK || status == DISK_WRAPPED;
}

void disk_delta_add(struct disk_delta *total, const struct disk_delta *delta)
{
    if (!has_numbers(total->status))
        return;
    if (!has_numbers(delta->status) || delta->status == DISK_WRAPPED)
        total->status = delta->status;
    total->present &= delta->present;
    for (unsigned f = 0; f < DISK_FIELDS; f++) {
        if (!((total->present >> f) & 1) ||
            __builtin_add_overflow(total->value[f], delta->value[f], &total->value[f])) {
            total->present &= ~(1U << f);
            total->value[f] = 0;
        }
    }
}
