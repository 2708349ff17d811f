#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "workload/layout.h"

char *files_path(const struct adapter_config *config, unsigned file, const char *extension)
{
    const struct workload *load = config->load;
    if (layout_files(load) == 1)
        return fs_path("%s/shared.%s", config->directory, extension);
    return fs_path("%s/%c%04u.%s", config->directory,
                   load->layout == LAYOUT_FILE_PER_STREAM ? 's' : 'f', file, extension);
}

unsigned files_streams(const struct workload *load, unsigned file)
{
    unsigned count = 0;
    for (unsigned stream = 0; stream < load->streams; stream++)
        count += layout_file_of_stream(load, stream) == file;
    return count;
}

enum op_status files_status(int number)
{
    return number == ENOSPC || number == EDQUOT ? OP_NO_SPACE : OP_FATAL;
}

enum op_status files_fail(struct op_error *why, const char *call, const char *path)
{
    int number = errno;
    char text[128];
    return op_fail(why, files_status(number), number, "%s of %s: %s", call, path,
                   strerror_r(number, text, sizeof text));
}

enum op_status files_make(const char *path, struct op_error *why)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST)
        return op_fail(why, OP_FATAL, EEXIST,
                       "%s is there already: it is not this trial's, so it is left alone", path);
    if (fd < 0)
        return files_fail(why, "create", path);
    close(fd);
    return OP_OK;
}

enum op_status files_remove(const char *path, struct op_error *why)
{
    if (unlink(path) != 0 && errno != ENOENT)
        return files_fail(why, "unlink", path);
    return OP_OK;
}
