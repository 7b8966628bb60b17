/**
 * @file meeting.c
 * shfl, vote, match, redux and elect, for lanes that have met (PTX ISA 9.7.9.6, 9.7.13.7 to 9.7.13.10).
 */
#include "execute/engine.h"
#include "execute/fast_shuffle.h"
#include "execute/meeting.h"
#include "execute/worker.h"

#include <string.h>

static void *party_reg(const struct warp *w, const struct party *p, uint32_t offset)
{
    return offset & CONST_BIT ? w->constants + (offset & ~CONST_BIT) : p->frame + offset;
}

/** Every lane's value of a 32-bit operand; 0 for lanes that do not take part. */
static void gather32(const struct warp *w, const struct meeting *m, int operand,
                     uint32_t out[WARP_LANES])
{
    if (m->lanes != UINT32_MAX)
        memset(out, 0, WARP_LANES * sizeof *out);
    for (int i = 0; i < m->count; i++) {
        const struct party *p = &m->party[i];
        const uint32_t *r = party_reg(w, p, p->in->src[operand]);
        if (p->mask == UINT32_MAX) {
            memcpy(out, r, WARP_LANES * sizeof *out);
            return;
        }
        EACH_LANE(lane, p->mask) out[lane] = r[lane];
    }
}

/** The same of lanes that take part; of others there is anything. `room` is for where they are not in one register already. */
static const uint32_t *given32(const struct warp *w, const struct meeting *m, int operand, uint32_t room[WARP_LANES])
{
    if (m->count == 1)
        return party_reg(w, &m->party[0], m->party[0].in->src[operand]);
    gather32(w, m, operand, room);
    return room;
}

static void scatter32(const struct warp *w, const struct meeting *m,
                      const uint32_t values[WARP_LANES])
{
    for (int i = 0; i < m->count; i++) {
        const struct party *p = &m->party[i];
        if (p->in->dst == REG_NONE)
            continue;
        uint32_t *r = party_reg(w, p, p->in->dst);
        if (p->mask == UINT32_MAX)
            memcpy(r, values, WARP_LANES * sizeof *r);
        else
            EACH_LANE(lane, p->mask) r[lane] = values[lane];
    }
}

/** Sets the predicate `reg` of each lane to its bit in `bits`. */
static void scatter_predicate(const struct warp *w, const struct party *p, uint32_t reg,
                              uint32_t bits)
{
    if (reg == REG_NONE)
        return;
    uint32_t *r = party_reg(w, p, reg);
    *r = (*r & ~p->mask) | (bits & p->mask);
}

/** Tells the observers whose values each lane gets. */
static void tell_exchange(struct warp *w, const struct meeting *m, const uint32_t from[WARP_LANES],
                          bool combines)
{
    const struct observer_set *observers = &warp_machine(w)->observers;
    struct warp_exchange x = {.lanes = m->lanes, .combines = combines};
    if (!observers->any_issue)
        return;
    for (int i = 0; i < m->count; i++)
        EACH_LANE(lane, m->party[i].mask)
        {
            x.in[lane] = m->party[i].in;
            x.frame[lane] = (uint32_t)(m->party[i].frame - w->file);
        }
    memcpy(x.from, from, sizeof x.from);
    OBSERVE(observers, warp_exchange, w, &x);
}

/** shuffle() in one mode, which the compiler knows. */
static inline __attribute__((always_inline)) uint32_t shuffle_as(enum shfl_mode mode, uint32_t lanes, const uint32_t *a, const uint32_t *b,
                                                                 const uint32_t *c, uint32_t *out, uint32_t *from)
{
    uint32_t ranges = 0;
    EACH_LANE(lane, lanes)
    {
        bool in_range;
        int source = shfl_source(mode, lane, b[lane], c[lane], &in_range) & 31;
        out[lane] = a[source];
        from[lane] = 1u << source;
        ranges |= (uint32_t)in_range << lane;
    }
    return ranges;
}

/** What each lane gets, and of whom. @return the lanes whose source is in range */
static uint32_t shuffle(const struct insn *in, uint32_t lanes, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                        uint32_t *out, uint32_t *from)
{
    switch ((enum shfl_mode)in->imm) {
    case SHFL_UP:
        return shuffle_as(SHFL_UP, lanes, a, b, c, out, from);
    case SHFL_DOWN:
        return shuffle_as(SHFL_DOWN, lanes, a, b, c, out, from);
    case SHFL_BFLY:
        return shuffle_as(SHFL_BFLY, lanes, a, b, c, out, from);
    default:
        return shuffle_as(SHFL_IDX, lanes, a, b, c, out, from);
    }
}

void apply_shfl(struct warp *w, const struct meeting *m)
{
    uint32_t a[WARP_LANES], b[WARP_LANES], c[WARP_LANES], out[WARP_LANES];
    uint32_t from[WARP_LANES] = {0};
    gather32(w, m, 0, a);
    /* What a lane that takes no part gives is undefined. A GPU gives 0 (tests/runtime/facts.cu); a checked run
     * does not, since that could pass by luck. */
    if (warp_machine(w)->options.check)
        EACH_LANE(lane, ~m->lanes) a[lane] = GIVEN_BY_NOBODY;
    const uint32_t *by = given32(w, m, 1, b), *how = given32(w, m, 2, c);
    uint32_t ranges = shuffle(m->party[0].in, m->lanes, a, by, how, out, from);
    EACH_LANE(lane, m->lanes) from[lane] &= m->lanes & m->members;
    tell_exchange(w, m, from, false);
    scatter32(w, m, out);
    for (int i = 0; i < m->count; i++)
        scatter_predicate(w, &m->party[i], m->party[i].in->dst2, ranges);
}

#define VOTE_NEGATED 8u
enum vote_mode { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };

static bool is_ballot(const struct insn *in)
{
    return (in->imm & 7) == VOTE_BALLOT;
}

static bool vote(const struct insn *in, uint32_t lanes, uint32_t votes)
{
    enum vote_mode mode = (enum vote_mode)(in->imm & 7);
    bool all = votes == lanes, none = votes == 0;
    return mode == VOTE_ALL ? all : mode == VOTE_ANY ? !none : all || none;
}

void apply_vote(struct warp *w, const struct meeting *m)
{
    uint32_t votes = 0;
    for (int i = 0; i < m->count; i++) {
        const struct party *p = &m->party[i];
        uint32_t bits = *(const uint32_t *)party_reg(w, p, p->in->src[0]);
        votes |= (p->in->imm & VOTE_NEGATED ? ~bits : bits) & p->mask;
    }
    if (is_ballot(m->party[0].in)) {
        uint32_t out[WARP_LANES];
        EACH_LANE(lane, m->lanes) out[lane] = votes;
        scatter32(w, m, out);
        return;
    }
    bool result = vote(m->party[0].in, m->lanes, votes);
    for (int i = 0; i < m->count; i++)
        scatter_predicate(w, &m->party[i], m->party[i].in->dst, result ? UINT32_MAX : 0);
}

/** The lanes with the same value as each. @return do all have the same? */
static bool match(const struct insn *in, uint32_t lanes, const uint64_t *values, uint32_t *out)
{
    bool want_all = in->imm == 1, all = true;
    EACH_LANE(lane, lanes)
    {
        out[lane] = 0;
        EACH_LANE(other, lanes)
        out[lane] |= (uint32_t)(values[other] == values[lane]) << other;
        all &= out[lane] == lanes;
    }
    if (want_all && !all)
        memset(out, 0, WARP_LANES * sizeof *out);
    return all;
}

void apply_match(struct warp *w, const struct meeting *m)
{
    uint64_t values[WARP_LANES];
    uint32_t out[WARP_LANES];
    for (int i = 0; i < m->count; i++) {
        const struct party *p = &m->party[i];
        const void *r = party_reg(w, p, p->in->src[0]);
        EACH_LANE(lane, p->mask)
        values[lane] = p->in->mem.bytes == 8 ? ((const uint64_t *)r)[lane]
                                             : ((const uint32_t *)r)[lane];
    }
    bool all = match(m->party[0].in, m->lanes, values, out);
    scatter32(w, m, out);
    for (int i = 0; m->party[0].in->imm == 1 && i < m->count; i++)
        scatter_predicate(w, &m->party[i], m->party[i].in->dst2, all ? UINT32_MAX : 0);
}

#define REDUX_ABS 1u
#define REDUX_NAN 2u

static float real_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static bool is_nan32(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

/** min and max of f32: a NaN loses against a number, or wins with .NaN; -0 lies below +0. */
static uint32_t redux_real(const struct insn *in, uint32_t a, uint32_t b)
{
    if (is_nan32(a) || is_nan32(b)) {
        if ((in->imm & REDUX_NAN) || (is_nan32(a) && is_nan32(b)))
            return 0x7fffffff;
        return is_nan32(a) ? b : a;
    }
    float x = real_of(a), y = real_of(b);
    bool a_less = x < y || (x == y && (a >> 31) > (b >> 31));
    return a_less == (in->mem.atom == ATOM_MIN) ? a : b;
}

static uint32_t redux_step(const struct insn *in, uint32_t a, uint32_t b)
{
    bool less = in->mem.type == PTX_S32 ? (int32_t)a < (int32_t)b : a < b;
    if (in->mem.type == PTX_F32)
        return redux_real(in, a, b);
    switch ((enum atom_op)in->mem.atom) {
    case ATOM_ADD:
        return a + b;
    case ATOM_MIN:
        return less ? a : b;
    case ATOM_MAX:
        return less ? b : a;
    case ATOM_AND:
        return a & b;
    case ATOM_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static uint32_t reduce(const struct insn *in, uint32_t lanes, const uint32_t *a)
{
    uint32_t sum = 0;
    bool first = true;
    EACH_LANE(lane, lanes)
    {
        uint32_t v = in->imm & REDUX_ABS ? a[lane] & 0x7fffffff : a[lane];
        if (first && in->mem.type == PTX_F32 && is_nan32(v))
            v = 0x7fffffff;
        sum = first ? v : redux_step(in, sum, v);
        first = false;
    }
    return sum;
}

void apply_redux(struct warp *w, const struct meeting *m)
{
    uint32_t a[WARP_LANES], out[WARP_LANES], from[WARP_LANES];
    gather32(w, m, 0, a);
    uint32_t sum = reduce(m->party[0].in, m->lanes, a);
    EACH_LANE(lane, m->lanes) out[lane] = sum;
    EACH_LANE(lane, UINT32_MAX) from[lane] = m->lanes;
    tell_exchange(w, m, from, true);
    scatter32(w, m, out);
}

void apply_elect(struct warp *w, const struct meeting *m)
{
    uint32_t out[WARP_LANES], leader = (uint32_t)__builtin_ctz(m->lanes);
    EACH_LANE(lane, m->lanes) out[lane] = leader;
    scatter32(w, m, out);
    for (int i = 0; i < m->count; i++)
        scatter_predicate(w, &m->party[i], m->party[i].in->dst2, 1u << leader);
}

/* ---- Lanes that meet without being there (rerun/explore) ---- */

struct brought meeting_brings(const struct warp *w, const struct insn *in, int lane)
{
    struct brought b = {0};
    uint32_t row = insn_row(in);
    const uint32_t *first = row == ROW_elect ? NULL : warp_reg(w, in->src[0]);
    if (row == ROW_vote)
        b.a = (*first >> lane & 1) ^ ((in->imm & VOTE_NEGATED) != 0);
    else if (row == ROW_match && in->mem.bytes == 8)
        b.a = ((const uint64_t *)(const void *)first)[lane];
    else if (first)
        b.a = first[lane];
    if (row == ROW_shfl) {
        b.b = ((const uint32_t *)warp_reg(w, in->src[1]))[lane];
        b.c = ((const uint32_t *)warp_reg(w, in->src[2]))[lane];
    }
    return b;
}

uint64_t meeting_gets(const struct insn *in, uint32_t lanes, const struct brought *from, int lane)
{
    uint32_t a[WARP_LANES], b[WARP_LANES], c[WARP_LANES], out[WARP_LANES] = {0}, of[WARP_LANES], votes = 0;
    uint64_t values[WARP_LANES];
    EACH_LANE(l, UINT32_MAX)
    {
        a[l] = lanes >> l & 1 ? (uint32_t)from[l].a : GIVEN_BY_NOBODY;
        b[l] = from[l].b, c[l] = from[l].c, values[l] = from[l].a;
        votes |= (uint32_t)(lanes >> l & from[l].a & 1) << l;
    }
    bool holds;
    switch (insn_row(in)) {
    case ROW_shfl:
        holds = shuffle(in, lanes, a, b, c, out, of) >> lane & 1;
        break;
    case ROW_vote:
        holds = !is_ballot(in) && vote(in, lanes, votes);
        out[lane] = votes;
        break;
    case ROW_match:
        holds = match(in, lanes, values, out);
        break;
    case ROW_redux:
        holds = false;
        out[lane] = reduce(in, lanes, a);
        break;
    default:
        holds = lane == __builtin_ctz(lanes);
        out[lane] = (uint32_t)__builtin_ctz(lanes);
    }
    return out[lane] | (uint64_t)holds << 32;
}

void meeting_takes(struct warp *w, const struct meeting *m, uint64_t what)
{
    const struct insn *in = m->party[0].in;
    uint32_t out[WARP_LANES], holds = what >> 32 ? UINT32_MAX : 0;
    EACH_LANE(lane, UINT32_MAX) out[lane] = (uint32_t)what;
    if (insn_row(in) == ROW_vote && !is_ballot(in)) {
        scatter_predicate(w, &m->party[0], in->dst, holds);
        return;
    }
    scatter32(w, m, out);
    if (insn_row(in) == ROW_shfl || insn_row(in) == ROW_elect || (insn_row(in) == ROW_match && in->imm == 1))
        scatter_predicate(w, &m->party[0], in->dst2, holds);
}
