/**
 * @file emit_straight.c
 * Blocks in which lanes read words of rows of their own, and elements by what they have read: `value[k] * x[column[k]]`, a loop that has been unrolled. Where all
 * lanes run, all its loads are looked at first; if each is usual the block follows without a question in between, and its traffic is counted once.
 * Else it is written as ever, and nothing of it has been done: loads of rows change nothing. With AVX-512.
 */
#include "compile/emit_elements.h"

#include "execute/traffic.h"
#include "execute/worker.h"

#define MOST_LOADS 32
#define MOST_GROUPS 8

/** A load `x[i]` whose index a group has read. */
struct element {
    int at;                    /**< the instruction */
    struct indexed_text text;
    int group, word;           /**< the index */
    struct access access;
    struct value loaded;       /**< what has been gathered */
};

struct straight {
    int first, last;           /**< instructions; the last one is a branch */
    struct group_of_loads groups[MOST_GROUPS];
    struct element elements[MOST_LOADS];
    int group_count, element_count;
};

/** Label names of a group's second text: instructions' numbers are those of the first one. */
static int group_id(const struct emit *e, const struct group_of_loads *g)
{
    return e->p->count + g->first;
}

/** Does the register hold before instruction `i` what it held where the block began? */
static bool is_kept(const struct emit *e, const struct straight *s, int i, uint32_t reg)
{
    for (int at = s->first; at < i && !(reg & CONST_BIT); at++)
        if (insn_writes(e->p->f->entry + at, reg))
            return false;
    return true;
}

/** The group and the word that load `i` reads. @return false: it belongs to none */
static bool find_word(const struct straight *s, int i, int *group, int *word)
{
    for (*group = 0; *group < s->group_count; ++*group)
        for (*word = 0; *word < GROUP_WORDS; ++*word)
            if (s->groups[*group].members[*word] == i)
                return true;
    return false;
}

/** The load before instruction `i` that has left in `reg` what `i` finds there; -1: something else has. */
static int loaded_by(const struct emit *e, const struct straight *s, int i, uint32_t reg)
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
    if (find_word(s, i, &group, &word))
        return true;
    if (access_group(e, i, &g)) {
        if (s->group_count == MOST_GROUPS || !is_kept(e, s, g.first, in->src[0]))
            return false;
        s->groups[s->group_count++] = g;
        return true;
    }
    if (s->element_count == MOST_LOADS || !access_find_indexed(e, in, &x->text) || !is_kept(e, s, x->text.sum, x->text.base) ||
        !find_word(s, loaded_by(e, s, x->text.product, x->text.index), &x->group, &x->word))
        return false;
    x->at = i;
    s->element_count++;
    return true;
}

static bool find(const struct emit *e, struct straight *s)
{
    const struct plan *p = e->p;
    *s = (struct straight){.first = p->blocks->first[e->block], .last = p->blocks->first[e->block + 1] - 1};
    if (!e->wide || p->way[s->last] != WAY_BRANCH)
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
        default: return false;
        }
    }
    return s->element_count > 0;
}

/** All lanes' elements lie within bounds, or on to label ZfID. @return a truth; what the element's range is is known behind it */
static struct value look_at(struct emit *e, const struct straight *s, struct element *x, int id, int *range)
{
    const struct insn *in = e->p->f->entry + x->at;
    struct indexed look = {.shift = x->text.shift, .is_signed = x->text.is_signed, .index.vector = true};
    struct value same, begin, good = {.text = ""};
    x->access = (struct access){.in = in, .id = e->next++, .bytes = in->mem.bytes, .bits = in->mem.bytes * 8u, .count = 1, .load = true, .counted = true,
                                .offset = in->offset, .active.text = "-1"};
    e->at = x->text.sum;
    look.base = emit_use_as(e, x->text.base, 64);
    look.base_web = x->text.base & CONST_BIT ? -1 : plan_web(e->p, e->at, x->text.base, false);
    snprintf(look.index.text, sizeof look.index.text, "%%Ggv%d_%d", group_id(e, &s->groups[x->group]), x->word);
    int n = access_range_number(e, &x->access, &look), xid = x->access.id;
    if (n != *range || n == KNOWN_RANGES - 1) {
        begin = access_one_base(e, look.base, &same);
        access_know_range(e, &x->access, &look, n, begin, same);
        T(e, "  br label %%Exqa%d\nExz%d:\n  br label %%Zf%d\nExqa%d:\n", xid, xid, id, xid);
        *range = n;
    }
    access_find_elements(e, &x->access, &look, n);
    snprintf(good.text, sizeof good.text, "%%Exy%d", xid);
    return good;
}

/** Where the first index's first two lanes read one word, or one word after another, loading rows is sooner: to label ZfID. */
static void split_by_neighbours(struct emit *e, const struct straight *s, int id)
{
    const struct element *x = &s->elements[0];
    int g = group_id(e, &s->groups[x->group]);
    unsigned rows = e->p->f->entry[x->at].mem.bytes == 1u << x->text.shift ? 1 : 0;
    T(e, "  %%Zia%d = extractelement <32 x i32> %%Ggv%d_%d, i64 0\n  %%Zib%d = extractelement <32 x i32> %%Ggv%d_%d, i64 1\n", id, g, x->word, id, g, x->word);
    T(e, "  %%Zic%d = sub i32 %%Zib%d, %%Zia%d\n  %%Zid%d = and i32 %%Zic%d, %d\n  %%Zie%d = icmp eq i32 %%Zid%d, 0\n", id, id, id, id, id, (int)~rows, id, id);
    T(e, "  br i1 %%Zie%d, label %%Zf%d, label %%Zig%d\nZig%d:\n", id, id, id, id);
}

static struct value sum_of(struct emit *e, struct value one, struct value other)
{
    struct value sum = emit_new(e, false);
    T(e, "  %s = add i64 %s, %s\n", sum.text, one.text, other.text);
    return sum;
}

/** With what the processor gathers: those that lie within bounds, before it is known whether all do. */
static void gather(struct emit *e, struct element *x)
{
    const struct access *a = &x->access;
    struct value ptrs = emit_new(e, true), within = emit_new(e, true);
    const char *type = emit_type(a->bits, true);
    x->loaded = emit_new(e, true);
    T(e, "  %s = xor <32 x i1> %%Exv%d, splat (i1 true)\n  %s = getelementptr [%u x i8], ptr %%Exh%d, <32 x i32> %%Exu%d\n", within.text, a->id, ptrs.text, 1u << x->text.shift,
      a->id, a->id);
    T(e, "  %s = call %s @llvm.masked.gather.v32i%u.v32p0(<32 x ptr> %s, i32 %u, <32 x i1> %s, %s zeroinitializer)\n", x->loaded.text, type, a->bits, ptrs.text, a->bytes,
      within.text, type);
}

/** Everything is looked at, up to here, or at label ZfID. What is gathered stands between the groups, or the processor would do nothing else meanwhile. */
static void look(struct emit *e, struct straight *s, int id)
{
    int range = -1;
    struct value good = {.text = "true"};
    char otherwise[24];
    snprintf(otherwise, sizeof otherwise, "Zf%d", id);
    for (int g = 0; g < s->group_count; g++) {
        e->at = s->groups[g].first;
        access_load_even_group(e, &s->groups[g], group_id(e, &s->groups[g]), otherwise);
        if (g == s->elements[0].group)
            split_by_neighbours(e, s, id);
        for (struct element *x = s->elements; x < s->elements + s->element_count; x++) {
            if (x->group != g)
                continue;
            good = access_and(e, good, look_at(e, s, x, id, &range));
            if (e->gathers)
                gather(e, x);
        }
    }
    T(e, "  br i1 %s, label %%Zt%d, label %%Zf%d, !prof !0\nZt%d:\n", good.text, id, id, id);
}

/** What all loads come to. */
static void count(struct emit *e, const struct straight *s)
{
    int words = 0;
    char number[24];
    struct value moved = emit_new(e, false), sectors = {.text = ""};
    for (int g = 0; g < s->group_count; g++)
        words += s->groups[g].count;
    snprintf(sectors.text, sizeof sectors.text, "%d", words * WARP_LANES);
    for (const struct element *x = s->elements; x < s->elements + s->element_count; x++)
        sectors = sum_of(e, sectors, access_sectors(e, access_element_places(e, &x->access, x->text.shift).text));
    snprintf(number, sizeof number, "%d", words + s->element_count);
    emit_add(e, number, "%k", FIELD(worker, loads));
    T(e, "  %s = shl i64 %s, %d\n", moved.text, sectors.text, SECTOR_BITS);
    emit_add(e, moved.text, "%k", FIELD(worker, moved));
}

int emit_straight(struct emit *e)
{
    struct straight s;
    int group, word, next = 0;
    const struct insn *code = e->p->f->entry;
    if (!find(e, &s))
        return e->p->blocks->first[e->block];
    int id = e->next++;
    T(e, "  %%Zm%d = load i32, ptr %%m\n  %%Zn%d = icmp eq i32 %%Zm%d, -1\n  br i1 %%Zn%d, label %%Zs%d, label %%Zf%d\nZs%d:\n  store i32 -1, ptr %%m\n", id, id, id, id, id, id, id);
    look(e, &s, id);
    count(e, &s);
    for (int i = s.first; i < s.last; i++) {
        e->at = i;
        if (find_word(&s, i, &group, &word)) {
            struct value v = {.vector = true};
            snprintf(v.text, sizeof v.text, "%%Ggv%d_%d", group_id(e, &s.groups[group]), word);
            emit_define(e, code + i, code[i].dst, v);
        } else if (next < s.element_count && s.elements[next].at == i) {
            if (e->gathers)
                emit_define(e, code + i, code[i].dst, s.elements[next].loaded);
            else
                access_load_elements(e, &s.elements[next].access, s.elements[next].text.shift);
            next++;
        } else
            emit_insn(e, code + i);
    }
    T(e, "  br label %%Ze%d\nZf%d:\n", id, id);
    emit_forget_raw(e);
    for (int i = s.first; i < s.last; i++)
        emit_insn(e, code + i);
    T(e, "  br label %%Ze%d\nZe%d:\n", id, id);
    emit_forget_raw(e);
    return s.last;
}
