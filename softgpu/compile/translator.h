/**
 * @file translator.h
 * Private to compile/: LLVM in a process of its own, `softgpu --translator`, started when there is a first text and ended after
 * some idle time. Its text comes through a pipe, its object file goes back by another. The program never sees it: it raises no
 * signal when it ends, no wait() finds it, and it does not outlive the thread that started it.
 */
#ifndef SOFTGPU_COMPILE_TRANSLATOR_H
#define SOFTGPU_COMPILE_TRANSLATOR_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Has a module's text made into an object file; takes as long as LLVM does. One thread at a time, always the same one, with all
 * signals blocked.
 * @param gently  the process that does it gives way to others
 * @param why     one line after a failure, `why_size` bytes
 * @return `*bytes` bytes, which the caller frees; NULL after a failure
 */
void *translator_ask(const char *text, size_t length, size_t *bytes, bool gently, char *why, size_t why_size);
/** Is there no use in asking again? */
bool translator_gone(void);
/** Plays the translator on standard input and output. @return the exit status */
int translator_serve(bool gently);

#endif
