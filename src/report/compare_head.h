/* compare_head.h - what is compared: the drives, what is the same and what differs. */
#ifndef REPORT_COMPARE_HEAD_H
#define REPORT_COMPARE_HEAD_H

#include "report/view.h"

void compare_head_print(const struct view *view, const json_t *comparison);

#endif
