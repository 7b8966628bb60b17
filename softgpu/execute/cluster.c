/**
 * @file cluster.c
 * Clusters: which blocks make one, their shared memory as each of them addresses it, and when they leave.
 *
 * All blocks of a cluster are resident together and begin together. What is left of one that has ended is where its last
 * thread left, for whoever still uses its shared memory.
 */
#include "execute/cluster.h"

#include <stdlib.h>

#include "execute/grid.h"
#include "execute/handlers.h"
#include "execute/lane_values.h"
#include "memory/windows.h"

struct cluster *cluster_new(const struct grid *g)
{
    struct cluster *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    c->count = g->cluster_blocks;
    return c;
}

/** What a block's index is more than that of its cluster's first block. */
static uint64_t offset_of(const struct grid_config *c, uint32_t rank)
{
    uint64_t offset = 0, stride = 1;
    for (int i = 0; i < 3; i++) {
        offset += stride * (rank % c->cluster[i]);
        rank /= c->cluster[i];
        stride *= c->grid[i];
    }
    return offset;
}

uint64_t cluster_block(const struct grid *g, uint64_t number, uint32_t rank)
{
    const struct grid_config *c = &g->config;
    uint64_t first = 0, stride = 1;
    for (int i = 0; i < 3; i++) {
        uint32_t clusters = c->grid[i] / c->cluster[i];
        first += stride * (number % clusters * c->cluster[i]);
        number /= clusters;
        stride *= c->grid[i];
    }
    return first + offset_of(c, rank);
}

uint64_t cluster_first(const struct grid_config *c, uint64_t block)
{
    uint64_t first = 0, stride = 1;
    for (int i = 0; i < 3; i++) {
        uint64_t id = block % c->grid[i];
        first += stride * (id - (c->cluster[0] ? id % c->cluster[i] : 0));
        block /= c->grid[i];
        stride *= c->grid[i];
    }
    return first;
}

uint64_t cluster_mate(const struct block *b, uint32_t rank)
{
    const struct grid_config *c = &b->grid->config;
    return c->cluster[0] ? cluster_first(c, b->index) + offset_of(c, rank) : b->index;
}

uint32_t cluster_place(const struct block *b, uint32_t *rank)
{
    const uint32_t *shape = b->grid->config.cluster;
    uint32_t stride = 1;
    *rank = 0;
    for (int i = 0; i < 3 && shape[0]; i++) {
        *rank += stride * (b->id[i] % shape[i]);
        stride *= shape[i];
    }
    return stride;
}

struct block *cluster_stand_ins(const struct grid_config *c, uint64_t block)
{
    uint32_t count = c->cluster[0] * c->cluster[1] * c->cluster[2], bytes = c->kernel->shared_bytes + c->dynamic_shared;
    struct block *all = calloc(1, count * (sizeof *all + bytes));
    if (!all)
        abort();
    for (uint32_t r = 0; r < count; r++) {
        all[r].index = cluster_first(c, block) + offset_of(c, r);
        all[r].rank = r;
        all[r].shared_bytes = bytes;
        all[r].shared = (uint8_t *)(all + count) + (size_t)r * bytes;
    }
    return all;
}

void cluster_enter(struct cluster *c, struct block *b, uint32_t rank)
{
    b->cluster = c;
    b->rank = rank;
    c->blocks[rank] = b;
    c->running++;
    c->live_threads += b->live_threads;
}

void cluster_leave(struct block *b, bool shared)
{
    struct cluster *c = b->cluster;
    c->blocks[b->rank] = NULL;
    if (--c->running == 0 && shared)
        free(c);
}

void cluster_note_exit(const struct warp *w, const struct insn *in)
{
    struct cluster *c = w->block->cluster;
    c->last_exit[w->block->rank].at = in;
    c->last_exit[w->block->rank].thread = (uint32_t)(w->index * WARP_LANES + 31 - __builtin_clz(w->mask));
}

void cluster_exit(struct warp *w, const struct insn *in)
{
    struct block *b = w->block;
    struct cluster *c = b->cluster;
    c->live_threads -= (uint32_t)__builtin_popcount(w->mask);
    c->arrived -= (uint32_t)__builtin_popcount(w->mask & w->cluster_arrived);
    w->cluster_arrived &= ~w->mask;
    w->cluster_passed &= ~w->mask;
    if (!b->live_threads)
        cluster_note_exit(w, in);
}

/* ---- Addresses of other blocks' shared memory (PTX ISA 9.7.9.22, 9.7.9.23) ---- */

static uint64_t read_address(const void *reg, unsigned bytes, int lane)
{
    return bytes == 8 ? ((const uint64_t *)reg)[lane] : ((const uint32_t *)reg)[lane];
}

uint64_t cluster_ranked(uint64_t address, uint32_t rank)
{
    return ((uint64_t)(rank < SHARED_RANKS - 1 ? rank : SHARED_RANKS - 1) + 1) << SHARED_RANK_SHIFT | address % SHARED_WINDOW_BYTES;
}

uint64_t cluster_mapped(const struct block *b, uint64_t address, uint32_t rank)
{
    return rank == b->rank ? address % SHARED_WINDOW_BYTES : cluster_ranked(address, rank);
}

const struct insn *op_mapa(struct warp *w, const struct insn *in)
{
    const void *from = warp_reg(w, in->src[0]);
    const uint32_t *rank = warp_reg(w, in->src[1]);
    void *to = warp_reg(w, in->dst);
    for (uint32_t m = w->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        uint64_t a = read_address(from, in->mem.bytes, lane);
        a = in->imm ? (a & ~(OWNER_BYTES - 1)) | cluster_ranked(a, rank[lane]) : cluster_mapped(w->block, a, rank[lane]);
        if (in->mem.bytes == 8)
            ((uint64_t *)to)[lane] = a;
        else
            ((uint32_t *)to)[lane] = (uint32_t)a;
    }
    return in + 1;
}

const struct insn *op_getctarank(struct warp *w, const struct insn *in)
{
    const void *from = warp_reg(w, in->src[0]);
    uint32_t *to = warp_reg(w, in->dst);
    for (uint32_t m = w->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        to[lane] = (uint32_t)shared_rank(read_address(from, in->mem.bytes, lane) % OWNER_BYTES, w->block->rank);
    }
    return in + 1;
}
