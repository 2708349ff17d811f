#include "export/csv_field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/text.h"

static void separate(struct csv_line *line)
{
    if (line->begun)
        fputc(',', line->out);
    line->begun = true;
}

static void quote(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            fputc('"', out);
        fputc(*c, out);
    }
    fputc('"', out);
}

void csv_field_text(struct csv_line *line, const char *text)
{
    separate(line);
    if (!text || !*text)
        return;
    char *safe = text_clean(text, TEXT_UTF8, 0);
    size_t size = strlen(safe);
    char *guarded = malloc(size + 2);
    if (!guarded)
        abort();
    /* Of the text as it was too: what began with a tab is no longer seen as such. */
    bool is_formula = strchr("=+-@\t\r", text[0]) != NULL;
    guarded[0] = '\'';
    memcpy(guarded + is_formula, safe, size + 1);
    if (guarded[strcspn(guarded, ",\"\r\n")])
        quote(line->out, guarded);
    else
        fputs(guarded, line->out);
    free(guarded);
    free(safe);
}

void csv_field_number(struct csv_line *line, double value)
{
    const double exact = 9007199254740992.0; /* 2^53 */
    separate(line);
    if (!isfinite(value))
        return;
    if (fabs(value) < exact && value == trunc(value))
        fprintf(line->out, "%.0f", value + 0); /* no -0 */
    else
        fprintf(line->out, "%.15g", value);
}

void csv_field_json(struct csv_line *line, const json_t *value)
{
    if (json_is_number(value))
        csv_field_number(line, json_number_value(value));
    else if (json_is_boolean(value))
        csv_field_text(line, json_is_true(value) ? "true" : "false");
    else
        csv_field_text(line, json_string_value(value));
}

void csv_field_end(struct csv_line *line)
{
    fputc('\n', line->out);
    line->begun = false;
}
