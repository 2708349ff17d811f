/* read_log FILE - reads a result log and says how many intervals it found: what a report does
 * before it looks at anything. */
#include <stdio.h>

#include "result/document.h"

int main(int argc, char **argv)
{
    struct document document;
    struct err err;
    if (argc != 2) {
        fputs("usage: read_log FILE\n", stderr);
        return 2;
    }
    int status = document_read(argv[1], &document, &err);
    size_t intervals = 0;
    if (status != 0)
        fprintf(stderr, "read_log: %s\n", err.text);
    for (size_t i = 0; i < document.courses.count; i++)
        intervals += document.courses.items[i].series.count;
    printf("%zu courses, %zu intervals\n", document.courses.count, intervals);
    document_release(&document);
    return status != 0;
}
