/* csv_table.h - a reader of CSV by the letter of RFC 4180, but for its line ends: LF.  It fails
 * the test where a line is not right. */
#ifndef UNIT_EXPORT_CSV_TABLE_H
#define UNIT_EXPORT_CSV_TABLE_H

struct csv_read {
    char *text;    /* the fields, each with its NUL */
    char **fields; /* [lines x columns], into text */
    size_t lines, columns;
};

/* One field: its text to `to`, and where it ends. */
static inline const char *csv_read_one(const char *at, char **to)
{
    if (*at != '"') {
        size_t size = strcspn(at, ",\n\"\r");
        memcpy(*to, at, size);
        *to += size;
        return at + size;
    }
    for (at++; *at != '"' || at[1] == '"'; at++) {
        if (!*at)
            fail_msg("a quote is not closed");
        at += *at == '"';
        *(*to)++ = *at;
    }
    return at + 1;
}

static inline void csv_read(struct csv_read *table, const char *text)
{
    size_t count = 0, size = strlen(text) + 1;
    *table = (struct csv_read){.text = malloc(2 * size), .fields = calloc(size, sizeof(char *))};
    assert_true(table->text && table->fields);
    char *to = table->text;
    while (*text) {
        table->fields[count++] = to;
        text = csv_read_one(text, &to);
        *to++ = 0;
        if (*text == '\n') {
            table->lines++;
            if (table->lines == 1)
                table->columns = count;
            if (count != table->lines * table->columns)
                fail_msg("line %zu is shorter or longer than the first", table->lines);
        } else if (*text != ',') {
            fail_msg("line %zu: a field ends with %.10s", table->lines + 1, text);
        }
        text++;
    }
    assert_int_equal(count, table->lines * table->columns); /* the last line ends, too */
}

static inline void csv_read_release(struct csv_read *table)
{
    free(table->text);
    free(table->fields);
}

static inline const char *csv_read_at(const struct csv_read *table, size_t line, size_t column)
{
    assert_true(line < table->lines && column < table->columns);
    return table->fields[line * table->columns + column];
}

/* The only column of that name. */
static inline size_t csv_read_column(const struct csv_read *table, const char *name)
{
    size_t found = table->columns;
    for (size_t c = 0; c < table->columns; c++)
        if (strcmp(table->fields[c], name) == 0) {
            if (found < table->columns)
                fail_msg("two columns %s", name);
            found = c;
        }
    if (found == table->columns)
        fail_msg("no column %s", name);
    return found;
}

static inline const char *csv_read_field(const struct csv_read *table, size_t line,
                                         const char *column)
{
    return csv_read_at(table, line, csv_read_column(table, column));
}

/* NaN where it is empty. */
static inline double csv_read_number(const struct csv_read *table, size_t line, const char *column)
{
    const char *field = csv_read_field(table, line, column);
    char *end;
    double value = strtod(field, &end);
    if (*end)
        fail_msg("%s is no number: %s", column, field);
    return *field ? value : NAN;
}

#endif
