/**
 * @file fast_memory.h
 * Private to execute/: specialised, unobserved loads and stores.
 */
#ifndef SOFTGPU_EXECUTE_FAST_MEMORY_H
#define SOFTGPU_EXECUTE_FAST_MEMORY_H

#include "code/image.h"

/** The specialised handler for an instruction, NULL where there is none. */
handler_fn fast_load(const struct insn *in);
handler_fn fast_store(const struct insn *in);

/* fast_rows.c: of elements narrower than their registers, and of vectors. NULL where there is none. */
handler_fn fast_load_row(const struct insn *in);
handler_fn fast_store_row(const struct insn *in);

/* fast_shared.c: for hosts with AVX-512 */
const struct insn *fast_load_shared_4_avx512(struct warp *w, const struct insn *in);
const struct insn *fast_store_shared_4_avx512(struct warp *w, const struct insn *in);

#endif
