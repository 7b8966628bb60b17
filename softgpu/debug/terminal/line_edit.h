/**
 * @file line_edit.h
 * Reads lines: on a terminal with history and completion, where the system has libedit. It is loaded when it is wanted, so that
 * nothing needs it to be built or run.
 */
#ifndef SOFTGPU_DEBUG_TERMINAL_LINE_EDIT_H
#define SOFTGPU_DEBUG_TERMINAL_LINE_EDIT_H

#include <stdio.h>

/** Asks for a line. @return it, the caller's to free; NULL at the end */
char *line_ask(const char *prompt, FILE *in);
/** The same without a prompt. */
char *line_read(FILE *in);
/** Who knows the words that could stand behind the beginning of a line, and offers each. */
void line_words(void (*words)(void *self, const char *before, void (*offer)(const char *word)), void *self);

#endif
