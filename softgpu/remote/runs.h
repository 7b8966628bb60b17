/**
 * @file runs.h
 * Several runs of one program beside its device, each a process of its own on both sides, forked when program and libraries are loaded: what a list says one
 * after the other. Program and device have a list each, which only whoever started them can have written.
 *
 * A list has for each run its number, its folder and its environment, which an empty word ends; words end in a NUL. Of each run whose process ends with 0
 * and has printed nothing a line of standard output tells the number and its seconds.
 */
#ifndef SOFTGPU_REMOTE_RUNS_H
#define SOFTGPU_REMOTE_RUNS_H

#include <stdbool.h>

/** Says where the program's list is; WIRE_VARIABLE then is a socket by which each run sends the device a connection of its own. */
#define RUNS_VARIABLE "SOFTGPU_RUNS"
#define RUNS_MOST 64

struct runs {
    struct listed_run {
        const char *number, *folder;
        char **environment;
        bool begun;
    } at[RUNS_MOST];
    int count;
};

/** Reads a list. @return false where it is none */
bool runs_read(struct runs *r, const char *path);
/**
 * Makes one run: waits for it and tells of it.
 * @return true in the run's process, which has the run's folder and environment
 */
bool runs_fork(struct listed_run *run);

#endif
