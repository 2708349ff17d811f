#include "cli/device_legend.h"

#include <stdlib.h>
#include <string.h>

#include "cli/device_health.h"
#include "cli/device_query.h"
#include "device/identity.h"
#include "device/kind.h"
#include "device/privacy.h"
#include "device/stack_paths.h"
#include "device/sysfs.h"
#include "report/text.h"

enum { LABEL_MIN = 8, LABEL_MAX = 16 };

const char *device_legend_cache(const char *write_cache)
{
    static const char write[] = "write ";
    return strncmp(write_cache, write, sizeof write - 1) == 0 ? write_cache + sizeof write - 1
                                                              : write_cache;
}

static void add_clean(struct text *text, const struct device_look *look, const char *before,
                      const char *value)
{
    char *clean = text_clean(value, look->utf8 ? TEXT_UTF8 : TEXT_ASCII, 0);
    text_add(text, "%s%s%s", text->size > 0 ? ", " : "", before, clean);
    free(clean);
}

static void add_drive(struct text *text, const struct device_look *look, const char *name,
                      enum device_legend detail)
{
    struct identity id;
    identity_read(look->root, name, &id);
    add_clean(text, look, "", id.model[0] ? id.model : "model unknown");
    if (id.firmware[0] != 0)
        add_clean(text, look, "fw ", id.firmware);
    if (id.transport[0] != 0)
        add_clean(text, look, "", id.transport);
    if (id.link[0] != 0)
        add_clean(text, look, "", id.link);
    if (id.logical_block_bytes > 0 && id.physical_block_bytes > 0)
        text_add(text, ", blocks %d/%d B", id.logical_block_bytes, id.physical_block_bytes);
    if (detail == DEVICE_LEGEND_SHORT)
        return;
    if (id.scheduler[0] != 0)
        add_clean(text, look, "scheduler ", id.scheduler);
    if (id.write_cache[0] != 0)
        add_clean(text, look, "cache ", id.write_cache);
    if (id.rotational >= 0)
        text_add(text, ", %s", id.rotational ? "rotates" : "does not rotate");
}

static void add_backing(struct text *text, const struct device_look *look, const char *name)
{
    struct stack *under = calloc(1, sizeof *under);
    char *file = NULL;
    if (under == NULL)
        abort();
    device_query_backing(look->root, name, &file, under);
    if (file != NULL)
        add_clean(text, look, "file ", file);
    if (file != NULL && under->known)
        text_add(text, " on %s", under->sampled);
    free(file);
    free(under);
}

static void add_paths(struct text *text, const struct device_look *look, const char *name)
{
    char **paths;
    size_t count = stack_paths(look->root, name, &paths);
    for (size_t i = 0; i < count; i++)
        text_add(text, "%s%s", i == 0 ? ", paths " : " ", paths[i]);
    stack_paths_free(paths, count);
}

static bool is_leaf(const struct stack *stack, const char *name)
{
    for (size_t i = 0; i < stack->leaf_count; i++)
        if (strcmp(stack->leaves[i], name) == 0)
            return true;
    return false;
}

static void add_facts(struct text *text, const struct stack *stack, const struct device_look *look,
                      const char *name, enum device_legend detail)
{
    char mapped[256], kind[KIND_SIZE], *directory = sysfs_block(look->root, name);
    if (directory == NULL)
        return;
    kind_read(directory, kind);
    if (kind_mapper_name(directory, mapped, sizeof mapped) &&
        (look->identify == SMART_IDENTIFY || !privacy_is_wwn(directory, mapped)))
        add_clean(text, look, "", mapped);
    if (strcmp(kind, "loop") == 0)
        add_backing(text, look, name);
    else if (is_leaf(stack, name))
        add_drive(text, look, name, detail);
    add_paths(text, look, name);
    free(directory);
}

static void print_line(FILE *out, const char *label, size_t columns, const char *line,
                       const struct device_look *look)
{
    struct text indented = {0};
    text_add(&indented, "  %s", label);
    text_print(out, indented.data, columns + 4, line, (size_t)look->width, "", "");
    text_release(&indented);
}

/* What a drive says of itself, or why it says nothing. */
static void print_health(FILE *out, const char *name, size_t columns,
                         const struct device_look *look)
{
    struct device_health health;
    struct text text = {0}, said = {0};
    device_health_read(look->root, name, look->identify, &health);
    device_health_text(&health, &said);
    if (said.size > 0) {
        add_clean(&text, look, "", said.data);
        print_line(out, "", columns, text.data, look);
    }
    text_release(&said);
    text_release(&text);
    if (health.reason[0] == 0)
        return;
    add_clean(&text, look, "", health.reason);
    print_line(out, "", columns, text.data, look);
    text_release(&text);
}

static size_t label_columns(const struct stack *stack)
{
    size_t columns = LABEL_MIN;
    for (size_t i = 0; i < stack->count; i++)
        if (strlen(stack->names[i]) > columns)
            columns = strlen(stack->names[i]);
    return columns < LABEL_MAX ? columns : LABEL_MAX;
}

void device_legend_print(FILE *out, const struct stack *stack, const struct device_look *look,
                         enum device_legend detail)
{
    size_t columns = label_columns(stack);
    bool any = false;
    for (size_t i = 0; i < stack->count; i++) {
        struct text text = {0};
        add_facts(&text, stack, look, stack->names[i], detail);
        if (text.size > 0) {
            char *clean = text_clean(stack->names[i], look->utf8 ? TEXT_UTF8 : TEXT_ASCII, 0);
            fputs(any ? "" : "\n", out); /* between the tree and this */
            any = true;
            print_line(out, clean, columns, text.data, look);
            free(clean);
            if (is_leaf(stack, stack->names[i]) && device_health_has(look->root, stack->names[i]))
                print_health(out, stack->names[i], columns, look);
        }
        text_release(&text);
    }
}
