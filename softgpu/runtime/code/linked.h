/**
 * @file linked.h
 * Modules that are to be linked: their PTX, one text behind the other, which module_parse() makes one module of.
 *
 * nvcc -rdc=true keeps PTX in every part whatever the target, unless it is told code=sm_XX alone. NVIDIA's device runtime
 * library, which is linked to programs whose kernels launch kernels, is left out: softgpu has its own.
 */
#ifndef SOFTGPU_RUNTIME_CODE_LINKED_H
#define SOFTGPU_RUNTIME_CODE_LINKED_H

#include "runtime/code/fatbin.h"

/** Zero-initialise; free() its text. */
struct linked {
    char *text;                /**< owned; NULL: nothing so far */
    size_t bytes;              /**< without the NUL */
};

/** @return FATBIN_BROKEN with `d` filled where there would be too much of it */
enum fatbin_status linked_add(struct linked *l, const char *ptx, size_t bytes, struct diag *d);
/** The PTX of a fat binary that suits a device, as fatbin_find_ptx(). */
enum fatbin_status linked_add_fatbin(struct linked *l, const void *data, size_t limit, int sm, struct diag *d);
/** That of every fat binary in a host object file or an archive of those. */
enum fatbin_status linked_add_object(struct linked *l, const void *data, size_t bytes, int sm, struct diag *d);
/** An -rdc=true program's: `parts` as fatbin_wrapper.extra. */
enum fatbin_status linked_add_parts(struct linked *l, const void *const *parts, int sm, struct diag *d);
/** A module by itself: with a bound of its registers behind it (0: none), and closed off where `whole` is asked for and it
 *  declares names that it may not define. `l` keeps no text where neither is needed. */
enum fatbin_status linked_one(struct linked *l, const char *ptx, size_t bytes, unsigned most_registers, bool whole, struct diag *d);
/** That is all: from now on what no module defines is missing, even if there is but one. */
void linked_end(struct linked *l);

#endif
