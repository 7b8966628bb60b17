/**
 * @file write.c
 * Stores and read-modify-writes: what they publish, and what the shadow word remembers of them.
 */
#include "check/race/chained_atomics.h"
#include "check/race/conflict.h"
#include "check/race/doubted_writes.h"
#include "check/race/earlier_made.h"
#include "check/race/element.h"
#include "check/race/explain.h"
#include "check/race/older_read.h"
#include "check/race/order.h"
#include "check/race/plain_words.h"
#include "check/race/shadow/reader_group.h"
#include "check/race/shadow/readers.h"
#include "check/race/shadow/row_atomics.h"
#include "check/race/sync.h"

/** `before`: what the element holds, of up to 8 bytes. */
static uint32_t contents(const struct mem_access *a, int lane, int element, unsigned size, uint64_t before, const struct unit *u)
{
    uint32_t v = 0;
    if (size <= 8)
        memcpy(&v, (const char *)&before + u->offset, u->bytes);
    else
        memcpy(&v, a->host[lane] + (size_t)element * size + u->offset, u->bytes);
    return v;
}

/** Earlier writes of a unit against this one, which leaves `out->now` there, what the last has if `same`. @return true if that need not have
 *  happened before */
static bool check_writes(const struct actor *me, const struct unit *u, uint8_t flags, bool same, struct outcome *out)
{
    out->updates = (flags & EPOCH_RMW) && me->insn->mem.atom != ATOM_EXCH;
    bool hangs_on_order = (flags & EPOCH_RMW) && atomic_tells(me->race->agents.data[me->agent].launch, me->insn);
    out->agrees = same && !hangs_on_order;
    out->leaving = hangs_on_order ? 0 : u->bytes;
    bool unordered = check_write(me, u->word, flags, u->code, WRITE_THEN_WRITE, out);
    check_tips(me, u->word, flags, u->code, WRITE_THEN_WRITE, out);
    out->agrees = false;
    out->leaving = 0;
    return unordered;
}

/** The last write, as one of those that the next does not supersede. */
static struct reader tip_of(const struct epoch *e, uint32_t seq)
{
    return (struct reader){.agent = e->agent, .time = e->time, .site = e->site, .mask = 1u << e->thread % WARP_LANES, .seq = seq,
                           .warp = (uint16_t)(e->thread / WARP_LANES), .flags = e->flags & (uint8_t)~(EPOCH_READ | EPOCH_KEPT), .unit = e->unit};
}

static void write_weak(struct actor *me, const struct unit *u, uint32_t before, bool same, struct outcome *out)
{
    struct shadow_word *c = u->word;
    uint32_t agent = actor_agent(me);
    bool unordered = check_writes(me, u, 0, same, out);
    const struct reader hidden = tip_of(&c->write, 0);
    check_reads(me, c, 0, u->code, out);
    word_keep_one_of_set(me->race->readers, c, agent);
    const uint8_t read = epochs_were_read(&c->write, &c->read, agent);
    word_drop_sync(c);
    c->read.agent = 0;
    remember_write(me, c, read, u->code, before);
    if (unordered && same) /* less than other races: it must not hide what the thread does next to what was written here */
        word_sync(c)->tips = readers_add(me->race->readers, 0, hidden, PRUNE_NONE);
}

/** Forgets the strong reads of a shadow word. Plain ones stay: a later strong write may be ordered after this
 *  write's chain and yet race with them. */
static void keep_weak_reads(const struct actor *me, struct shadow_word *c)
{
    if (!c->read.agent)
        return;
    if (!(c->read.flags & EPOCH_LIST)) {
        if (c->read.flags & EPOCH_STRONG)
            c->read.agent = 0;
        return;
    }
    c->read.time = readers_weak(me->race->readers, c->read.time, me->bs->floor);
    if (!c->read.time)
        c->read.agent = 0;
}

/** A strong write to an element. */
struct strong_write {
    bool rmw;
    bool adds;            /**< what it leaves rests on what it has found */
    bool unseen;          /**< it leaves the value as it was */
    bool same;            /**< and each of the unit's bytes as its last write had left it */
    bool shared;          /**< in shared memory */
    uint64_t before;      /**< the value before it */
    uint64_t place;       /**< tells the location */
    uint64_t operand;     /**< while older values are shown: with which it can be made again, */
    bool has_operand;     /**< if it can */
};

/** Is the word's last write, a plain one, ordered before whoever may yet come here? In shared memory that only its own block reaches so is what
 *  lies before a barrier of all. */
static bool is_over(const struct actor *me, const struct shadow_word *c, bool shared)
{
    return shared && !me->bs->cluster && (epoch_passed_by_all(me, &c->write) || (c->write.flags & EPOCH_PASSED));
}

/** A strong write to one unit. The element's first unit carries the chain. */
static void write_strong(struct actor *me, const struct unit *u, bool first, const struct strong_write *write,
                         struct outcome *out)
{
    bool rmw = write->rmw;
    struct shadow_word *c = u->word;
    uint8_t flags = flags_of(&me->insn->mem, rmw);
    bool chains = with_last_write(me, c, flags, u->code);
    bool unordered = check_writes(me, u, flags, write->same, out);
    bool strong_reads = check_reads(me, c, flags, u->code, out);
    bool was_strong = c->write.agent && (c->write.flags & EPOCH_STRONG);
    struct sync *s = word_sync(c);
    uint8_t read = write->adds ? EPOCH_READ : epochs_were_read(&c->write, &c->read, actor_agent(me));
    /* A plain write stays a danger to whoever is only ordered after the strong one, and so does a strong
       one that this write neither follows nor extends. */
    if (c->write.agent && (!was_strong ? !is_over(me, c, write->shared) : unordered && !rmw)) {
        s->tips = readers_add(me->race->readers, s->tips, tip_of(&c->write, s->seq), PRUNE_NONE);
    }
    if (first)
        push_past(c, write->before);
    s->seq++;
    if (!write->same)
        s->same_since = s->seq;
    s->written = ++me->race->moment;
    s->operand = write->operand;
    s->has_operand = write->has_operand;
    if (!strong_reads)
        keep_weak_reads(me, c);
    remember_write(me, c, flags | read, u->code, (uint32_t)(write->before >> 8 * (u->offset & 7)));
    if (!first)
        return;
    sync_learn_reads(me, s);
    sync_learn_chain(me, s->chain, s->upto);
    struct release_chain *before = s->chain;
    if (!(rmw && was_strong && before && chains)) {
        s->chain = chain_new();
        s->chain->place = write->place;
    } else {
        chain_ref(before);
    }
    s->upto = sync_publish(me, s->chain, before, &me->insn->mem, write->unseen);
    chain_drop(before);
}

/** The lane of this very instruction that has made the element's last write; -1: none has. */
static int lane_before(const struct actor *me, const struct mem_access *a, const struct epoch *last)
{
    int lane = last->thread % WARP_LANES;
    bool is = last->agent == me->agent && last->site == me->insn->site && last->thread / WARP_LANES == me->thread / WARP_LANES &&
              lane < me->lane && (a->mask >> lane & 1) && a->address[lane] == a->address[me->lane];
    return is ? lane : -1;
}

/** What `last`, the element's last write, has left, of up to 8 bytes. `memory`: what is there; a lane of this very instruction may have written since. */
static uint64_t value_of(const struct actor *me, const struct mem_access *a, int element, const struct epoch *last, uint64_t memory)
{
    int lane = me->insn->mem.bytes <= 8 ? lane_before(me, a, last) : -1;
    return lane < 0 ? memory : a->value[element][lane];
}

/** A unit of what a lane stores. */
static uint32_t stored_unit(const struct mem_access *a, int lane, int element, unsigned size, const struct unit *u)
{
    uint64_t value[2] = {a->value[size == 16 ? 2 * element : element][lane], size == 16 ? a->value[2 * element + 1][lane] : 0};
    uint32_t part = 0;
    memcpy(&part, (const char *)value + u->offset, u->bytes);
    return part;
}

/** Does the write leave the unit, *left, as its last write has left it? `memory`: what the element holds, of up to 8 bytes. */
static bool leaves_same(const struct actor *me, const struct mem_access *a, int element, const struct unit *u, uint64_t memory, uint32_t *left)
{
    unsigned size = me->insn->mem.bytes;
    int lane = lane_before(me, a, &u->word->write);
    uint32_t before = lane < 0 ? contents(a, me->lane, element, size, memory, u) : stored_unit(a, lane, element, size, u);
    *left = stored_unit(a, me->lane, element, size, u);
    return *left == before;
}

/** Would another launch's write have left something else if this one had come first? Within a launch runs in another order show that. */
static bool rests_on_read(const struct actor *me, const struct outcome *out)
{
    const struct agent *agents = me->race->agents.data;
    return (out->other.flags & EPOCH_READ) && agents[out->other.agent].launch != agents[me->agent].launch;
}

static void report_store(const struct actor *me, const struct mem_access *a, int element,
                         const struct outcome *out, uint64_t before)
{
    unsigned size = me->insn->mem.bytes;
    uint64_t value = size == 16 ? a->value[2 * element][me->lane] : a->value[element][me->lane];
    if (out->kind == WRITE_THEN_WRITE)
        before = value_of(me, a, element, &out->other, before);
    struct conflict_info info = {
        .conflict = out->kind, .other = &out->other, .space = (enum ptx_space)a->space,
        .address = a->address[me->lane] + (uint64_t)element * size, .has_value = size <= 8,
        .now = value, .before = before,
        .not_coherent = out->kind == READ_THEN_WRITE && (out->other.flags & EPOCH_NC),
        .texture = out->other.flags & EPOCH_TEXTURE,
        .kept = out->kept, .unchanged = out->kind == READ_THEN_WRITE && !out->kept && insn_class(me->insn) == INSN_STORE && size <= 8 && value == before,
        .same_value = out->same_value};
    info.rests_on_read = info.same_value && rests_on_read(me, out);
    explain(me, &info);
}

/** A weak write makes nobody of the readers before it. Where they are a group that lies before a barrier of the block, there is nothing to judge, and no
 *  set is made of them first, as for what an asynchronous copy fills anew. */
static void thin_group_in_sight(const struct actor *me, const struct mem_access *a, int element)
{
    const struct sight s = sight_of(me);
    unsigned size = me->insn->mem.bytes;
    for (unsigned at = 0; size >= 4 && at < size; at += 4) {
        struct shadow_word *c = word_at(me, a, me->lane, a->address[me->lane] + (uint64_t)element * size + at);
        if (!(c->flags & (WORD_SPLIT | WORD_SYNC | WORD_LOGGED)) && word_has_group(c) && are_readers_in_sight(&s, &c->read, me->thread))
            word_keep_one(c);
    }
}

void store_element(struct actor *me, const struct mem_access *a, int element)
{
    struct unit units[16];
    if (!order_is_strong(&me->insn->mem))
        thin_group_in_sight(me, a, element);
    struct outcome out = {0};
    check_before_split(me, a, element, flags_of(&me->insn->mem, false), WRITE_THEN_WRITE, &out);
    int n = units_of(me, a, me->lane, element, units);
    uint32_t floor = floor_of(me, a);
    unsigned size = me->insn->mem.bytes;
    uint64_t newest = newest_value(a, me->lane, element), before = value_of(me, a, element, &units[0].word->write, newest);
    bool strong = order_is_strong(&me->insn->mem);
    struct strong_write write = {.before = before, .shared = a->space == SPACE_SHARED, .place = element_place(me, a, me->lane, element),
                                 .operand = size <= 8 ? a->value[element][me->lane] : 0, .has_operand = size <= 8,
                                 .unseen = size <= 8 && a->value[element][me->lane] == before};
    if (strong && size <= 8)
        doubt_phase(me, a, element, &units[0].word->write, before, a->value[element][me->lane]);
    for (int i = n - 1; i >= 0; i--) { /* the first unit last: publishing moves the clock on */
        refresh(units[i].word, floor, UINT32_MAX);
        write.same = leaves_same(me, a, element, &units[i], newest, &out.now);
        if (strong && !i && size <= 8 && me->insn->mem.count == 1)
            doubt_landing(me, a, element, units[i].word, units[i].code, before, a->value[element][me->lane]);
        if (strong)
            write_strong(me, &units[i], i == 0, &write, &out);
        else
            write_weak(me, &units[i], contents(a, me->lane, element, size, before, &units[i]), write.same, &out);
    }
    if (strong)
        lane_has_stored(me->ws, me->lane, a);
    if (out.conflict)
        report_store(me, a, element, &out, before);
}

/* ---- Read-modify-writes ---- */

/** What is kept of strong writes to a word; NULL: nothing. */
static const struct sync *sync_of(const struct shadow_word *c)
{
    return c->flags & WORD_SYNC ? c->sync : NULL;
}

void atomics_fetch_ahead(const struct actor *me, const struct mem_access *a, uint32_t lanes)
{
    const struct shadow_word *word[WARP_LANES];
    const struct sync *sync[WARP_LANES];
    uint32_t strong = 0;
    if (a->space != SPACE_GLOBAL || !(lanes & (lanes - 1)))
        return;
    for (uint32_t m = lanes; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        word[lane] = word_at(me, a, lane, a->address[lane]);
        __builtin_prefetch(word[lane], 1);
    }
    for (uint32_t m = lanes; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        const struct sync *s = sync_of(word[lane]);
        if (!s)
            continue;
        strong |= m & -m;
        sync[lane] = s;
        __builtin_prefetch(s, 1);
        __builtin_prefetch(&s->pasts, 1);
        for (int i = 1; i < MAX_PAST; i++)
            __builtin_prefetch(&s->past[i], 1);
    }
    for (uint32_t m = strong; m; m &= m - 1) {
        const struct release_chain *chain = sync[__builtin_ctz(m)]->chain;
        if (!chain)
            continue;
        __builtin_prefetch(chain, 1);
    }
    for (uint32_t m = strong; m; m &= m - 1) {
        const struct release_chain *chain = sync[__builtin_ctz(m)]->chain;
        if (chain)
            __builtin_prefetch(chain->from.data + chain->from.count, 1);
    }
    for (uint32_t m = me->ws->lanes ? lanes : 0; m; m &= m - 1)
        __builtin_prefetch(&me->ws->lanes[__builtin_ctz(m)].observed, 1);
}

void atomic_element(struct actor *me, const struct mem_access *a, int element, bool returns)
{
    struct unit units[16];
    int n = units_of(me, a, me->lane, element, units);
    uint32_t floor = floor_of(me, a);
    uint64_t before = a->old[element & 1][me->lane];
    bool wrote = a->wrote >> me->lane & 1;
    unsigned size = me->insn->mem.bytes;
    struct strong_write write = {.rmw = true, .adds = atomic_adds(me->insn), .before = before, .shared = a->space == SPACE_SHARED, .place = element_place(me, a, me->lane, element),
                                 .unseen = size <= 8 && element < 2 && a->value[element][me->lane] == before};
    struct outcome out = {0};
    if (wrote)
        reads_together_end(me);
    if (me->race->atomics_older)
        write.has_operand = earlier_operand(me, a, &write.operand);
    if (wrote && (a->older[0] >> me->lane & 1)) {
        earlier_made(me, a, units, n);
        return;
    }
    if (wrote && size <= 8 && element < 2)
        doubt_phase(me, a, element, &units[0].word->write, before, a->value[element][me->lane]);
    for (int i = n - 1; i >= 0; i--) {
        struct shadow_word *c = units[i].word;
        refresh(c, floor, wrote ? UINT32_MAX : settled_for(me, a->space));
        bool has_chain = i == 0 && (c->flags & WORD_SYNC) && c->sync->chain;
        if (!wrote) {
            out.unordered |= check_write(me, c, flags_of(&me->insn->mem, true), units[i].code,
                                         WRITE_THEN_READ, &out);
            if (has_chain)
                read_strong(me, a, element, c, &out, !(a->older[0] >> me->lane & 1));
            else
                remember_read(me, c, 1u << me->lane, flags_of(&me->insn->mem, false),
                              units[i].code, seq_of(c));
            continue;
        }
        if (!i && size <= 8 && me->insn->mem.count == 1) /* before it observes what it finds */
            doubt_landing(me, a, element, c, units[i].code, before, a->value[element][me->lane]);
        if (has_chain && returns &&
            with_last_write(me, c, flags_of(&me->insn->mem, true), units[i].code))
            sync_observe(me, c->sync->chain, c->sync->upto, &me->insn->mem);
        write.same = leaves_same(me, a, element, &units[i], before, &out.now);
        write_strong(me, &units[i], i == 0, &write, &out);
    }
    if (wrote && me->insn->mem.atom == ATOM_EXCH)
        lane_has_stored(me->ws, me->lane, a);
    if (out.conflict)
        report_store(me, a, element, &out, before);
}
