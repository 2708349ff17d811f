#include "analysis/number.h"

#include <math.h>
#include <stdio.h>

const char *number_decimals(struct format_text *out, double value)
{
    double size = fabs(value);
    return size >= 99.95 ? format_grouped(out, value)
                         : format_fixed(out, value, size >= 9.995 ? 1 : 2);
}

const char *number_kib(struct format_text *out, double bytes)
{
    double kib = bytes / 1024;
    return fabs(kib) >= 99.95 ? format_grouped(out, kib) : format_fixed(out, kib, 1);
}

const char *number_percent(struct format_text *out, double share)
{
    struct format_text number;
    const double whole = 0.0995; /* from here on no decimals are worth reading */
    int decimals = fabs(share) >= whole || share == 0 ? 0 : 1;
    snprintf(out->text, sizeof out->text, isnan(share) ? "%s" : "%s%%",
             format_fixed(&number, share * 100, decimals));
    return out->text;
}

const char *number_ms(struct format_text *out, double ms)
{
    if (ms > 0 && ms < 0.0005) { /* not nothing */
        snprintf(out->text, sizeof out->text, "<0.001");
        return out->text;
    }
    int decimals = ms < 0.1 ? 3 : ms < 10 ? 2 : 1;
    return ms >= 999.5 ? format_grouped(out, ms)
                       : format_fixed(out, ms, ms >= 99.95 ? 0 : decimals);
}
