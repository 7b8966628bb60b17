/* Strong accesses to words in shared memory that have stamps: of random ones of four warps, beside weak ones that none of them races with, with barriers of the block and of
   warps between, a word that is opened says what its shadow word would: who wrote it last, what that passes on, what it may be mistaken for, and who has read which write. */
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "check/race/accesses.h"
#include "check/race/element.h"
#include "check/race/shadow/reader_group.h"
#include "check/race/stamps.h"
#include "check/race/sync.h"
#include "execute/plain_access.h"
#include "execute/worker.h"
#include "unit.h"

#define WARPS 4
#define THREADS (WARPS * WARP_LANES)
#define WORDS 192
#define AGENT 1
#define MOST 4096

static uint32_t memory[WORDS];
static uint64_t seed;
static struct worker *worker;
static unsigned stamped, pasts, read_writes, unread_writes, weak;

static uint32_t draw(uint32_t below)
{
    return (uint32_t)(mix64(++seed) % below);
}

/** A block of four warps, checked by itself. */
struct checked_block {
    struct race race;
    struct launch launch;
    struct grid grid;
    struct block block;
    struct block_state *bs;
    struct warp warp[WARPS];
    void *check[1];
};

static struct checked_block *block_new(bool stamped_words)
{
    static struct function kernel;
    struct checked_block *b = calloc(1, sizeof *b);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    struct block_state *bs = b->bs = calloc(1, sizeof *bs);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bs);
    b->race.readers = readers_new();
    b->race.older_shown = false;
    b->launch.root = &b->launch;
    b->grid.config.kernel = &kernel;
    b->launch.grid = b->grid;
    *LIST_PUSH(&b->race.agents) = (struct agent){0};
    *LIST_PUSH(&b->race.agents) = (struct agent){.launch = &b->launch, .live = bs};
    b->block.grid = &b->grid;
    b->block.check[0] = bs;
    b->block.live_threads = THREADS;
    b->block.warps = b->warp;
    b->block.warp_count = WARPS;
    bs->race = &b->race;
    bs->block = &b->block;
    bs->agent = bs->floor = AGENT;
    bs->threads = THREADS;
    bs->warp_count = WARPS;
    bs->shared_words = WORDS;
    warp_states_begin(bs);
    if (stamped_words)
        stamps_begin(bs);
    else
        bs->shared = calloc(WORDS, sizeof *bs->shared);
    for (int i = 0; i < WARPS; i++)
        b->warp[i] = (struct warp){.block = &b->block, .worker = worker, .index = i, .live = UINT32_MAX, .full = UINT32_MAX, .mask = UINT32_MAX};
    return b;
}

static void block_drop(struct checked_block *b)
{
    struct block_state *bs = b->bs;
    stamps_end(bs);
    warp_states_end(bs);
    sync_block_end(bs);
    knowledge_drop(bs->base);
    struct agent *agent = &b->race.agents.data[AGENT];
    for (uint32_t i = 0; i < agent->thread_count; i++)
        observed_drop(&agent->threads[i]);
    free(agent->threads);
    observed_free(&agent->observed);
    signals_forget(&agent->signals);
    stamps_free(b->race.spare.stamps);
    free(b->race.spare.warps);
    readers_free(b->race.readers);
    LIST_FREE(&b->race.agents);
    free(bs);
    free(b);
}

/* ---- Which accesses race with none, and read what is ordered before them ---- */

/** Of a word since the last barrier. */
struct since {
    int thread;              /**< that has been there, SEVERAL have, or NOBODY has; */
    int writer, weak_reader;  /**< … has written it, read it weakly */
};
enum { NOBODY = -1, SEVERAL = -2 };
static struct since since[WORDS];

static bool others(int who, int thread)
{
    return who != NOBODY && who != thread;
}

static void add(int *who, int thread)
{
    *who = others(*who, thread) ? SEVERAL : thread;
}

static bool is_plain(unsigned word, int thread, bool store, bool strong)
{
    const struct since *s = &since[word];
    if (!store)
        return !others(s->writer, thread);
    return strong ? !others(s->writer, thread) && !others(s->weak_reader, thread) : !others(s->thread, thread);
}

static void note(unsigned word, int thread, bool store, bool strong)
{
    struct since *s = &since[word];
    add(&s->thread, thread);
    if (store)
        add(&s->writer, thread);
    else if (!strong)
        add(&s->weak_reader, thread);
}

/* ---- One access, to both blocks ---- */

struct drawn {
    bool store, strong;
    struct insn in;
    struct op_info op;
    uint32_t mask, at[WARP_LANES], value[WARP_LANES];
};

static void draw_access(struct drawn *d, int warp)
{
    static const uint32_t masks[] = {UINT32_MAX, UINT32_MAX, 0xffff, 0xf0f0f0f0, 1};
    const uint32_t way = draw(6), from = draw(4) ? 32 * draw(WORDS / 32) : draw(WORDS - 32), lines = draw(12), value = draw(4);
    *d = (struct drawn){.store = draw(3) == 0, .strong = draw(8) != 0};
    d->op.insn_class = d->store ? INSN_STORE : INSN_LOAD;
    d->in = (struct insn){.site = 1 + lines, .op = &d->op, .mem = {.space = SPACE_SHARED, .bytes = 4, .count = 1, .order = ORDER_WEAK}};
    if (d->strong)
        d->in.mem.order = draw(4) ? ORDER_VOLATILE : ORDER_RELAXED, d->in.mem.scope = d->in.mem.order == ORDER_VOLATILE ? SCOPE_NONE : draw(2) ? SCOPE_CTA : SCOPE_GPU;
    for (int l = 0; l < WARP_LANES; l++) {
        d->at[l] = way == 0 ? draw(WORDS) : way == 1 ? from : way == 2 ? from + (uint32_t)(l ^ 1) : way == 3 ? from + (uint32_t)l / 2 : (uint32_t)(warp * WARP_LANES + l) + (way == 4 ? 32 : 0);
        d->value[l] = draw(3) ? value : draw(1000);
    }
    for (uint32_t m = masks[draw(5)]; m; m &= m - 1) {
        int l = __builtin_ctz(m), thread = warp * WARP_LANES + l;
        if (!is_plain(d->at[l], thread, d->store, d->strong))
            continue;
        note(d->at[l], thread, d->store, d->strong);
        d->mask |= m & -m;
    }
}

static void strong_access(struct checked_block *b, const struct drawn *d, const struct warp *w)
{
    static struct mem_access a;
    a = (struct mem_access){.insn = &d->in, .mask = d->mask, .space = SPACE_SHARED};
    for (int l = 0; l < WARP_LANES; l++) {
        a.address[l] = 4 * d->at[l];
        a.host[l] = (uint8_t *)&memory[d->at[l]];
        a.value[0][l] = d->store ? d->value[l] : memory[d->at[l]];
    }
    (d->store ? access_store : access_load)(&b->race, w, &a);
}

static void weak_access(struct checked_block *b, const struct drawn *d, const struct warp *w)
{
    struct plain_access p = {.insn = &d->in, .mask = d->mask, .host = (uint8_t *)memory, .space = SPACE_SHARED};
    for (int l = 0; l < WARP_LANES; l++)
        p.at[l] = 4 * d->at[l], p.value[l] = d->value[l];
    p.shape = (uint8_t)plain_shape_of(&p);
    (d->store ? access_plain_store : access_plain_load)(&b->race, w, &p);
}

static void make(struct checked_block *b, const struct drawn *d, int warp)
{
    (d->strong ? strong_access : weak_access)(b, d, &b->warp[warp]);
}

static bool met[WARPS][MOST]; /**< at that time all lanes of the warp were past all that they had done */

static void meet(struct checked_block *b, unsigned what, int warp)
{
    if (what)
        sync_warp(b->bs, &b->warp[warp], UINT32_MAX);
    else
        sync_barrier_met(b->bs, 0);
    for (int i = 0; i < WARPS; i++) {
        CU_ASSERT_FATAL(b->bs->warps[i].warp_uniform < MOST);
        met[i][b->bs->warps[i].warp_uniform] = true;
    }
}

/* ---- What is known of a word ---- */

static bool same_epoch(const struct epoch *a, const struct epoch *b)
{
    return a->agent == b->agent && a->time == b->time && a->site == b->site && a->thread == b->thread && a->unit == b->unit && !((a->flags ^ b->flags) & ~(EPOCH_READ | EPOCH_KEPT));
}

struct read_by {
    uint32_t time, site, thread, behind; /**< so many writes lie behind the one that was read */
    uint8_t flags;
};

/** The reads since the last barrier; of several by a thread that read the same write by the same kind, the last. */
static int reads_of(struct checked_block *b, const struct shadow_word *word, struct read_by *to)
{
    struct shadow_word c = *word;
    struct readers_walk w;
    const uint32_t last = c.flags & WORD_SYNC ? c.sync->seq : 0;
    int count = 0;
    word_open_group(b->race.readers, &c);
    if (!c.read.agent)
        return 0;
    if (!(c.read.flags & EPOCH_LIST)) {
        to[count++] = (struct read_by){c.read.time, c.read.site, c.read.thread, c.read.flags ? last : 0, c.read.flags};
        return c.read.time > b->bs->uniform;
    }
    readers_walk(&w, b->race.readers, c.read.time);
    for (const struct reader *r; (r = readers_next(&w));)
        for (uint32_t m = r->time > b->bs->uniform ? r->mask : 0; m; m &= m - 1) {
            CU_ASSERT_FATAL(count < MOST);
            to[count++] = (struct read_by){r->time, r->site, (uint32_t)(r->warp * WARP_LANES + __builtin_ctz(m)), r->flags ? last - r->seq : 0, r->flags};
        }
    return count;
}

/** Does the one read come behind the other, in its thread or by a barrier of the warp? */
static bool comes_behind(const struct read_by *one, const struct read_by *other)
{
    uint32_t warp = other->thread / WARP_LANES;
    bool behind = one->thread == other->thread && one->time >= other->time;
    for (uint32_t t = other->time; !behind && one->thread / WARP_LANES == warp && t < one->time; t++)
        behind = met[warp][t];
    return behind;
}

/** Is each read of `x` one of `y`, or made up for by one there that comes behind it: of its kind, or a weak one, of the same write or a later one? */
static bool are_among(const struct read_by *x, int xs, const struct read_by *y, int ys)
{
    for (int i = 0; i < xs; i++) {
        bool found = false;
        for (int j = 0; j < ys && !found; j++)
            found = (!y[j].flags || x[i].flags) && y[j].behind <= x[i].behind && comes_behind(&y[j], &x[i]);
        if (!found)
            return false;
    }
    return true;
}

/** Writes since the last barrier that its last one does not supersede. */
static unsigned tips_of(const struct checked_block *b, const struct sync *s)
{
    struct readers_walk w;
    unsigned count = 0;
    if (!s->tips)
        return 0;
    readers_walk(&w, b->race.readers, s->tips);
    for (const struct reader *r; (r = readers_next(&w));)
        count += r->time > b->bs->uniform;
    return count;
}

static void compare_sync(const struct checked_block *a, const struct sync *x, const struct sync *y)
{
    const struct contribution *m = &x->chain->from.data[x->upto], *n = &y->chain->from.data[y->upto];
    CU_ASSERT_TRUE(m->agent == n->agent && m->time == n->time && m->uniform == n->uniform && m->warp_uniform == n->warp_uniform && m->site == n->site && m->thread == n->thread &&
                   m->reach == n->reach && m->unseen == n->unseen && !m->passed && !n->passed);
    CU_ASSERT_TRUE(x->chain->place == y->chain->place && x->operand == y->operand && x->has_operand == y->has_operand);
    CU_ASSERT_EQUAL(x->same_since == x->seq, y->same_since == y->seq);
    for (int i = 1;; i++) { /* back to the one before the barrier */
        if (x->pasts < i || y->pasts < i) {
            CU_ASSERT_TRUE(x->pasts == MAX_PAST || y->pasts == MAX_PAST || x->pasts == y->pasts);
            return;
        }
        const struct past *p = &x->past[x->pasts - i], *q = &y->past[y->pasts - i];
        CU_ASSERT_EQUAL(p->value, q->value);
        pasts++;
        CU_ASSERT_TRUE(p->write.agent == q->write.agent && p->write.time == q->write.time && p->write.site == q->write.site && p->write.thread == q->write.thread);
        if (q->write.time <= a->bs->uniform)
            return; /* who knows how strong it was */
        CU_ASSERT_TRUE(same_epoch(&p->write, &q->write));
    }
}

static void compare_word(struct checked_block *a, struct checked_block *b, unsigned i)
{
    static struct read_by reads[2][MOST];
    const struct stamps *st = a->bs->stamps;
    bool was_stamped = st->write[i] != STAMP_OPENED;
    struct shadow_word *x = shared_word(a->bs, i), *y = shared_word(b->bs, i);
    bool now = y->write.agent && y->write.time > a->bs->uniform;
    stamped += was_stamped && now && (y->write.flags & EPOCH_STRONG);
    CU_ASSERT_EQUAL_FATAL(now, x->write.agent && x->write.time > a->bs->uniform);
    CU_ASSERT_TRUE(!now || same_epoch(&x->write, &y->write));
    CU_ASSERT_TRUE(!now || x->old == y->old);
    if (now && (y->write.flags & EPOCH_STRONG)) {
        CU_ASSERT_FATAL((x->flags & WORD_SYNC) && (y->flags & WORD_SYNC));
        CU_ASSERT_EQUAL(tips_of(a, x->sync), tips_of(b, y->sync));
        compare_sync(a, x->sync, y->sync);
    }
    int in_x = reads_of(a, x, reads[0]), in_y = reads_of(b, y, reads[1]);
    CU_ASSERT_TRUE(are_among(reads[0], in_x, reads[1], in_y) && are_among(reads[1], in_y, reads[0], in_x));
    *(now && was_stamped && in_y ? &read_writes : &unread_writes) += now;
}

static void run(unsigned accesses, unsigned opening)
{
    struct checked_block *a = block_new(true), *b = block_new(false);
    struct drawn d;
    memset(met, 0, sizeof met);
    for (int i = 0; i < WORDS; i++)
        since[i] = (struct since){NOBODY, NOBODY, NOBODY};
    for (unsigned n = 0; n < accesses; n++) {
        int warp = (int)draw(WARPS);
        draw_access(&d, warp);
        weak += d.mask && !d.strong;
        if (d.mask) {
            make(a, &d, warp);
            make(b, &d, warp);
        }
        for (uint32_t m = d.store ? d.mask : 0; m; m &= m - 1)
            memory[d.at[__builtin_ctz(m)]] = d.value[__builtin_ctz(m)];
        unsigned what = draw(12);
        if (what < 2) {
            meet(a, what, warp);
            meet(b, what, warp);
            for (int i = 0; !what && i < WORDS; i++)
                since[i] = (struct since){NOBODY, NOBODY, NOBODY};
        }
        CU_ASSERT_EQUAL_FATAL(memcmp(a->bs->warps[warp].time, b->bs->warps[warp].time, sizeof a->bs->warps[warp].time), 0);
        if (opening && !draw(opening))
            compare_word(a, b, draw(WORDS));
    }
    for (unsigned i = 0; i < WORDS; i++)
        compare_word(a, b, i);
    block_drop(a);
    block_drop(b);
}

static void test_same(void)
{
    const char *from = getenv("STAMPS_SEED");
    seed = from ? strtoull(from, NULL, 10) << 32 : 0;
    worker = calloc(1, sizeof *worker);
    for (unsigned i = 0; i < 400; i++)
        run(1 + i, i % 2 ? 0 : 10);
    free(worker);
    CU_ASSERT_TRUE(stamped > 500 && pasts > 500 && read_writes > 100 && unread_writes > 500 && weak > 500);
}

/** An access of a whole warp to a row, to both blocks. */
static void row(struct checked_block *a, struct checked_block *b, int warp, bool store, uint32_t from, uint32_t site)
{
    struct drawn d = {.store = store, .strong = true, .op.insn_class = store ? INSN_STORE : INSN_LOAD, .mask = UINT32_MAX};
    d.in = (struct insn){.site = site, .op = &d.op, .mem = {.space = SPACE_SHARED, .bytes = 4, .count = 1, .order = ORDER_VOLATILE}};
    for (uint32_t l = 0; l < WARP_LANES; l++)
        d.at[l] = from + l;
    make(a, &d, warp);
    make(b, &d, warp);
}

/** More accesses than are numbered: what lies before a store keeps its place when they get new numbers. */
static void test_many(void)
{
    worker = calloc(1, sizeof *worker);
    struct checked_block *a = block_new(true), *b = block_new(false);
    for (uint32_t i = 0; i < 100; i++)
        row(a, b, 1, false, 64, 1);
    row(a, b, 1, true, 0, 2);
    meet(a, 0, 0);
    meet(b, 0, 0);
    row(a, b, 2, true, 0, 3);
    row(a, b, 2, false, 0, 4);
    for (uint32_t i = 0; i < 80000; i++)
        row(a, b, 1, false, 64, 5);
    CU_ASSERT_TRUE(a->bs->stamps->accesses.count < 70000 && a->bs->stamps->write[0] != STAMP_OPENED);
    for (unsigned i = 0; i < WORDS; i++)
        compare_word(a, b, i);
    block_drop(a);
    block_drop(b);
    free(worker);
}

UNIT_MAIN("stamped_strong", {"as shadow words", test_same}, {"many accesses", test_many})
