/**
 * @file litmus_ptx.c
 * See litmus_ptx.h.
 */
#include "litmus_ptx.h"

#include <string.h>

static const char *scope_name(enum model_scope s)
{
    static const char *const names[] = {"cta", "cluster", "gpu", "sys"};
    return names[s];
}

/** The thread's number in its block. */
static uint32_t place_of(const struct litmus *l, enum litmus_layout layout, int thread)
{
    uint32_t n = 0;
    for (int t = 0; t < thread; t++)
        n += l->place[t].block == l->place[thread].block;
    return layout == LITMUS_WARPS ? 32 * n : n;
}

void litmus_shape(const struct litmus *l, enum litmus_layout layout, uint32_t *blocks, uint32_t *threads)
{
    *blocks = *threads = 1;
    for (int t = 0; t < l->threads; t++) {
        uint32_t at = place_of(l, layout, t) + 1, block = (uint32_t)l->place[t].block + 1;
        *threads = at > *threads ? at : *threads;
        *blocks = block > *blocks ? block : *blocks;
    }
    *blocks += (uint32_t)l->cluster_blocks - 1, *blocks -= *blocks % (uint32_t)l->cluster_blocks;
}

static void put_operand(FILE *out, int reg, uint64_t value)
{
    if (reg < 0)
        fprintf(out, "%d", (int)value);
    else
        fprintf(out, "%%r%d", reg);
}

/** ".relaxed.gpu", "" for weak accesses. */
static void put_order(FILE *out, const struct litmus_statement *s)
{
    const char *order = s->acquire && s->release ? "acq_rel" : s->acquire ? "acquire" : s->release ? "release"
                                                                                                  : "relaxed";
    if (s->is_volatile)
        fputs(".volatile", out);
    else if (s->strong)
        fprintf(out, ".%s.%s", order, scope_name(s->scope));
}

static void put_modify(FILE *out, const struct litmus_statement *s)
{
    bool red = !strcmp(s->op, "red");
    const char *what = !strcmp(s->op, "xchg") ? "exch" : red ? "add" : s->op;
    bool bits = !strcmp(what, "exch") || !strcmp(what, "cas") || !strcmp(what, "or") || !strcmp(what, "and");
    fputs(red ? "\tred" : "\tatom", out);
    put_order(out, s);
    fprintf(out, ".global.%s.%s ", what, bits ? "b32" : "u32");
    if (!red)
        fprintf(out, "%%r%d, ", s->into);
    fprintf(out, "[%%x+%d], ", 4 * s->location);
    if (!strcmp(what, "cas"))
        fprintf(out, "%d, ", (int)s->compare);
    put_operand(out, s->from, s->value);
    fputs(";\n", out);
}

/** In one warp the block's barrier is one of its lanes. */
static void put_barrier(FILE *out, const struct litmus *l, enum litmus_layout layout, const struct litmus_statement *s,
                        int thread)
{
    uint32_t lanes = 0;
    for (int t = 0; t < l->threads; t++)
        if (l->place[t].block == l->place[thread].block)
            lanes |= 1u << place_of(l, LITMUS_LANES, t);
    if (layout == LITMUS_LANES)
        fprintf(out, "\tbar.warp.sync %u;\n", lanes);
    else if (s->expected)
        fprintf(out, "\tbar.%s %d, %d;\n", s->op[0] == 'a' ? "arrive" : "sync", s->number, 32 * s->expected);
    else
        fprintf(out, "\tbar.sync %d;\n", s->number);
}

/** A vote or a shuffle of the block's lanes. */
static void put_exchange(FILE *out, const struct litmus *l, const struct litmus_statement *s, int thread)
{
    uint32_t lanes = 0;
    int into = s->into < 0 ? 11 : s->into;
    for (int t = 0; t < l->threads; t++)
        if (l->place[t].block == l->place[thread].block)
            lanes |= 1u << place_of(l, LITMUS_LANES, t);
    fputs("\tmov.u32 %r10, ", out);
    put_operand(out, s->from, s->value);
    if (s->op[0] == 'f')
        fprintf(out, ";\n\tshfl.sync.idx.b32 %%r%d, %%r10, 0, 31, %u;\n", into, lanes);
    else
        fprintf(out, ";\n\tsetp.ne.u32 %%p, %%r10, 0;\n\tvote.sync.any.pred %%p, %%p, %u;\n\tselp.u32 %%r%d, 1, 0, %%p;\n",
                lanes, into);
}

/** @param at  its number in the thread; labels are made of it */
static void put_statement(FILE *out, const struct litmus_statement *s, int thread, int at, int last_load)
{
    if (!strcmp(s->op, "F")) {
        fprintf(out, "\tfence.%s.%s;\n", s->sc ? "sc" : "acq_rel", scope_name(s->scope));
    } else if (!strcmp(s->op, "W")) {
        fputs("\tst", out);
        put_order(out, s);
        fprintf(out, ".global.u32 [%%x+%d], ", 4 * s->location);
        put_operand(out, s->from, s->value);
        fputs(";\n", out);
    } else if (!strcmp(s->op, "R")) {
        fputs("\tld", out);
        put_order(out, s);
        fprintf(out, ".global%s.u32 %%r%d, [%%x+%d];\n", s->is_nc ? ".nc" : "", s->into, 4 * s->location);
    } else if (!strcmp(s->op, "if")) {
        fprintf(out, "\tsetp.eq.u32 %%p, %%r%d, 0;\n\t@%%p bra S%d_%d;\n", s->from, thread, at + 1 + s->number);
    } else if (s->op[0] == 'c' && strcmp(s->op, "cas") != 0) {
        fprintf(out, "\tbarrier.cluster.%s;\n", s->op[1] == 'w' ? "wait" : s->strong ? "arrive.release" : "arrive.relaxed");
    } else if (!strcmp(s->op, "again")) {
        fprintf(out, "\tsetp.eq.u32 %%p, %%r%d, 0;\n\t@%%p bra S%d_%d;\n", s->from, thread, last_load);
    } else {
        put_modify(out, s);
    }
}

static void put_thread(FILE *out, const struct litmus *l, enum litmus_layout layout, int thread)
{
    int n = l->thread[thread].count, last_load = 0;
    uint32_t loaded = 0;
    fprintf(out, "T%d:\n", thread);
    for (int at = 0; at < n; at++) {
        const struct litmus_statement *s = &l->thread[thread].s[at];
        fprintf(out, "S%d_%d:\n", thread, at);
        if (!strcmp(s->op, "bar") || !strcmp(s->op, "arrive"))
            put_barrier(out, l, layout, s, thread);
        else if (!strcmp(s->op, "any") || !strcmp(s->op, "first"))
            put_exchange(out, l, s, thread);
        else
            put_statement(out, s, thread, at, last_load);
        if (s->into >= 0) {
            loaded |= 1u << s->into;
            last_load = at;
        }
    }
    fprintf(out, "S%d_%d:\n", thread, n);
    for (int r = 0; r < LITMUS_REGISTERS; r++)
        if (loaded >> r & 1)
            fprintf(out, "\tst.global.u32 [%%o+%d], %%r%d;\n", 4 * r, r);
    fputs("\tret;\n", out);
}

void litmus_ptx(FILE *out, const struct litmus *l, enum litmus_layout layout, const char *name)
{
    fprintf(out, ".visible .entry %s(.param .u64 px, .param .u64 po)\n{\n\t.reg .pred %%p;\n"
                 "\t.reg .b32 %%r<12>;\n\t.reg .b64 %%x, %%o;\n"
                 "\tld.param.u64 %%x, [px];\n\tld.param.u64 %%o, [po];\n", name);
    for (int r = 0; r < LITMUS_REGISTERS; r++)
        fprintf(out, "\tmov.u32 %%r%d, 0;\n", r);
    fputs("\tmov.u32 %r8, %ctaid.x;\n\tmov.u32 %r9, %tid.x;\n\tshl.b32 %r8, %r8, 16;\n\tor.b32 %r8, %r8, %r9;\n", out);
    for (int t = 0; t < l->threads; t++)
        fprintf(out, "\tsetp.eq.u32 %%p, %%r8, %u;\n\t@%%p bra T%d;\n",
                (uint32_t)l->place[t].block << 16 | place_of(l, layout, t), t);
    fputs("\tret;\n", out);
    for (int t = 0; t < l->threads; t++)
        put_thread(out, l, layout, t);
    fputs("}\n", out);
}
