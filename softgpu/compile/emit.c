/**
 * @file emit.c
 * See emit.h: names, types and registers, and the frame of the module around its instructions.
 */
#include "compile/emit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "compile/emit_access.h"
#include "compile/llvm.h"
#include "execute/engine.h"
#include "execute/worker.h"

struct value emit_new(struct emit *e, bool vector)
{
    struct value v = {.vector = vector};
    snprintf(v.text, sizeof v.text, "%%t%d", e->next++);
    return v;
}

const char *emit_type(unsigned bits, bool vector)
{
    switch (bits) {
    case 1: return vector ? "<32 x i1>" : "i1";
    case 8: return vector ? "<32 x i8>" : "i8";
    case 16: return vector ? "<32 x i16>" : "i16";
    case 32: return vector ? "<32 x i32>" : "i32";
    default: return vector ? "<32 x i64>" : "i64";
    }
}

unsigned emit_bits(const struct emit *e, uint32_t reg)
{
    assert(!(reg & CONST_BIT));
    unsigned width = function_register_width(e->p->f, reg);
    return width == 1 ? 1 : width * 8;
}

unsigned long long emit_offset(int i)
{
    return (unsigned long long)i * sizeof(struct insn);
}

void emit_place(struct emit *e, const struct insn *in, unsigned more)
{
    T(e, "getelementptr (i8, ptr @code, i64 %llu)", emit_offset(emit_index(e, in)) + more);
}

static const void *emit_constant(const struct emit *e, uint32_t reg)
{
    return e->p->f->image->constants + (reg & ~CONST_BIT);
}

/** A literal, by the width that the reader wants. */
static struct value literal(const struct emit *e, uint32_t reg, unsigned bits)
{
    struct value v = {.vector = false};
    uint64_t word = 0;
    const void *at = emit_constant(e, reg);
    if (bits == 1)
        snprintf(v.text, sizeof v.text, "%s", *(const uint32_t *)at & 1 ? "true" : "false");
    else {
        memcpy(&word, at, bits / 8);
        snprintf(v.text, sizeof v.text, "%llu", (unsigned long long)word);
    }
    return v;
}

struct value emit_web(struct emit *e, int web)
{
    struct value v = emit_new(e, e->p->varying[web]);
    T(e, "  %s = load %s, ptr %%r%d\n", v.text, emit_type(emit_bits(e, (uint32_t)e->p->slot_of_web[web] * FLOW_SLOT), v.vector), web);
    return v;
}

struct value emit_use_as(struct emit *e, uint32_t reg, unsigned bits)
{
    return reg & CONST_BIT ? literal(e, reg, bits) : emit_web(e, plan_web(e->p, e->at, reg, false));
}

bool emit_varies(const struct emit *e, uint32_t reg)
{
    return e->p->varying[plan_web(e->p, e->at, reg, true)];
}

struct value emit_spread(struct emit *e, struct value v, unsigned bits)
{
    if (v.vector)
        return v;
    struct value one = emit_new(e, true), all = emit_new(e, true);
    T(e, "  %s = insertelement %s poison, %s %s, i64 0\n", one.text, emit_type(bits, true), emit_type(bits, false), v.text);
    T(e, "  %s = shufflevector %s %s, %s poison, <32 x i32> zeroinitializer\n", all.text, emit_type(bits, true), one.text,
      emit_type(bits, true));
    return all;
}

struct value emit_load(struct emit *e, const char *type, const char *base, int offset)
{
    struct value at = emit_new(e, false), v = emit_new(e, false);
    T(e, "  %s = getelementptr i8, ptr %s, i64 %d\n  %s = load %s, ptr %s, align %d\n", at.text, base, offset, v.text, type,
      at.text, type[0] == 'p' || type[1] == '6' ? 8 : type[1] == '8' ? 1 : 4);
    return v;
}

void emit_store(struct emit *e, const char *type, const char *v, const char *base, int offset)
{
    struct value at = emit_new(e, false);
    T(e, "  %s = getelementptr i8, ptr %s, i64 %d\n  store %s %s, ptr %s, align %d\n", at.text, base, offset, type, v, at.text,
      type[0] == 'p' || type[1] == '6' ? 8 : type[1] == '8' ? 1 : 4);
}

void emit_add(struct emit *e, const char *v, const char *base, int offset)
{
    struct value old = emit_load(e, "i64", base, offset), sum = emit_new(e, false);
    T(e, "  %s = add i64 %s, %s\n", sum.text, old.text, v);
    emit_store(e, "i64", sum.text, base, offset);
}

struct value emit_mask(struct emit *e, const char *bits)
{
    struct value v = emit_new(e, true);
    if (e->wide) {
        T(e, "  %s = bitcast i32 %s to <32 x i1>\n", v.text, bits);
        return v;
    }
    struct value word = {.text = ""}, own = emit_new(e, true);
    snprintf(word.text, sizeof word.text, "%s", bits);
    word = emit_spread(e, word, 32);
    T(e, "  %s = and <32 x i32> %s, <", own.text, word.text);
    for (int i = 0; i < WARP_LANES; i++)
        T(e, "%si32 %u", i ? ", " : "", 1u << i);
    T(e, ">\n  %s = icmp ne <32 x i32> %s, zeroinitializer\n", v.text, own.text);
    return v;
}

/** The guard's truth. */
static struct value guard_of(struct emit *e, const struct insn *in)
{
    struct value g = emit_use_as(e, in->guard, 1);
    if (!in->guard_negated)
        return g;
    struct value not = emit_new(e, g.vector);
    T(e, "  %s = xor %s %s, %s\n", not.text, emit_type(1, g.vector), g.text, g.vector ? "splat (i1 true)" : "true");
    return not;
}

struct value emit_active(struct emit *e, const struct insn *in)
{
    struct value m = emit_new(e, false);
    T(e, "  %s = load i32, ptr %%m\n", m.text);
    if (in->guard == REG_NONE)
        return m;
    struct value g = guard_of(e, in), bits = emit_new(e, false), both = emit_new(e, false);
    if (g.vector)
        T(e, "  %s = bitcast <32 x i1> %s to i32\n", bits.text, g.text);
    else
        T(e, "  %s = sext i1 %s to i32\n", bits.text, g.text);
    T(e, "  %s = and i32 %s, %s\n", both.text, m.text, bits.text);
    return both;
}

static struct value select_value(struct emit *e, struct value choice, struct value yes, struct value no, unsigned bits)
{
    struct value v = emit_new(e, yes.vector);
    const char *type = emit_type(bits, yes.vector);
    T(e, "  %s = select %s %s, %s %s, %s %s\n", v.text, emit_type(1, choice.vector), choice.text, type, yes.text, type, no.text);
    return v;
}

/** Does the register keep what it held in some lanes? */
static bool merges(const struct emit *e, const struct insn *in, uint32_t reg)
{
    return plan_keeps_others(e->p, e->block, plan_slot(reg)) || in->guard != REG_NONE;
}

struct value emit_merged(struct emit *e, const struct insn *in, uint32_t reg, struct value v, struct value old)
{
    unsigned bits = emit_bits(e, reg);
    if (emit_varies(e, reg))
        v = emit_spread(e, v, bits);
    if (!merges(e, in, reg))
        return v;
    bool keeps = plan_keeps_others(e->p, e->block, plan_slot(reg));
    struct value choice = keeps ? emit_mask(e, emit_active(e, in).text) : guard_of(e, in);
    return select_value(e, choice, v, old, bits);
}

void emit_define(struct emit *e, const struct insn *in, uint32_t reg, struct value v)
{
    int web = plan_web(e->p, e->at, reg, true);
    struct value old = {.text = ""};
    if (merges(e, in, reg))
        old = emit_web(e, web);
    v = emit_merged(e, in, reg, v, old);
    e->raw[plan_slot(reg)].text[0] = 0;
    T(e, "  store %s %s, ptr %%r%d\n", emit_type(emit_bits(e, reg), e->p->varying[web]), v.text, web);
}

/* ---- The module */

void emit_insn(struct emit *e, const struct insn *in)
{
    int i = e->at = emit_index(e, in);
    switch ((enum plan_way)e->p->way[i]) {
    case WAY_ROW: emit_row(e, in); break;
    case WAY_LOGIC: emit_logic(e, in); break;
    case WAY_PARAM: emit_param(e, in); break;
    case WAY_SPECIAL: emit_special(e, in); break;
    case WAY_GLOBAL: emit_global(e, in); break;
    case WAY_SHARED: emit_shared(e, in); break;
    case WAY_HANDLER: emit_handler(e, in); break;
    case WAY_MEMORY: emit_memory_call(e, in); break;
    case WAY_WATCHED: emit_watched(e, in); break;
    case WAY_QUIET: emit_perhaps_quiet(e, in); break;
    case WAY_OBSERVED: case WAY_CALL: emit_call(e, in); break;
    case WAY_BARRIER: emit_barrier(e, in); break;
    case WAY_BRANCH: emit_branch(e, in); break;
    case WAY_LEAVE:
        e->leaves[i] = true;
        T(e, "  br label %%l%d\n", i);
        break;
    case WAY_NOTHING: break;
    }
}

static void emit_block(struct emit *e, int b)
{
    const struct plan *p = e->p;
    int last = p->blocks->first[b + 1] - 1;
    bool open = true;
    e->block = b;
    emit_forget_raw(e);
    T(e, "b%d:\n", b);
    emit_arrival(e, b);
    for (int i = emit_straight(e); i <= last; i++) {
        if (p->entry[i] || !open)
            emit_forget_raw(e);
        if (i > p->blocks->first[b] && p->entry[i])
            T(e, "%s%d:\n", open ? (T(e, "  br label %%i%d\n", i), "i") : "i", i);
        else if (!open)
            T(e, "dead%d:\n", i); /* nothing comes here but by an entry */
        emit_insn(e, p->f->entry + i);
        open = p->way[i] != WAY_LEAVE && p->way[i] != WAY_BRANCH && p->way[i] != WAY_BARRIER;
    }
    if (!open)
        return;
    if (last + 1 < p->count)
        T(e, "  br label %%b%d\n", b + 1);
    else
        T(e, "  unreachable\n");
}

static void emit_variables(struct emit *e)
{
    const struct plan *p = e->p;
    for (int web = 0; web < p->webs; web++) {
        if (p->in_memory[p->slot_of_web[web]])
            continue;
        const char *type = emit_type(emit_bits(e, (uint32_t)p->slot_of_web[web] * FLOW_SLOT), p->varying[web]);
        T(e, "  %%r%d = alloca %s, align 64\n  store %s zeroinitializer, ptr %%r%d\n", web, type, type, web);
    }
    for (int b = 0; b < p->blocks->count; b++)
        if (p->waits[b])
            T(e, "  %%p%d = alloca i32\n  store i32 0, ptr %%p%d\n", b, b);
    T(e, "  %%m = alloca i32\n  store i32 %%all, ptr %%m\n");
    T(e, "  %%n = alloca i64\n  store i64 0, ptr %%n\n  %%l = alloca i64\n  store i64 0, ptr %%l\n");
    T(e, "  %%rows = alloca i32\n  store i32 0, ptr %%rows\n  %%went = alloca i32\n  store i32 0, ptr %%went\n");
    emit_ranges(e);
    emit_fetch_variables(e);
    T(e, "  %%refusal = alloca ptr\n  store ptr inttoptr (i64 1 to ptr), ptr %%refusal\n");
    T(e, "  %%s = alloca i64\n  store i64 0, ptr %%s\n  %%places = alloca <32 x i32>, align 64\n  %%elements = alloca <32 x i64>, align 64\n");
    T(e, "  %%uneven = alloca [%d x <32 x i64>], align 64\n  %%sectors = alloca [%d x <4 x i32>], align 64\n", UNEVEN_GROUPS, UNEVEN_TURNS * (UNEVEN_GROUPS + 1));
}

static void emit_names(struct emit *e)
{
    T(e, "@code = external constant i8\ndeclare void @warp_set_mask(ptr, i32)\ndeclare ptr @compiled_host(ptr, i64, i64, i32)\n");
    T(e, "declare void @compiled_leave(ptr, ptr, i32)\ndeclare void @compiled_quiet(ptr, i32)\ndeclare void @compiled_park(ptr, ptr, i32)\n");
    T(e, "declare void @compiled_stands(ptr, ptr)\ndeclare void @parting_stand(ptr, ptr)\ndeclare void @parting_part(ptr, ptr, i32, i32)\n");
    T(e, "declare void @parting_meet(ptr, ptr, i32)\ndeclare void @parting_meet_all(ptr, ptr, i32)\ndeclare void @parting_end(ptr)\n");
    T(e, "declare zeroext i1 @plain_load_shared(ptr, ptr, i32, i32)\ndeclare zeroext i1 @plain_load_global(ptr, ptr, i32, i32)\n");
    T(e, "declare zeroext i1 @plain_load_broadcast(ptr, ptr, i32, i32)\n");
    T(e, "declare zeroext i1 @plain_store_shared(ptr, ptr, i32, i32)\ndeclare zeroext i1 @plain_store_global(ptr, ptr, i32, i32)\n");
    T(e, "declare ptr @compiled_does(ptr, ptr, ptr, i64, i64, ptr, i32)\ndeclare ptr @compiled_calls(ptr, ptr, ptr, i64, i64, ptr, i32)\n");
    for (int i = 0; i < e->p->count; i++)
        if (e->handlers[i])
            T(e, "declare ptr @h%d(ptr, ptr)\n", i);
}

static void emit_attributes(struct emit *e)
{
    T(e, "attributes #0 = { nounwind \"target-cpu\"=\"%s\"%s }\n", llvm_level_processor(llvm_level()),
      e->wide ? " \"prefer-vector-width\"=\"512\" \"min-legal-vector-width\"=\"512\"" : "");
    T(e, "attributes #1 = { nounwind noinline \"target-cpu\"=\"%s\" }\n", llvm_level_processor(llvm_level()));
    T(e, "!0 = !{!\"branch_weights\", i32 2000, i32 1}\n!1 = !{!\"branch_weights\", i32 1, i32 2000}\n");
    T(e, "!2 = !{!\"branch_weights\", i32 30, i32 1}\n");
}

char *emit_module(const struct plan *p, size_t *length)
{
    char *text = NULL;
    struct emit e = {.p = p, .out = open_memstream(&text, length)};
    e.handlers = calloc((size_t)p->count + 1, sizeof *e.handlers);
    e.leaves = calloc((size_t)p->count + 1, sizeof *e.leaves);
    e.sources = calloc((size_t)p->count + 1, sizeof *e.sources);
    e.raw = calloc((size_t)p->slots + 1, sizeof *e.raw);
    e.webs = calloc((size_t)p->slots + 1, sizeof *e.webs);
    e.live = calloc(p->slot_words + 1u, sizeof *e.live);
    e.dirty = calloc(p->slot_words + 1u, sizeof *e.dirty);
    if (!e.out || !e.handlers || !e.leaves || !e.sources || !e.raw || !e.webs || !e.live || !e.dirty)
        abort();
    e.wide = llvm_level() == LEVEL_AVX512;
    e.gathers = llvm_gathers();
    e.adds_by_lanes = llvm_level() >= LEVEL_AVX2 && llvm_adds_by_lanes();
    T(&e, "define ptr @run(ptr %%w, i32 %%entry) #0 {\n");
    T(&e, "  %%framep = getelementptr i8, ptr %%w, i64 %d\n  %%frame = load ptr, ptr %%framep\n", FIELD(warp, frame));
    T(&e, "  %%maskp = getelementptr i8, ptr %%w, i64 %d\n  %%all = load i32, ptr %%maskp\n", FIELD(warp, mask));
    T(&e, "  %%closelyp = getelementptr i8, ptr %%w, i64 %d\n  %%closely = load ptr, ptr %%closelyp\n", FIELD(warp, closely));
    T(&e, "  %%beginp = getelementptr i8, ptr %%w, i64 %d\n", FIELD(warp, run_start));
    T(&e, "  %%kp = getelementptr i8, ptr %%w, i64 %d\n  %%k = load ptr, ptr %%kp\n", FIELD(warp, worker));
    T(&e, "  %%blockp = getelementptr i8, ptr %%w, i64 %d\n  %%block = load ptr, ptr %%blockp\n", FIELD(warp, block));
    T(&e, "  %%gridp = getelementptr i8, ptr %%block, i64 %d\n  %%grid = load ptr, ptr %%gridp\n", FIELD(block, grid));
    T(&e, "  %%sharedp = getelementptr i8, ptr %%block, i64 %d\n  %%shared = load ptr, ptr %%sharedp\n", FIELD(block, shared));
    T(&e, "  %%sizep = getelementptr i8, ptr %%block, i64 %d\n  %%size = load i32, ptr %%sizep\n", FIELD(block, shared_bytes));
    T(&e, "  %%paramsp = getelementptr i8, ptr %%grid, i64 %d\n  %%params = load ptr, ptr %%paramsp\n", FIELD(grid, params));
    if (p->f->image->checked)
        emit_store(&e, "ptr", "null", "%k", FIELD(worker, ready.warp));
    emit_variables(&e);
    T(&e, "  switch i32 %%entry, label %%refuse [");
    emit_ways_in(&e);
    T(&e, "refuse:\n  %%refused = load ptr, ptr %%refusal\n  ret ptr %%refused\n");
    for (int b = 0; b < p->blocks->count; b++)
        emit_block(&e, b);
    for (int i = 0; i < p->count; i++)
        if (e.leaves[i])
            emit_leave(&e, i);
    T(&e, "}\n");
    access_functions(&e);
    emit_names(&e);
    emit_attributes(&e);
    fclose(e.out);
    free(e.handlers);
    free(e.leaves);
    free(e.sources);
    free(e.raw);
    free(e.webs);
    free(e.live);
    free(e.dirty);
    return text;
}
