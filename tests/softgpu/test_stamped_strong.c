/* Strong accesses to words in shared memory that have stamps: of random ones of four warps, beside weak ones that none of them races with, with barriers of the block and of
   warps between, a word that is opened says what its shadow word would: who wrote it last, what that passes on, what it may be mistaken for, and who has read which write. */
#include "stamped_strong_fixture.h"

static uint32_t words, warps; /* that are made use of */
static unsigned stamped, several, pasts, read_writes, unread_writes, weak;

/* ---- Which accesses race with none, and read what is ordered before them ---- */

static unsigned syncs[WARPS]; /**< so often has the warp met */

enum { NOBODY = -1, SEVERAL = -2 };

/** Who has been at a word: a thread, several, or nobody. */
struct who {
    int thread, writer, weak_reader;
};
static const struct who nobody = {NOBODY, NOBODY, NOBODY};

/** Since the last barrier. */
struct since {
    struct who all, near;    /**< near: since the warp's last barrier, if it is … */
    int warp;                /**< … the only one that has been there, */
    unsigned synced;         /**< … after so many of these */
};
static struct since since[WORDS];

static bool others(int who, int thread)
{
    return who != NOBODY && who != thread;
}

static void add(int *who, int thread)
{
    *who = others(*who, thread) ? SEVERAL : thread;
}

static void add_access(struct who *w, int thread, bool store, bool strong)
{
    add(&w->thread, thread);
    if (store)
        add(&w->writer, thread);
    else if (!strong)
        add(&w->weak_reader, thread);
}

static bool is_plain(unsigned word, int thread, bool store, bool strong)
{
    const struct since *s = &since[word];
    const struct who w = s->warp != thread / WARP_LANES ? s->all : s->synced == syncs[s->warp] ? s->near : nobody;
    if (!store)
        return !others(w.writer, thread);
    return strong ? !others(w.writer, thread) && !others(w.weak_reader, thread) : !others(w.thread, thread);
}

static void note(unsigned word, int thread, bool store, bool strong)
{
    struct since *s = &since[word];
    if (s->synced != syncs[thread / WARP_LANES])
        s->near = nobody;
    s->synced = syncs[thread / WARP_LANES];
    add(&s->warp, thread / WARP_LANES);
    add_access(&s->all, thread, store, strong);
    add_access(&s->near, thread, store, strong);
}

static void begin_phase(void)
{
    for (int i = 0; i < WORDS; i++)
        since[i] = (struct since){nobody, nobody, NOBODY, 0};
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
    const uint32_t way = draw(6), from = draw(4) ? 32 * draw(words / 32) : draw(words - 31), lines = draw(12), value = draw(4);
    *d = (struct drawn){.store = draw(3) == 0, .strong = draw(warps > 1 ? 8 : 80) != 0};
    d->op.insn_class = d->store ? INSN_STORE : INSN_LOAD;
    d->in = (struct insn){.site = 1 + lines, .op = &d->op, .mem = {.space = SPACE_SHARED, .bytes = 4, .count = 1, .order = ORDER_WEAK}};
    if (d->strong)
        d->in.mem.order = draw(4) ? ORDER_VOLATILE : ORDER_RELAXED, d->in.mem.scope = d->in.mem.order == ORDER_VOLATILE ? SCOPE_NONE : draw(2) ? SCOPE_CTA : SCOPE_GPU;
    for (int l = 0; l < WARP_LANES; l++) {
        d->at[l] = way == 0 ? draw(words) : way == 1 ? from : way == 2 ? from + (uint32_t)(l ^ 1) : way == 3 ? from + (uint32_t)l / 2 : (uint32_t)(warp * WARP_LANES + l) + (way == 4 ? 32 : 0);
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
                   m->reach == n->reach && m->unseen == n->unseen && !m->passed && !n->passed && !x->chain->heard == !y->chain->heard);
    CU_ASSERT_TRUE(x->chain->place == y->chain->place && x->operand == y->operand && x->has_operand == y->has_operand);
    CU_ASSERT_EQUAL(x->same_since == x->seq, y->same_since == y->seq);
    for (int i = 1;; i++) { /* back to the one before the barrier */
        if (x->pasts < i || y->pasts < i) {
            CU_ASSERT_TRUE(x->pasts == MAX_PAST || y->pasts == MAX_PAST || x->pasts == y->pasts);
            return;
        }
        const struct past *p = &x->past[x->pasts - i], *q = &y->past[y->pasts - i];
        CU_ASSERT_TRUE(p->value == q->value && p->was_read <= q->was_read); /* weak reads before the barrier may look like some, too */
        CU_ASSERT_TRUE(!p->chain || !q->chain || q->write.time <= a->bs->uniform || (!p->chain->heard == !q->chain->heard && p->seq + 1 - x->seq == q->seq + 1 - y->seq && p->operand == q->operand));
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
    several += was_stamped && now && (y->write.flags & EPOCH_STRONG) && st->pasts && st->pasts[i].count > 1;
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
    int warp = 0;
    memset(met, 0, sizeof met);
    begin_phase();
    for (unsigned n = 0; n < accesses; n++) {
        warp = draw(4) ? warp : (int)draw(warps);
        draw_access(&d, warp);
        weak += d.mask && !d.strong;
        if (d.mask) {
            make(a, &d, warp);
            make(b, &d, warp);
        }
        for (uint32_t m = d.store ? d.mask : 0; m; m &= m - 1)
            memory[d.at[__builtin_ctz(m)]] = d.value[__builtin_ctz(m)];
        unsigned what = draw(warps > 1 ? 12 : 60) ? 1 + draw(3) : 0;
        if (what < 2) {
            meet(a, what, warp);
            meet(b, what, warp);
            syncs[warp] += what;
            if (!what)
                begin_phase();
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
    for (unsigned i = 0; i < 800; i++) {
        words = i % 4 < 2 ? WORDS : 64;
        warps = i % 4 < 2 ? WARPS : 1;
        run(1 + i / 2, i % 2 ? 0 : 10 * (4 - warps) + 10);
    }
    free(worker);
    CU_ASSERT_TRUE(stamped > 500 && several > 5 && pasts > 500 && read_writes > 100 && unread_writes > 500 && weak > 500);
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
