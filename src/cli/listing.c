#include "cli/listing.h"

#include <libsmartcols/libsmartcols.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/term.h"

enum { INDENT = 2 };

struct listing {
    FILE *out;
    struct libscols_table *rows;
    size_t columns;
};

static void *have(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

struct listing *listing_create(FILE *out, const char *const *titles)
{
    struct listing *listing = have(calloc(1, sizeof *listing));
    bool terminal = term_is_terminal(fileno(out));

    listing->out = out;
    listing->rows = have(scols_new_table());
    for (; titles[listing->columns] != NULL; listing->columns++) {
        const char *title = titles[listing->columns];
        bool right = title[0] == '>', last = titles[listing->columns + 1] == NULL;
        int flags = (right ? SCOLS_FL_RIGHT : 0) | (last && terminal ? SCOLS_FL_WRAP : 0);
        have(scols_table_new_column(listing->rows, title + right, 0, flags));
    }
    scols_table_set_stream(listing->rows, out);
    if (terminal) {
        scols_table_set_termforce(listing->rows, SCOLS_TERMFORCE_ALWAYS);
        scols_table_set_termwidth(listing->rows, (size_t)(term_width(fileno(out)) - INDENT));
    }
    return listing;
}

void listing_add(struct listing *listing, const char *const *cells)
{
    struct libscols_line *line = have(scols_table_new_line(listing->rows, NULL));

    for (size_t i = 0; i < listing->columns; i++)
        if (scols_line_set_data(line, i, cells[i] != NULL ? cells[i] : "-") != 0)
            abort();
}

int listing_print(struct listing *listing, struct err *err)
{
    char *text = NULL;
    int status = 0;

    if (scols_print_table_to_string(listing->rows, &text) != 0)
        status = err_set(err, ERR_FAILED, "a table could not be made: out of memory");
    for (const char *line = text; line != NULL && line[0] != '\0';) {
        const char *end = line;
        while (*end != '\0' && *end != '\n')
            end++;
        const char *last = end; /* the last column is padded with blanks */
        while (last > line && last[-1] == ' ')
            last--;
        fprintf(listing->out, "%*s%.*s\n", INDENT, "", (int)(last - line), line);
        line = *end == '\n' ? end + 1 : end;
    }
    free(text);
    scols_unref_table(listing->rows);
    free(listing);
    return status;
}
