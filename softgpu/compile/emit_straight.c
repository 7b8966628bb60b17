/**
 * @file emit_straight.c
 * Blocks in which lanes read words of rows of their own, and elements by what they have read: `value[k] * x[column[k]]`, a loop that has been unrolled. Where all
 * lanes run, all its loads are looked at first; if each is usual the block follows without a question in between, and its traffic is counted once.
 * Else it is written as ever, and nothing of it has been done: loads of rows change nothing. With AVX-512; with AVX2 only sums lane by lane (emit_sums.c).
 */
#include "compile/emit_straight.h"

#include "execute/traffic.h"
#include "execute/worker.h"

/** Does the register hold before instruction `i` what it held where the block began? */
static bool is_kept(const struct emit *e, const struct straight *s, int i, uint32_t reg)
{
    for (int at = s->first; at < i && !(reg & CONST_BIT); at++)
        if (insn_writes(e->p->f->entry + at, reg))
            return false;
    return true;
}

bool straight_find_word(const struct straight *s, int i, int *group, int *word)
{
    for (*group = 0; *group < s->group_count; ++*group)
        for (*word = 0; *word < GROUP_WORDS; ++*word)
            if (s->groups[*group].members[*word] == i)
                return true;
    return false;
}

int straight_loaded_by(const struct emit *e, const struct straight *s, int i, uint32_t reg)
{
    for (int at = i - 1; at >= s->first; at--)
        if (insn_writes(e->p->f->entry + at, reg))
            return at;
    return -1;
}

static bool add_load(const struct emit *e, struct straight *s, int i)
{
    const struct insn *in = e->p->f->entry + i;
    struct group_of_loads g;
    struct element *x = &s->elements[s->element_count];
    int group, word;
    if (insn_class(in) != INSN_LOAD || in->guard != REG_NONE)
        return false;
    if (straight_find_word(s, i, &group, &word))
        return true;
    if (access_group(e, i, &g)) {
        if (s->group_count == MOST_GROUPS || !is_kept(e, s, g.first, in->src[0]))
            return false;
        s->groups[s->group_count++] = g;
        return true;
    }
    if (s->element_count == MOST_LOADS || !access_find_indexed(e, in, &x->text) || !is_kept(e, s, x->text.sum, x->text.base) ||
        !straight_find_word(s, straight_loaded_by(e, s, x->text.product, x->text.index), &x->group, &x->word))
        return false;
    x->at = i;
    s->element_count++;
    return true;
}

static bool find(const struct emit *e, struct straight *s)
{
    const struct plan *p = e->p;
    *s = (struct straight){.first = p->blocks->first[e->block], .last = p->blocks->first[e->block + 1] - 1, .turns = 1, .text = 1};
    if ((!e->wide && !e->adds_by_lanes) || p->way[s->last] != WAY_BRANCH)
        return false;
    for (int i = s->first; i < s->last; i++) {
        if (p->entry[i + 1])
            return false;
        switch ((enum plan_way)p->way[i]) {
        case WAY_ROW: case WAY_LOGIC: case WAY_PARAM: case WAY_SPECIAL: case WAY_NOTHING: break;
        case WAY_GLOBAL:
            if (!add_load(e, s, i))
                return false;
            break;
        default:
            if (!access_may_be_quiet(e, i) || !add_load(e, s, i))
                return false;
        }
    }
    s->by_lanes = s->element_count > 0 && e->adds_by_lanes && lanes_find(e, s);
    return s->element_count > 0 && (e->wide || s->by_lanes);
}

void straight_find_range(struct emit *e, struct element *x, int id, int *range)
{
    const struct insn *in = e->p->f->entry + x->at;
    struct indexed look = {.shift = x->text.shift, .is_signed = x->text.is_signed};
    struct value same, begin;
    x->access = (struct access){.in = in, .id = e->next++, .bytes = in->mem.bytes, .bits = in->mem.bytes * 8u, .count = 1, .load = true, .counted = true,
                                .offset = in->offset, .active.text = "-1"};
    e->at = x->text.sum;
    look.base = emit_use_as(e, x->text.base, 64);
    look.base_web = x->text.base & CONST_BIT ? -1 : plan_web(e->p, e->at, x->text.base, false);
    int n = access_range_number(e, &x->access, &look), xid = x->access.id;
    if (n != *range || n == KNOWN_RANGES - 1) {
        begin = access_one_base(e, look.base, &same);
        access_know_range(e, &x->access, &look, n, begin, same);
        T(e, "  br label %%Exqa%d\nExz%d:\n  br label %%Zf%d\nExqa%d:\n", xid, xid, id, xid);
        *range = n;
    }
    x->first = emit_new(e, false), x->most = emit_new(e, false);
    T(e, "  %s = load i32, ptr %%Kf%d\n  %s = load i32, ptr %%Ko%d\n  %%Exh%d = load ptr, ptr %%Kg%d\n", x->first.text, n, x->most.text, n, xid, n);
}

/** %ExuID: which element each lane reads. @return for which of them (a vector of truths) it lies within bounds */
static struct value examine(struct emit *e, const struct straight *s, const struct element *x)
{
    int id = x->access.id;
    struct value firsts = emit_spread(e, x->first, 32), mosts = emit_spread(e, x->most, 32), within = emit_new(e, true);
    T(e, "  %%Exu%d = sub <32 x i32> %%Ggv%d_%d, %s\n  %s = icmp ule <32 x i32> %%Exu%d, %s\n", id, straight_group_id(e, s, x->group, 0), x->word, firsts.text,
      within.text, id, mosts.text);
    return within;
}

/** Where the first two lanes' first indices read one word, or one word after another, loading rows is sooner: to label ZfID, as where they lie in another allocation than the last. */
static void split_by_neighbours(struct emit *e, const struct straight *s, int id)
{
    const struct element *x = &s->elements[0];
    const struct group_of_loads *g = &s->groups[x->group];
    const struct insn *in = e->p->f->entry + g->first;
    unsigned rows = e->p->f->entry[x->at].mem.bytes == 1u << x->text.shift ? 1 : 0;
    int at = FIELD(worker, recent) + (int)(access_recent(e, in) * sizeof(struct recent_range));
    e->at = g->first;
    struct value address = emit_use_as(e, in->src[0], 64), base = emit_load(e, "i64", "%k", at + FIELD(recent_range, base)),
                 size = emit_load(e, "i64", "%k", at + FIELD(recent_range, bytes)), host = emit_load(e, "ptr", "%k", at + FIELD(recent_range, host));
    T(e, "  %%Zga%d = sub i64 %lld, %s\n  %%Zgb%d = sub i64 %s, 4\n  %%Zgc%d_0 = icmp uge i64 %s, 4\n", id, g->offset + 4 * x->word, base.text, id, size.text, id, size.text);
    for (int lane = 0; lane < 2; lane++)
        T(e, "  %%Zgd%d_%d = extractelement <32 x i64> %s, i64 %d\n  %%Zge%d_%d = add i64 %%Zgd%d_%d, %%Zga%d\n  %%Zgf%d_%d = icmp ule i64 %%Zge%d_%d, %%Zgb%d\n"
             "  %%Zgc%d_%d = and i1 %%Zgc%d_%d, %%Zgf%d_%d\n", id, lane, address.text, lane, id, lane, id, lane, id, id, lane, id, lane, id, id, lane + 1, id, lane, id, lane);
    T(e, "  br i1 %%Zgc%d_2, label %%Zgn%d, label %%Zf%d, !prof !0\nZgn%d:\n", id, id, id, id);
    for (int lane = 0; lane < 2; lane++)
        T(e, "  %%Zgh%d_%d = getelementptr i8, ptr %s, i64 %%Zge%d_%d\n  %%Zgi%d_%d = load i32, ptr %%Zgh%d_%d, align 1\n", id, lane, host.text, id, lane, id, lane, id, lane);
    T(e, "  %%Zic%d = sub i32 %%Zgi%d_1, %%Zgi%d_0\n  %%Zid%d = and i32 %%Zic%d, %d\n  %%Zie%d = icmp eq i32 %%Zid%d, 0\n", id, id, id, id, id, (int)~rows, id, id);
    T(e, "  br i1 %%Zie%d, label %%Zf%d, label %%Zig%d, !prof !1\nZig%d:\n", id, id, id, id);
}

static struct value sum_of(struct emit *e, struct value one, struct value other)
{
    struct value sum = emit_new(e, false);
    T(e, "  %s = add i64 %s, %s\n", sum.text, one.text, other.text);
    return sum;
}

/** With what the processor gathers: those that lie within bounds, before it is known whether all do. */
static void gather(struct emit *e, struct element *x, struct value within)
{
    const struct access *a = &x->access;
    struct value ptrs = emit_new(e, true);
    const char *type = emit_type(a->bits, true);
    x->loaded = emit_new(e, true);
    T(e, "  %s = getelementptr [%u x i8], ptr %%Exh%d, <32 x i32> %%Exu%d\n", ptrs.text, 1u << x->text.shift, a->id, a->id);
    T(e, "  %s = call %s @llvm.masked.gather.v32i%u.v32p0(<32 x ptr> %s, i32 %u, <32 x i1> %s, %s zeroinitializer)\n", x->loaded.text, type, a->bits, ptrs.text, a->bytes,
      within.text, type);
}

/** Everything is looked at, up to here, or at label ZfID (rows that do not lie evenly: ZuID): addresses first, for what has been loaded before a branch is put aside. What is gathered stands between the
 *  groups, or the processor would do nothing else meanwhile. */
static void look(struct emit *e, struct straight *s, int id)
{
    int range = -1;
    struct value good = {.text = ""};
    char otherwise[24];
    snprintf(otherwise, sizeof otherwise, "Zu%d", id);
    split_by_neighbours(e, s, id);
    for (int g = 0; g < s->group_count; g++) {
        e->at = s->groups[g].first;
        access_look_at_even_group(e, &s->groups[g], straight_group_id(e, s, g, 0), otherwise);
    }
    for (struct element *x = s->elements; x < s->elements + s->element_count; x++)
        straight_find_range(e, x, id, &range);
    if (s->by_lanes && turns_find(e, s))
        turns_emit(e, s, id);
    for (int g = 0; g < s->group_count; g++) {
        access_load_even_rows(e, straight_group_id(e, s, g, 0), true);
        access_turn_group(e, &s->groups[g], straight_group_id(e, s, g, 0));
        for (struct element *x = s->elements; x < s->elements + s->element_count; x++) {
            if (x->group != g || s->by_lanes)
                continue;
            struct value within = examine(e, s, x), both = emit_new(e, true);
            if (e->gathers)
                gather(e, x, within);
            if (good.text[0])
                T(e, "  %s = and <32 x i1> %s, %s\n", both.text, good.text, within.text);
            good = good.text[0] ? both : within;
        }
    }
    if (s->by_lanes) {
        s->id = e->next++;
        good = lanes_ask(e, s);
    }
    T(e, "  %%Zha%d = bitcast <32 x i1> %s to i32\n  %%Zhb%d = icmp eq i32 %%Zha%d, -1\n", id, good.text, id, id);
    T(e, "  br i1 %%Zhb%d, label %%Zt%d, label %%Zf%d, !prof !0\nZt%d:\n", id, id, id, id);
}

/** How many sectors an element's load touches. */
static struct value sectors_of(struct emit *e, const struct element *x)
{
    int id = x->access.id;
    unsigned shift = x->text.shift;
    struct value place = emit_new(e, false), before = emit_new(e, false), number = emit_new(e, false), units = emit_new(e, true);
    if (shift > SECTOR_BITS || (1u << shift) != x->access.bytes)
        return access_sectors(e, access_element_places(e, &x->access, shift).text);
    /* (4u + low) / 32 is (u + low / 4) / 8, rounded down each time: one instruction less */
    T(e, "  %s = ptrtoint ptr %%Exh%d to i64\n  %s = trunc i64 %s to i32\n", place.text, id, before.text, place.text);
    T(e, "  %%Exla%d = and i32 %s, %d\n  %s = lshr i32 %%Exla%d, %u\n", id, before.text, (1 << SECTOR_BITS) - 1, number.text, id, shift);
    struct value numbers = emit_spread(e, number, 32);
    T(e, "  %s = add <32 x i32> %%Exu%d, %s\n", units.text, id, numbers.text);
    return access_sectors_of(e, units.text, SECTOR_BITS - shift);
}

/** Nobody need be told of so many loads as there are in the turns that may be made at once: goes on, else to label ZfID. */
static void ask_untold(struct emit *e, const struct straight *s, int id)
{
    int loads = s->element_count;
    for (int g = 0; g < s->group_count; g++)
        loads += s->groups[g].count;
    struct value untold = emit_load(e, "ptr", "%k", FIELD(worker, untold)), left = emit_new(e, false);
    T(e, "  %%Zqa%d = icmp eq ptr %s, null\n  br i1 %%Zqa%d, label %%Zf%d, label %%Zqb%d\nZqb%d:\n  %s = load i64, ptr %s\n", id, untold.text, id, id, id, id, left.text,
      untold.text);
    T(e, "  %%Zqc%d = icmp ult i64 %s, %d\n  br i1 %%Zqc%d, label %%Zf%d, label %%Zqd%d, !prof !1\nZqd%d:\n", id, left.text, STRAIGHT_TURNS * loads, id, id, id, id);
}

/** `loads` of the whole warp were quiet. */
static void count_untold(struct emit *e, const struct straight *s, int loads)
{
    const struct insn *code = e->p->f->entry;
    int last = s->last - 1;
    long long bytes = 4ll * WARP_LANES * loads;
    for (int i = 0; i < s->element_count; i++)
        bytes += ((long long)code[s->elements[i].at].mem.bytes - 4) * WARP_LANES * s->turns;
    char number[24];
    snprintf(number, sizeof number, "%lld", bytes);
    emit_add(e, number, "%k", FIELD(worker, read_bytes));
    snprintf(number, sizeof number, "%d", -loads);
    emit_add(e, number, emit_load(e, "ptr", "%k", FIELD(worker, untold)).text, 0);
    while (!access_may_be_quiet(e, last))
        last--;
    emit_note_access(e, code + last);
}

void straight_count(struct emit *e, const struct straight *s)
{
    int words = 0;
    char number[24];
    struct value moved = emit_new(e, false), sectors = {.text = ""};
    for (int g = 0; g < s->group_count; g++)
        words += s->turns * s->groups[g].count;
    snprintf(sectors.text, sizeof sectors.text, "%d", words * WARP_LANES);
    if (s->by_lanes)
        sectors = sum_of(e, sectors, lanes_sectors(e, s));
    for (const struct element *x = s->elements; x < s->elements + s->element_count && !s->by_lanes; x++)
        sectors = sum_of(e, sectors, sectors_of(e, x));
    snprintf(number, sizeof number, "%d", words + s->turns * s->element_count);
    emit_add(e, number, "%k", FIELD(worker, loads));
    T(e, "  %s = shl i64 %s, %d\n", moved.text, sectors.text, SECTOR_BITS);
    emit_add(e, moved.text, "%k", FIELD(worker, moved));
    if (e->p->f->image->checked)
        count_untold(e, s, words + s->turns * s->element_count);
}

void straight_rest(struct emit *e, const struct straight *s)
{
    const struct insn *code = e->p->f->entry;
    int group, word, next = 0;
    for (int i = s->first; i < s->last; i++) {
        e->at = i;
        if (straight_find_word(s, i, &group, &word)) {
            struct value v = {.vector = true};
            snprintf(v.text, sizeof v.text, "%%Ggv%d_%d", straight_group_id(e, s, group, s->turns - 1), word);
            emit_define(e, code + i, code[i].dst, v);
        } else if (s->by_lanes && s->turns == 1 && i == s->sums[s->element_count - 1])
            lanes_add(e, s);
        else if (s->by_lanes && lanes_does(s, i))
            continue;
        else if (next < s->element_count && s->elements[next].at == i) {
            if (e->gathers)
                emit_define(e, code + i, code[i].dst, s->elements[next].loaded);
            else
                access_load_elements(e, &s->elements[next].access, s->elements[next].text.shift);
            next++;
        } else
            emit_insn(e, code + i);
    }
}

int emit_straight(struct emit *e)
{
    struct straight s;
    const struct insn *code = e->p->f->entry;
    if (!find(e, &s))
        return e->p->blocks->first[e->block];
    int id = e->next++;
    T(e, "  %%Zm%d = load i32, ptr %%m\n  %%Zn%d = icmp eq i32 %%Zm%d, -1\n  br i1 %%Zn%d, label %%Zs%d, label %%Zu%d, !prof !2\nZs%d:\n  store i32 -1, ptr %%m\n", id, id, id, id, id, id, id);
    if (e->p->f->image->checked)
        ask_untold(e, &s, id);
    look(e, &s, id);
    straight_count(e, &s);
    straight_rest(e, &s);
    T(e, "  br label %%Ze%d\nZu%d:\n", id, id);
    emit_forget_raw(e);
    if (!e->p->f->image->checked && uneven_find(e, &s))
        uneven_emit(e, &s, id);
    T(e, "  br label %%Zf%d\nZf%d:\n", id, id);
    emit_forget_raw(e);
    for (int i = s.first; i < s.last; i++)
        emit_insn(e, code + i);
    T(e, "  br label %%Ze%d\nZe%d:\n", id, id);
    emit_forget_raw(e);
    return s.last;
}
