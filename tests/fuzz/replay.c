/* Gives a fuzz target the files that are named, and every file of directories that are
 * named: what a fuzzer once found stays found.  A crash is the failure. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/fs.h"

enum { FILE_LIMIT = 16 << 20 };

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static int replay_file(const char *path)
{
    struct err err = {0};
    char *text;
    size_t size;
    if (fs_read(path, FILE_LIMIT, &text, &size, &err) != 0) {
        fprintf(stderr, "%s\n", err.text);
        return -1;
    }
    /* A block of exactly this size: reading past its end is then seen by a sanitizer. */
    unsigned char *data = malloc(size > 0 ? size : 1);
    for (size_t i = 0; data != NULL && i < size; i++)
        data[i] = (unsigned char)text[i];
    free(text);
    if (data == NULL)
        return -1;
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

/* The number of files that were replayed, or -1. */
static int replay_directory(const char *path)
{
    DIR *directory = opendir(path);
    int count = 0;
    if (directory == NULL) {
        perror(path);
        return -1;
    }
    for (struct dirent *entry; count >= 0 && (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        char *file = fs_path("%s/%s", path, entry->d_name);
        count = replay_file(file) == 0 ? count + 1 : -1;
        free(file);
    }
    closedir(directory);
    return count;
}

int main(int argc, char **argv)
{
    int total = 0;
    for (int i = 1; i < argc; i++) {
        struct stat facts;
        int is_directory = stat(argv[i], &facts) == 0 && S_ISDIR(facts.st_mode);
        int count = is_directory ? replay_directory(argv[i]) : replay_file(argv[i]) + 1;
        if (count < 0 || (count == 0 && !is_directory))
            return EXIT_FAILURE;
        total += count;
    }
    printf("%d files replayed\n", total);
    return total > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
