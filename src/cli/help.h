/* help.h - the help of `loadline` itself; each command's own is argp's. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

void help_short(FILE *out); /* for `loadline` alone: what to type first */
void help_full(FILE *out);  /* `loadline --help` */

#endif
