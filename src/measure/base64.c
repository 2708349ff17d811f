#include "measure/base64.h"

#include <stdint.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode(const unsigned char *data, size_t size, char *text)
{
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t group = (uint32_t)data[i] << 16;
        group |= left > 1 ? (uint32_t)data[i + 1] << 8 : 0;
        group |= left > 2 ? data[i + 2] : 0;
        *text++ = alphabet[group >> 18];
        *text++ = alphabet[group >> 12 & 63];
        *text++ = left > 1 ? alphabet[group >> 6 & 63] : '=';
        *text++ = left > 2 ? alphabet[group & 63] : '=';
    }
    *text = 0;
}

static int digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Four letters into up to three bytes; how many, or -1. */
static int decode_group(const char *text, int last, unsigned char out[3])
{
    int bytes = text[3] != '=' ? 3 : text[2] != '=' ? 2 : 1;
    uint32_t group = 0;
    if (bytes < 3 && !last)
        return -1;
    for (int i = 0; i < 4; i++) {
        int value = i <= bytes ? digit(text[i]) : 0;
        if (value < 0)
            return -1;
        group = group << 6 | (uint32_t)value;
    }
    out[0] = (unsigned char)(group >> 16);
    out[1] = (unsigned char)(group >> 8);
    out[2] = (unsigned char)group;
    return bytes;
}

int base64_decode(const char *text, unsigned char *data, size_t *size)
{
    size_t letters = strlen(text), used = 0;
    if (letters % 4 != 0)
        return -1;
    for (size_t i = 0; i < letters; i += 4) {
        unsigned char group[3];
        int bytes = decode_group(text + i, i + 4 == letters, group);
        if (bytes < 0 || used + (size_t)bytes > *size)
            return -1;
        memcpy(data + used, group, (size_t)bytes);
        used += (size_t)bytes;
    }
    *size = used;
    return 0;
}
