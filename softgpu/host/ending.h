/**
 * @file ending.h
 * What stands in a program for abort(), for a failed assert(), and for _exit().
 */
#ifndef SOFTGPU_HOST_ENDING_H
#define SOFTGPU_HOST_ENDING_H

/** `ending` is called once, before the program ends; NULL: nobody is. */
void ending_told(void (*ending)(void));
/** abort(), and __assert_fail(). */
_Noreturn void ending_abort(void);
_Noreturn void ending_assert_fail(const char *what, const char *file, unsigned line, const char *function);
/** _exit(), and _Exit(). */
_Noreturn void ending_exit(int status);

#endif
