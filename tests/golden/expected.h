/* expected.h - a text beside the file that holds what is expected of it. */
#ifndef GOLDEN_EXPECTED_H
#define GOLDEN_EXPECTED_H

#include <stdbool.h>

/* Writes the text into the file, or compares both and prints the first line that differs. */
bool expected_write(const char *path, const char *text);
bool expected_compare(const char *path, const char *text);

#endif
