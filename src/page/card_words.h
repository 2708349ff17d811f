/* card_words.h - the verdict of a report in the few words that a card has room for. */
#ifndef PAGE_CARD_WORDS_H
#define PAGE_CARD_WORDS_H

#include "report/sink.h"

/* A sink that keeps these of the sections that write to it, and shows nothing.  Safe texts, heap;
 * NULL: there is none. */
struct card_words {
    struct sink sink;
    char *partial; /* why the result is partial */
    char *verdict; /* "12,800 flushed commits/s at 40 streams, p99 6.42 ms" */
    char *limit;   /* "flush: one in flight 92% of the time" */
    char *lasting; /* "burst: 71 GB in 9.5 min says nothing of sustained load" */
    char *danger;  /* what speaks against the numbers: not flushed, a risk, lost rows */
};

void card_words_init(struct card_words *words);
void card_words_release(struct card_words *words);

#endif
