/* steady.h - the invented runs that go on until their drive is steady, or should have. */
#ifndef GOLDEN_STEADY_H
#define GOLDEN_STEADY_H

/* Writes their logs into the current directory. */
void steady_logs(void);

#endif
