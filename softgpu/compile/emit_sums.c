/**
 * @file emit_sums.c
 * Sums of products `s += value[k] * x[column[k]]` in a block as emit_straight.c finds it: one lane's elements after another's. The processor loads an element for itself
 * sooner than it gathers, rows need not be turned about, and lanes' sums do not wait for one another. The sum is a variable in memory then: a lane's is a word of it.
 * Indices are held against the bounds, and their sectors counted, four lanes a vector, as their rows lie. Each lane adds in the text's order.
 */
#include "compile/emit_straight.h"

#include "execute/traffic.h"

#define FOURS (WARP_LANES / 4) /* vectors of four lanes' rows */
#define MOST_A_ROUND 4

/** So many lanes add by turns: with AVX-512, whose 32 vector registers hold their indices and sums, more at once keep the processor busier. */
static int lanes_a_round(const struct emit *e)
{
    return e->wide ? MOST_A_ROUND : 2;
}

/** Is what instruction `at` leaves in `reg` read by instruction `user` alone? */
static bool has_one_reader(const struct emit *e, const struct straight *s, int at, int user)
{
    const struct insn *code = e->p->f->entry;
    uint32_t reg = code[at].dst;
    for (int i = at + 1; i <= s->last; i++) {
        if (i != user && insn_reads(code + i, reg))
            return false;
        if (insn_writes(code + i, reg))
            return true;
    }
    return !plan_bit(e->p->live_out + (size_t)e->block * e->p->slot_words, plan_slot(reg));
}

/** Which element's load has left that register as `i` finds it? -1: none has. */
static int element_in(const struct emit *e, const struct straight *s, int i, uint32_t reg)
{
    int at = straight_loaded_by(e, s, i, reg);
    for (int n = 0; n < s->element_count; n++)
        if (s->elements[n].at == at)
            return n;
    return -1;
}

/** Instruction `i` adds an element times a word to what the one before it has left, or to the sum. */
static bool add_sum(const struct emit *e, struct straight *s, int i, int count)
{
    const struct insn *in = e->p->f->entry + i;
    if (in->guard != REG_NONE || e->p->way[i] != WAY_ROW || count == s->element_count || (in->src[2] & CONST_BIT))
        return false;
    for (int one = 0; one < 2; one++) {
        int x = element_in(e, s, i, in->src[one]), word = straight_loaded_by(e, s, i, in->src[1 - one]);
        if (x < 0 || word < 0 || !straight_find_word(s, word, &s->factor_group[count], &s->factor_word[count]))
            continue;
        s->sums[count] = i;
        s->added[count] = x;
        return has_one_reader(e, s, s->elements[x].at, i) &&
               (count == 0 || (straight_loaded_by(e, s, i, in->src[2]) == s->sums[count - 1] && has_one_reader(e, s, s->sums[count - 1], i)));
    }
    return false;
}

/** All elements are words of one array, and the indices of a group are all of its words. */
static bool are_alike(const struct emit *e, const struct straight *s)
{
    const struct insn *code = e->p->f->entry;
    const struct element *first = s->elements;
    unsigned words[MOST_GROUPS] = {0};
    for (const struct element *x = first; x < first + s->element_count; x++) {
        const struct insn *in = code + x->at;
        if (in->mem.bytes != 4 || x->text.shift != 2 || x->text.base != first->text.base || x->text.is_signed != first->text.is_signed ||
            in->offset != code[first->at].offset || (words[x->group] & 1u << x->word))
            return false;
        words[x->group] |= 1u << x->word;
    }
    for (int g = 0; g < s->group_count; g++)
        if (words[g] && words[g] != (1u << GROUP_WORDS) - 1)
            return false;
    return true;
}

bool lanes_find(const struct emit *e, struct straight *s)
{
    const struct plan *p = e->p;
    const struct insn *code = p->f->entry;
    int count = 0;
    if (!are_alike(e, s))
        return false;
    for (int i = s->first; i < s->last; i++)
        if ((insn_row(code + i) == ROW_fma_f32 || insn_row(code + i) == ROW_mad_f32) && add_sum(e, s, i, count))
            count++;
    if (count != s->element_count)
        return false;
    int begin = s->sums[0], end = s->sums[count - 1];
    uint32_t sum = code[begin].src[2];
    for (int i = begin; i < end; i++)
        if (insn_writes(code + i, sum) && !lanes_does(s, i))
            return false;
    s->web = plan_web(p, begin, sum, false);
    return s->web == plan_web(p, end, code[end].dst, true) && p->varying[s->web] && !p->in_memory[p->slot_of_web[s->web]];
}

bool lanes_does(const struct straight *s, int i)
{
    for (int n = 0; n < s->element_count; n++)
        if (s->sums[n] == i || s->elements[n].at == i)
            return true;
    return false;
}

/** %NAME, of 16 words: the number `v`. */
static void spread(struct emit *e, const char *name, int id, struct value v)
{
    T(e, "  %%%so%d = insertelement <16 x i32> poison, i32 %s, i64 0\n  %%%s%d = shufflevector <16 x i32> %%%so%d, <16 x i32> poison, <16 x i32> zeroinitializer\n", name, id,
      v.text, name, id, name, id);
}

static bool has_indices(const struct straight *s, int g)
{
    for (int n = 0; n < s->element_count; n++)
        if (s->elements[n].group == g)
            return true;
    return false;
}

static void spread_bounds(struct emit *e, const struct straight *s)
{
    spread(e, "Yf", s->id, s->elements[0].first);
    spread(e, "Ym", s->id, s->elements[0].most);
}

struct value lanes_ask(struct emit *e, const struct straight *s)
{
    int id = s->id, worst = 0;
    spread_bounds(e, s);
    T(e, "  %%Yw%d_0 = add <16 x i32> zeroinitializer, zeroinitializer\n", id);
    for (int g = 0; g < s->group_count; g++) {
        int from = straight_group_id(e, s, g, 0);
        for (int four = 0; four < FOURS && has_indices(s, g); four++, worst++) {
            for (int two = 0; two < 2; two++)
                T(e, "  %%Yr%d_%d_%d = shufflevector <4 x i32> %%Ggz%d_%d, <4 x i32> %%Ggz%d_%d, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>\n", from, four,
                  two, from, 4 * four + 2 * two, from, 4 * four + 2 * two + 1);
            T(e, "  %%Yc%d_%d = shufflevector <8 x i32> %%Yr%d_%d_0, <8 x i32> %%Yr%d_%d_1, <16 x i32> <", from, four, from, four, from, four);
            for (int word = 0; word < 16; word++)
                T(e, "%si32 %d", word ? ", " : "", word);
            T(e, ">\n  %%Yu%d_%d = sub <16 x i32> %%Yc%d_%d, %%Yf%d\n", from, four, from, four, id);
            T(e, "  %%Yw%d_%d = call <16 x i32> @llvm.umax.v16i32(<16 x i32> %%Yw%d_%d, <16 x i32> %%Yu%d_%d)\n", id, worst + 1, id, worst, from, four);
        }
    }
    struct value good = emit_new(e, true);
    T(e, "  %%Yg%d = icmp ule <16 x i32> %%Yw%d_%d, %%Ym%d\n  %s = shufflevector <16 x i1> %%Yg%d, <16 x i1> %%Yg%d, <32 x i32> <", id, id, worst, id, good.text, id, id);
    for (int word = 0; word < 32; word++)
        T(e, "%si32 %d", word ? ", " : "", word);
    T(e, ">\n");
    return good;
}

/** %YtG_FOUR: which words lie in another sector than the same word of the lane before. Of lane 0 none does. */
static void compare_sectors(struct emit *e, int from, int four, int id)
{
    T(e, "  %%Ya%d_%d = add <16 x i32> %%Yu%d_%d, %%Yn%d\n  %%Yq%d_%d = lshr <16 x i32> %%Ya%d_%d, splat (i32 %d)\n", from, four, from, four, id, from, four, from, four,
      SECTOR_BITS - 2);
    T(e, "  %%Yb%d_%d = shufflevector <16 x i32> %%Yq%d_%d, <16 x i32> %%Yq%d_%d, <16 x i32> <", from, four, from, four ? four - 1 : 0, from, four);
    for (int word = 0; word < 16; word++)
        T(e, "%si32 %d", word ? ", " : "", word >= GROUP_WORDS ? 16 + word - GROUP_WORDS : four ? 16 - GROUP_WORDS + word : word);
    T(e, ">\n  %%Yt%d_%d = icmp ne <16 x i32> %%Yq%d_%d, %%Yb%d_%d\n", from, four, from, four, from, four);
}

/** %YnID: how many words behind a sector's begin element 0 lies. */
static void spread_numbers(struct emit *e, const struct straight *s)
{
    int id = s->id, place = s->elements[0].access.id;
    struct value number = emit_new(e, false);
    T(e, "  %%Yla%d = ptrtoint ptr %%Exh%d to i64\n  %%Ylb%d = trunc i64 %%Yla%d to i32\n  %%Ylc%d = and i32 %%Ylb%d, %d\n  %s = lshr i32 %%Ylc%d, 2\n", id, place, id, id, id, id,
      (1 << SECTOR_BITS) - 1, number.text, id);
    spread(e, "Yn", id, number);
}

struct value lanes_sectors(struct emit *e, const struct straight *s)
{
    int id = s->id;
    struct value sum = {.text = "0"};
    if (s->turns > 1) {
        snprintf(sum.text, sizeof sum.text, "%%Yz%d_%d", id, lanes_a_round(e));
        return sum;
    }
    spread_numbers(e, s);
    for (int g = 0; g < s->group_count; g++) {
        int from = straight_group_id(e, s, g, 0);
        for (int four = 0; four < FOURS && has_indices(s, g); four++) {
            struct value next = emit_new(e, false);
            compare_sectors(e, from, four, id);
            if (four % 2 == 0)
                continue;
            T(e, "  %%Yd%d_%d = shufflevector <16 x i1> %%Yt%d_%d, <16 x i1> %%Yt%d_%d, <32 x i32> <", from, four, from, four - 1, from, four);
            for (int word = 0; word < 32; word++)
                T(e, "%si32 %d", word ? ", " : "", word);
            T(e, ">\n  %%Ye%d_%d = bitcast <32 x i1> %%Yd%d_%d to i32\n  %%Yp%d_%d = call i32 @llvm.ctpop.i32(i32 %%Ye%d_%d)\n", from, four, from, four, from, four, from, four);
            T(e, "  %s = add i32 %s, %%Yp%d_%d\n", next.text, sum.text, from, four);
            sum = next;
        }
    }
    struct value all = emit_new(e, false), wide = emit_new(e, false);
    T(e, "  %s = add i32 %s, %d\n  %s = zext i32 %s to i64\n", all.text, sum.text, s->element_count, wide.text, all.text);
    return wide;
}

/** Word `word` of group `g` in such a turn, of the lane in the round; a name. */
static struct value load_word(struct emit *e, const struct straight *s, int g, int word, int turn, int lane, const char *type)
{
    struct value at = emit_new(e, false), v = emit_new(e, false);
    T(e, "  %s = getelementptr i8, ptr %%Ygp%d_%d_%d, i64 %d\n  %s = load %s, ptr %s, align 4\n", at.text, s->id, g, lane, turn * s->step[g] + 4 * word, v.text, type, at.text);
    return v;
}

/** The indices of each lane of a round, those of all turns, lie within bounds, or it is on to label YjID; %YzID_N: sectors up to the lane, %YqqID_N the last lane's. */
static void ask_lanes(struct emit *e, const struct straight *s)
{
    int id = s->id, g = s->elements[0].group;
    const char *once = e->wide ? " volatile" : ""; /* or LLVM takes each index out of the vector, two operations where another load is one */
    for (int lane = 0; lane < lanes_a_round(e); lane++) {
        T(e, "  %%Yzc%d_%d = load%s <16 x i32>, ptr %%Ygp%d_%d_%d, align 4\n  %%Yzu%d_%d = sub <16 x i32> %%Yzc%d_%d, %%Yf%d\n", id, lane, once, id, g, lane, id, lane, id, lane, id);
        T(e, "  %%Yzq%d_%d = add <16 x i32> %%Yzu%d_%d, %%Yn%d\n  %%Yqq%d_%d = lshr <16 x i32> %%Yzq%d_%d, splat (i32 %d)\n", id, lane, id, lane, id, id, lane + 1, id, lane,
          SECTOR_BITS - 2);
        T(e, "  %%Yzn%d_%d = icmp ne <16 x i32> %%Yqq%d_%d, %%Yqq%d_%d\n  %%Yzb%d_%d = bitcast <16 x i1> %%Yzn%d_%d to i16\n  %%Yze%d_%d = zext i16 %%Yzb%d_%d to i64\n", id, lane, id,
          lane, id, lane + 1, id, lane, id, lane, id, lane, id, lane);
        T(e, "  %%Yzp%d_%d = call i64 @llvm.ctpop.i64(i64 %%Yze%d_%d)\n  %%Yz%d_%d = add i64 %%Yz%d_%d, %%Yzp%d_%d\n", id, lane, id, lane, id, lane + 1, id, lane, id, lane);
    }
    T(e, "  %%Yw%d_0 = add <16 x i32> %%Yzu%d_0, zeroinitializer\n", id, id);
    for (int lane = 1; lane < lanes_a_round(e); lane++)
        T(e, "  %%Yw%d_%d = call <16 x i32> @llvm.umax.v16i32(<16 x i32> %%Yw%d_%d, <16 x i32> %%Yzu%d_%d)\n", id, lane, id, lane - 1, id, lane);
    T(e, "  %%Yg%d = icmp ugt <16 x i32> %%Yw%d_%d, %%Ym%d\n  %%Ygb%d = bitcast <16 x i1> %%Yg%d to i16\n  %%Ygn%d = icmp eq i16 %%Ygb%d, 0\n", id, id, lanes_a_round(e) - 1, id, id, id, id, id);
    T(e, "  br i1 %%Ygn%d, label %%Yo%d, label %%Yj%d, !prof !0\nYo%d:\n", id, id, id, id);
}

/** The lanes of a round add by turns; its groups lie at %YgpID_G_LANE. */
static void add_lanes(struct emit *e, const struct straight *s)
{
    int id = s->id;
    struct value sum[MOST_A_ROUND];
    for (int lane = 0; lane < lanes_a_round(e); lane++) {
        sum[lane] = emit_new(e, false);
        T(e, "  %%Ysl%d_%d = add i64 %%Yl%d, %d\n  %%Ysp%d_%d = getelementptr i32, ptr %%r%d, i64 %%Ysl%d_%d\n  %s = load float, ptr %%Ysp%d_%d, align 4\n", id, lane, id, lane, id,
          lane, s->web, id, lane, sum[lane].text, id, lane);
    }
    for (int n = 0; n < s->turns * s->element_count * lanes_a_round(e); n++) {
        int lane = n % lanes_a_round(e), k = n / lanes_a_round(e) % s->element_count, turn = n / lanes_a_round(e) / s->element_count;
        const struct element *x = &s->elements[s->added[k]];
        struct value index = load_word(e, s, x->group, x->word, turn, lane, "i32"), wide = emit_new(e, false), at = emit_new(e, false), one = emit_new(e, false);
        T(e, "  %s = sext i32 %s to i64\n  %s = getelementptr i32, ptr %%Yx%d, i64 %s\n  %s = load float, ptr %s, align 4\n", wide.text, index.text, at.text, id, wide.text, one.text,
          at.text);
        struct value factor = load_word(e, s, s->factor_group[k], s->factor_word[k], turn, lane, "float"), next = emit_new(e, false);
        T(e, "  %s = call float @llvm.fma.f32(float %s, float %s, float %s)\n", next.text, factor.text, one.text, sum[lane].text);
        sum[lane] = next;
    }
    for (int lane = 0; lane < lanes_a_round(e); lane++) {
        T(e, "  %%Yna%d_%d = fcmp uno float %s, 0.0\n  %%Ynb%d_%d = bitcast float %s to i32\n  %%Ync%d_%d = select i1 %%Yna%d_%d, i32 2147483647, i32 %%Ynb%d_%d\n", id, lane,
          sum[lane].text, id, lane, sum[lane].text, id, lane, id, lane, id, lane);
        T(e, "  store i32 %%Ync%d_%d, ptr %%Ysp%d_%d, align 4\n", id, lane, id, lane);
    }
}

void lanes_add(struct emit *e, const struct straight *s)
{
    const struct element *x = s->elements;
    if (s->turns > 1) {
        spread_bounds(e, s);
        spread_numbers(e, s);
    }
    const struct insn *last = e->p->f->entry + s->sums[s->element_count - 1];
    int id = s->id;
    /* within bounds an index is `first` and less than 2^30 more: no sum of the two wraps */
    T(e, "  %%Yxa%d = sext i32 %s to i64\n  %%Yxb%d = sub i64 0, %%Yxa%d\n  %%Yx%d = getelementptr i32, ptr %%Exh%d, i64 %%Yxb%d\n  br label %%Yk%d\nYk%d:\n", id,
      x->first.text, id, id, id, x->access.id, id, id, id);
    T(e, "  br label %%Yt%d\n", id);
    char from = s->turns > 1 ? 'o' : 't'; /* the block that ends the loop */
    T(e, "Yt%d:\n  %%Yl%d = phi i64 [ 0, %%Yk%d ], [ %%Yln%d, %%Y%c%d ]\n", id, id, id, id, from, id);
    for (int g = 0; g < s->group_count; g++)
        T(e, "  %%Ygp%d_%d_0 = phi ptr [ %%GvxZ%d, %%Yk%d ], [ %%Ygp%d_%d_%d, %%Y%c%d ]\n", id, g, straight_group_id(e, s, g, 0), id, id, g, lanes_a_round(e), from, id);
    if (s->turns > 1)
        T(e, "  %%Yz%d_0 = phi i64 [ 0, %%Yk%d ], [ %%Yz%d_%d, %%Yo%d ]\n  %%Yqq%d_0 = phi <16 x i32> [ splat (i32 -1), %%Yk%d ], [ %%Yqq%d_%d, %%Yo%d ]\n", id, id, id, lanes_a_round(e), id, id, id,
          id, lanes_a_round(e), id);
    for (int lane = 0; lane < lanes_a_round(e); lane++)
        for (int g = 0; g < s->group_count; g++)
            T(e, "  %%Ygp%d_%d_%d = getelementptr i8, ptr %%Ygp%d_%d_%d, i64 %%GvsZ%d\n", id, g, lane + 1, id, g, lane, straight_group_id(e, s, g, 0));
    if (s->turns > 1)
        ask_lanes(e, s);
    add_lanes(e, s);
    T(e, "  %%Yln%d = add i64 %%Yl%d, %d\n  %%Yle%d = icmp ult i64 %%Yln%d, %d\n  br i1 %%Yle%d, label %%Yt%d, label %%Yy%d\nYy%d:\n", id, id, lanes_a_round(e), id, id, WARP_LANES, id, id,
      id, id);
    e->raw[plan_slot(last->dst)].text[0] = 0;
}
