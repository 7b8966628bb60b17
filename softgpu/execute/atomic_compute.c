/**
 * @file atomic_compute.c
 * See atomic_compute.h.
 */
#include "execute/atomic_compute.h"

#include "execute/access.h"
#include "execute/numerics/half.h"
#include "execute/numerics/numerics.h"

static uint64_t compute_integer(const struct mem_desc *d, uint64_t a, uint64_t b)
{
    bool is_signed = d->type == PTX_S32 || d->type == PTX_S64;
    uint64_t mask = d->bytes >= 8 ? UINT64_MAX : (1ull << 8 * d->bytes) - 1;
    int64_t sa = d->bytes == 4 ? (int32_t)a : (int64_t)a;
    int64_t sb = d->bytes == 4 ? (int32_t)b : (int64_t)b;
    bool less = is_signed ? sb < sa : b < a;
    switch ((enum atom_op)d->atom) {
    case ATOM_ADD:
        return (a + b) & mask;
    case ATOM_MIN:
        return less ? b : a;
    case ATOM_MAX:
        return a == b || less ? a : b;
    case ATOM_INC:
        return a >= b ? 0 : a + 1;
    case ATOM_DEC:
        return a == 0 || a > b ? b : a - 1;
    case ATOM_AND:
        return a & b;
    case ATOM_OR:
        return a | b;
    case ATOM_XOR:
        return a ^ b;
    default:
        return b;
    }
}

static uint16_t half_op(enum atom_op op, bool bf16, uint16_t a, uint16_t b)
{
    switch (op) {
    case ATOM_ADD:
        return bf16 ? bf16_add(a, b, false, false) : f16_add(a, b, false, false);
    case ATOM_MIN:
        return bf16 ? bf16_min(a, b, false, false, false) : f16_min(a, b, false, false, false);
    default:
        return bf16 ? bf16_max(a, b, false, false, false) : f16_max(a, b, false, false, false);
    }
}

static uint64_t half_pair(enum atom_op op, bool bf16, uint64_t a, uint64_t b)
{
    uint32_t low = half_op(op, bf16, (uint16_t)a, (uint16_t)b);
    uint32_t high = half_op(op, bf16, (uint16_t)(a >> 16), (uint16_t)(b >> 16));
    return high << 16 | low;
}

/** atom.add.f32 flushes subnormals in global memory, not in shared (PTX ISA 9.7.13.5). */
uint64_t atomic_compute(const struct mem_desc *d, uint64_t a, uint64_t b, bool global)
{
    bool arithmetic = d->atom == ATOM_ADD || d->atom == ATOM_MIN || d->atom == ATOM_MAX;
    if (!arithmetic)
        return compute_integer(d, a, b);
    switch (d->type) {
    case PTX_F16:
    case PTX_BF16:
        return half_op(d->atom, d->type == PTX_BF16, (uint16_t)a, (uint16_t)b);
    case PTX_F16X2:
    case PTX_BF16X2:
        return half_pair(d->atom, d->type == PTX_BF16X2, a, b);
    case PTX_F32:
        return f32_add((uint32_t)a, (uint32_t)b, ROUND_RN, global && !d->noftz, false);
    case PTX_F64:
        return f64_add(a, b, ROUND_RN, false, false);
    default:
        return compute_integer(d, a, b);
    }
}
