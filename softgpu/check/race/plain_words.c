/**
 * @file plain_words.c
 * See plain_words.h. These two loops are what most of a checked kernel's time goes into.
 */
#include "check/race/plain_words.h"

#include "check/race/shadow/reader_group.h"
#include "execute/plain_access.h"

/** Where the lanes of a warp go: to words of shared memory, or wherever an access says. */
struct words {
    struct block_state *shared;      /**< whose; NULL: none of it */
    const uint32_t *at;              /**< plain accesses: bytes in it */
    const uint8_t *host;             /**< and where its bytes are */
    const struct mem_access *a;      /**< others */
};

static inline struct shadow_word *word_of(const struct actor *me, const struct words *x, int lane)
{
    if (x->at)
        return shared_word(x->shared, x->at[lane] / 4);
    return x->shared ? shared_word(x->shared, x->a->address[lane] / 4) : word_at(me, x->a, lane, x->a->address[lane]);
}

static inline const uint8_t *host_of(const struct words *x, int lane)
{
    return x->at ? x->host + x->at[lane] : x->a->host[lane];
}

static struct words words_of(const struct actor *me, const struct mem_access *a)
{
    return (struct words){.shared = a->space == SPACE_SHARED ? me->home : NULL, .a = a};
}

#define FAR_APART 4096u   /* bytes, whose shadow words fill what the processor has nearest */

/** Begins to fetch the shadow word of a lane, which lies in global memory, and those of its row behind or before it. */
static inline void fetch_words(const struct actor *me, const struct mem_access *a, int lane, bool behind)
{
    const struct shadow_word *c = word_at(me, a, lane, a->address[lane]);
    unsigned at = (a->address[lane] - (a->allocation[lane]->base & ~3ull)) / 4 % ROW_WORDS;
    const char *first = (const char *)(behind ? c : c - at);
    for (unsigned b = 0; b < (behind ? ROW_WORDS - at : at + 1) * sizeof *c; b += 64)
        __builtin_prefetch(first + b, 1);
}

/** Begins to fetch the shadow words of all lanes, so that not one is waited for after another. Those that lie near are mostly the first lane's, what
 *  follows them in its row, and the last lane's, with what leads there. */
static void fetch_ahead(const struct actor *me, const struct mem_access *a, uint32_t left)
{
    int low = __builtin_ctz(left), high = 31 - __builtin_clz(left);
    uint64_t first = a->address[low], last = a->address[high];
    if (a->space == SPACE_SHARED || left != a->mask || first == last)
        return;
    if ((last > first ? last - first : first - last) < FAR_APART) {
        fetch_words(me, a, low, last > first);
        fetch_words(me, a, high, last < first);
        return;
    }
    for (; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        __builtin_prefetch(word_at(me, a, lane, a->address[lane]), 1);
    }
}

/** epoch_of() field by field, which costs less here than a structure put together and stored. */
static inline void put_epoch(struct epoch *e, const struct actor *me, uint32_t site, uint32_t thread, uint32_t time, uint8_t flags)
{
    e->agent = me->agent;
    e->time = time;
    e->site = site;
    e->thread = (uint16_t)thread;
    e->flags = flags;
    e->unit = PLAIN_WORD;
}

static inline __attribute__((always_inline)) uint32_t load(const struct actor *me, const struct words *x, uint32_t left, uint32_t floor, uint32_t settled)
{
    const struct sight s = sight_of(me);
    const uint32_t *time = me->ws->time, site = me->insn->site, first = s.warp * WARP_LANES;
    for (; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), thread = first + lane;
        struct shadow_word *c = word_of(me, x, (int)lane);
        if ((c->flags & WORD_LOGGED) || !is_written_in_sight(&s, c, thread, floor, settled) ||
            (c->read.agent && (c->read.flags || !is_in_sight(&s, &c->read, thread))))
            break;
        put_epoch(&c->read, me, site, thread, time[lane], 0);
    }
    return left;
}

static inline __attribute__((always_inline)) uint32_t store(const struct actor *me, const struct words *x, uint32_t left, uint32_t floor)
{
    const struct sight s = sight_of(me);
    const uint32_t *time = me->ws->time, site = me->insn->site, first = s.warp * WARP_LANES;
    for (; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), thread = first + lane;
        struct shadow_word *c = word_of(me, x, (int)lane);
        struct epoch *w = &c->write;
        if ((c->flags & WORD_LOGGED) || !is_written_in_sight(&s, c, thread, floor, UINT32_MAX) ||
            (c->read.agent && !are_readers_in_sight(&s, &c->read, thread)))
            break;
        if (w->agent != me->agent || w->thread != thread || w->time != time[lane] || !(c->flags & WORD_OLD)) {
            memcpy(&c->old, host_of(x, (int)lane), sizeof c->old);
            c->flags |= WORD_OLD;
        }
        word_keep_one(c);
        uint8_t flags = epochs_were_read(w, &c->read, me->agent);
        c->read.agent = 0;
        put_epoch(w, me, site, thread, time[lane], flags);
    }
    return left;
}

uint32_t plain_loads(const struct actor *me, const struct mem_access *a, uint32_t left, uint32_t floor)
{
    struct words x = words_of(me, a);
    fetch_ahead(me, a, left);
    return load(me, &x, left, floor, settled_for(me, a->space));
}

uint32_t plain_stores(const struct actor *me, const struct mem_access *a, uint32_t left, uint32_t floor)
{
    struct words x = words_of(me, a);
    fetch_ahead(me, a, left);
    return store(me, &x, left, floor);
}

uint32_t shared_loads(const struct actor *me, const struct plain_access *p, uint32_t left, uint32_t floor)
{
    const struct words x = {.shared = me->home, .at = p->at};
    return load(me, &x, left, floor, UINT32_MAX);
}

uint32_t shared_stores(const struct actor *me, const struct plain_access *p, uint32_t left, uint32_t floor)
{
    const struct words x = {.shared = me->home, .at = p->at, .host = p->host};
    return store(me, &x, left, floor);
}

/* ---- Elements of less than a word, of words that are split ---- */

/** The bytes of element `element` of the actor's lane; NULL: the word is not split, or strong accesses have been there. */
static struct shadow_word *bytes_at(const struct actor *me, const struct mem_access *a, int element)
{
    unsigned size = me->insn->mem.bytes;
    uint64_t address = a->address[me->lane] + (uint64_t)element * size;
    const struct shadow_word *c = word_at(me, a, me->lane, address);
    if (!(c->flags & WORD_SPLIT))
        return NULL;
    struct shadow_word *first = &c->bytes[address % 4];
    for (unsigned i = 0; i < size; i++)
        if (first[i].flags & (WORD_SYNC | WORD_LANES | WORD_LOGGED))
            return NULL;
    return first;
}

static bool are_plain_bytes(const struct actor *me)
{
    return me->insn->mem.bytes < 4 && me->insn->mem.order == ORDER_WEAK && !me->as_agent;
}

/** Are the byte's last write and its reader, if it is one, in sight? What lies before `floor` does not matter. */
static bool is_byte_in_sight(const struct sight *s, const struct actor *me, const struct shadow_word *b, uint32_t floor)
{
    const struct epoch *w = &b->write, *r = &b->read;
    return (!w->agent || w->agent < floor || is_in_sight(s, w, me->thread)) &&
           (!r->agent || r->agent < floor || (!r->flags && is_in_sight(s, r, me->thread)));
}

static bool store_bytes(const struct actor *me, const struct mem_access *a, int element, const struct sight *s, uint32_t floor)
{
    unsigned size = me->insn->mem.bytes;
    struct shadow_word *b = bytes_at(me, a, element);
    if (!b)
        return false;
    for (unsigned i = 0; i < size; i++)
        if (!is_byte_in_sight(s, me, &b[i], floor))
            return false;
    for (unsigned i = 0; i < size; i++) {
        refresh(&b[i], floor, UINT32_MAX);
        uint8_t flags = epochs_were_read(&b[i].write, &b[i].read, me->agent);
        b[i].read.agent = 0;
        remember_write(me, &b[i], flags, (uint8_t)(i | log2_of(size) << 4), a->host[me->lane][(unsigned)element * size + i]);
    }
    return true;
}

static bool load_bytes(const struct actor *me, const struct mem_access *a, int element, const struct sight *s, uint32_t floor)
{
    unsigned size = me->insn->mem.bytes;
    struct shadow_word *b = bytes_at(me, a, element);
    if (!b)
        return false;
    for (unsigned i = 0; i < size; i++) {
        const struct epoch *r = &b[i].read;
        bool so = !r->agent || r->agent < floor || r->unit == (i | log2_of(size) << 4);
        if (!so || !is_byte_in_sight(s, me, &b[i], floor))
            return false;
    }
    for (unsigned i = 0; i < size; i++) {
        refresh(&b[i], floor, settled_for(me, a->space));
        b[i].read = epoch_of(me, 0, (uint8_t)(i | log2_of(size) << 4));
    }
    return true;
}

/** Begins to fetch what is remembered of the lanes' bytes, so that not one lane's is waited for after another's; in global memory, which is large. */
static void fetch_bytes_ahead(const struct actor *me, const struct mem_access *a)
{
    for (uint32_t m = a->space == SPACE_GLOBAL && me->lane == __builtin_ctz(a->mask) ? a->mask : 0; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        const struct shadow_word *c = word_at(me, a, lane, a->address[lane]);
        const char *bytes = (const char *)c->bytes;
        for (unsigned i = 0; (c->flags & WORD_SPLIT) && i < 4 * sizeof *c; i += 64)
            __builtin_prefetch(bytes + i, 1);
    }
}

int bytes_load(const struct actor *me, const struct mem_access *a, uint32_t floor)
{
    const struct sight s = sight_of(me);
    int e = 0, count = are_plain_bytes(me) ? a->insn->mem.count : 0;
    while (e < count && load_bytes(me, a, e, &s, floor))
        e++;
    return e;
}

int bytes_store(const struct actor *me, const struct mem_access *a, uint32_t floor)
{
    const struct sight s = sight_of(me);
    int e = 0, count = are_plain_bytes(me) ? a->insn->mem.count : 0;
    if (count)
        fetch_bytes_ahead(me, a);
    while (e < count && store_bytes(me, a, e, &s, floor))
        e++;
    return e;
}
