/* rights.h - what the run's role was not permitted, and so was not done. */
#ifndef REPORT_RIGHTS_H
#define REPORT_RIGHTS_H

#include <stdbool.h>

#include "report/view.h"

/* Could no checkpoint be asked for in the group's trials? */
bool rights_lack_checkpoint(const struct group *group);
/* One note for each lack, of whichever trials. */
void rights_print(const struct view *view);

#endif
