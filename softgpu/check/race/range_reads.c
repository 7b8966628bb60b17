/**
 * @file range_reads.c
 * See range_reads.h.
 */
#include "check/race/range_reads.h"

#include "check/race/joining.h"
#include "check/race/plain_words.h"
#include "check/race/shadow/read_ranges.h"
#include "execute/plain_access.h"

#define FEWEST_LANES 4   /* fewer are as well looked at one by one */
#define FEW_PLACES 4

/** When the lane reads: of copies all are at one time. */
static uint32_t time_of(const struct actor *me, unsigned lane)
{
    return me->as_agent ? me->as_time : me->ws->time[lane];
}

/** Do lanes `left` read at one time, each as far behind the one before it, `width` bytes or more? `step`: how far. */
static bool lie_apart(const struct actor *me, const struct mem_access *a, uint32_t left, unsigned width, uint64_t *step)
{
    unsigned first = (unsigned)__builtin_ctz(left), last = WARP_LANES - 1 - (unsigned)__builtin_clz(left);
    uint64_t span = a->address[last] - a->address[first], d = last > first ? span / (last - first) : width;
    uint64_t differs = 0, base = a->address[first] - first * d;
    if (a->address[last] < a->address[first] || d < width || d > UINT32_MAX || a->address[last] != base + last * d)
        return false;
    *step = d;
    for (unsigned l = first; l <= last; l++) {
        uint64_t own = (a->address[l] ^ (base + l * d)) | (time_of(me, l) ^ time_of(me, first));
        differs |= own & -(uint64_t)(left >> l & 1);
    }
    return !differs;
}

/** The same of the warp's first half, and the second half reads what the first does? */
static bool lie_in_pairs(const struct actor *me, const struct mem_access *a, unsigned width)
{
    uint64_t differs = 0;
    uint32_t times = 0;
    if (a->address[HALF] != a->address[0] || a->address[WARP_LANES - 1] != a->address[0] + (uint64_t)(HALF - 1) * width)
        return false;
    for (unsigned l = 0; l < HALF; l++)
        differs |= (a->address[l] ^ (a->address[0] + (uint64_t)l * width)) | (a->address[l + HALF] ^ a->address[l]);
    for (unsigned l = 0; l < WARP_LANES; l++)
        times |= time_of(me, l) ^ time_of(me, 0);
    return !differs && !times;
}

/** Has the first of the words nothing to say, or what the lane can take the place of, or a group that its lanes join? */
static bool is_for_the_words(const struct actor *me, const struct allocation *al, uint64_t offset, unsigned lane, uint32_t lanes, uint8_t flags,
                             uint32_t floor)
{
    struct shadow_row *row = shadow_row_at(al->shadow, offset);
    const struct sight s = sight_of(me);
    const struct shadow_word *words = shadow_row_words(row);
    if (!words)
        return false;
    const struct shadow_word *c = &words[offset / 4 % ROW_WORDS];
    if (c->flags & WORD_SPLIT)
        c = &c->bytes[offset % 4];
    if (c->read.agent < floor)
        return true;
    return (!c->read.flags && is_in_sight(&s, &c->read, (uint32_t)me->warp->index * WARP_LANES + lane)) ||
           joins_group(me, c, lanes, flags, PLAIN_WORD);
}

static bool is_plain(const struct mem_desc *mem)
{
    return mem->order == ORDER_WEAK || mem->order == ORDER_NC;
}

/** @return false: they do not lie so, or the words have room for them */
static bool remember(const struct actor *me, const struct mem_access *a, uint32_t lanes, enum range_kind kind, uint32_t floor)
{
    const struct mem_desc *mem = &a->insn->mem;
    unsigned first = (unsigned)__builtin_ctz(lanes), width = (unsigned)mem->bytes * mem->count;
    unsigned last = kind == RANGE_PAIRS ? HALF - 1 : WARP_LANES - 1 - (unsigned)__builtin_clz(lanes);
    const struct allocation *al = a->allocation[first];
    uint64_t offset = a->address[first] - (al->base & ~3ull);
    uint8_t flags = flags_of(mem, false);
    uint64_t step = width;
    if (!al->shadow || !shadow_is_older(al->shadow, floor)) /* in a launch that writes there most reads end here */
        return false;
    if (!(kind == RANGE_PAIRS ? lie_in_pairs(me, a, width) : lie_apart(me, a, lanes, width, &step)) || offset > UINT32_MAX ||
        a->address[last] + width > al->base + al->bytes ||
        (!me->as_agent && is_for_the_words(me, al, offset, first, kind == RANGE_PAIRS ? 1u | 1u << HALF : 1u << first, flags, floor)))
        return false;
    read_ranges_add(al->shadow,
                    (struct range_read){.offset = (uint32_t)offset, .mask = lanes, .step = (uint32_t)step, .agent = actor_agent(me), .time = time_of(me, first),
                                        .site = me->insn->site, .warp = (uint16_t)me->warp->index, .flags = flags, .copies = me->as_agent != 0,
                                        .kind = kind & 3, .log2_bytes = log2_of(mem->bytes) & 7, .log2_elements = log2_of(mem->count) & 3},
                    floor, me->race->readers);
    return true;
}

/** Do lanes seem to read what others read, and all of them only few words? The words tell more of that than they cost; not so where
 *  each lane's bytes would be looked at by themselves. */
static bool may_be_together(const struct mem_desc *mem, const struct mem_access *a, uint32_t left)
{
    unsigned first = (unsigned)__builtin_ctz(left), places = 1;
    bool shared = false;
    if (mem->bytes < 4 || (mem->count > 1 && mem->order != ORDER_WEAK))
        return false;
    for (unsigned d = 1; d <= HALF && first + d < WARP_LANES; d *= 2)
        shared |= (left >> (first + d) & 1) && a->address[first + d] == a->address[first];
    for (unsigned l = first + 1; l < WARP_LANES && shared; l++)
        places += (left >> l & 1) && a->address[l] != a->address[l - 1];
    return shared && places <= FEW_PLACES;
}

/** Lanes that lie anyhow, in one allocation. @return false: the words are to remember them */
static bool gather(const struct actor *me, const struct mem_access *a, uint32_t left, uint32_t floor)
{
    const struct mem_desc *mem = &a->insn->mem;
    unsigned width = (unsigned)mem->bytes * mem->count, first = (unsigned)__builtin_ctz(left), n = 0;
    struct allocation *al = a->allocation[first];
    uint64_t base = al->base & ~3ull, end = al->base + al->bytes;
    uint32_t offset[WARP_LANES], times = 0;
    bool elsewhere = end - base > UINT32_MAX;
    if (!shadow_is_older(al->shadow, floor))
        return false;
    for (uint32_t m = left; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        elsewhere |= a->allocation[lane] != al || a->address[lane] + width > end;
        times |= time_of(me, lane) ^ time_of(me, first);
        offset[n++] = (uint32_t)(a->address[lane] - base);
    }
    if (elsewhere || times || may_be_together(mem, a, left))
        return false;
    struct gather_read read = {.agent = actor_agent(me), .time = time_of(me, first), .site = me->insn->site, .mask = left, .uniform = me->as_agent || me->bs->any_left ? 0 : me->bs->uniform,
                               .warp = (uint16_t)me->warp->index, .flags = flags_of(mem, false),
                               .log2_bytes = log2_of(mem->bytes) & 7, .log2_elements = log2_of(mem->count) & 3};
    return read_ranges_gather(shadow_of(al), &read, offset, al->bytes, floor, me->race->readers);
}

static uint32_t remember_any(const struct actor *me, const struct mem_access *a, uint32_t left, uint32_t floor)
{
    const struct mem_desc *mem = &a->insn->mem;
    unsigned width = (unsigned)mem->bytes * mem->count;
    if (a->space != SPACE_GLOBAL || !is_plain(mem) || (width & (width - 1)))
        return 0;
    if ((left == UINT32_MAX || __builtin_popcount(left) >= FEWEST_LANES) && remember(me, a, left, RANGE_APART, floor))
        return left;
    if (left == UINT32_MAX && remember(me, a, left, RANGE_PAIRS, floor))
        return left;
    uint32_t done = 0;
    for (uint32_t half = HALF_LANES; half; half <<= HALF)
        if ((left & half) != left && __builtin_popcount(left & half) >= FEWEST_LANES && remember(me, a, left & half, RANGE_APART, floor))
            done |= left & half;
    left &= ~done;
    return __builtin_popcount(left) >= FEWEST_LANES && gather(me, a, left, floor) ? done | left : done;
}

uint32_t range_load(const struct actor *me, const struct mem_access *a, uint32_t left, uint32_t floor)
{
    return me->as_agent ? 0 : remember_any(me, a, left, floor);
}

uint32_t range_copy(const struct actor *me, const struct mem_access *a, uint32_t floor)
{
    struct allocation *al = a->allocation[__builtin_ctz(a->mask)];
    if (a->space == SPACE_GLOBAL)
        shadow_of(al);
    return remember_any(me, a, a->mask, floor);
}

/* ---- Plain accesses: how the lanes lie is known ---- */

/** The lanes, one behind the other. @return false: the words have room for them */
static bool remember_plain(const struct actor *me, const struct plain_access *p, uint32_t lanes, enum range_kind kind, uint32_t step, uint32_t floor)
{
    unsigned first = (unsigned)__builtin_ctz(lanes);
    struct allocation *al = p->allocation;
    if (!al->shadow || !shadow_is_older(al->shadow, floor) ||
        is_for_the_words(me, al, p->at[first], first, kind == RANGE_PAIRS ? 1u | 1u << HALF : 1u << first, 0, floor))
        return false;
    read_ranges_add(al->shadow,
                    (struct range_read){.offset = p->at[first], .mask = lanes, .step = step, .agent = me->agent, .time = me->ws->time[first],
                                        .site = me->insn->site, .warp = (uint16_t)me->warp->index, .kind = kind & 3, .log2_bytes = 2},
                    floor, me->race->readers);
    return true;
}

/** lie_apart() */
static bool lie_apart_plain(const struct plain_access *p, uint32_t lanes, uint32_t *step)
{
    unsigned first = (unsigned)__builtin_ctz(lanes), last = WARP_LANES - 1 - (unsigned)__builtin_clz(lanes);
    uint32_t span = p->at[last] - p->at[first], d = last > first ? span / (last - first) : 4, differs = 0;
    unsigned next = lanes & (lanes - 1) ? (unsigned)__builtin_ctz(lanes & (lanes - 1)) : first;
    if (p->at[last] < p->at[first] || d < 4 || p->at[next] != p->at[first] + (next - first) * d)
        return false;
    for (unsigned l = 0; l < WARP_LANES; l++)
        differs |= (p->at[l] ^ (p->at[first] + (l - first) * d)) & -(lanes >> l & 1);
    *step = d;
    return !differs;
}

/** may_be_together() */
static bool may_be_together_plain(const struct plain_access *p, uint32_t left)
{
    unsigned first = (unsigned)__builtin_ctz(left), places = 1;
    bool shared = false;
    for (unsigned d = 1; d <= HALF && first + d < WARP_LANES; d *= 2)
        shared |= (left >> (first + d) & 1) && p->at[first + d] == p->at[first];
    for (unsigned l = first + 1; l < WARP_LANES && shared; l++)
        places += (left >> l & 1) && p->at[l] != p->at[l - 1];
    return shared && places <= FEW_PLACES;
}

/** gather() */
static bool gather_plain(const struct actor *me, const struct plain_access *p, uint32_t left, uint32_t floor)
{
    struct allocation *al = p->allocation;
    uint32_t offset[WARP_LANES];
    unsigned n = 0;
    if (!shadow_is_older(al->shadow, floor) || may_be_together_plain(p, left))
        return false;
    struct gather_read read = {.agent = me->agent, .time = me->ws->time[__builtin_ctz(left)], .site = me->insn->site, .mask = left,
                               .uniform = me->bs->any_left ? 0 : me->bs->uniform, .warp = (uint16_t)me->warp->index, .log2_bytes = 2};
    if (left == UINT32_MAX)
        return read_ranges_gather(shadow_of(al), &read, p->at, al->bytes, floor, me->race->readers);
    for (uint32_t m = left; m; m &= m - 1)
        offset[n++] = p->at[__builtin_ctz(m)];
    return read_ranges_gather(shadow_of(al), &read, offset, al->bytes, floor, me->race->readers);
}

/** remember_any() of lanes that lie anyhow. @return those that are left */
static uint32_t remember_any_plain(const struct actor *me, const struct plain_access *p, uint32_t left, uint32_t floor)
{
    uint32_t step = 4, done = 0;
    if (lie_apart_plain(p, left, &step) && remember_plain(me, p, left, RANGE_APART, step, floor))
        return 0;
    for (uint32_t half = HALF_LANES; half; half <<= HALF)
        if ((left & half) != left && __builtin_popcount(left & half) >= FEWEST_LANES && lie_apart_plain(p, left & half, &step) &&
            remember_plain(me, p, left & half, RANGE_APART, step, floor))
            done |= left & half;
    left &= ~done;
    return __builtin_popcount(left) >= FEWEST_LANES && gather_plain(me, p, left, floor) ? 0 : left;
}

uint32_t range_plain_load(const struct actor *me, const struct plain_access *p, uint32_t left, uint32_t floor)
{
    uint32_t step = 4;
    if (!left || left != p->mask || me->as_agent || __builtin_popcount(left) < FEWEST_LANES || !lanes_at_one_time(me->ws, left))
        return left;
    switch (p->shape) {
    case PLAIN_ROW:
        return remember_plain(me, p, left, RANGE_APART, step, floor) ? 0 : left;
    case PLAIN_PAIRS:
        return remember_plain(me, p, left, RANGE_PAIRS, step, floor) ? 0 : left;
    case PLAIN_ROWS:
        left &= remember_plain(me, p, HALF_LANES, RANGE_APART, step, floor) ? ~HALF_LANES : UINT32_MAX;
        return left & (remember_plain(me, p, ~HALF_LANES, RANGE_APART, step, floor) ? HALF_LANES : UINT32_MAX);
    case PLAIN_ANY:
        return remember_any_plain(me, p, left, floor);
    default:
        return left;
    }
}

/* ---- Loops ---- */

static struct range_read turn_of(const struct actor *me, uint32_t mask)
{
    return (struct range_read){.mask = mask, .agent = me->agent, .time = me->ws->time[__builtin_ctz(mask)], .site = me->insn->site,
                               .warp = (uint16_t)me->warp->index, .flags = flags_of(&me->insn->mem, false), .log2_bytes = 2};
}

bool range_plain_turn(const struct actor *me, const struct plain_access *p, uint32_t floor)
{
    struct shadow *s = p->allocation->shadow;
    if (!s || !shadow_is_older(s, floor) || !lanes_at_one_time(me->ws, p->mask))
        return false;
    const struct range_read read = turn_of(me, p->mask);
    return read_ranges_turn(s, &read, p->at, p->shape, floor, me->race->readers);
}

bool range_turn(const struct actor *me, const struct mem_access *a, uint32_t floor)
{
    const struct mem_desc *mem = &a->insn->mem;
    unsigned width = (unsigned)mem->bytes * mem->count;
    const struct allocation *al = a->allocation[__builtin_ctz(a->mask)];
    uint32_t at[WARP_LANES];
    bool elsewhere = false;
    if (a->space != SPACE_GLOBAL || me->as_agent || !is_plain(mem) || (width & (width - 1)) || !al->shadow || !shadow_is_older(al->shadow, floor) ||
        al->bytes >= UINT32_MAX || !lanes_at_one_time(me->ws, a->mask))
        return false;
    for (unsigned l = 0; l < WARP_LANES; l++)
        at[l] = (uint32_t)(a->address[l] - (al->base & ~3ull));
    for (uint32_t m = a->mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        elsewhere |= a->allocation[l] != al || a->address[l] + width > al->base + al->bytes;
    }
    struct range_read read = turn_of(me, a->mask);
    read.log2_bytes = log2_of(mem->bytes) & 7;
    read.log2_elements = log2_of(mem->count) & 3;
    return !elsewhere && read_ranges_turn(al->shadow, &read, at, PLAIN_ANY, floor, me->race->readers);
}

bool range_load_lane(const struct actor *me, const struct mem_access *a, int lane, uint32_t floor)
{
    const struct mem_desc *mem = &a->insn->mem;
    return mem->bytes * mem->count < 4 && a->space == SPACE_GLOBAL && !me->as_agent && is_plain(mem) &&
           remember(me, a, 1u << lane, RANGE_APART, floor);
}

bool range_load_one(const struct actor *me, const struct mem_access *a, uint64_t address, uint32_t lanes, uint8_t flags, uint8_t unit)
{
    const struct allocation *al = a->allocation[me->lane];
    uint64_t offset = address - (al->base & ~3ull);
    if (unit != PLAIN_WORD || me->as_agent || offset > UINT32_MAX || !is_plain(&me->insn->mem) || !shadow_is_older(al->shadow, me->bs->floor))
        return false;
    read_ranges_add(al->shadow,
                    (struct range_read){.offset = (uint32_t)offset, .mask = lanes, .agent = me->agent, .time = me->time,
                                        .site = me->insn->site, .warp = (uint16_t)me->warp->index, .flags = flags,
                                        .kind = RANGE_ONE, .log2_bytes = 2},
                    me->bs->floor, me->race->readers);
    return true;
}
