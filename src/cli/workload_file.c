#include "cli/workload_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/fs.h"

enum { FILE_LIMIT = 1 << 20 };

static bool ends_in_ini(const char *word)
{
    size_t length = strlen(word);
    return length > 4 && strcmp(word + length - 4, ".ini") == 0;
}

static int no_such_workload(const char *word, struct err *err)
{
    char names[512] = "";
    size_t used = 0;

    for (const struct embedded *e = embedded_workloads; e->name != NULL; e++) {
        size_t length = strlen(e->name) - strlen(".ini");
        if (used + length + 3 > sizeof names)
            break;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.*s", used > 0 ? ", " : "",
                                 (int)length, e->name);
    }
    return err_set(err, ERR_USAGE,
                   "there is no workload '%s'; there are %s, and a file of your own needs a '/' or "
                   "'.ini' in its name",
                   word, names);
}

static int read_embedded(const char *word, struct workload_file *file, struct err *err)
{
    char *name = fs_path("%s.ini", word);
    const struct embedded *found = embedded_find(embedded_workloads, name);

    free(name);
    if (found == NULL)
        return no_such_workload(word, err);
    file->text = strdup(found->text);
    file->size = found->size;
    file->origin = fs_path("workload %s", word);
    file->name = fs_path("%s", word);
    return 0;
}

int workload_file_read(const char *word, struct workload_file *file, struct err *err)
{
    *file = (struct workload_file){.text = NULL};
    if (strchr(word, '/') == NULL && !ends_in_ini(word))
        return read_embedded(word, file, err);
    if (fs_read(word, FILE_LIMIT, &file->text, &file->size, err) != 0) {
        err->kind = ERR_USAGE;
        return err_context(err, "workload file");
    }
    const char *base = strrchr(word, '/');
    base = base != NULL ? base + 1 : word;
    size_t length = strlen(base) - (ends_in_ini(base) ? 4 : 0);
    file->origin = fs_path("%s", word);
    file->name = fs_path("%.*s", (int)length, base);
    return 0;
}

void workload_file_release(struct workload_file *file)
{
    free(file->text);
    free(file->origin);
    free(file->name);
    *file = (struct workload_file){.text = NULL};
}

/* Takes the rest of the line when it begins with `label`. */
static void take(const char *line, const char *label, char *out, size_t size)
{
    size_t skip = strlen(label);

    if (out[0] != '\0' || strncmp(line, label, skip) != 0)
        return;
    snprintf(out, size, "%.*s", (int)strcspn(line + skip, "\r\n"), line + skip);
}

void workload_file_about(const char *text, struct workload_about *about)
{
    *about = (struct workload_about){.answers = ""};
    while (text[0] == '#') {
        const char *line = text + 1 + strspn(text + 1, " \t");
        take(line, "", about->answers, sizeof about->answers);
        take(line, "Time: ", about->time, sizeof about->time);
        take(line, "Writes: ", about->writes, sizeof about->writes);
        text += strcspn(text, "\n");
        text += text[0] == '\n';
    }
}
