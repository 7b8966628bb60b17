/**
 * @file host_race.h
 * Do two host threads of a student's use the same memory with nothing in between that orders them?
 *
 * That is a data race in C++, and a flag that one thread sets and another looks at is one unless it is
 * atomic: `volatile` makes no order. On the machine at hand it may go well every time, so it is not
 * tried but followed. The student's file is compiled with gcc's -fsanitize=thread, which puts a call
 * before each access and in place of each atomic; host_hooks.c has these calls, and those by which
 * threads are started, joined, locked out and woken. Here is what they amount to: a vector clock for each
 * thread and each object that orders, and for each eight bytes of memory the last accesses.
 *
 * It errs on the side of silence: accesses by threads that the runtime started, and all but the last few
 * of a place, are not known, and with more threads or locks than there is room for nothing is said.
 * Any thread may call any function.
 */
#ifndef COMMON_HOST_RACE_H
#define COMMON_HOST_RACE_H

#include <stdbool.h>
#include <stddef.h>

/** Forgets all, and watches from now on. The thread that calls it is the first one. */
void host_race_begin(void);
/** Watches no more. @return how many accesses had another thread's beside them that nothing ordered */
int host_race_end(void);

/** A thread is about to be started. @return its number, for host_race_enter(); -1: it is not watched */
int host_race_fork(void);
/** The thread that calls it is the one with this number. */
void host_race_enter(int number);
/** The thread with this number has ended, and the caller knows. */
void host_race_join(int number);

/** What the caller has done so far comes before what others do after their host_race_acquire(). */
void host_race_release(const volatile void *object);
void host_race_acquire(const volatile void *object);

/** An access to at most 16 bytes. */
void host_race_access(const volatile void *p, size_t bytes, bool write, bool atomic);
/** Memory that is handed out anew: earlier accesses were to something else. */
void host_race_forget(const void *p, size_t bytes);

/** One operation of an atomic at a time, and together with what it orders. */
void host_race_lock(void);
void host_race_unlock(void);

#endif
