#include "cli/endurance.h"

#include <math.h>
#include <stdio.h>

#include "base/format.h"

static double bytes_a_target(const struct run_options *options, const struct run_forecast *forecast)
{
    size_t targets = options->target_count > 0 ? options->target_count : 1;

    return forecast->write_bytes / (double)targets;
}

double endurance_share(const struct run_options *options, const struct run_forecast *forecast)
{
    return options->asked != NULL ? bytes_a_target(options, forecast) / options->asked->tbw_bytes
                                  : NAN;
}

void endurance_line(const struct run_options *options, const struct run_forecast *forecast,
                    char *out, size_t size)
{
    const double least = 0.0001; /* that is worth a number */
    struct format_text written, rated, percent;
    double share = endurance_share(options, forecast);

    out[0] = '\0';
    if (isnan(share))
        return;
    format_fixed(&percent, share * 100, share < 0.01 ? 2 : share < 0.1 ? 1 : 0);
    snprintf(out, size, "tbw     %s%s of %s: %s%% of the rated endurance",
             format_bytes(&written, bytes_a_target(options, forecast)),
             options->target_count > 1 ? " on each target" : "",
             format_bytes(&rated, options->asked->tbw_bytes),
             share < least ? "under 0.01" : percent.text);
}
