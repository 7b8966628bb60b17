/**
 * @file random_program.h
 * Small random programs as litmus texts (litmus.h): 2 to 4 threads in one block or several, 1 to 3 locations, every
 * order and scope, fences, read-modify-writes, branches on what was read, barriers of a block.
 */
#ifndef TESTS_MODEL_RANDOM_PROGRAM_H
#define TESTS_MODEL_RANDOM_PROGRAM_H

#include "litmus_ptx.h"

/** The program of that number, the same at every call, and how its threads stand in a block. */
void random_program(long number, char *text, size_t size, enum litmus_layout *layout);

#endif
