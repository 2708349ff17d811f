#include "workload/list.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void *checked(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

void list_append(struct list *list, const char *item, size_t size)
{
    list->items = checked(realloc(list->items, (list->count + 1) * sizeof *list->items));
    list->items[list->count++] = checked(strndup(item, size));
}

/* One element, from `text` to `end`. */
static int append_element(struct list *list, const char *text, const char *end, struct err *err)
{
    while (text < end && is_blank(*text))
        text++;
    while (text < end && is_blank(end[-1]))
        end--;
    size_t size = (size_t)(end - text);
    if (size >= 2 && *text == '"' && end[-1] == '"') {
        text++;
        size -= 2;
    }
    if (memchr(text, '"', size) != NULL)
        return err_set(err, ERR_USAGE,
                       "a quote stands around a whole value only, as in \"a, b\", and is closed");
    if (size == 0)
        return err_set(err, ERR_USAGE,
                       "a value is missing; write 1, 10, 20 without a comma at "
                       "either end");
    list_append(list, text, size);
    return 0;
}

int list_split(struct list *list, const char *text, struct err *err)
{
    *list = (struct list){0};
    bool is_quoted = false;
    const char *start = text;
    for (;; text++) {
        if (*text == '"')
            is_quoted = !is_quoted;
        if (*text != '\0' && (*text != ',' || is_quoted))
            continue;
        if (append_element(list, start, text, err) != 0) {
            list_release(list);
            return -1;
        }
        if (*text == '\0')
            return 0;
        start = text + 1;
    }
}

char *list_join(const struct list *list)
{
    size_t size = 1;
    for (size_t i = 0; i < list->count; i++)
        size += strlen(list->items[i]) + 2;
    char *text = checked(malloc(size));
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < list->count; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", list->items[i]);
    return text;
}

void list_release(struct list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    *list = (struct list){0};
}
