#include "workload/suggest.h"

#include <string.h>

enum { NAME_MAX_BYTES = 63, FAR = 1000 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned suggest_distance(const char *a, const char *b)
{
    const size_t rows = strlen(a);
    const size_t columns = strlen(b);
    if (rows > NAME_MAX_BYTES || columns > NAME_MAX_BYTES)
        return FAR;
    unsigned cost[NAME_MAX_BYTES + 1][NAME_MAX_BYTES + 1];
    for (unsigned i = 0; i <= rows; i++)
        cost[i][0] = i;
    for (unsigned j = 0; j <= columns; j++)
        cost[0][j] = j;
    for (size_t i = 1; i <= rows; i++)
        for (size_t j = 1; j <= columns; j++) {
            unsigned changed = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            unsigned moved = least(cost[i - 1][j], cost[i][j - 1]) + 1;
            cost[i][j] = least(changed, moved);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = least(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    return cost[rows][columns];
}

static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL ? dot + 1 : name;
}

const struct key *suggest_key(const struct key *const *keys, size_t count, const char *name)
{
    const struct key *best = NULL;
    unsigned best_distance = 4;
    for (size_t i = 0; i < count; i++) {
        const char *known = keys[i]->name;
        const char *short_name = last_part(known);
        unsigned distance = suggest_distance(known, name);
        if (strchr(name, '.') == NULL)
            distance = suggest_distance(short_name, name);
        else if (strcmp(short_name, last_part(name)) == 0)
            distance = 1; /* the right key in a wrong section */
        if (distance < best_distance && 2 * distance < strlen(short_name)) {
            best = keys[i];
            best_distance = distance;
        }
    }
    return best;
}

const char *suggest_wildcard(const char *wildcard, const char *name)
{
    char known[NAME_MAX_BYTES + 1], given[NAME_MAX_BYTES + 1];
    const char *rest = name;
    const size_t known_size = strlen(wildcard) - 2; /* without ".*" */
    for (const char *dot = strchr(wildcard, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        rest = strchr(rest, '.');
        if (rest == NULL || *++rest == '\0')
            return NULL;
    }
    const size_t given_size = (size_t)(rest - name) - 1;
    if (known_size > NAME_MAX_BYTES || given_size > NAME_MAX_BYTES)
        return NULL;
    memcpy(known, wildcard, known_size);
    memcpy(given, name, given_size);
    known[known_size] = given[given_size] = '\0';
    return suggest_distance(known, given) <= 2 ? rest : NULL;
}

static const char *const reserved[] = {"workload.mix", "workload.base_rows", "fill.until",
                                       "probe.before", "probe.after"};

bool suggest_is_reserved(const char *name)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(reserved[i], name) == 0)
            return true;
    return false;
}

bool suggest_is_reserved_section(const char *section)
{
    size_t size = strlen(section);
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strncmp(reserved[i], section, size) == 0 && reserved[i][size] == '.')
            return true;
    return false;
}
