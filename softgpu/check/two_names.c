/**
 * @file two_names.c
 * Two names of dynamic shared memory that are used as two arrays: `extern __shared__ int a[]; extern __shared__ float b[];` are one memory
 * (CUDA C++ Programming Guide, "__shared__"). Told where a byte is stored by one name, overwritten by another before anybody has read it,
 * and then read by the first, which so finds what it cannot mean. Whoever uses the memory again by another name has read before what it held;
 * whoever stores by one name to read by another reads by that, or by a pointer of the other's type.
 *
 * Only kernels that keep the names hear of it (decode/dynamic_names.c). An access by an unknown name may be by any: what it reads has been
 * read, and of what it writes nothing is known.
 */
#include <assert.h>
#include <stdlib.h>

#include "check/checkers.h"
#include "execute/cluster.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "report/finding.h"
#include "report/ptx_line.h"
#include "report/reporter.h"

/** A store: 1 + its site, 0: none; and its thread. */
struct name_store {
    uint32_t site;
    uint32_t thread;
};

/** Of a byte: what it holds, and what that, or one between, has overwritten unread. */
struct name_byte {
    struct name_store last, lost, over;
    bool read;
};

struct names {
    struct machine *machine;
    int slot;
};

static void *names_create(struct machine *m, int slot)
{
    struct names *n = calloc(1, sizeof *n);
    assert(n);
    *n = (struct names){m, slot};
    return n;
}

static void names_destroy(void *self)
{
    free(self);
}

static void names_block_begin(void *self, struct block *b)
{
    b->check[((struct names *)self)->slot] = NULL; /* made by the first access */
}

static void names_block_end(void *self, const struct block *b)
{
    free(b->check[((struct names *)self)->slot]);
}

static const struct insn *insn_of(const struct image *im, struct name_store s)
{
    return image_site_insn(im, s.site - 1);
}

/** By which name; 0: there is none. */
static uint32_t name_of(const struct image *im, struct name_store s)
{
    return s.site ? insn_of(im, s)->object : 0;
}

static const char *called(const struct image *im, uint32_t name)
{
    return im->variables[name - 1].name;
}

static void report(const struct names *n, const struct warp *w, const struct name_byte *y, uint32_t thread, const struct insn *read, uint64_t at)
{
    const struct grid *g = w->block->grid;
    const struct image *im = g->config.kernel->image;
    struct finding f = {.kind = FIND_OUT_OF_BOUNDS, .level = LEVEL_WARNING, .cause = CAUSE_NAMES_ARE_ONE, .access_count = 2, .kernel = g->config.kernel->name};
    finding_access_at(&f.accesses[0], g, w->block->index, y->over.thread, insn_of(im, y->over), "store");
    finding_access_at(&f.accesses[1], g, w->block->index, thread, read, insn_class(read) == INSN_LOAD ? "load" : "atomic");
    f.facts.names = (struct names_facts){called(im, read->object), called(im, name_of(im, y->over)), insn_line_to_say(im, insn_of(im, y->lost))};
    finding_place(&f, n->machine, w->block, SPACE_SHARED, at);
    report_finding(machine_reporter(n->machine), &f);
}

/** Does the reader take it as what the last store has put there, and not as what the lost one had? The one name is then a pointer to the other's. */
static bool means_last(const struct image *im, const struct name_byte *y, const struct insn *in)
{
    return in->mem.type == insn_of(im, y->last)->mem.type && in->mem.type != insn_of(im, y->lost)->mem.type;
}

/** @return whether what the reader means has been overwritten */
static bool reads(const struct image *im, struct name_byte *y, const struct insn *in)
{
    uint32_t name = in->object;
    bool lost = name != NAME_UNKNOWN && y->lost.site && name_of(im, y->lost) == name && name_of(im, y->last) != name && !means_last(im, y, in);
    y->read = true;
    if (name == NAME_UNKNOWN)
        y->lost.site = 0;
    return lost;
}

static void stores(const struct image *im, struct name_byte *y, struct name_store by, uint32_t name)
{
    uint32_t last = name_of(im, y->last);
    if (name == NAME_UNKNOWN) {
        *y = (struct name_byte){0};
        return;
    }
    if (last && last != name && !y->read) {
        y->lost = y->last;
        y->over = by;
    } else if (name_of(im, y->lost) == name) {
        y->lost.site = 0;
    }
    y->last = by;
    y->read = false;
}

static void lane_comes(const struct names *n, const struct warp *w, const struct mem_access *a, unsigned lane, struct name_byte *all)
{
    const struct insn *in = a->insn;
    const struct image *im = w->block->grid->config.kernel->image;
    uint32_t thread = (uint32_t)w->index * WARP_LANES + lane;
    bool lost = false, dropped = insn_class(in) == INSN_LOAD && a->thrown_away >> lane & 1, wrote = insn_class(in) == INSN_STORE || a->wrote >> lane & 1;
    struct name_byte told = {0};
    for (uint64_t at = a->address[lane], end = at + (uint64_t)in->mem.bytes * in->mem.count; at < end && at < w->block->shared_bytes; at++) {
        struct name_byte *y = &all[at];
        if (insn_class(in) != INSN_STORE && !dropped && reads(im, y, in) && !lost) {
            lost = true;
            told = *y;
        }
        if (insn_class(in) != INSN_LOAD && wrote)
            stores(im, y, (struct name_store){in->site + 1, thread}, in->object);
    }
    if (lost)
        report(n, w, &told, thread, in, a->address[lane]);
}

static void names_named(void *self, const struct warp *w, const struct mem_access *a)
{
    const struct names *n = self;
    struct block *b = w->block;
    if (!b->grid->config.kernel->keeps_names || (b->cluster && b->cluster->count > 1))
        return;
    if (!b->check[n->slot])
        b->check[n->slot] = calloc((size_t)b->shared_bytes + 1, sizeof(struct name_byte));
    assert(b->check[n->slot]);
    for (uint32_t left = a->mask; left; left &= left - 1)
        lane_comes(n, w, a, (unsigned)__builtin_ctz(left), b->check[n->slot]);
}

const struct observer names_checker = {
    .name = "names",
    .create = names_create,
    .destroy = names_destroy,
    .block_begin = names_block_begin,
    .block_end = names_block_end,
    .named = names_named,
};
