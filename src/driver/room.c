#include "driver/room.h"

#include <limits.h>
#include <sys/resource.h>

#include "base/format.h"
#include "base/fs.h"

/* Files that a stream and the rest keep open at one time, at most. */
enum { FILES_PER_STREAM = 4, FILES_BESIDES = 64 };

int room_check(const struct run_target *target, double needed, const struct workload *load,
               bool any_filesystem, struct err *err)
{
    uint64_t free_bytes, total_bytes;
    struct format_text a, b, c;
    struct err ignored;
    if ((target->adapter->caps & ADAPTER_LOCAL_FILES) == 0 ||
        fs_space(target->path, &free_bytes, &total_bytes, &ignored) != 0)
        return 0; /* a target that is not there is refused later, by its own sentence */
    char kind[32];
    if (!any_filesystem && fs_kind(target->path, kind, &ignored) == 0 &&
        (fs_kind_is_memory(kind) || fs_kind_is_network(kind)))
        return 0; /* likewise */
    double floor = load->limit_free_share * (double)total_bytes;
    if ((double)free_bytes - needed >= floor)
        return 0;
    return err_set(err, ERR_REFUSED,
                   "%s has %s free; the plan needs %s and limit.free_space keeps %s; use fewer "
                   "rows or streams, or another drive",
                   target->path, format_bytes(&a, (double)free_bytes), format_bytes(&b, needed),
                   format_bytes(&c, floor));
}

int room_for_files(unsigned streams, struct err *err)
{
    struct rlimit limit;
    rlim_t needed = (rlim_t)streams * FILES_PER_STREAM + FILES_BESIDES;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
        return 0;
    if (limit.rlim_max < needed)
        return err_set(err, ERR_REFUSED,
                       "%u stream%s up to %llu open files, this shell allows %llu; raise it with "
                       "ulimit -n, or use fewer streams",
                       streams, streams == 1 ? " needs" : "s need", (unsigned long long)needed,
                       (unsigned long long)limit.rlim_max);
    limit.rlim_cur = needed;
    setrlimit(RLIMIT_NOFILE, &limit);
    return 0;
}

unsigned room_streams_max(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max == RLIM_INFINITY)
        return UINT_MAX;
    if (limit.rlim_max < FILES_BESIDES + FILES_PER_STREAM)
        return 1;
    rlim_t most = (limit.rlim_max - FILES_BESIDES) / FILES_PER_STREAM;
    return most < UINT_MAX ? (unsigned)most : UINT_MAX;
}
