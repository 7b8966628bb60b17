/**
 * @file could_words.h
 * What a load could return, in words: the terminal prints them, an editor's console shows them.
 */
#ifndef SOFTGPU_DEBUG_SESSION_COULD_WORDS_H
#define SOFTGPU_DEBUG_SESSION_COULD_WORDS_H

#include <jansson.h>

/** Of the answer to "could" (debug/agent/could.c). @return lines of text; the caller's to free */
char *could_words(const json_t *answer);

#endif
