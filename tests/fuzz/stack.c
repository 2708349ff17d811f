/* Any text as a listing of /sys and /proc (tests/fixtures/device/README.md): it is unpacked into a
 * temporary folder, and everything that is mounted there is followed to its drives. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "device/cap.h"
#include "device/hwmon.h"
#include "device/identity.h"
#include "device/kind.h"
#include "device/mountinfo.h"
#include "device/privacy.h"
#include "device/stack.h"
#include "device/sysfs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ENTRIES_MAX = 400, QUERIES_MAX = 16, MOUNTINFO_LIMIT = 1 << 20, PATH_LIMIT = 512 };

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* ---- the tree ---- */

/* Nothing may be made outside of the folder: no "..", and no step through a link. */
static bool is_inside(const char *path)
{
    for (const char *at = path; *at != 0;) {
        size_t length = strcspn(at, "/");
        if (length == 2 && memcmp(at, "..", 2) == 0)
            return false;
        at += length;
        at += strspn(at, "/");
    }
    return path[0] != 0 && strlen(path) < PATH_LIMIT;
}

/* A link that leads out of the tree could lead to a terminal, from which reading never ends. */
static bool stays_inside(const char *path, const char *target)
{
    size_t depth = 0, ups = 0;
    for (const char *c = path; *c != 0; c++)
        depth += *c == '/';
    for (const char *at = target; (at = strstr(at, "..")) != NULL; at += 2)
        ups++;
    return target[0] != '/' && ups <= depth;
}

/* All folders above the last name; false where one of them is something else. */
static bool make_parents(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        struct stat facts;
        *slash = 0;
        mkdir(path, 0755);
        bool is_directory = lstat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
        *slash = '/';
        if (!is_directory)
            return false;
    }
    return true;
}

static void append(const char *path, const char *text)
{
    struct stat facts;
    if (lstat(path, &facts) == 0 && !S_ISREG(facts.st_mode))
        return;
    FILE *file = fopen(path, "ae");
    if (file == NULL)
        return;
    fprintf(file, "%s\n", text);
    fclose(file);
}

/* One line; *last is the path of the file that lines behind a TAB belong to, or NULL. */
static void make_entry(const char *root, char *line, char **last)
{
    if (line[0] == '\t') {
        if (*last != NULL)
            append(*last, line + 1);
        return;
    }
    free(*last);
    *last = NULL;
    char *text = strchr(line, '\t');
    if (text != NULL)
        *text++ = 0;
    if (strlen(line) < 3 || line[1] != ' ' || !is_inside(line + 2))
        return;
    char *path = fs_path("%s/%s", root, line + 2);
    if (!make_parents(path)) {
        free(path);
        return;
    }
    if (line[0] == 'D')
        mkdir(path, 0755);
    else if (line[0] == 'F')
        append(path, text ? text : "");
    else if (line[0] == 'L' && text != NULL && stays_inside(line + 2, text) &&
             symlink(text, path) != 0)
        line[0] = '?'; /* it is there already */
    if (line[0] == 'M')
        *last = path;
    else
        free(path);
}

static void make_tree(const char *root, const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), *last = NULL, *rest = NULL;
    if (text == NULL)
        abort();
    for (size_t i = 0; i < size; i++)
        text[i] = data[i] != 0 ? (char)data[i] : '?';
    text[size] = 0;
    unsigned count = 0;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL && count < ENTRIES_MAX; count++) {
        make_entry(root, line, &last);
        line = strtok_r(NULL, "\n", &rest);
    }
    free(last);
    free(text);
}

/* By hand: links are removed, not followed. */
static void remove_tree(const char *path)
{
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        struct stat facts;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char *below = fs_path("%s/%s", path, entry->d_name);
        if (lstat(below, &facts) == 0 && S_ISDIR(facts.st_mode))
            remove_tree(below);
        else
            unlink(below);
        free(below);
    }
    if (directory != NULL)
        closedir(directory);
    rmdir(path);
}

/* ---- what must hold ---- */

static bool is_listed(char names[][STACK_NAME], size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void check_stack(struct stack *s)
{
    REQUIRE(s->count <= STACK_MAX && s->leaf_count <= s->count && s->top_count <= s->count);
    REQUIRE(s->log_count <= STACK_LOGS);
    REQUIRE(s->known == (s->leaf_count > 0));
    REQUIRE(s->known || s->reason[0] != 0 || s->filesystem[0] == 0);
    REQUIRE(s->top_count == 0 || strcmp(s->sampled, s->tops[0]) == 0);
    for (size_t i = 0; i < s->count; i++)
        REQUIRE(s->names[i][0] != 0 && !is_listed(s->names, i, s->names[i]));
    for (size_t i = 0; i < s->leaf_count; i++)
        REQUIRE(is_listed(s->names, s->count, s->leaves[i]) &&
                !is_listed(s->leaves, i, s->leaves[i]));
    for (size_t i = 0; i < s->top_count; i++)
        REQUIRE(is_listed(s->names, s->count, s->tops[i]));
}

static void look_at_disk(const char *root, const char *name)
{
    struct identity id;
    struct privacy_serial serial;
    char kind[KIND_SIZE], *directory = sysfs_block(root, name);
    identity_read(root, name, &id);
    REQUIRE(id.size_bytes >= -1 && id.rotational >= -1 && id.rotational <= 1);
    REQUIRE(id.logical_block_bytes >= -1 && id.physical_block_bytes >= -1);
    privacy_serial_read(root, name, &serial);
    if (directory == NULL)
        return;
    REQUIRE(strncmp(directory, root, strlen(root)) == 0);
    kind_read(directory, kind);
    REQUIRE(kind[0] != 0 && memchr(kind, 0, sizeof kind) != NULL);
    free(directory);
}

static void query(const char *root, const char *path, struct stack *stack)
{
    struct err err;
    struct cap cap;
    if (stack_resolve(root, path, stack, &err) != 0)
        return;
    check_stack(stack);
    cap_read(root, stack, &cap);
    for (size_t i = 0; i < stack->count; i++)
        look_at_disk(root, stack->names[i]);
}

static void query_all(const char *root)
{
    struct mount_table table;
    struct err err;
    char *path = fs_path("%s/proc/self/mountinfo", root), *text = NULL;
    size_t size;
    struct stack *stack = malloc(sizeof *stack);
    if (stack == NULL)
        abort();
    query(root, "/", stack);
    if (fs_read(path, MOUNTINFO_LIMIT, &text, &size, &err) == 0 &&
        mount_table_parse(text, size, &table, &err) == 0) {
        for (size_t i = 0; i < table.count && i < QUERIES_MAX; i++)
            query(root, table.mounts[i].point, stack);
        mount_table_release(&table);
    }
    char *list = fs_path("%s/sys/class/block", root), **names;
    size_t count = sysfs_list(list, &names);
    for (size_t i = 0; i < count && i < QUERIES_MAX; i++)
        if (stack_of_device(root, names[i], stack))
            check_stack(stack);
    sysfs_list_free(names, count);
    struct hwmon *sensors;
    count = hwmon_open_all(root, &sensors);
    hwmon_release(sensors, count);
    free(list);
    free(stack);
    free(text);
    free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* In memory where there is such a place: a fuzzer makes thousands of trees a second. */
    const char *temporary = getenv("TMPDIR");
    if (temporary == NULL)
        temporary = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    char *made = fs_path("%s/loadline-fuzz-XXXXXX", temporary);
    if (mkdtemp(made) == NULL) {
        perror(made);
        abort();
    }
    char *root = realpath(made, NULL);
    if (root == NULL)
        abort();
    make_tree(root, data, size);
    query_all(root);
    remove_tree(root);
    free(root);
    free(made);
    return 0;
}
