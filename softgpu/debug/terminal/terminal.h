/**
 * @file terminal.h
 * The debugger's front end on a terminal, or for a script on its standard input.
 */
#ifndef SOFTGPU_DEBUG_TERMINAL_TERMINAL_H
#define SOFTGPU_DEBUG_TERMINAL_TERMINAL_H

/** Reads commands until the last; `script`: a file with commands to run first, or NULL. @return the exit status */
int terminal_run(char **program, const char *script);

#endif
