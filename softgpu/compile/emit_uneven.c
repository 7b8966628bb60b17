/**
 * @file emit_uneven.c
 * A loop as emit_turns.c finds it, `s += value[k] * x[column[k]]`, where lanes' rows lie anyhow, some lanes run alone, or they go round unlike often: a warp would take as long
 * as its longest row. The registers that do not hang on loads run ahead, under the mask of each turn; then the lanes that run are served one after another, each as often as it
 * goes round. Sectors, which the turns' loads would count from lane to lane, are held against those of the lane before in the same turn. Where lanes stand, fuel and counts are
 * what turns by themselves would leave. What lies out of bounds gives everything back, and the turn is written as ever.
 */
#include "compile/emit_straight.h"

#include <stdlib.h>

#include "execute/engine.h"
#include "execute/traffic.h"
#include "execute/worker.h"

#define TURNS UNEVEN_TURNS
#define FETCHED_LINES 32
#define BOUND_BYTES 2147483647 /* of an allocation: so places in it are numbers of 32 bits */

bool uneven_find(const struct emit *e, struct straight *s)
{
    const struct plan *p = e->p;
    const struct insn *code = p->f->entry;
    size_t words = p->slot_words;
    if (!s->by_lanes || s->group_count > UNEVEN_GROUPS || !turns_find(e, s) || !p->parts[e->block] || e->block + 1 >= p->blocks->count || !p->waits[e->block + 1])
        return false;
    uint32_t base = s->elements[0].text.base;
    if (!(base & CONST_BIT) && p->varying[plan_web(p, s->elements[0].text.sum, base, false)])
        return false;
    bool *hangs = turns_hanging(e, s), found = true;
    for (int i = s->first; i < s->last; i++) {
        struct operand_iter it = operands_of(code + i);
        for (struct operand o; operands_next(&it, &o);) {
            if (!o.write)
                continue;
            int slot = plan_slot(o.reg), web = plan_web(p, i, o.reg, true);
            if (hangs[i - s->first]) /* nobody reads what has been loaded but the sum */
                found &= slot == p->slot_of_web[s->web] || !plan_bit(p->live_out + (size_t)e->block * words, slot);
            else /* as often as the lane goes round */
                found &= p->varying[web] || !plan_bit(p->live_in + (size_t)e->block * words, slot);
        }
    }
    free(hangs);
    return found;
}

/** %NAMEID_T for each turn: which lanes go round then; %UcID: how often each of them does (in %places, too), at most TURNS times. */
static void look_ahead(struct emit *e, const struct straight *s, int id, const bool *hangs)
{
    const struct insn *branch = e->p->f->entry + s->last;
    struct value sum = {.text = "zeroinitializer"};
    T(e, "  %%Um%d_0 = load i32, ptr %%m\n", id);
    for (int turn = 0; turn < TURNS; turn++) {
        struct value bits = {.text = ""}, next = emit_new(e, true), one = emit_new(e, true);
        snprintf(bits.text, sizeof bits.text, "%%Um%d_%d", id, turn);
        T(e, "  store i32 %s, ptr %%m\n", bits.text);
        turns_ahead(e, s, hangs, NULL, 'w');
        e->at = s->last;
        T(e, "  %%Um%d_%d = and i32 -1, %s\n", id, turn + 1, emit_active(e, branch).text);
        struct value mask = emit_mask(e, bits.text);
        T(e, "  %s = zext <32 x i1> %s to <32 x i32>\n  %s = add <32 x i32> %s, %s\n", one.text, mask.text, next.text, sum.text, one.text);
        sum = next;
    }
    T(e, "  store <32 x i32> %s, ptr %%places, align 64\n", sum.text);
}

/** %UtID: turns that somebody goes round; %UfID: that all do, but at most %UtID; %UlID: who goes round last. */
static void count_turns(struct emit *e, int id)
{
    T(e, "  %%Uta%d_0 = add i64 0, 0\n  %%Ufa%d_0 = add i64 0, 0\n  %%Ula%d_0 = and i32 -1, %%Um%d_0\n", id, id, id, id);
    for (int turn = 0; turn < TURNS; turn++) {
        T(e, "  %%Ub%d_%d = icmp ne i32 %%Um%d_%d, 0\n  %%Ud%d_%d = zext i1 %%Ub%d_%d to i64\n  %%Uta%d_%d = add i64 %%Uta%d_%d, %%Ud%d_%d\n", id, turn, id, turn, id, turn, id,
          turn, id, turn + 1, id, turn, id, turn);
        T(e, "  %%Ula%d_%d = select i1 %%Ub%d_%d, i32 %%Um%d_%d, i32 %%Ula%d_%d\n", id, turn + 1, id, turn, id, turn, id, turn);
        T(e, "  %%Ue%d_%d = icmp eq i32 %%Um%d_%d, %%Um%d_0\n  %%Ug%d_%d = zext i1 %%Ue%d_%d to i64\n  %%Ufa%d_%d = add i64 %%Ufa%d_%d, %%Ug%d_%d\n", id, turn, id, turn, id, id, turn,
          id, turn, id, turn + 1, id, turn, id, turn);
    }
    T(e, "  %%Ut%d = add i64 %%Uta%d_%d, 0\n  %%Uf%d = add i64 %%Ufa%d_%d, 0\n  %%Ul%d = and i32 -1, %%Ula%d_%d\n", id, id, TURNS, id, id, TURNS, id, id, TURNS);
}

/** What is the same for all lanes: each group's allocation, and its lanes' addresses in memory; else on to label ZfID of `otherwise`. */
static void know_groups(struct emit *e, const struct straight *s, int id, int otherwise)
{
    for (int g = 0; g < s->group_count; g++) {
        const struct insn *in = e->p->f->entry + s->groups[g].first;
        int at = FIELD(worker, recent) + (int)(access_recent(e, in) * sizeof(struct recent_range));
        e->at = s->groups[g].first;
        struct value address = emit_use_as(e, in->src[0], 64), base = emit_load(e, "i64", "%k", at + FIELD(recent_range, base)),
                     size = emit_load(e, "i64", "%k", at + FIELD(recent_range, bytes)), host = emit_load(e, "ptr", "%k", at + FIELD(recent_range, host));
        int bytes = (TURNS - 1) * s->step[g] + 4 * GROUP_WORDS;
        T(e, "  %%Ua%d_%d = getelementptr i8, ptr %%uneven, i64 %d\n  store <32 x i64> %s, ptr %%Ua%d_%d, align 64\n", id, g, 8 * WARP_LANES * g, address.text, id, g);
        T(e, "  %%Uo%d_%d = sub i64 %lld, %s\n  %%Uh%d_%d = getelementptr i8, ptr %s, i64 0\n", id, g, s->groups[g].offset, base.text, id, g, host.text);
        T(e, "  %%Us%d_%d = sub i64 %s, %d\n  %%Ui%d_%d = icmp ult i64 %%Us%d_%d, %d\n", id, g, size.text, bytes, id, g, id, g, BOUND_BYTES - bytes);
        T(e, "  %%Uja%d_%d = ptrtoint ptr %s to i64\n  %%Ujb%d_%d = trunc i64 %%Uja%d_%d to i32\n  %%Uj%d_%d = and i32 %%Ujb%d_%d, %d\n", id, g, host.text, id, g, id, g, id, g, id, g,
          (1 << SECTOR_BITS) - 1);
        T(e, "  br i1 %%Ui%d_%d, label %%Uk%d_%d, label %%Zf%d, !prof !0\nUk%d_%d:\n", id, g, id, g, otherwise, id, g);
    }
}

/** Where the first two lanes that run read one word first, or words as far apart as they are themselves, loading rows is sooner: to label ZfID. */
static void split_by_neighbours(struct emit *e, const struct straight *s, int id)
{
    const struct element *x = &s->elements[0];
    int g = x->group;
    T(e, "  %%Una%d_0 = load i32, ptr %%m\n", id);
    for (int lane = 0; lane < 2; lane++) {
        T(e, "  %%Unb%d_%d = call i32 @llvm.cttz.i32(i32 %%Una%d_%d, i1 false)\n  %%Unc%d_%d = and i32 %%Unb%d_%d, 31\n  %%Und%d_%d = zext i32 %%Unc%d_%d to i64\n", id, lane, id, lane,
          id, lane, id, lane, id, lane, id, lane);
        T(e, "  %%Une%d_%d = sub i32 %%Una%d_%d, 1\n  %%Una%d_%d = and i32 %%Una%d_%d, %%Une%d_%d\n", id, lane, id, lane, id, lane + 1, id, lane, id, lane);
        T(e, "  %%Unf%d_%d = getelementptr i64, ptr %%Ua%d_%d, i64 %%Und%d_%d\n  %%Ung%d_%d = load i64, ptr %%Unf%d_%d, align 8\n  %%Unh%d_%d = add i64 %%Ung%d_%d, %%Uo%d_%d\n", id, lane,
          id, g, id, lane, id, lane, id, lane, id, lane, id, lane, id, g);
        T(e, "  %%Uni%d_%d = icmp ule i64 %%Unh%d_%d, %%Us%d_%d\n", id, lane, id, lane, id, g);
    }
    T(e, "  %%Unj%d = icmp eq i32 %%Una%d_1, 0\n  %%Unk%d = and i1 %%Uni%d_0, %%Uni%d_1\n  br i1 %%Unj%d, label %%Unl%d, label %%Unm%d\nUnm%d:\n", id, id, id, id, id, id, id, id, id);
    T(e, "  br i1 %%Unk%d, label %%Unn%d, label %%Zf%d, !prof !0\nUnn%d:\n", id, id, id, id);
    for (int lane = 0; lane < 2; lane++)
        T(e, "  %%Uno%d_%d = getelementptr i8, ptr %%Uh%d_%d, i64 %%Unh%d_%d\n  %%Unp%d_%d = getelementptr i8, ptr %%Uno%d_%d, i64 %d\n  %%Unq%d_%d = load i32, ptr %%Unp%d_%d, align 1\n", id,
          lane, id, g, id, lane, id, lane, id, lane, 4 * x->word, id, lane, id, lane);
    T(e, "  %%Unr%d = sub i32 %%Unq%d_1, %%Unq%d_0\n  %%Uns%d = sub i32 %%Unc%d_1, %%Unc%d_0\n  %%Unt%d = icmp eq i32 %%Unr%d, 0\n  %%Unu%d = icmp eq i32 %%Unr%d, %%Uns%d\n", id, id, id, id,
      id, id, id, id, id, id, id);
    T(e, "  %%Unv%d = or i1 %%Unt%d, %%Unu%d\n  br i1 %%Unv%d, label %%Zf%d, label %%Unl%d\nUnl%d:\n", id, id, id, id, id, id, id);
}

/** The lane's place in each group, %UpID_G on the host and %UqID_G behind a sector's begin, if all its turns lie within bounds; else on to label UxID. */
static void find_places(struct emit *e, const struct straight *s, int id)
{
    T(e, "  %%Uya%d = sub i64 %%Un%d, 1\n", id, id);
    for (int g = 0; g < s->group_count; g++) {
        T(e, "  %%Upa%d_%d = getelementptr i64, ptr %%Ua%d_%d, i64 %%Uwx%d\n  %%Upb%d_%d = load i64, ptr %%Upa%d_%d, align 8\n  %%Upo%d_%d = add i64 %%Upb%d_%d, %%Uo%d_%d\n", id, g, id,
          g, id, id, g, id, g, id, g, id, g, id, g);
        /* where it begins, in an allocation of which the longest turns' bytes are left out */
        T(e, "  %%Upc%d_%d = mul i64 %%Uya%d, %d\n  %%Upd%d_%d = add i64 %%Us%d_%d, %d\n  %%Upe%d_%d = sub i64 %%Upd%d_%d, %%Upc%d_%d\n", id, g, id, s->step[g], id, g, id, g,
          (TURNS - 1) * s->step[g], id, g, id, g, id, g);
        T(e, "  %%Upf%d_%d = icmp ule i64 %%Upo%d_%d, %%Upe%d_%d\n", id, g, id, g, id, g);
        T(e, "  %%Up%d_%d = getelementptr i8, ptr %%Uh%d_%d, i64 %%Upo%d_%d\n  %%Upg%d_%d = ptrtoint ptr %%Up%d_%d to i64\n", id, g, id, g, id, g, id, g, id, g);
        T(e, "  %%Uph%d_%d = or i64 %%Upg%d_%d, %%Upb%d_%d\n  %%Upi%d_%d = and i64 %%Uph%d_%d, 3\n  %%Upj%d_%d = icmp eq i64 %%Upi%d_%d, 0\n", id, g, id, g, id, g, id, g, id, g, id, g, id,
          g);
        T(e, "  %%Upk%d_%d = and i1 %%Upf%d_%d, %%Upj%d_%d\n  br i1 %%Upk%d_%d, label %%Upl%d_%d, label %%Ux%d, !prof !0\nUpl%d_%d:\n", id, g, id, g, id, g, id, g, id, g, id, id, g);
        T(e, "  %%Uqa%d_%d = trunc i64 %%Upo%d_%d to i32\n  %%Uq%d_%d = add i32 %%Uqa%d_%d, %%Uj%d_%d\n", id, g, id, g, id, g, id, g, id, g);
    }
}

/** Four sectors, `v`, of array `n` in this turn: how many of the words in `members` lie in another one than the lane's before, added to `*sum` (negative). */
static void compare_sectors(struct emit *e, int id, int n, const char *v, const bool members[GROUP_WORDS], struct value *sum)
{
    struct value next = emit_new(e, true);
    T(e, "  %%Usp%d_%d = getelementptr i8, ptr %%sectors, i64 %d\n  %%Usq%d_%d = getelementptr <4 x i32>, ptr %%Usp%d_%d, i64 %%Uu%d\n", id, n, 16 * TURNS * n, id, n, id, n, id);
    T(e, "  %%Usr%d_%d = load <4 x i32>, ptr %%Usq%d_%d, align 16\n  store <4 x i32> %s, ptr %%Usq%d_%d, align 16\n", id, n, id, n, v, id, n);
    T(e, "  %%Uss%d_%d = icmp ne <4 x i32> %s, %%Usr%d_%d\n  %%Ust%d_%d = sext <4 x i1> %%Uss%d_%d to <4 x i32>\n", id, n, v, id, n, id, n, id, n);
    T(e, "  %%Usu%d_%d = and <4 x i32> %%Ust%d_%d, <", id, n, id, n);
    for (int word = 0; word < GROUP_WORDS; word++)
        T(e, "%si32 %d", word ? ", " : "", members[word] ? -1 : 0);
    T(e, ">\n  %s = add <4 x i32> %s, %%Usu%d_%d\n", next.text, sum->text, id, n);
    *sum = next;
}

/** A number for each word of four, `name`. */
static void spread_four(struct emit *e, const char *name, int id, int n, const char *number)
{
    T(e, "  %%%sa%d_%d = insertelement <4 x i32> poison, i32 %s, i64 0\n  %%%s%d_%d = shufflevector <4 x i32> %%%sa%d_%d, <4 x i32> poison, <4 x i32> zeroinitializer\n", name, id, n,
      number, name, id, n, name, id, n);
}

/** Word `word` of group `g` in this turn. */
static struct value load_word(struct emit *e, int id, int g, int word, const char *type)
{
    struct value at = emit_new(e, false), v = emit_new(e, false);
    T(e, "  %s = getelementptr i8, ptr %%Urp%d_%d, i64 %d\n  %s = load %s, ptr %s, align 4\n", at.text, id, g, 4 * word, v.text, type, at.text);
    return v;
}

/** One turn of one lane: the loop at label UrID. */
static void turn_of_lane(struct emit *e, const struct straight *s, int id)
{
    static const bool all[GROUP_WORDS] = {true, true, true, true};
    int from = s->elements[0].group;
    struct value sum = {.text = ""}, sectors = {.text = ""};
    snprintf(sum.text, sizeof sum.text, "%%Ura%d", id);
    snprintf(sectors.text, sizeof sectors.text, "%%Urb%d", id);
    T(e, "  br label %%Ur%d\nUr%d:\n  %%Uu%d = phi i64 [ 0, %%Upl%d_%d ], [ %%Uun%d, %%Uro%d ]\n", id, id, id, id, s->group_count - 1, id, id);
    T(e, "  %%Ura%d = phi float [ %%Uva%d, %%Upl%d_%d ], [ %%Urx%d, %%Uro%d ]\n  %%Urb%d = phi <4 x i32> [ %%Uvb%d, %%Upl%d_%d ], [ %%Ury%d, %%Uro%d ]\n", id, id, id,
      s->group_count - 1, id, id, id, id, id, s->group_count - 1, id, id);
    for (int g = 0; g < s->group_count; g++)
        T(e, "  %%Urs%d_%d = mul i64 %%Uu%d, %d\n  %%Urp%d_%d = getelementptr i8, ptr %%Up%d_%d, i64 %%Urs%d_%d\n", id, g, id, s->step[g], id, g, id, g, id, g);
    T(e, "  %%Urc%d = load <4 x i32>, ptr %%Urp%d_%d, align 4\n  %%Urd%d = sub <4 x i32> %%Urc%d, %%Uzf%d_0\n  %%Ure%d = icmp ugt <4 x i32> %%Urd%d, %%Uzm%d_0\n", id, id, from, id, id,
      id, id, id, id);
    T(e, "  %%Urf%d = bitcast <4 x i1> %%Ure%d to i4\n  %%Urg%d = icmp eq i4 %%Urf%d, 0\n  br i1 %%Urg%d, label %%Uro%d, label %%Ux%d, !prof !0\nUro%d:\n", id, id, id, id, id, id, id, id);
    T(e, "  %%Urh%d = add <4 x i32> %%Urd%d, %%Uzn%d_0\n  %%Uri%d = lshr <4 x i32> %%Urh%d, splat (i32 %d)\n", id, id, id, id, id, SECTOR_BITS - 2);
    char name[40];
    snprintf(name, sizeof name, "%%Uri%d", id);
    compare_sectors(e, id, s->group_count, name, all, &sectors);
    for (int g = 0; g < s->group_count; g++) {
        bool members[GROUP_WORDS];
        for (int word = 0; word < GROUP_WORDS; word++)
            members[word] = s->groups[g].members[word] >= 0;
        T(e, "  %%Urj%d_%d = trunc i64 %%Urs%d_%d to i32\n  %%Urk%d_%d = add i32 %%Uq%d_%d, %%Urj%d_%d\n", id, g, id, g, id, g, id, g, id, g);
        snprintf(name, sizeof name, "%%Urk%d_%d", id, g);
        spread_four(e, "Url", id, g, name);
        T(e, "  %%Urm%d_%d = add <4 x i32> %%Url%d_%d, <i32 0, i32 4, i32 8, i32 12>\n  %%Urn%d_%d = lshr <4 x i32> %%Urm%d_%d, splat (i32 %d)\n", id, g, id, g, id, g, id, g,
          SECTOR_BITS);
        snprintf(name, sizeof name, "%%Urn%d_%d", id, g);
        compare_sectors(e, id, g, name, members, &sectors);
    }
    for (int k = 0; k < s->element_count; k++) {
        const struct element *x = &s->elements[s->added[k]];
        struct value index = load_word(e, id, x->group, x->word, "i32"), wide = emit_new(e, false), at = emit_new(e, false), one = emit_new(e, false), next = emit_new(e, false);
        T(e, "  %s = sext i32 %s to i64\n  %s = getelementptr i32, ptr %%Uzx%d, i64 %s\n  %s = load float, ptr %s, align 4\n", wide.text, index.text, at.text, id, wide.text, one.text,
          at.text);
        struct value factor = load_word(e, id, s->factor_group[k], s->factor_word[k], "float");
        if (k == s->element_count - 1)
            snprintf(next.text, sizeof next.text, "%%Urx%d", id);
        T(e, "  %s = call float @llvm.fma.f32(float %s, float %s, float %s)\n", next.text, factor.text, one.text, sum.text);
        sum = next;
    }
    T(e, "  %%Ury%d = add <4 x i32> %s, zeroinitializer\n  %%Uun%d = add i64 %%Uu%d, 1\n  %%Urz%d = icmp ult i64 %%Uun%d, %%Un%d\n", id, sectors.text, id, id, id, id, id);
    T(e, "  br i1 %%Urz%d, label %%Ur%d, label %%Uv%d\n", id, id, id);
}

/** The loop over the lanes that run, up to label UeID: %UsectorsID, and %UturnsID of all lanes. */
static void serve_lanes(struct emit *e, const struct straight *s, int id)
{
    const struct element *x = s->elements;
    spread_four(e, "Uzf", id, 0, x->first.text);
    spread_four(e, "Uzm", id, 0, x->most.text);
    T(e, "  %%Uza%d = ptrtoint ptr %%Exh%d to i64\n  %%Uzb%d = trunc i64 %%Uza%d to i32\n  %%Uzc%d = and i32 %%Uzb%d, %d\n  %%Uzd%d = lshr i32 %%Uzc%d, 2\n", id, x->access.id, id, id, id,
      id, (1 << SECTOR_BITS) - 1, id, id);
    char number[24];
    snprintf(number, sizeof number, "%%Uzd%d", id);
    spread_four(e, "Uzn", id, 0, number);
    /* within bounds an index is `first` and less than 2^30 more: no sum of the two wraps */
    T(e, "  %%Uze%d = sext i32 %s to i64\n  %%Uzg%d = sub i64 0, %%Uze%d\n  %%Uzx%d = getelementptr i32, ptr %%Exh%d, i64 %%Uzg%d\n", id, x->first.text, id, id, id, x->access.id, id);
    T(e, "  call void @llvm.memset.p0.i64(ptr align 64 %%sectors, i8 -1, i64 %d, i1 false)\n  br label %%Uy%d\nUy%d:\n", 16 * TURNS * (s->group_count + 1), id, id);
    T(e, "  br label %%Uw%d\nUw%d:\n  %%Uwl%d = phi i32 [ %%Um%d_0, %%Uy%d ], [ %%Uwn%d, %%Uv%d ]\n  %%Uwt%d = phi i64 [ 0, %%Uy%d ], [ %%Uwu%d, %%Uv%d ]\n", id, id, id, id, id, id, id,
      id, id, id, id);
    T(e, "  %%Uvb%d = phi <4 x i32> [ zeroinitializer, %%Uy%d ], [ %%Ury%d, %%Uv%d ]\n", id, id, id, id);
    T(e, "  %%Uwa%d = call i32 @llvm.cttz.i32(i32 %%Uwl%d, i1 true)\n  %%Uwx%d = zext i32 %%Uwa%d to i64\n  %%Uwb%d = sub i32 %%Uwl%d, 1\n  %%Uwn%d = and i32 %%Uwl%d, %%Uwb%d\n", id, id, id,
      id, id, id, id, id, id);
    T(e, "  %%Uwc%d = getelementptr i32, ptr %%places, i64 %%Uwx%d\n  %%Uwd%d = load i32, ptr %%Uwc%d, align 4\n  %%Un%d = zext i32 %%Uwd%d to i64\n", id, id, id, id, id, id);
    T(e, "  %%Uwe%d = getelementptr i32, ptr %%r%d, i64 %%Uwx%d\n  %%Uva%d = load float, ptr %%Uwe%d, align 4\n", id, s->web, id, id, id);
    find_places(e, s, id);
    turn_of_lane(e, s, id);
    T(e, "Uv%d:\n  %%Uvc%d = fcmp uno float %%Urx%d, 0.0\n  %%Uvd%d = bitcast float %%Urx%d to i32\n  %%Uve%d = select i1 %%Uvc%d, i32 2147483647, i32 %%Uvd%d\n", id, id, id, id, id, id, id,
      id);
    T(e, "  store i32 %%Uve%d, ptr %%Uwe%d, align 4\n  %%Uwu%d = add i64 %%Uwt%d, %%Un%d\n  %%Uvf%d = icmp ne i32 %%Uwn%d, 0\n  br i1 %%Uvf%d, label %%Uw%d, label %%Ue%d\nUe%d:\n", id, id,
      id, id, id, id, id, id, id, id, id);
}

/** Rows mostly lie one behind the other: where half of the warp or more has been served, what lies behind the last one's is fetched, for the next warp will most likely read it. */
static void fetch_next(struct emit *e, const struct straight *s, int id)
{
    T(e, "  %%Ufa%d = call i32 @llvm.ctpop.i32(i32 %%Um%d_0)\n  %%Ufb%d = icmp uge i32 %%Ufa%d, %d\n  br i1 %%Ufb%d, label %%Ufc%d, label %%Ufd%d\nUfc%d:\n", id, id, id, id,
      WARP_LANES / 2, id, id, id, id);
    for (int g = 0; g < s->group_count; g++)
        for (int line = 0; line < FETCHED_LINES; line++) {
            struct value at = emit_new(e, false);
            T(e, "  %s = getelementptr i8, ptr %%Urp%d_%d, i64 %d\n  call void @llvm.prefetch.p0(ptr %s, i32 0, i32 2, i32 1)\n", at.text, id, g, line * CACHE_LINE_BYTES, at.text);
        }
    T(e, "  br label %%Ufd%d\nUfd%d:\n", id, id);
}

/** What the turns would have counted but for the last one's branch; who has left waits, and has shared the fuel. */
static void count_served(struct emit *e, const struct straight *s, int id)
{
    int length = s->last + 1 - s->first, words = s->element_count, wait = e->block + 1;
    char number[24];
    for (int g = 0; g < s->group_count; g++)
        words += s->groups[g].count;
    T(e, "  %%Uca%d = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %%Ury%d)\n  %%Ucb%d = sub i32 0, %%Uca%d\n  %%Ucc%d = zext i32 %%Ucb%d to i64\n  %%Ucd%d = shl i64 %%Ucc%d, %d\n", id,
      id, id, id, id, id, id, id, SECTOR_BITS);
    snprintf(number, sizeof number, "%%Ucd%d", id);
    emit_add(e, number, "%k", FIELD(worker, moved));
    T(e, "  %%Uce%d = mul i64 %%Ut%d, %d\n", id, id, words);
    snprintf(number, sizeof number, "%%Uce%d", id);
    emit_add(e, number, "%k", FIELD(worker, loads));
    T(e, "  %%Ucf%d = sub i64 %%Ut%d, 1\n  %%Ucg%d = mul i64 %%Ucf%d, %d\n  %%Uch%d = load i64, ptr %%n\n  %%Uci%d = add i64 %%Uch%d, %%Ucg%d\n  store i64 %%Uci%d, ptr %%n\n", id, id, id, id,
      length, id, id, id, id, id);
    T(e, "  %%Ucj%d = call i32 @llvm.ctpop.i32(i32 %%Ul%d)\n  %%Uck%d = zext i32 %%Ucj%d to i64\n  %%Ucl%d = sub i64 %%Uwu%d, %%Uck%d\n  %%Ucm%d = mul i64 %%Ucl%d, %d\n", id, id, id, id, id,
      id, id, id, id, length);
    T(e, "  %%Ucn%d = load i64, ptr %%l\n  %%Uco%d = add i64 %%Ucn%d, %%Ucm%d\n  store i64 %%Uco%d, ptr %%l\n", id, id, id, id, id);
    /* the turn in which the first lanes leave shares the fuel before it burns its own */
    struct value fuel = emit_load(e, "i64", "%w", FIELD(warp, fuel));
    T(e, "  %%Ucp%d = load i32, ptr %%p%d\n  %%Ucq%d = icmp eq i32 %%Ucp%d, 0\n  %%Ucr%d = icmp ult i64 %%Uf%d, %%Ut%d\n  %%Ucs%d = and i1 %%Ucq%d, %%Ucr%d\n", id, wait, id, id, id, id, id, id,
      id, id);
    T(e, "  %%Uct%d = sub i64 %s, %%Uf%d\n  %%Ucu%d = sub i64 %%Uct%d, %d\n  %%Ucv%d = call i64 @llvm.smax.i64(i64 %%Ucu%d, i64 0)\n  %%Ucw%d = select i1 %%Ucs%d, i64 %%Ucv%d, i64 0\n", id,
      fuel.text, id, id, id, GROUP_PATIENCE - 1, id, id, id, id, id);
    snprintf(number, sizeof number, "%%Ucw%d", id);
    emit_add(e, number, "%w", FIELD(warp, reserve));
    T(e, "  %%Ucx%d = sub i64 %s, %%Ucw%d\n  %%Ucy%d = sub i64 %%Ucx%d, %%Ucf%d\n", id, fuel.text, id, id, id, id);
    snprintf(number, sizeof number, "%%Ucy%d", id);
    emit_store(e, "i64", number, "%w", FIELD(warp, fuel));
    T(e, "  %%Udb%d = xor i32 %%Ul%d, %%Um%d_0\n  %%Udc%d = or i32 %%Ucp%d, %%Udb%d\n  store i32 %%Udc%d, ptr %%p%d\n  store i32 %%Ul%d, ptr %%m\n", id, id, id, id, id, id, id, wait, id);
}

void uneven_emit(struct emit *e, struct straight *s, int done)
{
    size_t length = (size_t)(s->last - s->first) + 1;
    bool *hangs = turns_hanging(e, s);
    struct value *before = calloc(length, sizeof *before);
    int id = e->next++, range = -1;
    if (!before)
        abort();
    struct value fuel = emit_load(e, "i64", "%w", FIELD(warp, fuel)), polled = emit_load(e, "i8", "%w", FIELD(warp, polled)),
                 yielded = emit_load(e, "i32", "%w", FIELD(warp, yielded_lanes));
    T(e, "  %%Uia%d = icmp sgt i64 %s, %d\n  %%Uib%d = icmp eq i8 %s, 0\n  %%Uic%d = icmp eq i32 %s, 0\n  %%Uid%d = and i1 %%Uia%d, %%Uib%d\n  %%Uie%d = and i1 %%Uid%d, %%Uic%d\n", id,
      fuel.text, TURNS + 1, id, polled.text, id, yielded.text, id, id, id, id, id, id);
    T(e, "  br i1 %%Uie%d, label %%Uif%d, label %%Zf%d, !prof !0\nUif%d:\n", id, id, id, id);
    know_groups(e, s, id, id);
    split_by_neighbours(e, s, id);
    straight_find_range(e, &s->elements[0], id, &range);
    turns_ahead(e, s, hangs, before, 'k');
    struct value sums = emit_web(e, s->web);
    look_ahead(e, s, id, hangs);
    count_turns(e, id);
    serve_lanes(e, s, id);
    fetch_next(e, s, id);
    count_served(e, s, id);
    T(e, "  br label %%Ze%d\nUx%d:\n  store <32 x i32> %s, ptr %%r%d\n  store i32 %%Um%d_0, ptr %%m\n", done, id, sums.text, s->web, id);
    turns_ahead(e, s, hangs, before, 'b');
    T(e, "  br label %%Zf%d\nZf%d:\n", id, id);
    emit_forget_raw(e);
    free(hangs);
    free(before);
}
