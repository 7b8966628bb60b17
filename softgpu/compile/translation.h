/**
 * @file translation.h
 * Private to compile/: what goes between a program and its translator.
 */
#ifndef SOFTGPU_COMPILE_TRANSLATION_H
#define SOFTGPU_COMPILE_TRANSLATION_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

/** Before each message. */
struct translation {
    uint64_t bytes;       /**< that follow: a module's text; an object file, or why there is none */
    uint32_t is_object;
    uint32_t never;       /**< there is no LLVM here: nobody should ask again */
};

/** All of it, or false. */
static inline bool translation_read(int fd, void *to, size_t bytes)
{
    for (char *at = to; bytes;) {
        ssize_t n = read(fd, at, bytes);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        at += n > 0 ? n : 0;
        bytes -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static inline bool translation_write(int fd, const void *from, size_t bytes)
{
    for (const char *at = from; bytes;) {
        ssize_t n = write(fd, at, bytes);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        bytes -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

#endif
