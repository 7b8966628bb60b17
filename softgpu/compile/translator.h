/**
 * @file translator.h
 * Private to compile/: LLVM in a process of its own, `softgpu --translator`, started when there is a first text and ended after
 * some idle time. Its text comes through a pipe, its object file goes back by another. The program never sees it: it is not
 * its child, so that no wait() finds it and no signal tells of its end. It ends when its pipe is closed, as by the program's end.
 */
#ifndef SOFTGPU_COMPILE_TRANSLATOR_H
#define SOFTGPU_COMPILE_TRANSLATOR_H

#include <stdbool.h>
#include <stddef.h>

/** The calling thread, which is to ask, gives up the program's descriptors for some of its own. @return false where it cannot */
bool translator_begin(void);
/**
 * Has a module's text made into an object file; takes as long as LLVM does. Only of the thread that has
 * begun, with all signals blocked.
 * @param gently  the process that does it gives way to others; another thread may make it false meanwhile: it is then done by one
 *                that does not
 * @param why     one line after a failure, `why_size` bytes
 * @return `*bytes` bytes, which the caller frees; NULL after a failure
 */
void *translator_ask(const char *text, size_t length, size_t *bytes, const bool *gently, char *why, size_t why_size);
/** Is there no use in asking again? */
bool translator_gone(void);
/** Plays the translator on standard input and output. @return the exit status */
int translator_serve(bool gently);

#endif
