/* err.h - how a failure travels from where it happens to main.c.
 *
 * Every function that can fail returns 0 or -1 and takes a trailing `struct err *`,
 * never NULL.  The innermost cause sets it, outer frames put context in front:
 *
 *     if (ini_read(...) != 0)
 *         return err_context(err, "workload file %s", path);
 *
 * The text is one sentence for a person: it names the thing and says what would be
 * right.  Programmer errors assert instead.  Any thread, one owner per struct.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

/* What went wrong, as main.c's exit status sees it (product.md, "Exit status"). */
enum err_kind {
    ERR_NONE = 0,
    ERR_FAILED,      /* 1: a call failed while running */
    ERR_USAGE,       /* 2: wrong usage, wrong workload file, existing result file */
    ERR_REFUSED,     /* 3: the target was refused before any load */
    ERR_VERIFY,      /* 4: rows lost, surplus or wrong */
    ERR_CROSSED,     /* 5: a threshold given with --fail-if was crossed */
    ERR_INTERRUPTED, /* 130: Ctrl-C or SIGTERM */
};

struct err {
    enum err_kind kind;
    char text[1024];
};

/* Both return -1 always, so that a caller can write `return err_set(...)`. */
int err_set(struct err *err, enum err_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* As err_set, followed by ": " and the text of errno value `number`. */
int err_set_errno(struct err *err, enum err_kind kind, int number, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Puts "CONTEXT: " in front of the text that is there. Returns -1. */
int err_context(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
