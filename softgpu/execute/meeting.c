/**
 * @file meeting.c
 * shfl, vote, match, redux and elect, for lanes that have met (PTX ISA 9.7.9.6, 9.7.13.7 to 9.7.13.10).
 */
#include "execute/engine.h"
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
    memset(out, 0, WARP_LANES * sizeof *out);
    for (int i = 0; i < m->count; i++) {
        const struct party *p = &m->party[i];
        const uint32_t *r = party_reg(w, p, p->in->src[operand]);
        EACH_LANE(lane, p->mask) out[lane] = r[lane];
    }
}

static void scatter32(const struct warp *w, const struct meeting *m,
                      const uint32_t values[WARP_LANES])
{
    for (int i = 0; i < m->count; i++) {
        const struct party *p = &m->party[i];
        if (p->in->dst == REG_NONE)
            continue;
        uint32_t *r = party_reg(w, p, p->in->dst);
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

enum shfl_mode { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };

/** The lane that `lane` reads from; *in_range is the predicate result (PTX ISA 9.7.9.6). */
static int shfl_source(enum shfl_mode mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    int segment = (int)(c >> 8 & 31), clamp = (int)(c & 31), delta = (int)(b & 31);
    int most = (lane & segment) | (clamp & ~segment), least = lane & segment;
    int from = mode == SHFL_UP     ? lane - delta
               : mode == SHFL_DOWN ? lane + delta
               : mode == SHFL_BFLY ? lane ^ delta
                                   : (least | (delta & ~segment));
    *in_range = mode == SHFL_UP ? from >= most : from <= most;
    return *in_range ? from : lane;
}

void apply_shfl(struct warp *w, const struct meeting *m)
{
    uint32_t a[WARP_LANES], b[WARP_LANES], c[WARP_LANES], out[WARP_LANES], ranges = 0;
    uint32_t from[WARP_LANES] = {0};
    gather32(w, m, 0, a);
    /* What a lane that takes no part gives is undefined. A GPU gives 0 (tests/runtime/facts.cu); a checked run
     * does not, since that could pass by luck. */
    if (warp_machine(w)->options.check)
        EACH_LANE(lane, ~m->lanes) a[lane] = 0xc5c5c5c5;
    gather32(w, m, 1, b);
    gather32(w, m, 2, c);
    enum shfl_mode mode = (enum shfl_mode)m->party[0].in->imm;
    EACH_LANE(lane, m->lanes)
    {
        bool in_range;
        int source = shfl_source(mode, lane, b[lane], c[lane], &in_range) & 31;
        out[lane] = a[source];
        from[lane] = 1u << source & m->lanes & m->members;
        ranges |= (uint32_t)in_range << lane;
    }
    tell_exchange(w, m, from, false);
    scatter32(w, m, out);
    for (int i = 0; i < m->count; i++)
        scatter_predicate(w, &m->party[i], m->party[i].in->dst2, ranges);
}

#define VOTE_NEGATED 8u
enum vote_mode { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };

void apply_vote(struct warp *w, const struct meeting *m)
{
    uint32_t votes = 0;
    for (int i = 0; i < m->count; i++) {
        const struct party *p = &m->party[i];
        uint32_t bits = *(const uint32_t *)party_reg(w, p, p->in->src[0]);
        votes |= (p->in->imm & VOTE_NEGATED ? ~bits : bits) & p->mask;
    }
    enum vote_mode mode = (enum vote_mode)(m->party[0].in->imm & 7);
    if (mode == VOTE_BALLOT) {
        uint32_t out[WARP_LANES];
        EACH_LANE(lane, m->lanes) out[lane] = votes;
        scatter32(w, m, out);
        return;
    }
    bool all = votes == m->lanes, none = votes == 0;
    bool result = mode == VOTE_ALL ? all : mode == VOTE_ANY ? !none : all || none;
    for (int i = 0; i < m->count; i++)
        scatter_predicate(w, &m->party[i], m->party[i].in->dst, result ? UINT32_MAX : 0);
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
    bool want_all = m->party[0].in->imm == 1, all = true;
    EACH_LANE(lane, m->lanes)
    {
        out[lane] = 0;
        EACH_LANE(other, m->lanes)
        out[lane] |= (uint32_t)(values[other] == values[lane]) << other;
        all &= out[lane] == m->lanes;
    }
    if (want_all && !all)
        memset(out, 0, sizeof out);
    scatter32(w, m, out);
    for (int i = 0; want_all && i < m->count; i++)
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

void apply_redux(struct warp *w, const struct meeting *m)
{
    uint32_t a[WARP_LANES], out[WARP_LANES], sum = 0;
    const struct insn *in = m->party[0].in;
    bool first = true;
    gather32(w, m, 0, a);
    EACH_LANE(lane, m->lanes)
    {
        uint32_t v = in->imm & REDUX_ABS ? a[lane] & 0x7fffffff : a[lane];
        if (first && in->mem.type == PTX_F32 && is_nan32(v))
            v = 0x7fffffff;
        sum = first ? v : redux_step(in, sum, v);
        first = false;
    }
    uint32_t from[WARP_LANES];
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
