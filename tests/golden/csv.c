/* Compares the tables of result logs with what is expected.
 *
 *     golden_csv EXPECTED LOG...            prints the first line that differs; 1 if one does
 *     golden_csv --write EXPECTED LOG...    writes what is expected from now on
 *
 * EXPECTED: its name ends in .phases.csv or .samples.csv. */
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "expected.h"
#include "export/csv.h"
#include "result/document.h"

enum { LOGS_MOST = 8 };

static char *render(char **paths, size_t count, enum csv_table table, struct err *err)
{
    struct document documents[LOGS_MOST] = {{.summary = NULL}};
    struct report_source sources[LOGS_MOST];
    char *text = NULL;
    size_t size;
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++) {
        const char *slash = strrchr(paths[i], '/');
        status = document_read_detail(paths[i], DOCUMENT_LATENCIES, &documents[i], err);
        sources[i] = (struct report_source){slash ? slash + 1 : paths[i], documents[i].summary,
                                            &documents[i].courses};
    }
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        abort();
    if (status == 0)
        status = csv_write(memory, sources, count, table, err);
    fclose(memory);
    for (size_t i = 0; i < count; i++)
        document_release(&documents[i]);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}

int main(int argc, char **argv)
{
    bool writes = argc > 1 && strcmp(argv[1], "--write") == 0;
    int first = writes ? 3 : 2;
    if (argc <= first || argc - first > LOGS_MOST)
        return 2;
    if (!setlocale(LC_ALL, "C.UTF-8")) {
        puts("skipped: there is no locale C.UTF-8 here");
        return 77;
    }
    struct err err;
    const char *path = argv[first - 1];
    enum csv_table table = strstr(path, ".samples.csv") ? CSV_SAMPLES : CSV_PHASES;
    char *text = render(argv + first, (size_t)(argc - first), table, &err);
    if (!text) {
        puts(err.text);
        return 1;
    }
    bool right = writes ? expected_write(path, text) : expected_compare(path, text);
    free(text);
    return right ? 0 : 1;
}
