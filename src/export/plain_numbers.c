#include "export/plain_numbers.h"

#include <errno.h>

int plain_numbers_begin(struct plain_numbers *numbers, struct err *err)
{
    /* All else of the thread's locale stays: what is a character, say. */
    locale_t same = duplocale(uselocale((locale_t)0));
    numbers->plain = same == (locale_t)0 ? same : newlocale(LC_NUMERIC_MASK, "C", same);
    if (numbers->plain == (locale_t)0) {
        int why = errno;
        if (same != (locale_t)0)
            freelocale(same);
        return err_set_errno(err, ERR_FAILED, why, "choosing the form of numbers");
    }
    numbers->before = uselocale(numbers->plain);
    return 0;
}

void plain_numbers_end(struct plain_numbers *numbers)
{
    uselocale(numbers->before);
    freelocale(numbers->plain);
}
