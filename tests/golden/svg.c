/* Compares the card of a result log with the picture that is expected.
 *
 *     golden_svg EXPECTED LOG            prints the first line that differs; 1 if one does
 *     golden_svg --write EXPECTED LOG    writes the picture that is expected from now on */
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "expected.h"
#include "page/card.h"
#include "result/document.h"

/* Heap, or NULL. */
static char *render(const char *path, struct err *err)
{
    struct document document;
    char *text = NULL;
    size_t size;
    int failed = -1;
    if (document_read(path, &document, err) == 0) {
        json_object_set_new(document.summary, "analysis",
                            analysis_make(document.summary, &document.courses));
        const struct report_source source = {
            .path = path, .summary = document.summary, .courses = &document.courses};
        FILE *memory = open_memstream(&text, &size);
        failed = memory ? card_write(memory, &source, err) : -1;
        if (memory)
            fclose(memory);
    }
    document_release(&document);
    if (failed != 0)
        free(text);
    return failed == 0 ? text : NULL;
}

int main(int argc, char **argv)
{
    bool writes = argc > 1 && strcmp(argv[1], "--write") == 0;
    char **rest = argv + (writes ? 2 : 1);
    struct err err = {.text = "out of memory"};
    if (argc - (int)(rest - argv) != 2)
        return 2;
    if (!setlocale(LC_ALL, "C.UTF-8")) {
        puts("skipped: there is no locale C.UTF-8 here");
        return 77;
    }
    char *text = render(rest[1], &err);
    if (text == NULL) {
        puts(err.text);
        return 1;
    }
    bool right = writes ? expected_write(rest[0], text) : expected_compare(rest[0], text);
    free(text);
    return right ? 0 : 1;
}
