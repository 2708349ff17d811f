/* scan.h - reads JSON text value by value and keeps nothing of it: no allocation, no tree.
 *
 * Why there is this beside jansson (json.h): a log of hours holds hundreds of thousands of samples,
 * and jansson makes a tree of each, at about 60 MB/s; this takes the fields of a sample at some ten
 * times that.  Everything else is read by jansson.  What is accepted is the same, strings, numbers
 * and depth included (tests/unit/base/scan.c compares them), as json_loadb() with no flags does:
 * an object or an array, of UTF-8, integers within 64 bits, reals below infinity.  But of two
 * members of one name both are seen, and a byte of 0 is a mistake everywhere.
 *
 *     scan_init(&s, line, size);
 *     if (scan_object(&s))
 *         while (scan_key(&s, &key))
 *             if (scan_text_is(&key, "commits"))
 *                 known = scan_integer(&s, &commits);
 *             else
 *                 scan_skip(&s);
 *     if (!scan_end(&s)) ...
 *
 * After each key, and for each item, exactly one value is taken: scan_object, scan_array,
 * scan_integer, scan_number, scan_text or scan_skip.  A value of another kind is passed over and
 * the answer is false.  An object or array that was entered is left by asking until the answer is
 * false.  After a mistake in the text everything is false.  Any thread; LC_NUMERIC must be C. */
#ifndef BASE_SCAN_H
#define BASE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCAN_DEPTH_MAX = 2048 }; /* jansson's own */

struct scan {
    const char *at, *end;
    unsigned depth; /* objects and arrays that are open */
    bool fresh;     /* the one that was entered last has given nothing yet */
    bool failed;
};

/* A string as it stands between its quotes, known to be well-formed. */
struct scan_text {
    const char *bytes;
    size_t size;
    bool escaped; /* there are backslashes in it */
};

void scan_init(struct scan *scan, const char *text, size_t size);
/* True: all of the text was one well-formed value, and it was taken. */
bool scan_end(struct scan *scan);

bool scan_object(struct scan *scan);
/* The next member's name; false: there is none any more. */
bool scan_key(struct scan *scan, struct scan_text *key);
/* True: the next member has this name (of `size` bytes), and the name was taken.  False says
 * nothing: ask scan_key(). */
bool scan_key_like(struct scan *scan, const char *name, size_t size);
bool scan_array(struct scan *scan);
/* There is another item; false: there is none any more. */
bool scan_item(struct scan *scan);

bool scan_integer(struct scan *scan, int64_t *value);
bool scan_number(struct scan *scan, double *value); /* integers too */
bool scan_text(struct scan *scan, struct scan_text *text);
void scan_skip(struct scan *scan);

bool scan_text_is(const struct scan_text *text, const char *word);
/* Without its escapes, at most `text->size` bytes and no end mark; returns how many. */
size_t scan_text_copy(const struct scan_text *text, char *to);

#endif
