#include "workload/layout.h"

unsigned layout_files(const struct workload *load)
{
    return load->layout == LAYOUT_FILE_PER_STREAM ? load->streams : load->files;
}

unsigned layout_tables(const struct workload *load)
{
    return load->layout == LAYOUT_SHARED_TABLE ? load->files : load->streams;
}

unsigned layout_file_of_stream(const struct workload *load, unsigned stream)
{
    return load->layout == LAYOUT_FILE_PER_STREAM ? stream : stream % load->files;
}

unsigned layout_table_of_stream(const struct workload *load, unsigned stream)
{
    return load->layout == LAYOUT_SHARED_TABLE ? stream % load->files : stream;
}

unsigned layout_file_of_table(const struct workload *load, unsigned table)
{
    return load->layout == LAYOUT_TABLE_PER_STREAM ? table % load->files : table;
}
