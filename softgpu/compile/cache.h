/**
 * @file cache.h
 * Private to compile/: machine code of earlier runs, files in a folder of the user's.
 *
 * A file is named by what it was made from: the function's text, in which everything stands that the code depends on (emit.h), this
 * program's version and the processor's level. It is written under another name and renamed, so that no process sees a part
 * of it, and read only where it and the folder are the user's own, nobody else may write there, and its checksum is right. Together the
 * files have a bound: those that have not been used for longest go first.
 */
#ifndef SOFTGPU_COMPILE_CACHE_H
#define SOFTGPU_COMPILE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Where files are kept from now on: a folder; "off": nowhere; NULL: fencepost below XDG_CACHE_HOME or ~/.cache. Once, at first. */
void cache_use(const char *folder);
/** Is there a folder, or may there be one? */
bool cache_is_on(void);
/** Two hashes of a text, and its bytes. */
struct cache_key {
    uint64_t text[2], length;
};
struct cache_key cache_key_of(const char *text, size_t length);
/** @return the object made from that text, `*bytes` bytes, which the caller frees; NULL: none is kept that can be trusted */
void *cache_find(const struct cache_key *key, size_t *bytes);
/** Keeps an object, if that is possible. */
void cache_keep(const struct cache_key *key, const void *object, size_t bytes);

#endif
