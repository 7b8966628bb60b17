/**
 * @file call_site.h
 * From a return address in the host program to its source line, through the program's DWARF
 * (elfutils), or to symbol and offset where there is none.
 */
#ifndef SOFTGPU_HOST_CALL_SITE_H
#define SOFTGPU_HOST_CALL_SITE_H

#include <stdbool.h>

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
/** "line 41", "program(main+0x1f)", "" if unknown. */
void call_site_words(const struct call_site *c, char *out, unsigned long size);

#endif
