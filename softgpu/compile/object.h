/**
 * @file object.h
 * Private to compile/: machine code as the translator gives it, a relocatable ELF object, becomes code that can be called.
 */
#ifndef SOFTGPU_COMPILE_OBJECT_H
#define SOFTGPU_COMPILE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

/** Machine code of one object; it lies in pages that are executable and not writable. */
struct object_code;

typedef void *object_symbol_fn(const void *self, const char *name);

/**
 * Places an object in this process.
 * @param bytes  the object, `size` of them; not needed afterwards
 * @param symbol what a name that the object does not define stands for, asked with `self`; NULL: nothing. memcpy() and its like are known
 * @param why    one line after a failure, `why_size` bytes
 * @return NULL where it is damaged, refers to what is not there, or this process may not map code. The caller's to free
 */
struct object_code *object_load(const void *bytes, size_t size, object_symbol_fn *symbol, const void *self, char *why, size_t why_size);
/** The address of its function `run`. */
void *object_run(const struct object_code *code);
void object_free(struct object_code *code);

#endif
