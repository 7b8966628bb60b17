/**
 * @file block.c
 * Block slots: warps with their registers, local and shared memory, pooled and used again.
 *
 * What a block starts with does not depend on who had the slot before: registers and shared memory
 * are zero, or in checked mode shared memory holds the poison pattern.
 */
#include "base/clear.h"
#include "execute/access.h"
#include "execute/block.h"
#include "execute/cluster.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/grid_run.h"
#include "execute/in_flight.h"
#include "execute/reserved.h"
#include "execute/traffic.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

#include <stdlib.h>
#include <string.h>

#define SHARED_POISON 0xc5
#define LINE 64 /* of a cache */

/** A block with what it has room for. */
struct block_slot {
    struct block block;
    int warp_capacity;
    uint32_t shared_capacity;
    uint32_t *thread_ids;      /**< 3 * 32 for each warp */
    uint32_t shape[3];         /**< the block size that thread_ids was filled for */
    uint64_t placed;           /**< the grid, by its `made`, that warps were placed for last; 0: none */
    struct cluster alone;      /**< where it is not part of one */
    bool watched;              /**< observers may have kept something of its warps in `check` */
    uint32_t reserved_end;     /**< where the reserved part of `shared` ends that is 0 as long as nobody uses it; 0: there is none */
};

typedef uint64_t quarter_line __attribute__((vector_size(16), may_alias));

/** Sets a cache line to 0, with stores of its own for the same reason as clear() has. */
static inline void clear_line(void *line)
{
    quarter_line *p = line, zero = {0};
    p[0] = zero;
    p[1] = zero;
    p[2] = zero;
    p[3] = zero;
}

static struct block_slot *slot_of(struct block *b)
{
    return (struct block_slot *)b;
}

static void *must(void *p)
{
    if (!p)
        abort();
    return p;
}

void block_free(struct block *b)
{
    struct block_slot *s = slot_of(b);
    for (int i = 0; i < s->warp_capacity; i++) {
        free(b->warps[i].file);
        free(b->warps[i].local);
        free(b->warps[i].activations);
    }
    free(b->warps);
    free(b->shared);
    LIST_FREE(&b->mbarriers);
    flight_drop(b);
    free(s->thread_ids);
    free(s);
}

/** The warps are reallocated only while nobody points to them: between two blocks. */
static void slot_fit_warps(struct block_slot *s, int count)
{
    if (count <= s->warp_capacity)
        return;
    for (int i = 0; i < s->warp_capacity; i++) {
        free(s->block.warps[i].file);
        free(s->block.warps[i].local);
        free(s->block.warps[i].activations);
    }
    free(s->block.warps);
    size_t bytes = (size_t)count * sizeof *s->block.warps;
    s->block.warps = must(aligned_alloc(64, (bytes + 63) & ~(size_t)63));
    memset(s->block.warps, 0, bytes);
    free(s->thread_ids);
    s->thread_ids = must(calloc((size_t)count, 3 * WARP_LANES * sizeof *s->thread_ids));
    s->warp_capacity = count;
    s->placed = 0;
    memset(s->shape, 0, sizeof s->shape);
}

static void slot_fit_shared(struct block_slot *s, uint32_t bytes)
{
    if (bytes <= s->shared_capacity)
        return;
    free(s->block.shared);
    s->shared_capacity = (bytes + 63) & ~63u;
    s->reserved_end = 0;
    s->block.shared = must(aligned_alloc(64, s->shared_capacity));
}

/** %tid of every lane, kept as long as blocks of the same shape use the slot. */
static void slot_fit_shape(struct block_slot *s, const uint32_t shape[3], int warps)
{
    if (s->shape[0] == shape[0] && s->shape[1] == shape[1] && s->shape[2] == shape[2])
        return;
    memcpy(s->shape, shape, sizeof s->shape);
    for (int w = 0; w < warps; w++) {
        uint32_t *id = s->thread_ids + w * 3 * WARP_LANES;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
            uint32_t thread = (uint32_t)w * WARP_LANES + lane;
            id[lane] = thread % shape[0];
            id[WARP_LANES + lane] = thread / shape[0] % shape[1];
            id[2 * WARP_LANES + lane] = thread / shape[0] / shape[1];
        }
    }
}

bool warp_grow_file(struct warp *w, uint64_t bytes)
{
    if (bytes <= w->file_bytes)
        return true;
    if (bytes > MAX_FILE_BYTES)
        return false;
    uint64_t grown = w->file_bytes ? w->file_bytes : 4096;
    while (grown < bytes)
        grown *= 2;
    uint8_t *file = must(aligned_alloc(64, grown));
    if (w->file)
        memcpy(file, w->file, w->file_bytes);
    memset(file + w->file_bytes, 0, grown - w->file_bytes);
    free(w->file);
    w->file = file;
    w->file_bytes = (uint32_t)grown;
    w->frame = file + w->frame_offset;
    return true;
}

bool warp_grow_local(struct warp *w, uint64_t bytes)
{
    if (bytes <= w->local_stride)
        return true;
    if (bytes > MAX_LOCAL_BYTES)
        return false;
    uint64_t stride = w->local_stride ? w->local_stride : 64;
    while (stride < bytes)
        stride *= 2;
    uint8_t *local = must(calloc(WARP_LANES, stride));
    for (int lane = 0; w->local && lane < WARP_LANES; lane++)
        memcpy(local + lane * stride, w->local + (size_t)lane * w->local_stride, w->local_stride);
    free(w->local);
    w->local = local;
    w->local_stride = (uint32_t)stride;
    return true;
}

/** What the kernel's lanes start in has room. @return false where its bounds are exceeded */
static bool warp_fits_kernel(struct warp *w, const struct function *kernel)
{
    if (kernel->frame_bytes > w->file_bytes && !warp_grow_file(w, kernel->frame_bytes))
        return false;
    if (kernel->local_bytes > w->local_stride && !warp_grow_local(w, kernel->local_bytes))
        return false;
    if (w->activation_capacity == 0) {
        w->activation_capacity = 8;
        w->activations = must(malloc(8 * sizeof *w->activations));
    }
    return true;
}

/** What is the same in all blocks of a grid that one worker runs in the slot. @return false where the kernel's bounds are exceeded */
static bool warp_place(struct warp *w, struct block *b, int index, struct worker *k)
{
    const struct grid *g = b->grid;
    uint32_t threads = g->threads_per_block - (uint32_t)index * WARP_LANES;
    w->block = b;
    w->index = index;
    w->worker = k;
    w->full = threads >= WARP_LANES ? UINT32_MAX : (1u << threads) - 1;
    const struct lone_thread *lone = g->config.lone;
    if (lone)
        w->full = lone->thread / WARP_LANES == (uint32_t)index ? 1u << lone->thread % WARP_LANES : 0;
    for (int i = 0; i < 3; i++)
        w->thread_id[i] = slot_of(b)->thread_ids + (index * 3 + i) * WARP_LANES;
    return warp_fits_kernel(w, g->config.kernel);
}

/** @return false where the kernel's bounds are exceeded */
static bool slot_fit_grid(struct block_slot *s, const struct grid_run *run, struct worker *k)
{
    struct block *b = &s->block;
    bool fits = true;
    if (s->placed == run->made && b->warps->worker == k)
        return true;
    for (int i = 0; i < b->warp_count; i++)
        fits &= warp_place(&b->warps[i], b, i, k);
    s->placed = fits ? run->made : 0;
    return fits;
}

static const bool nobody_looks;

/** What few warps have, and all begin without. */
static void warp_forget(struct warp *w)
{
    if (w->has_polled) {
        memset(w->polls, 0, sizeof w->polls);
        w->through.poll = NULL;
    }
    if (w->has_products)
        memset(&w->products, 0, sizeof w->products);
    if (w->has_errors)
        memset(w->errors, 0, sizeof w->errors);
    w->has_polled = w->has_products = w->has_errors = false;
}

/** What the warps of a block begin with. */
struct beginning {
    const struct grid_run *run;
    const struct insn *code;      /**< where compiled code is entered at the kernel's beginning; NULL: there is none */
    bool watched, counted, zeroes; /**< observers may have kept something; `object_uses` is in use; what registers hold, dead ones, too, may be looked at */
};

static inline void warp_begin(struct warp *w, const struct beginning *how)
{
    const struct function *kernel = how->run->grid.config.kernel;
    w->constants = (uint8_t *)how->run->constants;
    w->live = w->full;
    w->current = -1;
    w->group_count = w->full != 0;
    w->groups[0] = (struct group){.pc = kernel->entry, .mask = w->full};
    _Static_assert(offsetof(struct warp, instructions) % LINE == 0 && offsetof(struct warp, run_start) == offsetof(struct warp, instructions) + 2 * LINE,
                   "what begins as 0 is two lines");
    clear_line(&w->instructions);
    clear_line((uint8_t *)&w->instructions + LINE);
    if (how->watched)
        memset(w->check, 0, sizeof w->check);
    w->closely = &nobody_looks;
    w->kept = w->full ? how->code : NULL;
    if (w->has_polled | w->has_products | w->has_errors)
        warp_forget(w);
    if (how->counted)
        memset(w->object_uses, 0, sizeof w->object_uses);
    if (w->mask != w->full)
        warp_set_mask(w, w->full);
    w->frame = w->file;
    w->frame_offset = 0;
    if (how->zeroes)
        memset(w->file, 0, kernel->frame_bytes);
    if (w->local)
        memset(w->local, 0, (size_t)w->local_stride * WARP_LANES);
    w->activation_count = 1;
    w->activations[0] = (struct activation){kernel, 0, kernel->frame_bytes, w->full};
    if (w->local_top_moved || w->local_began != kernel->local_bytes)
        for (int i = 0; i < WARP_LANES; i++)
            w->local_top[i] = kernel->local_bytes;
    w->local_began = kernel->local_bytes;
    w->local_top_moved = false;
}

static void block_place(struct block *b, const struct grid *g, uint64_t index)
{
    b->index = index;
    b->id[0] = (uint32_t)(index % g->config.grid[0]);
    b->id[1] = (uint32_t)(index / g->config.grid[0] % g->config.grid[1]);
    b->id[2] = (uint32_t)(index / g->config.grid[0] / g->config.grid[1]);
}

/** The thread runs alone: of the other blocks of its cluster their shared memory is there, as they begin. */
static void meet_stand_ins(struct block *b, struct block *mates, uint8_t fill)
{
    for (uint32_t r = 0; r < b->cluster->count; r++) {
        if (r == b->rank)
            continue;
        mates[r].grid = b->grid;
        memset(mates[r].shared, fill, mates[r].shared_bytes);
        b->cluster->blocks[r] = &mates[r];
    }
}

struct block *block_start(struct worker *k, struct grid_run *run, uint64_t index, int sm, struct cluster *c, uint32_t rank)
{
    struct grid *g = &run->grid;
    struct block_slot *s = k->slots.count ? slot_of(k->slots.data[--k->slots.count])
                                          : must(calloc(1, sizeof *s));
    struct block *b = &s->block;
    slot_fit_warps(s, (int)g->warps_per_block);
    slot_fit_shared(s, reserved_end(g->shared_bytes));
    slot_fit_shape(s, g->config.block, s->warp_capacity);
    b->grid = g;
    b->sm = sm;
    b->start_clock = g->config.start_clock;
    if (!k->parallel && k->machine->sms[sm].grid == g && index >= run->first_round)
        b->start_clock = k->machine->sms[sm].left_clock;
    b->slot = 0;
    b->warp_count = b->live_warps = (int)g->warps_per_block;
    b->live_threads = g->threads_per_block;
    if (g->config.lone)
        b->live_warps = 1, b->live_threads = 1;
    block_place(b, g, index);
    clear(&s->alone, sizeof s->alone);
    s->alone.count = g->config.lone ? cluster_place(b, &rank) : 1;
    cluster_enter(c ? c : &s->alone, b, rank);
    if (g->config.lone && g->config.lone->mates)
        meet_stand_ins(b, g->config.lone->mates, k->machine->checked ? SHARED_POISON : 0);
    b->objects_read = b->objects_written = 0;
    if (k->machine->options.counters)
        memset(b->object_uses, 0, sizeof b->object_uses);
    b->lets_dependents = b->cancel_failed = b->awaits_products = false;
    b->stream = NULL;
    b->mbarriers.count = 0;
    flight_drop(b); /* of a block that was given up */
    b->shared_bytes = g->shared_bytes;
    clear(b->barriers, sizeof b->barriers);
    b->arrived_at = 0;
    b->quiet = 0;
    b->calm = false;
    s->watched |= k->machine->observers.count != 0;
    if (s->watched)
        memset(b->check, 0, sizeof b->check);
    if (g->shared_bytes)
        memset(b->shared, k->machine->checked ? SHARED_POISON : 0, g->shared_bytes);
    if (b->reserved_used || s->reserved_end != reserved_end(b->shared_bytes))
        memset(b->shared + reserved_begin(b->shared_bytes), 0, RESERVED_BYTES);
    b->reserved_used = false;
    s->reserved_end = reserved_end(b->shared_bytes);
    const struct function *kernel = g->config.kernel;
    const struct insn *code = image_machine_code(kernel->image, kernel->entry) ? kernel->entry : NULL;
    bool fits = slot_fit_grid(s, run, k), unwatched = code && begin_unwatched(g);
    const struct beginning how = {.run = run, .code = code, .watched = s->watched, .counted = k->machine->options.counters,
                                  .zeroes = !kernel->writes_first || (k->machine->checked && !unwatched)};
    for (int i = 0; i < b->warp_count; i++)
        warp_begin(&b->warps[i], &how);
    b->fresh = code && !g->config.lone;
    s->watched = k->machine->observers.count != 0;
    if (!fits)
        fault_at(&b->warps[0], g->config.kernel->entry, 0,
                 &(struct fault){.cause = CAUSE_LOCAL_SIZE, .facts.size = MAX_LOCAL_BYTES});
    OBSERVE(&k->machine->observers, block_begin, b);
    return b;
}

/** Where the block's own clock stands: its slowest warp's instructions and waiting. */
static uint64_t block_clock(const struct block *b, bool *waited)
{
    uint64_t most = 0;
    *waited = false;
    for (int i = 0; i < b->warp_count; i++) {
        const struct warp *w = &b->warps[i];
        uint64_t clocks = w->instructions * CLOCKS_PER_INSTRUCTION + w->waited;
        most = clocks > most ? clocks : most;
        *waited |= w->waited != 0;
    }
    return b->start_clock + most;
}

/** The SM's next block of this grid begins when this one ends. */
static void note_end(struct worker *k, struct block *b)
{
    struct machine *m = k->machine;
    struct grid *g = b->grid;
    bool waited;
    uint64_t end = block_clock(b, &waited);
    if (k->parallel)
        return; /* such kernels do not look at clocks */
    m->sms[b->sm].grid = g;
    m->sms[b->sm].left_clock = end;
    if (end > m->latest_clock)
        m->latest_clock = end;
    if (waited && end - g->config.start_clock > g->waited_clocks)
        g->waited_clocks = end - g->config.start_clock;
}

void block_finish(struct worker *k, struct block *b)
{
    note_end(k, b);
    slot_of(b)->watched |= k->machine->observers.count != 0;
    if (!k->parallel && !b->lets_dependents) /* parallel ones have no such instruction */
        grid_count_dependents_for(b->grid);
    if (k->machine->options.counters)
        count_block(b);
    OBSERVE(&k->machine->observers, block_end, b);
    cluster_leave(b, b->cluster != &slot_of(b)->alone);
    *LIST_PUSH(&k->slots) = b;
}
