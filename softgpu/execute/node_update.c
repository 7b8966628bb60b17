/**
 * @file node_update.c
 * See node_update.h: the functions by which kernels update nodes. All of a batch is looked at before any of it is done.
 */
#include "execute/node_update.h"

#include <stddef.h>
#include <string.h>

#include "execute/device_graph.h"
#include "execute/nested_call.h"

/** struct cudaGraphKernelNodeUpdate as nvcc lays it out. */
enum { UPDATE_NODE = 0, UPDATE_FIELD = 8, UPDATE_DATA = 16, UPDATE_OFFSET = 24, UPDATE_SIZE = 32, UPDATE_BYTES = 40 };
enum field { FIELD_GRID = 1, FIELD_PARAM, FIELD_ENABLED };

struct update {
    uint64_t node, value, offset, size;
    uint32_t field, grid[3], enabled;
};

struct node_state *node_state_at(struct machine *m, uint64_t handle)
{
    struct allocation *a = handle ? memory_find(m->memory, handle) : NULL;
    if (!a || a->freed || a->base != handle || !a->name || strcmp(a->name, NODE_STATE_NAME) != 0)
        return NULL;
    return (struct node_state *)(void *)allocation_bytes(a);
}

void node_state_apply(struct machine *m, struct grid_config *c)
{
    const struct node_state *s = node_state_at(m, c->node);
    if (!s)
        return;
    if (!s->enabled) {
        struct grid_config nothing;
        device_work_config(m, DEVICE_NOTHING, NULL, &nothing);
        c->kernel = nothing.kernel;
        memcpy(c->grid, nothing.grid, sizeof c->grid);
        memcpy(c->block, nothing.block, sizeof c->block);
        memset(c->cluster, 0, sizeof c->cluster);
        c->dynamic_shared = 0;
        return;
    }
    memcpy(c->grid, s->grid, sizeof c->grid);
    if (s->param_bytes)
        memcpy((void *)(uintptr_t)c->params, s + 1, s->param_bytes);
}

/* ---- Updates ---- */

/** Loads an element through a thread's pointer, as a load on this line. @return false after a fault */
static bool take(struct warp *w, const struct insn *in, unsigned lane, uint64_t address, unsigned bytes, uint64_t *value)
{
    struct insn *x = &w->worker->texel;
    uint64_t at[WARP_LANES] = {0}, values[2][WARP_LANES] = {{0}};
    uint32_t was = w->mask;
    *x = (struct insn){.op = &op_table[ROW_ld], .site = in->site, .dst = REG_NONE, .dst2 = REG_NONE, .guard = REG_NONE,
                       .src = {REG_NONE, REG_NONE, REG_NONE, REG_NONE},
                       .mem = {.space = SPACE_GENERIC, .bytes = (uint8_t)bytes, .count = 1,
                               .type = bytes == 8 ? PTX_B64 : bytes == 4 ? PTX_B32 : PTX_B8, .reg_bytes = (uint8_t)bytes,
                               .address_bytes = 8}};
    at[lane] = address;
    warp_set_mask(w, 1u << lane);
    bool good = access_load_at(w, x, 1u << lane, at, values);
    warp_set_mask(w, was);
    *value = bytes == 8 ? values[0][lane] : values[0][lane] & ((1ull << 8 * bytes) - 1);
    return good;
}

static bool grid_fits(const struct node_state *s, const uint32_t grid[3])
{
    if (!grid[0] || !grid[1] || !grid[2] || grid[0] > INT32_MAX || grid[1] > 65535 || grid[2] > 65535)
        return false;
    for (int i = 0; i < 3; i++)
        if (s->cluster[i] && grid[i] % s->cluster[i])
            return false;
    return true;
}

/** Filled in? Who finds that it is not has looked, beside an upload that may still come first. */
static bool is_ready(struct warp *w, const struct insn *in, unsigned lane, uint64_t node, const struct node_state *s)
{
    uint64_t value;
    return s->ready || (take(w, in, lane, node + offsetof(struct node_state, ready), 4, &value) && value);
}

static bool update_fits(struct warp *w, const struct insn *in, unsigned lane, const struct update *u)
{
    struct machine *m = warp_machine(w);
    const struct node_state *s = node_state_at(m, u->node);
    if (!s || memory_find(m->memory, u->node)->device != w->worker->device || !is_ready(w, in, lane, u->node, s))
        return false;
    switch (u->field) {
    case FIELD_GRID: return grid_fits(s, u->grid);
    case FIELD_PARAM: return u->value && u->offset <= s->param_bytes && u->size <= s->param_bytes - u->offset;
    case FIELD_ENABLED: return true;
    default: return false;
    }
}

static unsigned element(uint64_t to, uint64_t from, uint64_t bytes)
{
    uint64_t all = to | from | bytes;
    return all % 8 == 0 ? 8 : all % 4 == 0 ? 4 : 1;
}

/* @return false after a fault */
static bool update(struct warp *w, const struct insn *in, unsigned lane, const struct update *u)
{
    uint64_t to = u->node + sizeof(struct node_state) + u->offset, value;
    unsigned bytes = element(to, u->value, u->size);
    if (u->field == FIELD_ENABLED)
        return nested_give(w, in, lane, u->node + offsetof(struct node_state, enabled), u->enabled != 0, 4);
    if (u->field == FIELD_GRID) {
        for (unsigned i = 0; i < 3; i++)
            if (!nested_give(w, in, lane, u->node + offsetof(struct node_state, grid) + 4 * i, u->grid[i], 4))
                return false;
        return true;
    }
    for (uint64_t i = 0; i < u->size; i += bytes)
        if (!take(w, in, lane, u->value + i, bytes, &value) || !nested_give(w, in, lane, to + i, value, bytes))
            return false;
    return true;
}

/* One update of each lane. */
#define UPDATE_EACH(...)                                                                            \
    do {                                                                                            \
        FOR_LANES(lane, w->mask)                                                                    \
        {                                                                                           \
            struct update u = {.node = ARGUMENT(0)};                                                \
            __VA_ARGS__;                                                                            \
            bool fits = update_fits(w, in, lane, &u);                                                         \
            if (fits && !update(w, in, lane, &u))                                                   \
                return NULL;                                                                        \
            RETURN(nested_note(w, lane, fits ? NESTED_OK : NESTED_INVALID_VALUE));                  \
        }                                                                                           \
        return in + 1;                                                                              \
    } while (0)

CALL(do_node_set_param)
{
    UPDATE_EACH(u.field = FIELD_PARAM, u.offset = ARGUMENT(1), u.value = ARGUMENT(2), u.size = ARGUMENT(3));
}

CALL(do_node_set_enabled)
{
    UPDATE_EACH(u.field = FIELD_ENABLED, u.enabled = (ARGUMENT(1) & 0xff) != 0);
}

CALL(do_node_set_grid)
{
    UPDATE_EACH(u.field = FIELD_GRID, call_argument_bytes(w, d, (int)lane, 1, u.grid, sizeof u.grid));
}

/* Reads one of a batch. @return false after a fault */
static bool take_update(struct warp *w, const struct insn *in, unsigned lane, uint64_t at, struct update *u)
{
    uint64_t v = 0;
    *u = (struct update){0};
    if (!take(w, in, lane, at + UPDATE_NODE, 8, &u->node) || !take(w, in, lane, at + UPDATE_FIELD, 4, &v))
        return false;
    u->field = (uint32_t)v;
    if (u->field == FIELD_PARAM)
        return take(w, in, lane, at + UPDATE_DATA, 8, &u->value) && take(w, in, lane, at + UPDATE_OFFSET, 8, &u->offset) &&
               take(w, in, lane, at + UPDATE_SIZE, 8, &u->size);
    if (u->field == FIELD_ENABLED && !take(w, in, lane, at + UPDATE_DATA, 4, &v))
        return false;
    u->enabled = v != 0;
    for (unsigned i = 0; u->field == FIELD_GRID && i < 3; i++) {
        if (!take(w, in, lane, at + UPDATE_DATA + 4 * i, 4, &v))
            return false;
        u->grid[i] = (uint32_t)v;
    }
    return true;
}

CALL(do_node_updates)
{
    FOR_LANES(lane, w->mask)
    {
        uint64_t list = ARGUMENT(0), count = ARGUMENT(1);
        bool fits = list || !count;
        struct update u;
        for (int pass = 0; pass < 2; pass++)
            for (uint64_t i = 0; fits && i < count; i++) {
                if (!take_update(w, in, lane, list + i * UPDATE_BYTES, &u))
                    return NULL;
                if (pass == 0)
                    fits = update_fits(w, in, lane, &u);
                else if (!update(w, in, lane, &u))
                    return NULL;
            }
        RETURN(nested_note(w, lane, fits ? NESTED_OK : NESTED_INVALID_VALUE));
    }
    return in + 1;
}
