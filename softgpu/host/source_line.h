/**
 * @file source_line.h
 * Which lines of a source file are code of the host program, by its own DWARF (elfutils): call_site.h the other way
 * round. For the debugger's breakpoints.
 */
#ifndef SOFTGPU_HOST_SOURCE_LINE_H
#define SOFTGPU_HOST_SOURCE_LINE_H

#include <stdbool.h>

struct source_line {
    int line;        /**< the first from the one asked for on that is code; 0: none, or none is known */
    bool inside;     /**< the code before it is of the same function: the line asked for lies in that */
};

/** Lines count that are of such a file, and in such a function, by its symbol. */
typedef bool source_line_wanted(void *self, const char *file);
typedef bool source_line_function(void *self, const char *symbol);

/** Looks through all of the program's lines: slow, for whoever asks once. softgpu's own are left out. */
struct source_line source_line_from(int line, source_line_wanted *wanted, source_line_function *counts, void *self);

#endif
