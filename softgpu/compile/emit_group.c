/**
 * @file emit_group.c
 * Loads of words side by side: where a block reads up to four words of 16 bytes through one address register, as a loop does that
 * has been unrolled, or as the fields of a structure are read, and each lane has 16 bytes of its own, then
 * one vector a lane is loaded where the first of them stands, and turned about. Nothing is written in between. With AVX-512 some lanes may do so alone.
 */
#include "compile/emit_elements.h"
#include "execute/traffic.h"
#include "execute/worker.h"

#define WORDS GROUP_WORDS
#define FETCHED_AHEAD 257 /* bytes from one lane to the next up to which a warp fetches what the next one will read */

bool access_may_be_quiet(const struct emit *e, int i)
{
    const struct insn *in = e->p->f->entry + i;
    const struct mem_desc *d = &in->mem;
    enum plan_way way = (enum plan_way)e->p->way[i];
    return (way == WAY_WATCHED || way == WAY_QUIET) && insn_class(in) == INSN_LOAD && d->space == SPACE_GLOBAL && d->address_bytes == 8 && d->count == 1 &&
           d->bytes == d->reg_bytes && (d->bytes == 4 || d->bytes == 8) && in->dst != REG_NONE && !order_is_strong(d);
}

static bool may_belong(const struct emit *e, int i)
{
    const struct insn *in = e->p->f->entry + i;
    return (e->p->way[i] == WAY_GLOBAL || access_may_be_quiet(e, i)) && insn_class(in) == INSN_LOAD && in->guard == REG_NONE && in->mem.bytes == 4 && in->mem.count == 1 &&
           !(in->src[0] & CONST_BIT) && e->p->varying[plan_web(e->p, i, in->src[0], false)];
}

/** May loads behind it be moved before it? */
static bool is_passed(const struct emit *e, int i)
{
    switch ((enum plan_way)e->p->way[i]) {
    case WAY_ROW: case WAY_LOGIC: case WAY_PARAM: case WAY_SPECIAL: case WAY_NOTHING:
        return true;
    case WAY_GLOBAL: case WAY_SHARED:
        return insn_class(e->p->f->entry + i) == INSN_LOAD;
    default:
        return access_may_be_quiet(e, i);
    }
}

/** The run of instructions around `i` in its block in which loads may be moved and the register `reg` stays: `*from` to `*to`. */
static void find_run(const struct emit *e, int i, uint32_t reg, int *from, int *to)
{
    const struct insn *code = e->p->f->entry;
    int begin = e->p->blocks->first[e->block], end = e->p->blocks->first[e->block + 1];
    for (*from = i; *from > begin && is_passed(e, *from - 1) && !insn_writes(code + *from - 1, reg) && !e->p->entry[*from];)
        --*from;
    for (*to = i; *to + 1 < end && is_passed(e, *to + 1) && !insn_writes(code + *to, reg) && !e->p->entry[*to + 1];)
        ++*to;
}

bool access_group(const struct emit *e, int i, struct group_of_loads *g)
{
    const struct insn *code = e->p->f->entry;
    uint32_t reg = code[i].src[0];
    int from, to;
    *g = (struct group_of_loads){.first = -1};
    struct form form = form_of(e->p, i, reg);
    if (!may_belong(e, i) || (form.kind == FORM_EVEN && form.step == 4)) /* a row of the warp's */
        return false;
    find_run(e, i, reg, &from, &to);
    long long least = code[i].offset, window;
    for (int at = from; at <= to; at++)
        if (may_belong(e, at) && code[at].src[0] == reg && code[at].offset < least)
            least = code[at].offset;
    window = least + ((long long)code[i].offset - least) / 16 * 16;
    for (int j = 0; j < WORDS; j++)
        g->members[j] = -1;
    g->offset = window;
    for (int at = from; at <= to; at++) {
        long long on = (long long)code[at].offset - window;
        if (!may_belong(e, at) || code[at].src[0] != reg || on < 0 || on >= 4 * WORDS || on % 4 || g->members[on / 4] >= 0)
            continue;
        g->members[on / 4] = at;
        g->first = g->first < 0 ? at : g->first;
        g->count++;
    }
    return g->count > 1 && (((long long)code[i].offset - window) % 4 == 0) && g->members[((long long)code[i].offset - window) / 4] == i;
}

/** A vector of 16 words, `name`: of each four of `one` and of `other` the words `i` and `k`, one's and other's by turns, or (`pairs`) two and two. */
static void mix(struct emit *e, const char *name, const char *one, const char *other, int i, int k, bool pairs)
{
    T(e, "  %s = shufflevector <16 x i32> %s, <16 x i32> %s, <16 x i32> <", name, one, other);
    for (int four = 0; four < 16; four += 4)
        T(e, "%si32 %d, i32 %d, i32 %d, i32 %d", four ? ", " : "", four + i, pairs ? four + k : 16 + four + i, pairs ? 16 + four + i : four + k,
          16 + four + k);
    T(e, ">\n");
}

/** %GgvID_J = word `j` of each lane, of eight vectors of four lanes each, %GgcID_0 and on: in each half of a warp, 4 × 4 words turned about. */
static void put_word(struct emit *e, int id, int j)
{
    for (int half = 0; half < 2; half++) {
        char name[3][40], in[2][40];
        for (int two = 0; two < 2; two++) {
            for (int i = 0; i < 2; i++)
                snprintf(in[i], sizeof in[i], "%%Ggc%d_%d", id, 4 * half + 2 * two + i);
            snprintf(name[two], sizeof name[two], "%%Ggp%d_%d_%d_%d", id, j, half, two);
            mix(e, name[two], in[0], in[1], j / 2 * 2, j / 2 * 2 + 1, false);
        }
        snprintf(name[2], sizeof name[2], "%%Ggq%d_%d_%d", id, j, half);
        mix(e, name[2], name[0], name[1], j % 2 * 2, j % 2 * 2 + 1, true);
    }
    T(e, "  %%Ggv%d_%d = shufflevector <16 x i32> %%Ggq%d_%d_0, <16 x i32> %%Ggq%d_%d_1, <32 x i32> <", id, j, id, j, id, j);
    for (int lane = 0; lane < WARP_LANES; lane++)
        T(e, "%si32 %d", lane ? ", " : "", lane);
    T(e, ">\n");
}

/** As many bytes as a warp's 16 each, from %GnpID on. */
static void fetch_lines(struct emit *e, int id)
{
    for (int line = 0; line < WARP_LANES * WORDS * 4 / CACHE_LINE_BYTES; line++) {
        char place[32];
        snprintf(place, sizeof place, "%%Gnq%d_%d", id, line);
        T(e, "  %s = getelementptr i8, ptr %%Gnp%d, i64 %d\n", place, id, line * CACHE_LINE_BYTES);
        access_fetch(e, place, false);
    }
}

/** What lies a warp further on is fetched: the next warp will most likely read it. Each lane reads another 16 bytes of some %GndID, so the next warp's rows are
 *  fetched a part each time, line by line: as far as lane 0 is in its row, so far in those. Rows whose length is no power of two are fetched up to the next lower one. */
static void fetch_ahead(struct emit *e, int id, const char *host)
{
    T(e, "  %%Gna%d = extractelement <32 x i32> %%Ggo%d, i64 0\n  %%Gnb%d = extractelement <32 x i32> %%Ggo%d, i64 31\n", id, id, id, id);
    T(e, "  %%Gnc%d = sub i32 %%Gnb%d, %%Gna%d\n  %%Gnd%d = lshr i32 %%Gnc%d, 5\n  %%Gne%d = add i32 %%Gnd%d, 4\n  %%Gnf%d = and i32 %%Gne%d, -4\n", id, id, id, id,
      id, id, id, id, id);
    T(e, "  %%Gng%d = call i32 @llvm.umax.i32(i32 %%Gnf%d, i32 16)\n  %%Gnr%d = call i32 @llvm.ctlz.i32(i32 %%Gng%d, i1 true)\n  %%Gns%d = lshr i32 2147483647, %%Gnr%d\n", id, id, id,
      id, id, id);
    T(e, "  %%Gnh%d = and i32 %%Gna%d, %%Gns%d\n  %%Gni%d = mul i32 %%Gnh%d, 31\n", id, id, id, id, id);
    T(e, "  %%Gnj%d = shl i32 %%Gng%d, 5\n  %%Gnk%d = add i32 %%Gni%d, %%Gnj%d\n  %%Gnl%d = icmp ult i32 %%Gng%d, %d\n", id, id, id, id, id, id, id, FETCHED_AHEAD);
    T(e, "  %%Gnm%d = select i1 %%Gnl%d, i32 %%Gnk%d, i32 0\n  %%Gnn%d = add i32 %%Gnm%d, %%Gna%d\n  %%Gno%d = zext i32 %%Gnn%d to i64\n", id, id, id, id, id, id, id, id);
    T(e, "  %%Gnp%d = getelementptr i8, ptr %s, i64 %%Gno%d\n", id, host, id);
    fetch_lines(e, id);
}

/** %GgzID_LANE: each lane's 16 bytes, at %GgoID from the host's place `host` on. */
static void load_lanes(struct emit *e, int id, const char *host)
{
    char places[24];
    snprintf(places, sizeof places, "%%Ggo%d", id);
    struct value place[2];
    fetch_ahead(e, id, host);
    if (e->wide)
        access_put_down(e, places);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (e->wide)
            T(e, "  %%Ggx%d_%d = zext i32 %s to i64\n", id, lane, access_take_up(e, lane).text);
        else {
            if (lane % 2 == 0)
                access_take_two(e, places, lane, place);
            T(e, "  %%Ggx%d_%d = add i64 %s, 0\n", id, lane, place[lane % 2].text);
        }
        T(e, "  %%Ggy%d_%d = getelementptr i8, ptr %s, i64 %%Ggx%d_%d\n  %%Ggz%d_%d = load <4 x i32>, ptr %%Ggy%d_%d, align 4\n", id, lane, host,
          id, lane, id, lane, id, lane);
    }
}

/** Four lanes a vector: %GgcID_0 and on, the first of lanes 0, 4, 8 and 12, the next one of 1, 5, 9, 13, and so on, the fifth of 16, 20, 24, 28; and of
 *  these %GgvID_J, the words that somebody reads. */
static void turn_about(struct emit *e, const struct group_of_loads *g, int id)
{
    static const char both[] = "<i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>";
    for (int four = 0; four < 8; four++) {
        int first = four / 4 * 16 + four % 4;
        for (int two = 0; two < 2; two++)
            T(e, "  %%Ggw%d_%d_%d = shufflevector <4 x i32> %%Ggz%d_%d, <4 x i32> %%Ggz%d_%d, <8 x i32> %s\n", id, four, two, id,
              first + 8 * two, id, first + 8 * two + 4, both);
        T(e, "  %%Ggc%d_%d = shufflevector <8 x i32> %%Ggw%d_%d_0, <8 x i32> %%Ggw%d_%d_1, <16 x i32> <", id, four, id, four, id, four);
        for (int word = 0; word < 16; word++)
            T(e, "%si32 %d", word ? ", " : "", word);
        T(e, ">\n");
    }
    for (int j = 0; j < WORDS; j++)
        if (g->members[j] >= 0)
            put_word(e, id, j);
}

/** Each lane reads another 16 bytes of some %GnfID, so the next warp's rows are fetched a part each time. */
static void fetch_next_row(struct emit *e, int id, const char *host)
{
    T(e, "  %%Gnr%d = call i64 @llvm.ctlz.i64(i64 %%GvsZ%d, i1 true)\n  %%Gns%d = lshr i64 9223372036854775807, %%Gnr%d\n  %%Gnh%d = and i64 %%GvoZ%d, %%Gns%d\n", id, id, id,
      id, id, id, id);
    T(e, "  %%Gni%d = mul i64 %%Gnh%d, 31\n  %%Gnj%d = shl i64 %%GvsZ%d, 5\n  %%Gnk%d = add i64 %%Gni%d, %%Gnj%d\n  %%Gnl%d = icmp ult i64 %%GvsZ%d, %d\n", id, id, id, id, id, id,
      id, id, id, FETCHED_AHEAD);
    T(e, "  %%Gnm%d = select i1 %%Gnl%d, i64 %%Gnk%d, i64 0\n  %%Gnn%d = add i64 %%Gnm%d, %%GvoZ%d\n  %%Gnp%d = getelementptr i8, ptr %s, i64 %%Gnn%d\n", id, id, id, id, id, id,
      id, host, id);
    fetch_lines(e, id);
}

void access_look_at_even_group(struct emit *e, const struct group_of_loads *g, int id, const char *otherwise)
{
    const struct insn *in = e->p->f->entry + g->first;
    int at = FIELD(worker, recent) + (int)(access_recent(e, in) * sizeof(struct recent_range));
    struct value address = emit_use_as(e, in->src[0], 64), first = emit_new(e, false), second = emit_new(e, false), step = emit_new(e, false);
    struct value base = emit_load(e, "i64", "%k", at + FIELD(recent_range, base)), size = emit_load(e, "i64", "%k", at + FIELD(recent_range, bytes)),
                 host = emit_load(e, "ptr", "%k", at + FIELD(recent_range, host));
    T(e, "  %s = extractelement <32 x i64> %s, i64 0\n  %s = extractelement <32 x i64> %s, i64 1\n  %s = sub i64 %s, %s\n", first.text, address.text, second.text,
      address.text, step.text, second.text, first.text);
    /* all multiples of less than 2^32: one instruction a vector of eight */
    T(e, "  %%GvsZ%d = and i64 %s, 67108863\n", id, step.text);
    struct value little = {.text = ""}, firsts = emit_spread(e, first, 64);
    snprintf(little.text, sizeof little.text, "%%GvsZ%d", id);
    struct value steps = emit_spread(e, little, 64);
    T(e, "  %%GvaZ%d = mul <32 x i64> %s, <", id, steps.text);
    for (int lane = 0; lane < WARP_LANES; lane++)
        T(e, "%si64 %d", lane ? ", " : "", lane);
    T(e, ">\n  %%GvbZ%d = sub <32 x i64> %s, %s\n  %%GvcZ%d = icmp ne <32 x i64> %%GvbZ%d, %%GvaZ%d\n  %%GvdZ%d = bitcast <32 x i1> %%GvcZ%d to i32\n", id, address.text,
      firsts.text, id, id, id, id, id);
    T(e, "  %%GveZ%d = icmp eq i32 %%GvdZ%d, 0\n  %%GvfZ%d = icmp uge i64 %%GvsZ%d, %d\n", id, id, id, id, 1 << SECTOR_BITS);
    T(e, "  %%GvgZ%d = add i64 %s, %lld\n  %%GvoZ%d = sub i64 %%GvgZ%d, %s\n  %%GvhZ%d = mul i64 %%GvsZ%d, %d\n  %%GviZ%d = add i64 %%GvhZ%d, %d\n", id, first.text,
      g->offset, id, id, base.text, id, id, WARP_LANES - 1, id, id, 4 * WORDS);
    T(e, "  %%GvjZ%d = icmp ult i64 %%GvoZ%d, %s\n  %%GvkZ%d = sub i64 %s, %%GvoZ%d\n  %%GvlZ%d = icmp uge i64 %%GvkZ%d, %%GviZ%d\n", id, id, size.text, id, size.text, id, id,
      id, id);
    T(e, "  %%GvmZ%d = or i64 %%GvgZ%d, %%GvsZ%d\n  %%GvnZ%d = or i64 %%GvmZ%d, %s\n  %%GvpZ%d = and i64 %%GvnZ%d, 3\n  %%GvqZ%d = icmp eq i64 %%GvpZ%d, 0\n", id, id, id, id, id,
      base.text, id, id, id, id);
    T(e, "  %%GvrZ%d = and i1 %%GvfZ%d, %%GvjZ%d\n  %%GvtZ%d = and i1 %%GvlZ%d, %%GvqZ%d\n  %%GvuZ%d = and i1 %%GvrZ%d, %%GvtZ%d\n  %%GvvZ%d = and i1 %%GvuZ%d, %%GveZ%d\n", id,
      id, id, id, id, id, id, id, id, id, id, id);
    T(e, "  br i1 %%GvvZ%d, label %%GvwZ%d, label %%%s, !prof !2\nGvwZ%d:\n  %%GvlaZ%d = getelementptr i8, ptr %s, i64 0\n", id, id, otherwise, id, id, host.text);
    T(e, "  %%GvxZ%d = getelementptr i8, ptr %s, i64 %%GvoZ%d\n", id, host.text, id);
}

void access_load_even_rows(struct emit *e, int id, bool fetch)
{
    char host[24];
    snprintf(host, sizeof host, "%%GvlaZ%d", id);
    if (fetch)
        fetch_next_row(e, id, host);
    T(e, "  %%GvyZ%d_2 = shl i64 %%GvsZ%d, 1\n  %%GvyZ%d_3 = mul i64 %%GvsZ%d, 3\n  %%GvyZ%d_4 = shl i64 %%GvsZ%d, 2\n", id, id, id, id, id, id);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (lane == 0)
            T(e, "  %%Ggy%d_0 = getelementptr i8, ptr %%GvxZ%d, i64 0\n", id, id);
        else if (lane % 4 == 1)
            T(e, "  %%Ggy%d_%d = getelementptr i8, ptr %%Ggy%d_%d, i64 %%GvsZ%d\n", id, lane, id, lane - 1, id);
        else
            T(e, "  %%Ggy%d_%d = getelementptr i8, ptr %%Ggy%d_%d, i64 %%GvyZ%d_%d\n", id, lane, id, lane % 4 ? lane - lane % 4 : lane - 4, id, lane % 4 ? lane % 4 : 4);
        T(e, "  %%Ggz%d_%d = load <4 x i32>, ptr %%Ggy%d_%d, align 4\n", id, lane, id, lane);
    }
}

void access_turn_group(struct emit *e, const struct group_of_loads *g, int id)
{
    turn_about(e, g, id);
}

/** %GhbID: each lane's 16 bytes, %GgkID (64 bits) bytes behind the allocation's begin, lie up to `last` and are aligned. */
static void check_each(struct emit *e, int id, struct value last)
{
    struct value low = emit_new(e, false), fits = access_have_none(e, id, "Gho", ~2147483647ll | 3);
    T(e, "  %s = trunc i64 %s to i32\n", low.text, last.text);
    struct value lasts = emit_spread(e, low, 32);
    T(e, "  %%Ggl%d = icmp ugt <32 x i32> %%Ggo%d, %s\n  %%Gha%d = bitcast <32 x i1> %%Ggl%d to i32\n", id, id, lasts.text, id, id);
    T(e, "  %%Ggr%d = icmp eq i32 %%Gha%d, 0\n  %%Ghb%d = and i1 %%Ggr%d, %s\n", id, id, id, id, fits.text);
}

/** The same without AVX-512, by the highest of them; %GhoID: all their bits. */
static void check_all(struct emit *e, int id, struct value last)
{
    T(e, "  %%Gho%d = call i64 @llvm.vector.reduce.or.v32i64(<32 x i64> %%Ggk%d)\n", id, id);
    T(e, "  %%Gkm%d = call i32 @llvm.vector.reduce.umax.v32i32(<32 x i32> %%Ggo%d)\n  %%Gkn%d = zext i32 %%Gkm%d to i64\n", id, id, id, id);
    T(e, "  %%Gka%d = icmp ule i64 %%Gkn%d, %s\n  %%Gkb%d = icmp ult i64 %%Gho%d, 2147483648\n  %%Gkc%d = and i64 %%Gho%d, 3\n", id, id, last.text, id, id, id,
      id);
    T(e, "  %%Gkd%d = icmp eq i64 %%Gkc%d, 0\n  %%Gke%d = and i1 %%Gka%d, %%Gkb%d\n  %%Ghb%d = and i1 %%Gke%d, %%Gkd%d\n", id, id, id, id, id, id, id, id);
}

/** Where the first load of a group stands: %GgfID whether all has been loaded, %GguID_J the words, %GgsID the lanes' places behind
 *  the beginning of some sector. */
static void load_group(struct emit *e, const struct group_of_loads *g)
{
    const struct insn *in = e->p->f->entry + g->first;
    int id = g->first, at = FIELD(worker, recent) + (int)(access_recent(e, in) * sizeof(struct recent_range));
    struct value address = emit_use_as(e, in->src[0], 64), m = emit_active(e, in);
    char places[24];
    T(e, "  %%Ggm%d = icmp eq i32 %s, -1\n  br i1 %%Ggm%d, label %%Gga%d, label %%Gg%c%d\nGga%d:\n", id, m.text, id, id, e->wide ? 'b' : 'n', id, id);
    T(e, "  %%Ggi%d_0 = extractelement <32 x i64> %s, i64 0\n  %%Ggi%d_1 = extractelement <32 x i64> %s, i64 1\n", id, address.text, id,
      address.text);
    T(e, "  %%Ggd%d = sub i64 %%Ggi%d_1, %%Ggi%d_0\n  %%Ggj%d = icmp ugt i64 %%Ggd%d, 4\n  br i1 %%Ggj%d, label %%Ggb%d, label %%Ggn%d\nGgb%d:\n", id,
      id, id, id, id, id, id, id, id);
    struct value base = emit_load(e, "i64", "%k", at + FIELD(recent_range, base)), size = emit_load(e, "i64", "%k", at + FIELD(recent_range, bytes)),
                 host = emit_load(e, "ptr", "%k", at + FIELD(recent_range, host));
    struct value from = emit_new(e, false), last = emit_new(e, false);
    T(e, "  %s = sub i64 %s, %lld\n  %s = sub i64 %s, %d\n", from.text, base.text, g->offset, last.text, size.text, 4 * WORDS);
    struct value froms = emit_spread(e, from, 64);
    T(e, "  %%Gg%c%d = sub <32 x i64> %s, %s\n", e->wide ? 'z' : 'k', id, address.text, froms.text);
    if (e->wide) /* lanes that do not run load what the allocation begins with */
        T(e, "  %%Ggk%d = select <32 x i1> %s, <32 x i64> %%Ggz%d, <32 x i64> zeroinitializer\n", id, emit_mask(e, m.text).text, id);
    if (e->wide)
        access_low_words(e, id, "Ggk", "Ggo", "Gho");
    else
        T(e, "  %%Ggo%d = trunc <32 x i64> %%Ggk%d to <32 x i32>\n", id, id);
    (e->wide ? check_each : check_all)(e, id, last);
    T(e, "  %%Ghc%d = icmp ult i64 %s, 2147483647\n", id, last.text);
    T(e, "  %%Ghd%d = and i64 %s, 3\n  %%Ghe%d = icmp eq i64 %%Ghd%d, 0\n  %%Ghf%d = and i1 %%Ghb%d, %%Ghc%d\n  %%Ghg%d = and i1 %%Ghf%d, %%Ghe%d\n", id,
      base.text, id, id, id, id, id, id, id, id);
    T(e, "  br i1 %%Ghg%d, label %%Gh%c%d, label %%Ggn%d\n", id, e->wide ? 'p' : 'i', id, id);
    if (e->wide) {
        T(e, "Ghp%d:\n  br i1 %%Ggm%d, label %%Ghi%d, label %%Ghq%d\nGhq%d:\n", id, id, id, id, id);
        snprintf(places, sizeof places, "%%Ggo%d", id);
        T(e, "  br i1 %s, label %%Ghi%d, label %%Ggn%d\n", access_lie_apart(e, places, m, 4).text, id, id);
    }
    T(e, "Ghi%d:\n", id);
    struct value low = emit_new(e, false);
    T(e, "  %%Ghj%d = ptrtoint ptr %s to i64\n  %%Ghk%d = trunc i64 %%Ghj%d to i32\n  %s = and i32 %%Ghk%d, %d\n", id, host.text, id, id, low.text,
      id, (1 << SECTOR_BITS) - 1);
    struct value lows = emit_spread(e, low, 32);
    T(e, "  %%Ghl%d = add <32 x i32> %%Ggo%d, %s\n", id, id, lows.text);
    /* words of 16 aligned bytes lie in one sector */
    snprintf(places, sizeof places, "%%Ghl%d", id);
    if (e->wide) {
        struct value aligned = access_have_none(e, id, "Gho", 15);
        T(e, "  %%Gkg%d = and i32 %s, 15\n  %%Gkh%d = icmp eq i32 %%Gkg%d, 0\n  %%Gki%d = and i1 %s, %%Gkh%d\n", id, low.text, id, id, id, aligned.text, id);
    } else
        T(e, "  %%Gkf%d = trunc i64 %%Gho%d to i32\n  %%Gkg%d = or i32 %%Gkf%d, %s\n  %%Gkh%d = and i32 %%Gkg%d, 15\n  %%Gki%d = icmp eq i32 %%Gkh%d, 0\n", id,
          id, id, id, low.text, id, id, id, id);
    T(e, "  %%Gkj%d = add i64 %s, 0\n  br label %%Ghx%d\nGhx%d:\n", id, (e->wide ? access_running_sectors(e, places, m) : access_sectors(e, places)).text, id, id);
    load_lanes(e, id, host.text);
    turn_about(e, g, id);
    T(e, "  br label %%Ghm%d\nGgn%d:\n  br label %%Ghm%d\nGhm%d:\n", id, id, id, id);
    T(e, "  %%Ggw%d = phi i1 [ %%Gki%d, %%Ghx%d ], [ false, %%Ggn%d ]\n  %%Ggx%d = phi i64 [ %%Gkj%d, %%Ghx%d ], [ 0, %%Ggn%d ]\n", id, id, id, id, id, id, id, id);
    T(e, "  %%Ggf%d = phi i1 [ true, %%Ghx%d ], [ false, %%Ggn%d ]\n  %%Ggs%d = phi <32 x i32> [ %%Ghl%d, %%Ghx%d ], [ poison, %%Ggn%d ]\n", id, id, id, id,
      id, id, id);
    for (int j = 0; j < WORDS; j++)
        if (g->members[j] >= 0)
            T(e, "  %%Ggu%d_%d = phi <32 x i32> [ %%Ggv%d_%d, %%Ghx%d ], [ poison, %%Ggn%d ]\n", id, j, id, j, id, id);
}

void emit_global(struct emit *e, const struct insn *in)
{
    struct group_of_loads g;
    int i = emit_index(e, in), word = 0;
    if (!access_group(e, i, &g)) {
        emit_global_alone(e, in);
        return;
    }
    if (g.first == i)
        load_group(e, &g);
    while (g.members[word] != i)
        word++;
    T(e, "  br i1 %%Ggf%d, label %%Gia%d, label %%Gib%d, !prof !0\nGia%d:\n", g.first, i, i, i);
    struct access a = {.load = true, .counted = true};
    struct value places = emit_new(e, true), v = {.vector = true};
    char sectors[24];
    snprintf(sectors, sizeof sectors, "%%Ggx%d", g.first);
    T(e, "  br i1 %%Ggw%d, label %%Gic%d, label %%Gid%d, !prof !0\nGic%d:\n", g.first, i, i, i);
    access_count_traffic(e, &a, sectors);
    T(e, "  br label %%Gif%d\nGid%d:\n  %s = add <32 x i32> %%Ggs%d, splat (i32 %d)\n", i, i, places.text, g.first, 4 * word);
    if (e->wide)
        access_count_traffic(e, &a, access_running_sectors(e, places.text, emit_active(e, in)).text);
    else
        access_count_sectors(e, &a, places.text);
    T(e, "  br label %%Gif%d\nGif%d:\n", i, i);
    snprintf(v.text, sizeof v.text, "%%Ggu%d_%d", g.first, word);
    emit_define(e, in, in->dst, v);
    T(e, "  br label %%Gie%d\nGib%d:\n", i, i);
    emit_global_alone(e, in);
    T(e, "  br label %%Gie%d\nGie%d:\n", i, i);
}
