#include "page/page_parts.h"

#include "page/page_sums.h" /* made with the parts: PAGE_STYLE_SUM ... */

/* PAGE_PARTS_DIR is where cmake/embed_page_script.cmake puts them; the build makes this file anew
 * whenever one of them changes. */
#define PART(name, file)                                                                           \
    __asm__(".section .rodata\n"                                                                   \
            ".global page_part_" name "\n"                                                         \
            ".global page_part_" name "_end\n"                                                     \
            "page_part_" name ":\n"                                                                \
            ".incbin \"" PAGE_PARTS_DIR "/" file "\"\n"                                            \
            "page_part_" name "_end:\n"                                                            \
            ".byte 0\n"                                                                            \
            ".previous\n")

PART("template", "page.html");
PART("style", "style.css");
PART("script", "script.js");
PART("dygraphs", "dygraphs.js");
PART("catalog", "ja.txt");

extern const char page_part_template[], page_part_template_end[];
extern const char page_part_style[], page_part_style_end[];
extern const char page_part_script[], page_part_script_end[];
extern const char page_part_dygraphs[], page_part_dygraphs_end[];
extern const char page_part_catalog[], page_part_catalog_end[];

static const struct {
    const char *begin, *end, *sum;
} parts[PAGE_PARTS] = {
    [PAGE_TEMPLATE] = {page_part_template, page_part_template_end, ""},
    [PAGE_STYLE] = {page_part_style, page_part_style_end, PAGE_STYLE_SUM},
    [PAGE_SCRIPT] = {page_part_script, page_part_script_end, PAGE_SCRIPT_SUM},
    [PAGE_DYGRAPHS] = {page_part_dygraphs, page_part_dygraphs_end, PAGE_DYGRAPHS_SUM},
    [PAGE_CATALOG] = {page_part_catalog, page_part_catalog_end, ""},
};

const char *page_part_text(enum page_part part, size_t *size)
{
    *size = (size_t)(parts[part].end - parts[part].begin);
    return parts[part].begin;
}

const char *page_part_sum(enum page_part part)
{
    return parts[part].sum;
}

const char *page_part_licence(void)
{
    return PAGE_DYGRAPHS_LICENCE;
}
