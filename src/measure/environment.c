#include "measure/environment.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/fs.h"
#include "device/sysfs.h"

static void copy_text(char *to, size_t capacity, const char *from)
{
    size_t size = strcspn(from, "\n");
    if (size >= capacity)
        size = capacity - 1;
    memcpy(to, from, size);
    to[size] = 0;
}

/* The text behind "KEY   :" on the first such line of a /proc file. */
static void read_line(const char *path, const char *key, char *text, size_t capacity)
{
    char line[1024];
    FILE *file = fopen(path, "re");
    text[0] = 0;
    if (file == NULL)
        return;
    size_t size = strlen(key);
    while (text[0] == 0 && fgets(line, sizeof line, file) != NULL) {
        const char *at = line + size;
        if (strncmp(line, key, size) != 0)
            continue;
        while (*at == ' ' || *at == '\t')
            at++;
        if (*at++ != ':')
            continue;
        while (isspace((unsigned char)*at))
            at++;
        copy_text(text, capacity, at);
    }
    fclose(file);
}

void environment_read(struct environment *environment)
{
    struct utsname name;
    char memory[64];
    unsigned long long kib;
    memset(environment, 0, sizeof *environment);
    if (uname(&name) == 0)
        copy_text(environment->kernel, sizeof environment->kernel, name.release);
    /* ARM kernels name the board instead of the processor, if anything. */
    static const char *const keys[] = {"model name", "Model", "Hardware", "cpu model"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys && environment->cpu_model[0] == 0; i++)
        read_line("/proc/cpuinfo", keys[i], environment->cpu_model, sizeof environment->cpu_model);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    environment->cpus = online > 0 ? (unsigned)online : 1;
    read_line("/proc/meminfo", "MemTotal", memory, sizeof memory);
    if (sscanf(memory, "%llu kB", &kib) == 1)
        environment->memory_bytes = kib * 1024;
}

void environment_host(const char *root, char host[ENVIRONMENT_HOST])
{
    char *directory = fs_path("%s/proc/sys/kernel", root);
    sysfs_text(directory, "hostname", host, ENVIRONMENT_HOST);
    free(directory);
}

int environment_parse_cpu(const char *line, struct host_cpu *cpu)
{
    /* user nice system idle iowait irq softirq steal; guest times are part of user and nice. */
    unsigned long long t[8] = {0};
    int count = sscanf(line, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2],
                       &t[3], &t[4], &t[5], &t[6], &t[7]);
    if (count < 4)
        return -1;
    cpu->busy = cpu->total = 0;
    for (int i = 0; i < 8; i++) {
        cpu->total += t[i];
        if (i != 3 && i != 4)
            cpu->busy += t[i];
    }
    return 0;
}

int environment_host_cpu(struct host_cpu *cpu)
{
    char line[512];
    FILE *file = fopen("/proc/stat", "re");
    if (file == NULL)
        return -1;
    int result = fgets(line, sizeof line, file) ? environment_parse_cpu(line, cpu) : -1;
    fclose(file);
    return result;
}
