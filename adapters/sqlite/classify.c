#include "sqlite/classify.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>

enum op_status sqlite_classify(int extended, int system_errno)
{
    bool full = system_errno == ENOSPC || system_errno == EDQUOT;
    if (extended == SQLITE_OK)
        return OP_OK;
    if (extended == SQLITE_BUSY_SNAPSHOT)
        return OP_CONFLICT;
    switch (extended & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return OP_BUSY;
    case SQLITE_FULL:
        return OP_NO_SPACE;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN: /* a journal or WAL that could not be made */
        return full ? OP_NO_SPACE : OP_FATAL;
    default:
        return OP_FATAL;
    }
}

enum op_status sqlite_fail(sqlite3 *handle, struct op_error *why, const char *what,
                           const char *file)
{
    int code = sqlite3_extended_errcode(handle);
    int primary = code & 0xff;
    int number = 0, thread_number = errno;
    char text[128];
    if (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN) {
        number = sqlite3_system_errno(handle);
        /* The thread's own may be of what came after, so only what can but be the cause counts. */
        if (number == 0 &&
            (thread_number == ENOSPC || thread_number == EDQUOT || thread_number == EIO ||
             thread_number == EROFS || thread_number == EFBIG))
            number = thread_number;
    }
    enum op_status status = sqlite_classify(code, number);
    if (status == OP_OK) /* the caller saw a failure, whatever the handle says */
        status = OP_FATAL;
    if (number != 0)
        return op_fail(why, status, code, "%s %s: %s (%d): %s", what, file, sqlite3_errmsg(handle),
                       code, strerror_r(number, text, sizeof text));
    return op_fail(why, status, code, "%s %s: %s (%d)", what, file, sqlite3_errmsg(handle), code);
}
