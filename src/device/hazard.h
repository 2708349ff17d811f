/* hazard.h - what about a target changes the meaning of numbers measured on it.  Pure. */
#ifndef DEVICE_HAZARD_H
#define DEVICE_HAZARD_H

#include <stdbool.h>

#include "device/cap.h"
#include "device/identity.h"
#include "device/stack.h"

enum hazard_answer { HAZARD_UNKNOWN, HAZARD_NO, HAZARD_YES };

/* What is known of one target.  Texts may be "". */
struct hazard_facts {
    const struct stack *stack;
    const struct identity *identity;
    const struct cap *cap;
    enum hazard_answer nocow, compressed; /* attributes that new files in the directory inherit */
    enum hazard_answer cache_by_hand;     /* the drive says write back, the kernel was told else */
    char backing_file[1024];              /* of a loop device */
    char backing_filesystem[64];          /* that it lies on */
    const char *memory;                   /* that the device lies in (stack_memory.h); NULL, "" */
    double compressible;                  /* share of the payload that is constant; NaN */
    double filesystem_bytes, memory_bytes, data_bytes; /* data: at most at one time; NaN */
    bool reads;                                        /* some phase reads what is there */
};

/* Says each in one sentence, in a fixed order; the text is valid during the call. */
void hazard_list(const struct hazard_facts *facts, void (*say)(void *ctx, const char *sentence),
                 void *ctx);
/* Says, if it is so, that nothing read here comes from the drive.  True of nearly every short run:
 * worth one short sentence a run, not one a device. */
void hazard_memory(const struct hazard_facts *facts, void (*say)(void *ctx, const char *sentence),
                   void *ctx);

#endif
