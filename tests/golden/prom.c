/* Compares the OpenMetrics text of result logs with what is expected.
 *
 *     golden_prom EXPECTED LOG...            prints the first line that differs; 1 if one does
 *     golden_prom --write EXPECTED LOG...    writes the text that is expected from now on */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "expected.h"
#include "export/prom.h"
#include "result/document.h"

enum { LOGS_MAX = 8 };

/* Heap, or NULL. */
static char *render(char **paths, size_t count, struct err *err)
{
    struct document documents[LOGS_MAX] = {{.summary = NULL}};
    struct report_source sources[LOGS_MAX];
    size_t read = 0, size;
    char *text = NULL;
    int failed = -1;
    for (; read < count; read++) {
        if (document_read(paths[read], &documents[read], err) != 0)
            goto out;
        json_t *summary = documents[read].summary;
        const char *slash = strrchr(paths[read], '/');
        json_object_set_new(summary, "analysis", analysis_make(summary, &documents[read].courses));
        sources[read] = (struct report_source){.path = slash != NULL ? slash + 1 : paths[read],
                                               .summary = summary};
    }
    FILE *memory = open_memstream(&text, &size);
    if (memory == NULL)
        goto out;
    failed = prom_write(memory, sources, count, err);
    fclose(memory);
out:
    for (size_t i = 0; i <= read && i < count; i++)
        document_release(&documents[i]);
    if (failed != 0)
        free(text);
    return failed == 0 ? text : NULL;
}

int main(int argc, char **argv)
{
    bool writes = argc > 1 && strcmp(argv[1], "--write") == 0;
    char **rest = argv + (writes ? 2 : 1);
    int count = argc - (int)(rest - argv) - 1;
    struct err err = {.text = "out of memory"};
    if (count < 1 || count > LOGS_MAX)
        return 2;
    char *text = render(rest + 1, (size_t)count, &err);
    if (text == NULL) {
        puts(err.text);
        return 1;
    }
    bool right = writes ? expected_write(rest[0], text) : expected_compare(rest[0], text);
    free(text);
    return right ? 0 : 1;
}
