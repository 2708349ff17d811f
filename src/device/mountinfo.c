#include "device/mountinfo.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One line, cut into words in place.  Blanks in front of the separator may come in runs;
 * behind it each blank counts, since a source may be empty. */

static char *next_word(char **at)
{
    while (**at == ' ')
        (*at)++;
    if (**at == 0)
        return NULL;
    char *word = *at;
    while (**at != ' ' && **at != 0)
        (*at)++;
    if (**at == ' ')
        *(*at)++ = 0;
    return word;
}

/* Up to the next single blank; may be empty. */
static char *next_field(char **at)
{
    char *field = *at, *blank = strchr(field, ' ');
    if (blank == NULL)
        return NULL;
    *blank = 0;
    *at = blank + 1;
    return field;
}

static bool parse_id(const char *text, int *id)
{
    char *end;
    long value = text ? strtol(text, &end, 10) : -1;
    if (value < 0 || value > INT_MAX || end == text || *end != 0)
        return false;
    *id = (int)value;
    return true;
}

static bool parse_device(const char *text, unsigned *major, unsigned *minor)
{
    if (text == NULL || *text < '0' || *text > '9')
        return false;
    char *end;
    unsigned long high = strtoul(text, &end, 10);
    if (*end != ':' || end[1] < '0' || end[1] > '9')
        return false;
    unsigned long low = strtoul(end + 1, &end, 10);
    if (*end != 0 || high > UINT_MAX || low > UINT_MAX)
        return false;
    *major = (unsigned)high;
    *minor = (unsigned)low;
    return true;
}

static bool is_octal(char c)
{
    return c >= '0' && c <= '7';
}

size_t mountinfo_unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from != 0; to++) {
        /* Above 177 octal nothing is escaped by the kernel: such text is meant as it stands. */
        if (from[0] == '\\' && (from[1] == '0' || from[1] == '1') && is_octal(from[2]) &&
            is_octal(from[3])) {
            *to = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
            from += 4;
        } else {
            *to = *from++;
        }
    }
    *to = 0;
    return (size_t)(to - text);
}

/* The words up to the separator, as one text.  False: there is no separator. */
static bool take_optional(char **at, struct mount *mount)
{
    char *word, *end = NULL;
    mount->optional = *at + strlen(*at);
    while ((word = next_word(at)) != NULL && strcmp(word, "-") != 0) {
        if (end != NULL) /* where the word before was cut off */
            *end = ' ';
        else
            mount->optional = word;
        end = word + strlen(word);
    }
    return word != NULL;
}

/* `block` holds the line; on success (NULL) the mount owns it, by its first string; else
 * what is wrong. */
static const char *parse_line(char *block, struct mount *mount)
{
    char *at = block;
    if (!parse_id(next_word(&at), &mount->id) || !parse_id(next_word(&at), &mount->parent) ||
        !parse_device(next_word(&at), &mount->major, &mount->minor))
        return "does not begin with ids and a device number";
    char *root = next_word(&at);
    mount->point = next_word(&at);
    mount->options = next_word(&at);
    if (mount->options == NULL)
        return "too few fields";
    if (!take_optional(&at, mount))
        return "no separator";
    mount->kind = next_field(&at);
    mount->source = mount->kind ? next_field(&at) : NULL;
    mount->super_options = at;
    if (mount->source == NULL || mount->kind[0] == 0)
        return "too few fields";
    mountinfo_unescape(root);
    mountinfo_unescape(mount->point);
    mountinfo_unescape(mount->kind);
    mountinfo_unescape(mount->source);
    /* The block begins with the numbers, which are read: the root takes their place. */
    mount->root = memmove(block, root, strlen(root) + 1);
    return NULL;
}

/* Room for one more item of `size` bytes, the list being full at each power of two. */
static int make_room(void **list, size_t count, size_t size, struct err *err)
{
    if ((count & (count - 1)) != 0)
        return 0;
    void *grown = reallocarray(*list, count ? 2 * count : 1, size);
    if (grown == NULL)
        return err_set(err, ERR_FAILED, "out of memory for the table of mounts");
    *list = grown;
    return 0;
}

static int reject(struct mount_table *table, size_t number, const char *why, struct err *err)
{
    void *list = table->rejected;
    if (make_room(&list, table->rejected_count, sizeof *table->rejected, err) != 0)
        return -1;
    table->rejected = list;
    table->rejected[table->rejected_count++] = (struct mount_reject){number, why};
    return 0;
}

static int add_line(struct mount_table *table, size_t number, const char *line, size_t size,
                    struct err *err)
{
    if (size > 0 && line[size - 1] == '\r')
        size--;
    if (memchr(line, 0, size) != NULL)
        return reject(table, number, "holds a NUL", err);
    char *block = malloc(size + 1);
    if (block == NULL)
        return err_set(err, ERR_FAILED, "out of memory for the table of mounts");
    memcpy(block, line, size);
    block[size] = 0;
    struct mount mount = {.line = number};
    bool blank = block[strspn(block, " \t")] == 0;
    const char *why = blank ? "blank" : parse_line(block, &mount);
    void *list = table->mounts;
    if (why != NULL || make_room(&list, table->count, sizeof mount, err) != 0) {
        free(block);
        return blank ? 0 : why != NULL ? reject(table, number, why, err) : -1;
    }
    table->mounts = list;
    table->mounts[table->count++] = mount;
    return 0;
}

int mount_table_parse(const char *text, size_t size, struct mount_table *table, struct err *err)
{
    size_t number = 0;
    *table = (struct mount_table){.mounts = NULL};
    for (size_t start = 0, end; start < size; start = end + 1) {
        const char *newline = memchr(text + start, '\n', size - start);
        end = newline ? (size_t)(newline - text) : size;
        if (add_line(table, ++number, text + start, end - start, err) != 0) {
            mount_table_release(table);
            return -1;
        }
    }
    return 0;
}

void mount_table_release(struct mount_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->mounts[i].root);
    free(table->mounts);
    free(table->rejected);
    *table = (struct mount_table){.mounts = NULL};
}

const struct mount *mount_table_by_id(const struct mount_table *table, int id)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->mounts[i].id == id)
            return &table->mounts[i];
    return NULL;
}

bool mountinfo_is_above(const char *point, const char *path)
{
    size_t size = strlen(point);
    if (size > 0 && point[size - 1] == '/') /* the root */
        size--;
    return strncmp(point, path, size) == 0 && (path[size] == 0 || path[size] == '/');
}

/* Its parent is not in this table (another namespace's, or this is the topmost), or cannot be
 * its parent, since it lies elsewhere. */
static bool is_orphan(const struct mount_table *table, const struct mount *mount)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct mount *m = &table->mounts[i];
        if (m != mount && m->id == mount->parent && mountinfo_is_above(m->point, mount->point))
            return false;
    }
    return true;
}

/* The mount that the kernel's walk along `path` enters next from `at` (NULL: the start):
 * the first mount point on the way, that is the shortest; of several on one point the
 * last mounted. */
static const struct mount *step(const struct mount_table *table, const struct mount *at,
                                const char *path)
{
    const struct mount *next = NULL;
    size_t shortest = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct mount *m = &table->mounts[i];
        size_t size = strlen(m->point);
        if (m == at || (next != NULL && size > shortest) || !mountinfo_is_above(m->point, path))
            continue;
        bool child = at != NULL && m->parent == at->id;
        if (!child && !(is_orphan(table, m) && (at == NULL || size > strlen(at->point))))
            continue;
        next = m;
        shortest = size;
    }
    return next;
}

const struct mount *mount_table_find(const struct mount_table *table, const char *path)
{
    const struct mount *at = step(table, NULL, path), *next = at;
    /* No walk is longer than the table, unless its ids run in a circle. */
    for (size_t i = 0; next != NULL && i < table->count; i++) {
        at = next;
        next = step(table, at, path);
    }
    return at;
}
