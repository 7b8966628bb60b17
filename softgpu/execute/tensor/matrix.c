/**
 * @file matrix.c
 * ldmatrix, stmatrix, movmatrix: 8 by 8 matrices of 16-bit elements (PTX ISA 9.7.14.5.15 to 9.7.14.5.17). Lanes
 * 8 i to 8 i + 7 give the rows of matrix i, and access them; what a lane's register holds lies in a row of another's.
 */
#include <string.h>

#include "execute/access.h"
#include "execute/engine.h"
#include "execute/handlers.h"
#include "execute/tensor/tensor.h"
#include "execute/traffic.h"
#include "execute/worker.h"

#define ROWS 8
#define ROW_BYTES 16

/** The lanes that give rows. */
static uint32_t givers(const struct tensor_desc *t)
{
    return t->matrices == 4 ? UINT32_MAX : (1u << ROWS * t->matrices) - 1;
}

/** Row, and byte in it, of a half register. */
static unsigned giver_of(unsigned matrix, struct cell at)
{
    return ROWS * matrix + at.line;
}

/** Of the rows that `a` holds: where each lane's half of a register lies, as accesses of its own. */
static struct mem_access lanes_view(const struct insn *half, const struct mem_access *a, bool transposed, unsigned matrix,
                                    unsigned which, uint32_t lanes)
{
    struct mem_access v = {.insn = half, .space = a->space, .owner = a->owner};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct cell at = matrix_cell(transposed, lane, which);
        unsigned from = giver_of(matrix, at);
        if (!(lanes >> lane & 1) || !(a->mask >> from & 1))
            continue;
        v.mask |= 1u << lane;
        v.address[lane] = a->address[from] + 2u * at.along;
        v.host[lane] = a->host[from] + 2u * at.along;
        v.allocation[lane] = a->allocation[from];
    }
    return v;
}

/** Whether an observer hears what lanes receive of the rows, or send. */
static bool is_heard(const struct warp *w)
{
    const struct observer_set *set = &warp_machine(w)->observers;
    bool heard = false;
    for (int i = 0; i < set->count; i++)
        heard |= set->hooks[i]->received || set->hooks[i]->sent;
    return heard;
}

static uint64_t half_of(uint64_t rows[2][WARP_LANES], unsigned giver, unsigned along)
{
    return rows[along / 4][giver] >> 16 * (along % 4) & 0xffff;
}

/** @return false where some row does not lie as it should; nothing has been done then */
static bool place_rows(struct warp *w, const struct insn *in, uint8_t *row[WARP_LANES], bool load)
{
    const struct tensor_desc *t = in->extra;
    unsigned rows = ROWS * t->matrices;
    for (unsigned lane = 0; lane < rows; lane++) {
        row[lane] = tensor_place(w, &t->piece[0], lane_address(w, in, (int)lane), ROW_BYTES, ROW_BYTES);
        if (!row[lane])
            return false;
    }
    if (rows == WARP_LANES)
        note_traffic(w, &t->piece[0], row, load);
    return true;
}

/** A matrix's rows between memory and a register of all lanes, four words of four lanes each; or transposed. */
static void load_rows(bool transposed, uint8_t *const row[ROWS], uint32_t words[WARP_LANES])
{
    uint16_t half[ROWS][ROWS];
    if (!transposed) {
        for (unsigned i = 0; i < ROWS; i++)
            memcpy(words + 4 * i, row[i], ROW_BYTES);
        return;
    }
    for (unsigned i = 0; i < ROWS; i++)
        memcpy(half[i], row[i], ROW_BYTES);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        words[lane] = half[lane % 4 * 2][lane / 4] | (uint32_t)half[lane % 4 * 2 + 1][lane / 4] << 16;
}

static void store_rows(bool transposed, uint8_t *const row[ROWS], const uint32_t words[WARP_LANES])
{
    uint16_t half[ROWS][ROWS];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned h = 0; h < 2; h++) {
            unsigned line = lane / 4, along = lane % 4 * 2 + h;
            half[transposed ? along : line][transposed ? line : along] = (uint16_t)(words[lane] >> 16 * h);
        }
    for (unsigned i = 0; i < ROWS; i++)
        memcpy(row[i], half[i], ROW_BYTES);
}

static bool load_directly(struct warp *w, const struct insn *in)
{
    const struct tensor_desc *t = in->extra;
    uint8_t *row[WARP_LANES];
    if (!tensor_reads_directly(w, in) || !place_rows(w, in, row, true))
        return false;
    for (unsigned m = 0; m < t->matrices; m++)
        if (t->reg[m] != REG_NONE)
            load_rows(t->transposed, row + ROWS * m, warp_reg(w, t->reg[m]));
    return true;
}

static bool store_directly(struct warp *w, const struct insn *in)
{
    const struct tensor_desc *t = in->extra;
    uint8_t *row[WARP_LANES];
    if (!tensor_is_direct(w) || !place_rows(w, in, row, false))
        return false;
    for (unsigned m = 0; m < t->matrices; m++)
        store_rows(t->transposed, row + ROWS * m, warp_reg(w, t->reg[m]));
    return true;
}

const struct insn *tensor_ldmatrix(struct warp *w, const struct insn *in)
{
    const struct tensor_desc *t = in->extra;
    uint64_t address[WARP_LANES], rows[2][WARP_LANES] = {{0}};
    uint32_t giving = givers(t) & w->mask;
    if (load_directly(w, in))
        return in + 1;
    FOR_LANES(lane, giving)
    {
        address[lane] = lane_address(w, in, (int)lane);
    }
    if (!access_load_at(w, &t->piece[0], giving, address, rows))
        return NULL;
    struct mem_access given = w->worker->access;
    bool heard = is_heard(w);
    for (unsigned m = 0; m < t->matrices; m++) {
        uint64_t words[WARP_LANES] = {0};
        for (unsigned h = 0; h < 2; h++) {
            if (heard) {
                struct mem_access v = lanes_view(&t->piece[1], &given, t->transposed, m, h, w->mask);
                OBSERVE(&warp_machine(w)->observers, received, w, &v, t->reg[m], 2 * h);
            }
            FOR_LANES(lane, w->mask)
            {
                struct cell at = matrix_cell(t->transposed, (int)lane, h);
                words[lane] |= half_of(rows, giver_of(m, at), at.along) << 16 * h;
            }
        }
        tensor_put(w, t, t->reg[m], words);
    }
    return in + 1;
}

const struct insn *tensor_stmatrix(struct warp *w, const struct insn *in)
{
    const struct tensor_desc *t = in->extra;
    uint64_t address[WARP_LANES], rows[2][WARP_LANES] = {{0}};
    uint32_t giving = givers(t) & w->mask;
    if (store_directly(w, in))
        return in + 1;
    for (unsigned m = 0; m < t->matrices; m++)
        for (unsigned h = 0; h < 2; h++)
            FOR_LANES(lane, w->mask)
            {
                struct cell at = matrix_cell(t->transposed, (int)lane, h);
                uint64_t v = tensor_get(w, t, t->reg[m], (int)lane) >> 16 * h & 0xffff;
                rows[at.along / 4][giver_of(m, at)] |= v << 16 * (at.along % 4);
            }
    FOR_LANES(lane, giving)
    {
        address[lane] = lane_address(w, in, (int)lane);
    }
    if (!access_store_at(w, &t->piece[0], giving, address, rows))
        return NULL;
    struct mem_access given = w->worker->access;
    bool heard = is_heard(w);
    for (unsigned m = 0; heard && m < t->matrices; m++)
        for (unsigned h = 0; h < 2; h++) {
            struct mem_access v = lanes_view(&t->piece[1], &given, t->transposed, m, h, w->mask);
            OBSERVE(&warp_machine(w)->observers, sent, w, &v, t->reg[m], 2 * h);
        }
    return in + 1;
}

const struct insn *tensor_movmatrix(struct warp *w, const struct insn *in)
{
    const struct tensor_desc *t = in->extra;
    uint64_t words[WARP_LANES] = {0};
    OBSERVE(&warp_machine(w)->observers, tensor, w, in);
    for (int lane = 0; lane < WARP_LANES; lane++)
        for (unsigned h = 0; h < 2; h++) {
            struct cell at = matrix_cell(true, lane, h);
            uint64_t v = tensor_get(w, t, t->reg[1], at.line * 4 + at.along / 2);
            words[lane] |= (v >> 16 * (at.along % 2) & 0xffff) << 16 * h;
        }
    tensor_put(w, t, t->reg[0], words);
    return in + 1;
}
