/**
 * @file result_watch.h
 * What the host does with the results of copies to its pageable memory before it has waited for them: checked mode only (x86-64).
 *
 * Such memory is any of the program's: on a stack, beside others' bytes on the heap. It is not protected, as what the kernel, and the
 * C library itself, use of the same page would fail. So where a call leaves such results behind it, the thread goes on by single
 * steps, and each instruction's operand is looked at before it is executed; up to the next call, and for a limited number of them.
 */
#ifndef SOFTGPU_RUNTIME_RESULT_WATCH_H
#define SOFTGPU_RUNTIME_RESULT_WATCH_H

#include <stdbool.h>

struct operation;
/** A copy to pageable memory has been issued. Called with the lock held, as the next two. */
void result_watch_note(const struct operation *op);
/** The host may know of more that is complete. */
void result_watch_known(void);
/** A call begins: the thread's steps end, and what it has touched is told. */
void result_watch_enter(void);
/** A call is about to end. @return whether the thread is to go on by steps: result_watch_begin(), without the lock */
bool result_watch_leave(void);
void result_watch_begin(void);
/** The thread has stopped at an instruction, with its `ucontext_t`. @return false if that is none of these steps */
bool result_watch_step(void *context);
/** The context ends. */
void result_watch_stop(void);

#endif
