/* tree.h - unpacks a .tree listing (tests/fixtures/device/README.md) into a temporary folder
 * that stands for "/", and removes it again. */
#ifndef TESTS_DEVICE_TREE_H
#define TESTS_DEVICE_TREE_H

#include <ftw.h>
#include <sys/stat.h>

#include "fixture.h"

static inline void tree_make_parents(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0755);
        *slash = '/';
    }
}

static inline void tree_append(const char *path, const char *text)
{
    FILE *file = fopen(path, "ae");
    assert_non_null(file);
    fprintf(file, "%s\n", text);
    fclose(file);
}

/* One line; `last` is the path of the M entry above. */
static inline void tree_entry(const char *root, char *line, char **last)
{
    if (line[0] == '\t') {
        tree_append(*last, line + 1);
        return;
    }
    char *text = strchr(line, '\t');
    if (text != NULL)
        *text++ = 0;
    char *path = fs_path("%s/%s", root, line + 2);
    tree_make_parents(path);
    if (line[0] == 'D')
        mkdir(path, 0755);
    else if (line[0] == 'F')
        tree_append(path, text);
    else if (line[0] == 'L')
        assert_int_equal(symlink(text, path), 0);
    free(*last);
    *last = path;
}

/* Heap: the folder that stands for "/". */
static inline char *tree_make(const char *file)
{
    struct err err;
    char *text, *last = NULL, *save = NULL;
    size_t size;
    const char *temporary = getenv("TMPDIR");
    char *root = fs_path("%s/loadline-tree-XXXXXX", temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(root));
    if (fs_read(file, FIXTURE_LIMIT, &text, &size, &err) != 0)
        fail_msg("%s", err.text);
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        tree_entry(root, line, &last);
    free(last);
    free(text);
    return root;
}

static inline int tree_remove_one(const char *path, const struct stat *status, int kind,
                                  struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

static inline void tree_remove(char *root)
{
    nftw(root, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(root);
}

#endif
