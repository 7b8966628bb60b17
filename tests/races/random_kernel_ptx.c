/**
 * @file random_kernel_ptx.c
 * The text of a random kernel: each value in a register of its own, as nvcc has it, but for the loop's turn and the sum of what is read.
 */
#include "random_text.h"

static void begin_kernel(struct text *t)
{
    fprintf(t->out, ".visible .entry k%d(", t->k->number);
    for (int i = 0; i < PARAMETERS; i++)
        fprintf(t->out, "%s.param .u64 p%d", i ? ", " : "", i);
    if (t->k->clustered)
        fprintf(t->out, ")\n.reqnctapercluster %u\n{\n", t->k->blocks);
    else
        fputs(")\n{\n", t->out);
    fputs(".reg .b32 %t, %b, %g, %i, %x, %last, %c, %r<2400>;\n.reg .b16 %h<1200>;\n.reg .b64 %o<8>, %d<1200>;\n.reg .pred %p<600>;\n", t->out);
    for (int i = 0; i < SHARED_ARRAYS; i++)
        fprintf(t->out, ".shared .align 16 .b8 k%d_s%d[%u];\n", t->k->number, i, SHARED_BYTES);
    fprintf(t->out, ".shared .align 4 .b32 k%d_last[%d];\n.shared .align 8 .b64 k%d_met[%d];\n", t->k->number, MAX_FLAGS, t->k->number, MAX_FLAGS);
    fprintf(t->out, ".loc 1 %d 0\n", t->k->number * LINES_A_KERNEL);
    for (int i = 0; i < PARAMETERS; i++)
        fprintf(t->out, "ld.param.u64 %%d%d, [p%d]; cvta.to.global.u64 %%o%d, %%d%d;\n", t->d + 1, i, i, t->d + 1), t->d++;
    fprintf(t->out, "mov.u32 %%t, %%tid.x; mov.u32 %%b, %%ctaid.x; mad.lo.s32 %%g, %%b, %u, %%t; mov.u32 %%x, 0;\n", t->k->threads);
}

/** Shared memory is zero, and all threads know it. */
static void clear_shared(struct text *t)
{
    int at = new_word(t), cell = new_word(t);
    for (int i = 0; i < SHARED_ARRAYS; i++) {
        int label = ++t->label, base = new_word(t), more = ++t->p;
        fprintf(t->out, "mov.u32 %%r%d, %%t; mov.u32 %%r%d, k%d_s%d;\nL%d:\n", at, base, t->k->number, i, label);
        fprintf(t->out, "shl.b32 %%r%d, %%r%d, 2; add.s32 %%r%d, %%r%d, %%r%d; st.shared.u32 [%%r%d], 0;\n", cell, at, cell, base, cell, cell);
        fprintf(t->out, "add.s32 %%r%d, %%r%d, %u; setp.lt.u32 %%p%d, %%r%d, %u; @%%p%d bra L%d;\n", at, at, t->k->threads, more, at,
                SHARED_BYTES / 4, more, label);
    }
    fputs("bar.sync 0;\n", t->out);
}

/** @return the register of a (t or t >> a) and the rest of step_place() before it is reduced */
static int index_of(struct text *t, const struct step *s)
{
    const char *x = s->shared ? "%t" : "%g";
    uint32_t all = s->shared ? t->k->threads : t->k->blocks * t->k->threads;
    int at = new_word(t), next;
    FILE *o = t->out;
    switch (s->form) {
    case FORM_OWN: fprintf(o, "add.s32 %%r%d, %s, %u;\n", at, x, s->d); break;
    case FORM_CLAIMED: fprintf(o, "add.s32 %%r%d, %%c, %u;\n", at, s->d); break;
    case FORM_REVERSED: fprintf(o, "sub.s32 %%r%d, %u, %s;\n", at, all - 1, x); break;
    case FORM_XOR: fprintf(o, "xor.b32 %%r%d, %s, %u;\n", at, x, s->d); break;
    case FORM_FIXED: fprintf(o, "mov.u32 %%r%d, %u;\n", at, s->d); break;
    case FORM_TABLE: {
        int in = new_word(t), place = ++t->d, cell = ++t->d;
        fprintf(o, "add.s32 %%r%d, %s, %u; and.b32 %%r%d, %%r%d, %u;\n", in, x, s->d, at, in, TABLE_WORDS - 1);
        fprintf(o, "mul.wide.u32 %%d%d, %%r%d, 4; add.s64 %%d%d, %%o%d, %%d%d;\n", place, at, cell, GLOBAL_ARRAYS, place);
        fprintf(o, "ld.global.u32 %%r%d, [%%d%d];\n", at = new_word(t), cell);
        break;
    }
    case FORM_AFFINE:
    case FORM_SHARED:
        fprintf(o, s->form == FORM_AFFINE ? "mul.lo.s32 %%r%d, %%t, %u;\n" : "shr.u32 %%r%d, %%t, %u;\n", at, s->a);
        fprintf(o, "mad.lo.s32 %%r%d, %%b, %u, %%r%d;\n", next = new_word(t), s->b, at);
        if (t->loop && s->form == FORM_AFFINE)
            fprintf(o, "mad.lo.s32 %%r%d, %%i, %u, %%r%d;\n", at = new_word(t), s->c, next), next = at;
        fprintf(o, "add.s32 %%r%d, %%r%d, %u;\n", at = new_word(t), next, s->d);
    }
    return at;
}

void random_address(struct text *t, const struct step *s, char *out, size_t size)
{
    unsigned bytes = s->unit * s->count;
    int at = index_of(t, s), in = new_word(t);
    if (s->base)
        fprintf(t->out, "add.s32 %%r%d, %%r%d, %u;\n", new_word(t), at, s->base), at = t->r;
    fprintf(t->out, "and.b32 %%r%d, %%r%d, %u;\n", in, at, (s->shared ? SHARED_BYTES : GLOBAL_BYTES) / bytes - 1);
    if (s->shared) {
        int base = new_word(t), cell = new_word(t);
        fprintf(t->out, "mov.u32 %%r%d, k%d_s%d; mad.lo.s32 %%r%d, %%r%d, %u, %%r%d;\n", base, t->k->number, s->array, cell, in, bytes, base);
        if (s->remote) {
            int rank = new_word(t), far = new_word(t);
            fprintf(t->out, "add.s32 %%r%d, %%b, 1; rem.u32 %%r%d, %%r%d, %u; mapa.shared::cluster.u32 %%r%d, %%r%d, %%r%d;\n", rank, rank, rank, t->k->blocks, far, cell, rank);
            cell = far;
        }
        if (s->generic)
            fprintf(t->out, "cvt.u64.u32 %%d%d, %%r%d; cvta.shared%s.u64 %%d%d, %%d%d;\n", t->d + 1, cell, s->remote ? "::cluster" : "", t->d + 2, t->d + 1), t->d += 2;
        snprintf(out, size, s->generic ? "[%%d%d]" : "[%%r%d]", s->generic ? t->d : cell);
    } else {
        int far = ++t->d, cell = ++t->d;
        fprintf(t->out, "mul.wide.u32 %%d%d, %%r%d, %u; add.s64 %%d%d, %%o%d, %%d%d;\n", far, in, bytes, cell, s->array, far);
        if (s->generic)
            fprintf(t->out, "cvta.global.u64 %%d%d, %%d%d;\n", ++t->d, cell), cell = t->d;
        snprintf(out, size, "[%%d%d]", cell);
    }
}

int random_guard(struct text *t, const struct step *s)
{
    int p = ++t->p, r = new_word(t);
    switch (s->guard) {
    case GUARD_NONE: break;
    case GUARD_BELOW: fprintf(t->out, "setp.lt.u32 %%p%d, %%t, %u;\n", p, s->bound); break;
    case GUARD_FROM: fprintf(t->out, "setp.ge.u32 %%p%d, %%t, %u;\n", p, s->bound); break;
    case GUARD_EVERY: fprintf(t->out, "rem.u32 %%r%d, %%t, %u; setp.eq.u32 %%p%d, %%r%d, 0;\n", r, s->bound, p, r); break;
    case GUARD_BLOCK: fprintf(t->out, "setp.eq.u32 %%p%d, %%b, %u;\n", p, s->bound); break;
    case GUARD_LAST: fprintf(t->out, "setp.lt.u32 %%p%d, %%t, %u; setp.ne.and.u32 %%p%d, %%last, 0, %%p%d;\n", p, s->bound, p, p); break;
    case GUARD_WARP: fprintf(t->out, "shr.u32 %%r%d, %%t, 5; setp.eq.u32 %%p%d, %%r%d, %u;\n", r, p, r, s->bound); break;
    }
    return p;
}

int random_skip(struct text *t, const struct step *s)
{
    int label = s->guard || s->block != ANY_BLOCK ? ++t->label : 0;
    if (s->block != ANY_BLOCK) {
        int p = ++t->p;
        fprintf(t->out, "setp.ne.u32 %%p%d, %%b, %u; @%%p%d bra L%d;\n", p, s->block, p, label);
    }
    if (s->guard)
        fprintf(t->out, "@!%%p%d bra L%d;\n", random_guard(t, s), label);
    return label;
}

/** Registers of one element: of 64, 16 or 32 bits. */
static char bank(const struct step *s)
{
    return s->unit == 8 ? 'd' : s->unit < 4 ? 'h' : 'r';
}

static int take(struct text *t, char bank)
{
    return bank == 'd' ? ++t->d : bank == 'h' ? ++t->h : ++t->r;
}

/** "%r1" or "{%r1, %r2}": `count` registers from `first` on, or the same one. */
static void operands(char *out, size_t size, char bank, int first, unsigned count, bool same)
{
    size_t n = (size_t)snprintf(out, size, "%s", count > 1 ? "{" : "");
    for (unsigned i = 0; i < count; i++)
        n += (size_t)snprintf(out + n, size - n, "%s%%%c%d", i ? ", " : "", bank, first + (same ? 0 : (int)i));
    snprintf(out + n, size - n, "%s", count > 1 ? "}" : "");
}

static void add_up(struct text *t, char bank, int reg)
{
    int low = bank == 'r' ? reg : new_word(t);
    if (bank == 'd')
        fprintf(t->out, "cvt.u32.u64 %%r%d, %%d%d;\n", low, reg);
    if (bank == 'h')
        fprintf(t->out, "cvt.u32.u16 %%r%d, %%h%d;\n", low, reg);
    fprintf(t->out, "add.s32 %%x, %%x, %%r%d;\n", low);
}

const char *random_scope(const struct text *t, const struct step *s, bool wide)
{
    if (s->spelled % 3 == 2 && wide == t->k->clustered)
        return ".cluster";
    return wide ? ".gpu" : ".cta";
}

/** Where it goes, as a part of the instruction's name. */
static const char *space_of(const struct step *s)
{
    return s->generic ? "" : s->remote ? ".shared::cluster" : s->shared ? ".shared" : ".global";
}

static void strength_of(const struct text *t, const struct step *s, char *out, size_t size)
{
    bool plain = s->act != ACT_ADD && !s->strong;
    if (plain || s->volatile_ || (s->act == ACT_ADD && !s->near && s->spelled % 4 == 0))
        snprintf(out, size, "%s", s->volatile_ ? ".volatile" : "");
    else
        snprintf(out, size, "%s%s", s->strength != ORDERED ? ".relaxed" : s->act == ACT_LOAD ? ".acquire" : ".release", !s->near && s->spelled % 4 == 3 ? ".sys" : random_scope(t, s, !s->near));
}

static void atomic_text(struct text *t, const struct step *s, const char *on, const char *at, int value)
{
    char kind = bank(s);
    char strength[24];
    int old = take(t, kind);
    strength_of(t, s, strength, sizeof strength);
    if (!s->used && s->spelled % 2) {
        fprintf(t->out, "%sred%s%s.%s.u%u %s, %%%c%d;\n", on, strength, space_of(s), s->largest ? "max" : "add", 8 * s->unit, at, kind, value);
        return;
    }
    if (*on)
        fprintf(t->out, "mov.b%u %%%c%d, 0;\n", 8 * s->unit, kind, old);
    fprintf(t->out, "%satom%s%s.%s.u%u %%%c%d, %s, %%%c%d;\n", on, strength, space_of(s), s->largest ? "max" : "add",
            8 * s->unit, kind, old, at, kind, value);
    if (s->used)
        add_up(t, kind, old);
}

static void access_text(struct text *t, const struct step *s)
{
    char at[32], regs[96], vector[16] = "", width[16], on[16] = "", strength[24];
    char kind = bank(s);
    int label = 0, value = take(t, kind);
    for (unsigned i = 1; i < s->count; i++)
        take(t, kind); /* those behind it */
    random_address(t, s, at, sizeof at);
    if (s->guard && s->predicated && s->block == ANY_BLOCK)
        snprintf(on, sizeof on, "@%%p%d ", random_guard(t, s));
    else
        label = random_skip(t, s);
    if (s->count > 1)
        snprintf(vector, sizeof vector, ".v%u", s->count);
    snprintf(width, sizeof width, ".u%u", 8 * s->unit);
    strength_of(t, s, strength, sizeof strength);
    operands(regs, sizeof regs, kind, value, s->count, s->act != ACT_LOAD);
    if (s->act != ACT_LOAD) {
        int word = kind == 'r' ? value : new_word(t), of_block = new_word(t);
        if (s->same && s->act == ACT_STORE)
            fprintf(t->out, "mov.u32 %%r%d, 5;\n", word);
        else
            fprintf(t->out, "mad.lo.s32 %%r%d, %%b, 1000, %%t; add.s32 %%r%d, %%r%d, %d;\n", of_block, word, of_block, 7 + step_line(t->k, s));
        if (kind != 'r')
            fprintf(t->out, "cvt.%s %%%c%d, %%r%d;\n", kind == 'd' ? "u64.u32" : "u16.u32", kind, value, word);
    } else if (*on)
        for (unsigned i = 0; i < s->count; i++)
            fprintf(t->out, "mov.b%d %%%c%d, 0;\n", kind == 'd' ? 64 : kind == 'h' ? 16 : 32, kind, value + (int)i);
    if (s->act == ACT_LOAD)
        fprintf(t->out, "%sld%s%s%s%s %s, %s;\n", on, strength, space_of(s), vector, width, regs, at);
    else if (s->act == ACT_STORE)
        fprintf(t->out, "%sst%s%s%s%s %s, %s;\n", on, strength, space_of(s), vector, width, at, regs);
    else
        atomic_text(t, s, on, at, value);
    for (unsigned i = 0; i < s->count && s->act == ACT_LOAD; i++)
        add_up(t, kind, value + (int)i);
    if (label)
        fprintf(t->out, "L%d:\n", label);
}

/** All threads of the block meet. */
static void barrier_text(struct text *t, const struct step *s)
{
    static const char *const spelled[] = {"bar.sync 0;\n", "barrier.sync 0;\n", "barrier.cta.sync.aligned 0;\n"};
    int p = ++t->p, said = ++t->p;
    if (s->spelled % 5 < 3) {
        fputs(spelled[s->spelled % 5], t->out);
        return;
    }
    fprintf(t->out, "setp.gt.u32 %%p%d, %%t, 7;\n", p);
    if (s->spelled % 5 == 3)
        fprintf(t->out, "bar.red.popc.u32 %%r%d, 0, %%p%d;\n", new_word(t), p);
    else
        fprintf(t->out, "bar.red.or.pred %%p%d, 0, %%p%d;\n", said, p);
}

static void step_text(struct text *t, const struct step *s)
{
    fprintf(t->out, ".loc 1 %d 0\n", step_line(t->k, s));
    switch (s->act) {
    case ACT_LOAD:
    case ACT_STORE:
    case ACT_ADD: access_text(t, s); break;
    case ACT_BARRIER: barrier_text(t, s); break;
    case ACT_COPY: random_copy_text(t, s); break;
    case ACT_WARP_BARRIER: fputs("bar.warp.sync -1;\n", t->out); break;
    case ACT_LOOP: fprintf(t->out, "mov.u32 %%i, 0;\nL%d:\n", t->loop = ++t->label); break;
    case ACT_LOOP_END:
        for (t->p++; s->act != ACT_LOOP;)
            s--;
        fprintf(t->out, "add.s32 %%i, %%i, 1; setp.lt.u32 %%p%d, %%i, %u; @%%p%d bra L%d;\n", t->p, s->turns, t->p, t->loop);
        t->loop = 0;
        break;
    default: random_signal_text(t, s);
    }
}

void random_kernel_ptx(FILE *out, const struct random_kernel *k)
{
    struct text t = {.out = out, .k = k};
    begin_kernel(&t);
    if (k->has_shared && !k->unwritten)
        clear_shared(&t);
    random_met_text(&t);
    for (int i = 0; i < k->count; i++)
        step_text(&t, &k->step[i]);
    fprintf(out, ".loc 1 %d 0\n", k->number * LINES_A_KERNEL + 1);
    fprintf(out, "mul.wide.u32 %%d%d, %%g, 4; add.s64 %%d%d, %%o%d, %%d%d; st.global.u32 [%%d%d], %%x;\nret;\n}\n", t.d + 1, t.d + 2,
            GLOBAL_ARRAYS + 1, t.d + 1, t.d + 2);
}
