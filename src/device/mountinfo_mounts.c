#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/mountinfo.h"

enum { FIELDS = 4 }; /* source, point, type, options; a source may be empty */

/* Cut at single blanks, in place.  False: too few. */
static bool cut(char *line, char *fields[FIELDS])
{
    for (int i = 0; i < FIELDS; i++) {
        fields[i] = line;
        line += strcspn(line, " ");
        if (*line == 0 && i < FIELDS - 1)
            return false;
        if (*line != 0)
            *line++ = 0;
    }
    return fields[1][0] == '/' && fields[2][0] != 0;
}

/* The mount that a new one on `point` was mounted on: the last that holds it. */
static int parent_of(char *const *points, int count, const char *point)
{
    while (count > 0 && !mountinfo_is_above(points[count - 1], point))
        count--;
    return count;
}

/* As lines of mountinfo. */
static void translate(char *text, FILE *out)
{
    char **points = NULL, *save = NULL, *fields[FIELDS];
    int count = 0;
    for (char *line = strtok_r(text, "\r\n", &save); line; line = strtok_r(NULL, "\r\n", &save)) {
        if (!cut(line, fields))
            continue;
        points = reallocarray(points, (size_t)count + 1, sizeof *points);
        if (points == NULL)
            abort();
        int parent = parent_of(points, count, fields[1]);
        points[count++] = fields[1];
        fprintf(out, "%d %d 0:0 / %s %s - %s %s \n", count, parent, fields[1], fields[3], fields[2],
                fields[0]);
    }
    free(points);
}

int mount_table_parse_mounts(const char *text, size_t size, struct mount_table *table,
                             struct err *err)
{
    char *copy = strndup(text, size), *lines = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&lines, &length);
    if (copy == NULL || out == NULL)
        abort();
    translate(copy, out);
    if (fclose(out) != 0)
        abort();
    int status = mount_table_parse(lines, length, table, err);
    free(lines);
    free(copy);
    return status;
}
