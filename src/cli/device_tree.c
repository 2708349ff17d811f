#include "cli/device_tree.h"

#include <libsmartcols/libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/fs.h"
#include "cli/device_legend.h"
#include "device/identity.h"
#include "device/kind.h"
#include "device/privacy.h"
#include "device/stack_below.h"
#include "device/stack_log.h"
#include "device/sysfs.h"
#include "report/text.h"

enum { INDENT = 2, TOP_COLUMNS = 24 };

enum column { NAME, KIND, SIZE, SCHEDULER, CACHE, ROTATES, COLUMNS };

struct tree {
    const struct device_look *look;
    const struct stack *stack;
    struct libscols_table *table;
    enum column columns;   /* how many of them */
    bool shown[STACK_MAX]; /* by index in stack->names */
};

static void *have(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

static enum text_charset charset(const struct device_look *look)
{
    return look->utf8 ? TEXT_UTF8 : TEXT_ASCII;
}

/* ---- lines ---- */

static struct libscols_line *new_line(struct tree *tree, struct libscols_line *parent)
{
    return have(scols_table_new_line(tree->table, parent));
}

static void set_cell(struct tree *tree, struct libscols_line *line, enum column column,
                     const char *text)
{
    if (column >= tree->columns)
        return;
    char *clean = text_clean(text[0] ? text : "-", charset(tree->look), 0);
    if (scols_line_refer_data(line, column, clean) != 0)
        abort();
}

static void set_facts(struct tree *tree, struct libscols_line *line, const char *name)
{
    struct identity id;
    struct format_text size;
    identity_read(tree->look->root, name, &id);
    set_cell(tree, line, SIZE, id.size_bytes < 0 ? "" : format_bytes(&size, (double)id.size_bytes));
    set_cell(tree, line, SCHEDULER, id.scheduler);
    set_cell(tree, line, CACHE, device_legend_cache(id.write_cache));
    set_cell(tree, line, ROTATES, id.rotational < 0 ? "" : id.rotational ? "yes" : "no");
}

/* True the first time that a device is asked for. */
static bool take(struct tree *tree, const char *name)
{
    for (size_t i = 0; i < tree->stack->count; i++)
        if (strcmp(tree->stack->names[i], name) == 0 && !tree->shown[i])
            return tree->shown[i] = true;
    return false;
}

static void add_device(struct tree *tree, struct libscols_line *parent, const char *directory)
{
    char name[STACK_NAME], kind[KIND_SIZE];
    struct stack_below below;
    if (!sysfs_name(directory, name, sizeof name) || !take(tree, name))
        return;
    struct libscols_line *line = new_line(tree, parent);
    kind_read(directory, kind);
    set_cell(tree, line, NAME, name);
    set_cell(tree, line, KIND, kind);
    set_facts(tree, line, name);
    stack_below_read(tree->look->root, directory, &below);
    for (size_t i = 0; i < below.count; i++)
        add_device(tree, line, below.directories[i]);
    stack_below_release(&below);
}

/* NULL where a device was asked for, not a path: there is no file system to show then. */
static struct libscols_line *add_file_system(struct tree *tree)
{
    const struct stack *stack = tree->stack;
    uint64_t free_bytes, total_bytes;
    struct format_text size;
    struct err ignored;
    if (stack->filesystem[0] == 0)
        return NULL;
    struct libscols_line *line = new_line(tree, NULL);
    char *point = text_clean(stack->mount_point, charset(tree->look), TOP_COLUMNS);
    bool sized =
        tree->look->root[0] == 0 && fs_space(stack->path, &free_bytes, &total_bytes, &ignored) == 0;
    set_cell(tree, line, NAME, point);
    set_cell(tree, line, KIND, stack->filesystem);
    set_cell(tree, line, SIZE, sized ? format_bytes(&size, (double)total_bytes) : "");
    for (enum column c = SCHEDULER; c < COLUMNS; c++)
        set_cell(tree, line, c, "");
    free(point);
    return line;
}

/* ---- the table ---- */

static void make_columns(struct tree *tree)
{
    static const struct {
        const char *title;
        int flags;
    } columns[COLUMNS] = {
        [NAME] = {"device", SCOLS_FL_TREE},
        [KIND] = {"kind", 0},
        [SIZE] = {"size", SCOLS_FL_RIGHT},
        [SCHEDULER] = {"scheduler", 0},
        [CACHE] = {"cache", 0},
        [ROTATES] = {"rotates", 0},
    };
    for (enum column c = 0; c < tree->columns; c++)
        have(scols_table_new_column(tree->table, columns[c].title, 0, columns[c].flags));
}

/* Heap; each line as wide as it needs to be. */
static char *make_text(struct tree *tree)
{
    char *text = NULL;
    memset(tree->shown, 0, sizeof tree->shown);
    tree->table = have(scols_new_table());
    scols_table_enable_ascii(tree->table, !tree->look->utf8);
    scols_table_enable_noencoding(tree->table, 1); /* cells are clean already */
    if (scols_table_set_column_separator(tree->table, "  ") != 0)
        abort();
    make_columns(tree);
    struct libscols_line *top = add_file_system(tree);
    for (size_t i = 0; i < tree->stack->top_count; i++) {
        char *directory = sysfs_block(tree->look->root, tree->stack->tops[i]);
        if (directory != NULL)
            add_device(tree, top, directory);
        free(directory);
    }
    if (scols_print_table_to_string(tree->table, &text) != 0 || text == NULL)
        abort();
    scols_unref_table(tree->table);
    return text;
}

/* Prints the lines without the blanks at their ends, or says how wide they are. */
static size_t each_line(char *text, FILE *out)
{
    size_t widest = 0;
    for (char *line = text, *end; *line != 0; line = end) {
        end = line + strcspn(line, "\n");
        char *last = end, kept;
        while (last > line && last[-1] == ' ')
            last--;
        kept = *last;
        *last = 0;
        size_t columns = INDENT + text_columns(line);
        widest = columns > widest ? columns : widest;
        if (out != NULL)
            fprintf(out, "%*s%s\n", INDENT, "", line);
        *last = kept;
        end += *end == '\n';
    }
    return widest;
}

static void print_head(FILE *out, const char *path, const struct stack *stack,
                       const struct device_look *look)
{
    struct text text = {0};
    char *clean = text_clean(path, charset(look), 0);
    text_add(&text, "%s", clean);
    if (stack->filesystem[0] != 0) {
        char *point = text_clean(stack->mount_point, charset(look), 0);
        char *options = text_clean(stack->mount_options, charset(look), 0);
        if (look->identify == SMART_ANONYMOUS)
            privacy_hide_options(options);
        for (char *c = options; *c != 0; c++) /* so that the line may be broken there */
            *c = *c == ',' ? ' ' : *c;
        text_add(&text, ": %s at %s; %s", stack->filesystem, point, options);
        free(options);
        free(point);
    }
    text_print(out, "", 0, text.data, (size_t)look->width, "", "");
    text_release(&text);
    free(clean);
}

static void print_reason(FILE *out, const struct stack *stack, const struct device_look *look)
{
    char *clean = text_clean(stack->reason, charset(look), 0);
    text_print(out, stack->known ? "  note" : "  unknown", 10, clean, (size_t)look->width, "", "");
    free(clean);
}

/* Where the file system's journal is, where the disks shown do not hold it. */
static void print_logs(FILE *out, const struct stack *stack, const struct device_look *look)
{
    for (size_t i = 0; i < stack->log_count; i++) {
        const struct stack_log *log = &stack->logs[i];
        struct text text = {0}, label = {0};
        text_add(&label, "  %s", stack_log_names[log->use]);
        text_add(&text, "%s", log->name[0] ? log->name : "on a device that cannot be found");
        if (log->use == STACK_LOG_CACHE)
            text_add(&text, " caches %s%s%s: what is written may stay there", log->of,
                     log->mode[0] ? ", " : "", log->mode);
        else
            text_add(&text,
                     ", a device of its own%s: the counters of %s do not show what is "
                     "written there",
                     log->same_disk ? " on the same disk" : "", stack->sampled);
        char *clean = text_clean(text.data, charset(look), 0);
        text_print(out, label.data, 12, clean, (size_t)look->width, "", "");
        free(clean);
        text_release(&text);
        text_release(&label);
    }
}

void device_tree_print(FILE *out, const char *path, const struct stack *stack,
                       const struct device_look *look)
{
    struct tree *tree = have(calloc(1, sizeof *tree));
    *tree = (struct tree){.look = look, .stack = stack, .columns = COLUMNS};
    print_head(out, path, stack, look);
    if (stack->top_count > 0) {
        char *text = make_text(tree);
        bool fits = each_line(text, NULL) <= (size_t)look->width;
        if (!fits) { /* the rest is said of each drive, below */
            free(text);
            tree->columns = SCHEDULER;
            text = make_text(tree);
        }
        each_line(text, out);
        free(text);
        device_legend_print(out, stack, look, fits ? DEVICE_LEGEND_SHORT : DEVICE_LEGEND_FULL);
    }
    print_logs(out, stack, look);
    if (stack->reason[0] != 0)
        print_reason(out, stack, look);
    free(tree);
}
