/**
 * @file emit_branch.c
 * Branches: where all lanes go one way they go; else some wait until the others come by. In execute's words: op_bra(),
 * diverge() and meet() for the natural schedule, with their counts and their fuel. Where fuel runs out, or a group has
 * yielded, the interpreter takes the branch.
 */
#include "compile/emit.h"

#include "compile/emit_parting.h"
#include "execute/engine.h"

void emit_count(struct emit *e, int end, int next)
{
    int id = e->next++;
    T(e, "  %%na%d = load i64, ptr %%s\n  %%nb%d = sub i64 %llu, %%na%d\n  %%nc%d = sdiv exact i64 %%nb%d, %zu\n", id, id,
      emit_offset(end), id, id, id, sizeof(struct insn));
    T(e, "  %%nd%d = load i64, ptr %%n\n  %%ne%d = add i64 %%nd%d, %%nc%d\n  store i64 %%ne%d, ptr %%n\n", id, id, id, id, id);
    T(e, "  %%nf%d = load i32, ptr %%m\n  %%ng%d = call i32 @llvm.ctpop.i32(i32 %%nf%d)\n  %%nh%d = zext i32 %%ng%d to i64\n", id, id, id,
      id, id);
    T(e, "  %%ni%d = mul i64 %%nh%d, %%nc%d\n  %%nj%d = load i64, ptr %%l\n  %%nk%d = add i64 %%nj%d, %%ni%d\n", id, id, id, id, id, id, id);
    T(e, "  store i64 %%nk%d, ptr %%l\n  store i64 %llu, ptr %%s\n", id, emit_offset(next));
}

void emit_arrival(struct emit *e, int block)
{
    const struct plan *p = e->p;
    const uint64_t *pending = p->pending + (size_t)block * p->block_words;
    bool parted = false;
    int id = e->next++;
    for (uint32_t i = 0; i < p->block_words; i++)
        parted |= pending[i] != 0;
    if (p->waits[block]) {
        T(e, "  %%pa%d = load i32, ptr %%p%d\n  %%pb%d = icmp eq i32 %%pa%d, 0\n", id, block, id, id);
        T(e, "  br i1 %%pb%d, label %%pd%d, label %%pc%d\npc%d:\n", id, id, id, id);
        emit_count(e, p->blocks->first[block], p->blocks->first[block]);
        T(e, "  %%pm%d = load i32, ptr %%m\n  %%pn%d = or i32 %%pm%d, %%pa%d\n  store i32 %%pn%d, ptr %%m\n", id, id, id, id, id);
        char running[24];
        snprintf(running, sizeof running, "%%pm%d", id);
        parting_meets(e, block, running, !parted);
        T(e, "  store i32 0, ptr %%p%d\n  br label %%pd%d\npd%d:\n", block, id, id);
    }
    if (!parted)
        T(e, "  store i32 %%all, ptr %%m\n"); /* which they are: LLVM need not find out */
}

/** The running lanes go on at block `to`, after those that wait before it. */
static void go(struct emit *e, int to)
{
    const struct plan *p = e->p;
    const uint64_t *pending = p->pending + (size_t)e->block * p->block_words;
    bool waited = false;
    for (int c = e->block + 1; c < to; c++) {
        if (!plan_bit(pending, c))
            continue;
        int id = e->next++;
        if (!waited) {
            T(e, "  %%wa%d = load i32, ptr %%m\n  %%wb%d = load i32, ptr %%p%d\n  %%wc%d = or i32 %%wa%d, %%wb%d\n", id, id, to, id, id, id);
            T(e, "  store i32 %%wc%d, ptr %%p%d\n  store i32 0, ptr %%m\n", id, to);
            parting_waits(e, to);
            waited = true;
        }
        T(e, "  store i64 %llu, ptr %%s\n  %%wd%d = load i32, ptr %%p%d\n  %%we%d = icmp eq i32 %%wd%d, 0\n",
          emit_offset(p->blocks->first[c]), id, c, id, id);
        T(e, "  br i1 %%we%d, label %%wf%d, label %%b%d\nwf%d:\n", id, id, c, id);
    }
    if (waited)
        T(e, "  store i64 %llu, ptr %%s\n", emit_offset(p->blocks->first[to]));
    T(e, "  br label %%b%d\n", to);
}

/** A backward branch costs fuel; without, or after a poll, the interpreter takes it. */
static void burn(struct emit *e, int i)
{
    int id = e->next++;
    struct value fuel = emit_load(e, "i64", "%w", FIELD(warp, fuel)), polled = emit_load(e, "i8", "%w", FIELD(warp, polled));
    e->leaves[i] = true;
    T(e, "  %%ua%d = sub i64 %s, 1\n  %%ub%d = icmp sgt i64 %%ua%d, 0\n  %%uc%d = icmp eq i8 %s, 0\n  %%ud%d = and i1 %%ub%d, %%uc%d\n",
      id, fuel.text, id, id, id, polled.text, id, id, id);
    T(e, "  br i1 %%ud%d, label %%ue%d, label %%l%d, !prof !0\nue%d:\n", id, id, i, id);
    char name[24];
    snprintf(name, sizeof name, "%%ua%d", id);
    emit_store(e, "i64", name, "%w", FIELD(warp, fuel));
}

static void jump(struct emit *e, const struct insn *in)
{
    int i = emit_index(e, in), to = emit_index(e, in->target);
    if (to <= i) {
        parting_goes_back(e, in);
        burn(e, i);
    }
    emit_count(e, i + 1, to);
    go(e, e->p->blocks->of[to]);
}

/** A new group has at most its patience of fuel, and so has the one that it parts from. */
static void share_fuel(struct emit *e)
{
    int id = e->next++;
    struct value fuel = emit_load(e, "i64", "%w", FIELD(warp, fuel));
    T(e, "  %%va%d = sub i64 %s, %d\n  %%vb%d = call i64 @llvm.smax.i64(i64 %%va%d, i64 0)\n  %%vc%d = sub i64 %s, %%vb%d\n", id,
      fuel.text, GROUP_PATIENCE, id, id, id, fuel.text, id);
    char name[24];
    snprintf(name, sizeof name, "%%vb%d", id);
    emit_add(e, name, "%w", FIELD(warp, reserve));
    snprintf(name, sizeof name, "%%vc%d", id);
    emit_store(e, "i64", name, "%w", FIELD(warp, fuel));
}

/** Some of the lanes go to the target, `taken`, some on: the ones further back in the text run. */
static void part(struct emit *e, const struct insn *in, struct value taken)
{
    const struct blocks *b = e->p->blocks;
    int i = emit_index(e, in), to = emit_index(e, in->target), id = e->next++;
    bool backward = to <= i;
    int wait = backward ? e->block + 1 : b->of[to], next = backward ? b->of[to] : e->block + 1;
    struct value yielded = emit_load(e, "i32", "%w", FIELD(warp, yielded_lanes));
    e->leaves[i] = true;
    if (wait == next) {
        T(e, "  br label %%l%d\n", i);
        return;
    }
    T(e, "  %%ya%d = icmp eq i32 %s, 0\n  br i1 %%ya%d, label %%yb%d, label %%l%d, !prof !0\nyb%d:\n", id, yielded.text, id, id, i, id);
    if (backward) {
        /* before anything changes: fuel that would be gone */
        struct value fuel = emit_load(e, "i64", "%w", FIELD(warp, fuel)), polled = emit_load(e, "i8", "%w", FIELD(warp, polled));
        T(e, "  %%yc%d = icmp sgt i64 %s, 1\n  %%yd%d = icmp eq i8 %s, 0\n  %%ye%d = and i1 %%yc%d, %%yd%d\n", id, fuel.text, id,
          polled.text, id, id, id);
        T(e, "  br i1 %%ye%d, label %%yf%d, label %%l%d, !prof !0\nyf%d:\n", id, id, i, id);
    }
    T(e, "  %%yg%d = load i32, ptr %%p%d\n", id, wait);
    if (!parting_told(e)) {
        T(e, "  %%yh%d = icmp eq i32 %%yg%d, 0\n  br i1 %%yh%d, label %%yi%d, label %%yj%d\nyi%d:\n", id, id, id, id, id, id);
        share_fuel(e);
        T(e, "  br label %%yj%d\nyj%d:\n", id, id);
    }
    emit_count(e, i + 1, b->first[next]);
    T(e, "  %%yk%d = load i32, ptr %%m\n  %%yl%d = xor i32 %s, -1\n  %%ym%d = and i32 %%yk%d, %%yl%d\n", id, id, taken.text, id, id, id);
    char rest[24];
    snprintf(rest, sizeof rest, "%%ym%d", id);
    T(e, "  %%yn%d = or i32 %%yg%d, %s\n  store i32 %%yn%d, ptr %%p%d\n  store i32 %s, ptr %%m\n", id, id, backward ? rest : taken.text, id,
      wait, backward ? taken.text : rest);
    if (parting_told(e))
        parting_parts(e, in, backward ? taken.text : rest, backward ? rest : taken.text);
    if (backward) {
        parting_goes_back(e, in);
        struct value fuel = emit_load(e, "i64", "%w", FIELD(warp, fuel)), less = emit_new(e, false);
        T(e, "  %s = sub i64 %s, 1\n", less.text, fuel.text);
        emit_store(e, "i64", less.text, "%w", FIELD(warp, fuel));
    }
    go(e, next);
}

void emit_branch(struct emit *e, const struct insn *in)
{
    int id = e->next++;
    if (in->guard == REG_NONE) {
        jump(e, in);
        return;
    }
    struct value taken = emit_active(e, in);
    T(e, "  %%ba%d = icmp eq i32 %s, 0\n  br i1 %%ba%d, label %%bf%d, label %%bn%d\nbn%d:\n", id, taken.text, id, id, id, id);
    if (e->p->parts[e->block]) {
        T(e, "  %%bm%d = load i32, ptr %%m\n  %%bb%d = icmp eq i32 %s, %%bm%d\n  br i1 %%bb%d, label %%bt%d, label %%bp%d\n", id, id,
          taken.text, id, id, id, id);
        T(e, "bp%d:\n", id);
        part(e, in, taken);
    } else
        T(e, "  br label %%bt%d\n", id);
    T(e, "bt%d:\n", id);
    jump(e, in);
    T(e, "bf%d:\n", id);
    if (emit_index(e, in) + 1 < e->p->count)
        go(e, e->block + 1);
    else
        T(e, "  unreachable\n");
}
