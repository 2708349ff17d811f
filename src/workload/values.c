#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "workload/spec_inner.h"

/* "x.ini:7: workload.streams = 0: ..." or "--streams 0: ..." */
static int add_origin(struct err *err, const struct origin *origin, const struct key *key,
                      const char *text)
{
    if (origin->file != NULL)
        return err_context(err, "%s:%u: %s = %s", origin->file, origin->line, key->name, text);
    if (strncmp(origin->option, "--", 2) == 0)
        return err_context(err, "%s %s", origin->option, text);
    return err_context(err, "%s %s=%s", origin->option, key->name, text);
}

static int check(const struct key *key, const char *text, const struct origin *origin,
                 struct err *err)
{
    return origin->file != NULL ? key_check_value(key, text, err) : key_check(key, text, err);
}

bool values_same(const struct key *key, const char *a, const char *b)
{
    double number = key_number(key, a);
    return isnan(number) ? strcmp(key_canonical(key, a), key_canonical(key, b)) == 0
                         : number == key_number(key, b);
}

static int refuse_same(const struct key *key, const char *a, const char *b, struct err *err)
{
    if (key->type == KEY_CHOICE && strcmp(a, b) != 0)
        return err_set(err, ERR_USAGE, "%s and %s are two words for the same; remove one", a, b);
    return err_set(err, ERR_USAGE, "the list holds this value twice; remove one");
}

/* A search is no value among others. */
static int check_alone(const struct list *list, const struct key *key, struct err *err)
{
    if (list->count < 2 || strcmp(key->name, "workload.streams") != 0)
        return 0;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], key->word) == 0)
            return err_set(err, ERR_USAGE,
                           "%s searches the number of streams and stands alone; write %s, or "
                           "numbers without it",
                           key->word, key->word);
    return 0;
}

static int check_all(const struct list *list, const struct key *key, const struct origin *origin,
                     struct err *err)
{
    for (size_t i = 0; i < list->count; i++) {
        if (check(key, list->items[i], origin, err) != 0)
            return add_origin(err, origin, key, list->items[i]);
        for (size_t j = 0; j < i; j++)
            if (values_same(key, list->items[i], list->items[j])) {
                refuse_same(key, list->items[j], list->items[i], err);
                return add_origin(err, origin, key, list->items[i]);
            }
    }
    return 0;
}

/* WAL is wal: a choice in other letters becomes the table's own. */
static void spell_as_listed(struct list *list, const struct key *key)
{
    for (size_t i = 0; i < list->count; i++)
        for (const char *const *choice = key->choices; *choice != NULL; choice++)
            if (strcasecmp(*choice, list->items[i]) == 0)
                memcpy(list->items[i], *choice, strlen(*choice));
}

int values_parse(struct list *list, const struct key *key, const char *text,
                 const struct origin *origin, struct err *err)
{
    if (list_split(list, text, err) != 0)
        return add_origin(err, origin, key, text);
    if (key->type == KEY_PHASES) {
        char *phases = list_join(list);
        list_release(list);
        list_append(list, phases, strlen(phases));
        free(phases);
    }
    if (key->type == KEY_CHOICE)
        spell_as_listed(list, key);
    int status = check_all(list, key, origin, err);
    if (status == 0 && check_alone(list, key, err) != 0)
        status = add_origin(err, origin, key, text);
    if (status != 0)
        list_release(list);
    return status;
}
