/**
 * @file progress.h
 * How far a launch is that takes long: one line on stderr that is written over, and gone when the launch has ended. Only
 * where a person sees it: nothing is written to what is no terminal. One launch at a time.
 */
#ifndef SOFTGPU_REPORT_PROGRESS_H
#define SOFTGPU_REPORT_PROGRESS_H

#include <stdint.h>

/** A launch begins; from `seconds` on its progress is told. The name is borrowed until progress_end(). */
void progress_begin(const char *kernel, uint64_t seconds);
/** Its run number `run` of `runs` begins; 0 runs: one more, made to look further. */
void progress_run(int run, int runs);
/** So many of its blocks are done. Cheap: to be called every few milliseconds. */
void progress_tell(uint64_t done, uint64_t blocks);
void progress_end(void);

#endif
