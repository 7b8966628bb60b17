/**
 * @file stencil_rows.c
 * Stencils of the V rows of code/ops.def: each row's loop as a function whose operands' places are symbols that nobody
 * defines. The object file is read at run time (stencils.c): the functions' bytes are copied one behind the other and the
 * relocations are filled with the operands' places.
 *
 * Compiled without -fPIC, so that a hole is an absolute 32-bit field of an instruction.
 */
#include "execute/alu/stamp.h"
#include "execute/warp_run.h"

typedef const struct insn *stencil_fn(struct warp *w, const struct insn *code, const handler_fn *handlers);
extern stencil_fn hole_next, hole_target;
extern char hole_in[], hole_handler[], hole_imm[];
extern char hole_base_d[], hole_at_d[], hole_base_0[], hole_at_0[], hole_base_1[], hole_at_1[], hole_base_2[], hole_at_2[],
    hole_base_3[], hole_at_3[];

#define AT(n) (*(uint8_t **)((char *)w + (uintptr_t)hole_base_##n) + (uintptr_t)hole_at_##n)
#define PLACED(T, n) ((alu_##T *)__builtin_assume_aligned(AT(n), 64))
#undef SOURCE_u16
#undef SOURCE_s16
#undef SOURCE_u32
#undef SOURCE_s32
#undef SOURCE_u64
#undef SOURCE_s64
#undef SOURCE_pred
#define SOURCE_u16(x, n) const alu_u16 *x##_ = PLACED(u16, n);
#define SOURCE_s16(x, n) const alu_s16 *x##_ = PLACED(s16, n);
#define SOURCE_u32(x, n) const alu_u32 *x##_ = PLACED(u32, n);
#define SOURCE_s32(x, n) const alu_s32 *x##_ = PLACED(s32, n);
#define SOURCE_u64(x, n) const alu_u64 *x##_ = PLACED(u64, n);
#define SOURCE_s64(x, n) const alu_s64 *x##_ = PLACED(s64, n);
#define SOURCE_pred(x, n)                                                                          \
    alu_s32 x##_[WARP_LANES] __attribute__((aligned(64)));                                         \
    alu_spread((int32_t *)x##_, *(uint32_t *)AT(n));
#undef TARGET
#define TARGET(T) alu_##T *r_ = PLACED(T, d);
#undef FINISH_pred
#define FINISH_pred                                                                                \
    uint32_t *p_ = (uint32_t *)AT(d), bits_ = alu_gather((const int32_t *)r_);                     \
    *p_ = (*p_ & ~w->mask) | (bits_ & w->mask);

#define STENCIL(id, D, sources, values, e)                                                         \
    const struct insn *stencil_##id(struct warp *w, const struct insn *code, const handler_fn *handlers); \
    const struct insn *stencil_##id(struct warp *w, const struct insn *code, const handler_fn *handlers) \
    {                                                                                              \
        const uint64_t m = (uintptr_t)hole_imm;                                                    \
        (void)m;                                                                                   \
        sources TARGET_##D                                                                         \
        if (__builtin_expect(w->mask == UINT32_MAX, 1)) {                                          \
            LANES { values STORE_##D(e); }                                                         \
        } else {                                                                                   \
            const int32_t *active = __builtin_assume_aligned(w->lane_mask, 64);                    \
            (void)active;                                                                          \
            LANES { values BLEND_##D(e); }                                                         \
        }                                                                                          \
        FINISH_##D                                                                                 \
        return hole_next(w, code, handlers);                                                       \
    }
#define V1(id, mnemonic, pattern, section, ...) STAMP_1(STENCIL, id, __VA_ARGS__)
#define V2(id, mnemonic, pattern, section, ...) STAMP_2(STENCIL, id, __VA_ARGS__)
#define V3(id, mnemonic, pattern, section, ...) STAMP_3(STENCIL, id, __VA_ARGS__)
#define V4(id, mnemonic, pattern, section, ...) STAMP_4(STENCIL, id, __VA_ARGS__)
#include "code/ops.def"

stencil_fn stencil__call, stencil__branch, stencil__leader;

/** Whatever is no V row: its handler; the group may have stopped, or gone elsewhere. */
const struct insn *stencil__call(struct warp *w, const struct insn *code, const handler_fn *handlers)
{
    const struct insn *in = (const struct insn *)((const char *)code + (uintptr_t)hole_in);
    const struct insn *next = (*(handler_fn *)((const char *)handlers + (uintptr_t)hole_handler))(w, in);
    return next == in + 1 ? hole_next(w, code, handlers) : next;
}

/** A branch: its handler parts the lanes and counts. */
const struct insn *stencil__branch(struct warp *w, const struct insn *code, const handler_fn *handlers)
{
    const struct insn *in = (const struct insn *)((const char *)code + (uintptr_t)hole_in);
    const struct insn *next = (*(handler_fn *)((const char *)handlers + (uintptr_t)hole_handler))(w, in);
    if (next == in->target)
        return hole_target(w, code, handlers);
    return next == in + 1 ? hole_next(w, code, handlers) : next;
}

/** Where others may wait for the group. */
const struct insn *stencil__leader(struct warp *w, const struct insn *code, const handler_fn *handlers)
{
    const struct insn *in = (const struct insn *)((const char *)code + (uintptr_t)hole_in);
    return in < w->limit ? hole_next(w, code, handlers) : in;
}
