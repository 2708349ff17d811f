/* layout.h - which stream writes into which table of which file.  Pure.
 *
 *     shared-table       files = F: stream s in file s mod F, one table a file
 *     table-per-stream   files = F: stream s in file s mod F, a table of its own there
 *     file-per-stream    stream s in file s, one table a file (database-per-stream is the same)
 *
 * Files and tables are numbered from 0; a table lies in one file.  A server's files are
 * databases. */
#ifndef WORKLOAD_LAYOUT_H
#define WORKLOAD_LAYOUT_H

#include "workload/workload.h"

unsigned layout_files(const struct workload *load);
unsigned layout_tables(const struct workload *load);
unsigned layout_file_of_stream(const struct workload *load, unsigned stream);
unsigned layout_table_of_stream(const struct workload *load, unsigned stream);
unsigned layout_file_of_table(const struct workload *load, unsigned table);

#endif
