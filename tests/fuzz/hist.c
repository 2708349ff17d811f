/* Any text as an encoded histogram, any bytes as the counts inside of one, any bytes as values
 * to record.  What is encoded decodes to the same counts. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "measure/base64.h"
#include "measure/hist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_round_trip(const struct hist *h)
{
    struct hist *back = hist_create();
    struct err err;
    char *text = hist_encode(h);
    if (hist_decode(text, back, &err) != 0 || back->count != h->count ||
        memcmp(back->counts, h->counts, sizeof h->counts) != 0)
        abort();
    if (hist_max_ms(h) < hist_quantile_ms(h, 0.5) || hist_max_ms(h) < hist_quantile_ms(h, 0.999))
        abort();
    free(text);
    hist_destroy(back);
}

static void check_decode(const char *text)
{
    struct hist *h = hist_create();
    struct err err;
    if (hist_decode(text, h, &err) == 0)
        check_round_trip(h);
    else if (h->count != 0 || h->low <= h->high)
        abort();
    hist_destroy(h);
}

static void put_size(unsigned char *at, size_t size)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(size >> (24 - 8 * i));
}

/* A random change never makes a zlib stream: the right wrapping lets the bytes get inside. */
static void check_counts(const uint8_t *data, size_t size)
{
    static const unsigned char header[40] = {0x1c, 0x84, 0x93, 0x13, [15] = 2, [23] = 8, 0,   0, 3,
                                             0x46, 0x30, 0xb8, 0xa0, 0,        0x3f,     0xf0};
    enum { ROOM = 1 << 16 };
    static unsigned char plain[ROOM], packed[2 * ROOM];
    static char text[4 * ROOM];
    if (size > ROOM - sizeof header)
        return;
    memcpy(plain, header, sizeof header);
    put_size(plain + 4, size);
    if (size != 0)
        memcpy(plain + sizeof header, data, size);
    uLongf packed_size = sizeof packed - 8;
    if (compress2(packed + 8, &packed_size, plain, sizeof header + size, Z_NO_COMPRESSION) != Z_OK)
        abort();
    memcpy(packed, "\x1c\x84\x93\x14", 4);
    put_size(packed + 4, packed_size);
    base64_encode(packed, 8 + packed_size, text);
    check_decode(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hist *h = hist_create();
    char *text = malloc(size + 1);
    if (text == NULL)
        abort();
    if (size != 0)
        memcpy(text, data, size);
    text[size] = 0;
    check_decode(text);
    check_counts(data, size);
    for (size_t i = 0; i + sizeof(int64_t) <= size; i += sizeof(int64_t)) {
        int64_t value_ns;
        memcpy(&value_ns, data + i, sizeof value_ns);
        hist_record(h, value_ns);
    }
    check_round_trip(h);
    free(text);
    hist_destroy(h);
    return 0;
}
