#include "postgres/log_size.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"

enum { SEGMENT_NAME = 24 };

struct postgres_log_size {
    DIR *directory;
    double segment_bytes; /* 0: none was seen yet */
};

struct postgres_log_size *postgres_log_size_create(const struct adapter_config *config)
{
    struct postgres_log_size *log_size = calloc(1, sizeof *log_size);
    char *path = fs_path("%s/pgdata/pg_wal", config->directory);
    DIR *directory = path != NULL ? opendir(path) : NULL;
    free(path);
    if (log_size == NULL || directory == NULL) {
        if (directory != NULL)
            closedir(directory);
        free(log_size);
        return NULL;
    }
    log_size->directory = directory;
    return log_size;
}

static bool is_segment(const char *name)
{
    return strlen(name) == SEGMENT_NAME && strspn(name, "0123456789ABCDEF") == SEGMENT_NAME;
}

bool postgres_log_size_read(struct postgres_log_size *log_size, double *bytes)
{
    double count = 0;
    struct dirent *entry;
    rewinddir(log_size->directory);
    while ((entry = readdir(log_size->directory)) != NULL) {
        struct stat info;
        if (!is_segment(entry->d_name))
            continue;
        count++;
        /* All are of one size. */
        if (log_size->segment_bytes == 0 &&
            fstatat(dirfd(log_size->directory), entry->d_name, &info, 0) == 0)
            log_size->segment_bytes = (double)info.st_size;
    }
    *bytes = count * log_size->segment_bytes;
    return log_size->segment_bytes > 0;
}

void postgres_log_size_destroy(struct postgres_log_size *log_size)
{
    if (log_size == NULL)
        return;
    closedir(log_size->directory);
    free(log_size);
}
