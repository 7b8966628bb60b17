/**
 * @file call_site.h
 * From a return address in the host program to its source line, through the program's DWARF
 * (elfutils), or to symbol and offset where there is none.
 */
#ifndef SOFTGPU_HOST_CALL_SITE_H
#define SOFTGPU_HOST_CALL_SITE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct call_site {
    const char *file;    /**< source file; without debug information "program(symbol+0x12)"; or NULL */
    int line;            /**< 0 without debug information */
};

/**
 * Where the call that returns to `address` stands; `exact`: the instruction at `address` itself.
 * Looked up once, kept until the process ends; not thread-safe (the runtime's lock is held).
 * @return never NULL; empty for NULL and for addresses inside of softgpu
 */
const struct call_site *call_site(const void *address, bool exact);
/** From now on `find` is asked first, for addresses that are none of this process (remote/). What it
 *  gives lives until the process ends. */
void call_site_resolver(bool (*find)(unsigned long address, struct call_site *out));
#ifdef __x86_64__
/** Does the code there only leave its function, whose frame begins at %rbp? It may take the call's arguments off the stack, restore
 *  %rbx, and look whether the stack's guard is whole (-fstack-protector-strong, which is some systems' default). */
static inline bool call_site_hands_on(const uint8_t *next)
{
    static const uint8_t guard[] = {0x64, 0x48, 0x2b, 0x14, 0x25, 0x28, 0, 0, 0, 0x74, 0x05, 0xe8}; /* sub %fs:40,%rdx; je +5; call */
    static const uint8_t unstack[] = {0x48, 0x83, 0xc4};                                         /* add $N,%rsp */
    static const uint8_t restore[] = {0x48, 0x8b, 0x5d, 0xf8};                                   /* mov -8(%rbp),%rbx */
    if (!memcmp(next, unstack, sizeof unstack))
        next += sizeof unstack + 1;
    if (next[0] == 0x48 && next[1] == 0x8b && next[2] == 0x55 && !memcmp(next + 4, guard, sizeof guard)) /* mov -N(%rbp),%rdx */
        next += 4 + sizeof guard + 4;
    if (!memcmp(next, restore, sizeof restore))
        next += sizeof restore;
    return next[0] == 0xc9 && next[1] == 0xc3; /* leave; ret */
}
#endif

/**
 * Where a function was called, or where its caller was, if that does nothing but hand on what the function returns: so do
 * the toolkit's templates, such as cudaMalloc<int>(), as they are compiled without optimisation. `leave; ret` where
 * the call returns to says so (call_site_hands_on()), and that the caller's frame pointer is one
 * (x86-64; elsewhere `site` it is).
 * @param frame   the function's own __builtin_frame_address(0)
 * @param levels  how many of such functions there may be
 */
static inline const void *call_site_through(const void *site, void *const *frame, int levels)
{
#ifdef __x86_64__
    for (; levels > 0 && call_site_hands_on((const uint8_t *)site); levels--) {
        frame = (void *const *)frame[0];
        site = frame[1];
    }
#endif
    (void)frame, (void)levels;
    return site;
}
#define CALL_SITE_THROUGH(levels)                                                                  \
    call_site_through(__builtin_return_address(0), (void *const *)__builtin_frame_address(0), levels)

/**
 * The same for any function, wherever the code that `site` is in is the toolkit's by its source file or symbol: at most
 * three of such functions, each of which does nothing but hand on. Under the lock, as call_site().
 * @param frame   the frame address of the function that was called; NULL: `site` it is
 */
const void *call_site_past_templates(const void *site, void *const *frame);

/** The program has kernels of a library's own (library_symbol()): from now on call_site_past_library() looks. */
void call_site_expect_library(void);
/**
 * Where the program itself called, if `site` lies in a function of a library's that is on this thread's stack now; else
 * `site`. Under the lock, as call_site().
 */
const void *call_site_past_library(const void *site);

/** "line 41", "program(main+0x1f)", "" if unknown. */
void call_site_words(const struct call_site *c, char *out, unsigned long size);

#endif
