/**
 * @file emit_rows.c
 * Arithmetic: llvm_rows.def's texts with their names and types put in, predicates, special registers.
 */
#include "compile/emit.h"

#include <string.h>

#include "code/descriptions.h"
#include "compile/way.h"
#include "execute/engine.h"

/** One row's text on its way out. */
struct row {
    struct emit *e;
    struct value source[4], result, own[100];
    bool vector;
};

static void put_type(struct row *r, const char *type, bool in_name)
{
    FILE *out = r->e->out;
    const char *name = type[0] == 'f' ? (in_name ? "f32" : "float") : type[0] == 'd' ? (in_name ? "f64" : "double") : NULL;
    char number[8];
    if (!name) {
        snprintf(number, sizeof number, "i%d", atoi(type));
        name = number;
    }
    if (r->vector)
        fprintf(out, in_name ? "v32%s" : "<32 x %s>", name);
    else
        fputs(name, out);
}

/** Writes what the characters after `at` stand for. @return the last of them */
static const char *put_token(struct row *r, const char *at)
{
    FILE *out = r->e->out;
    char *end = (char *)at + 1;
    if (*at == '$') {
        long own = strtol(at + 1, &end, 10);
        if (end != at + 1)
            fputs(r->own[own].text, out);
        else
            fputs(at[1] == 'r' ? r->result.text : r->source[at[1] - 'a'].text, out), end = (char *)at + 2;
        return end - 1;
    }
    if (*at == '{') {
        long bits = strtol(at + 1, &end, 10), long_value = strtol(end + 1, &end, 10);
        if (r->vector)
            fprintf(out, "splat (i%ld %ld)", bits, long_value);
        else
            fprintf(out, "%ld", long_value);
        return end;
    }
    put_type(r, at + 1, *at == '~');
    if (at[1] == 'f' || at[1] == 'd')
        return at + 1;
    strtol(at + 1, &end, 10);
    return end - 1;
}

static void put_text(struct row *r, const char *text)
{
    FILE *out = r->e->out;
    fputs("  ", out);
    for (const char *at = text; *at; at++) {
        if (*at == ';')
            fputs("\n ", out);
        else if (strchr("$#~{", *at))
            at = put_token(r, at);
        else
            fputc(*at, out);
    }
    fputc('\n', out);
}

/** A row of double precision whose text is that of the one to nearest, but for the operation that makes $8 of $1, $2, $3. */
static void put_directed(struct row *r, const struct insn *in, const char *nearest, int sources)
{
    const char *operation = strstr(nearest, "$8 = ");
    char reals[160];
    snprintf(reals, sizeof reals, "%.*s", (int)(operation - nearest), nearest);
    put_text(r, reals);
    r->own[8] = emit_directed_double(r->e, in, r->own + 1, sources, r->vector);
    put_text(r, strchr(operation, ';') + 1);
}

/** and, or, xor of two truths; 0: the first. */
static struct value combine(struct emit *e, unsigned operation, struct value a, struct value b)
{
    static const char *const names[] = {NULL, "and", "or", "xor"};
    if (!operation)
        return a;
    if (a.vector || b.vector)
        a = emit_spread(e, a, 1), b = emit_spread(e, b, 1);
    struct value v = emit_new(e, a.vector);
    T(e, "  %s = %s %s %s, %s\n", v.text, names[operation], emit_type(1, v.vector), a.text, b.text);
    return v;
}

static struct value negation(struct emit *e, struct value a, bool wanted)
{
    struct value v = wanted ? emit_new(e, a.vector) : a;
    if (wanted)
        T(e, "  %s = xor %s %s, %s\n", v.text, emit_type(1, a.vector), a.text, a.vector ? "splat (i1 true)" : "true");
    return v;
}

/** A comparison's result, as insn->imm asks for it: alu_finish_pred() of execute/alu. */
static void finish_predicate(struct emit *e, const struct insn *in, struct value r)
{
    unsigned how = (unsigned)in->imm & 15, operation = how >> PRED_BOOL_SHIFT & 3;
    struct value c = {.text = "false"};
    r = negation(e, r, how & PRED_INVERT);
    if (operation)
        c = negation(e, emit_use_as(e, in->src[2], 1), how & PRED_C_NEGATED);
    struct value first = combine(e, operation, r, c);
    struct value second = {.text = ""};
    if (in->dst2 != REG_NONE)
        second = combine(e, operation, negation(e, r, true), c);
    if (in->dst != REG_NONE)
        emit_define(e, in, in->dst, first);
    if (in->dst2 != REG_NONE)
        emit_define(e, in, in->dst2, second);
}

/** Any function of three bits as the sum of its minterms; LLVM finds what it is. */
static struct value lop3(struct row *r, unsigned table)
{
    struct emit *e = r->e;
    const char *type = emit_type(32, r->vector), *ones = r->vector ? "splat (i32 -1)" : "-1";
    struct value sum = {.text = "", .vector = r->vector}, inverted[3];
    for (int i = 0; i < 3; i++) {
        inverted[i] = emit_new(e, r->vector);
        T(e, "  %s = xor %s %s, %s\n", inverted[i].text, type, r->source[i].text, ones);
    }
    for (unsigned term = 0; term < 8; term++) {
        if (!(table >> term & 1))
            continue;
        struct value ab = emit_new(e, r->vector), abc = emit_new(e, r->vector), next = emit_new(e, r->vector);
        T(e, "  %s = and %s %s, %s\n", ab.text, type, term & 4 ? r->source[0].text : inverted[0].text,
          term & 2 ? r->source[1].text : inverted[1].text);
        T(e, "  %s = and %s %s, %s\n", abc.text, type, ab.text, term & 1 ? r->source[2].text : inverted[2].text);
        if (sum.text[0]) {
            T(e, "  %s = or %s %s, %s\n", next.text, type, sum.text, abc.text);
            sum = next;
        } else
            sum = abc;
    }
    if (!sum.text[0])
        snprintf(sum.text, sizeof sum.text, "%s", r->vector ? "zeroinitializer" : "0");
    return sum;
}

/** Bits of a source; cvt's row does not tell, but what is converted. */
static unsigned source_bits(const struct insn *in, int i)
{
    unsigned bytes = operand_class_bytes((enum operand_class)in->op->src[i]);
    return insn_row(in) == ROW_cvt ? (unsigned)(in->imm >> 24 & 0xff) * 8 : bytes == 1 ? 1 : bytes * 8;
}

void emit_forget_raw(struct emit *e)
{
    for (int slot = 0; slot < e->p->slots; slot++)
        e->raw[slot].text[0] = 0;
}

/** Rows to which all NaNs are alike, whatever their bits: what comes of them is a NaN, which becomes PTX's, the other operand, or a truth. */
static bool takes_any_nan(enum op_row row)
{
    switch ((int)row) {
    case ROW_add_f32: case ROW_sub_f32: case ROW_mul_f32: case ROW_div_f32: case ROW_fma_f32: case ROW_mad_f32: case ROW_sqrt_f32:
    case ROW_neg_f32: case ROW_abs_f32: case ROW_min_f32: case ROW_max_f32:
    case ROW_is_eq_f32: case ROW_is_ne_f32: case ROW_is_lt_f32: case ROW_is_le_f32: case ROW_is_num_f32:
        return true;
    default:
        return false;
    }
}

/** Does the text end with making every NaN PTX's, of $6? */
static bool ends_with_nan(const char *text)
{
    static const char end[] = "$6 = bitcast #f $8 to #32 ; $r = select #1 $7, #32 {32:2147483647}, #32 $6";
    size_t length = strlen(text);
    return length >= sizeof end - 1 && !strcmp(text + length - (sizeof end - 1), end);
}

/** A source; where any NaN will do, it need not become PTX's first. */
static struct value source_of(struct emit *e, const struct insn *in, int i)
{
    uint32_t reg = in->src[i];
    if (!(reg & CONST_BIT) && takes_any_nan(insn_row(in)) && e->raw[plan_slot(reg)].text[0])
        return e->raw[plan_slot(reg)];
    return emit_use_as(e, reg, source_bits(in, i));
}

/** Writes the result and keeps what it was before its NaNs became PTX's. */
static void define_real(struct emit *e, const struct insn *in, const struct row *r)
{
    struct value *kept = &e->raw[plan_slot(in->dst)], old = *kept;
    if (!old.text[0])
        old = emit_web(e, plan_web(e->p, e->at, in->dst, true));
    struct value raw = emit_merged(e, in, in->dst, r->own[6], old);
    emit_define(e, in, in->dst, r->result);
    *kept = raw;
}

void emit_row(struct emit *e, const struct insn *in)
{
    struct row r = {.e = e};
    int sources = insn_row(in) == ROW_cvt ? 1 : in->op->sources;
    bool as_double = way_directed(in) && way_nearest_text(in);
    if (way_directed(in) && !as_double && e->wide) {
        emit_directed(e, in, sources);
        return;
    }
    for (int i = 0; i < sources; i++) {
        r.source[i] = source_of(e, in, i);
        r.vector |= r.source[i].vector;
    }
    memcpy(e->sources[emit_index(e, in)], r.source, sizeof e->sources[0]);
    const char *text = as_double ? way_nearest_text(in) : way_directed(in) ? emit_directed_text(in) : way_row_text(in, !r.vector);
    if (!text && insn_row(in) != ROW_lop3_lut) {
        emit_handler(e, in);
        return;
    }
    for (int i = 0; i < sources && r.vector; i++)
        r.source[i] = emit_spread(e, r.source[i], source_bits(in, i));
    for (int i = 0; i < 100; i++)
        r.own[i] = emit_new(e, r.vector);
    r.result = emit_new(e, r.vector);
    if (as_double)
        put_directed(&r, in, text, sources);
    else if (text)
        put_text(&r, text);
    else
        r.result = lop3(&r, (unsigned)in->imm & 255);
    if (in->op->dst == CLASS_pred)
        finish_predicate(e, in, r.result);
    else if (text && ends_with_nan(text) && !e->p->in_memory[plan_slot(in->dst)])
        define_real(e, in, &r);
    else
        emit_define(e, in, in->dst, r.result);
}

void emit_logic(struct emit *e, const struct insn *in)
{
    unsigned operation = in->imm & 7;
    struct value a = negation(e, emit_use_as(e, in->src[0], 1), in->imm & 16);
    if (operation < 3)
        a = combine(e, operation + 1, a, negation(e, emit_use_as(e, in->src[1], 1), in->imm & 32));
    else
        a = negation(e, a, operation == 3);
    emit_define(e, in, in->dst, a);
}

void emit_special(struct emit *e, const struct insn *in)
{
    int axis = 0;
    struct value v = emit_new(e, true), array;
    switch (way_special(in, &axis)) {
    case SPECIAL_TID:
        array = emit_load(e, "ptr", "%w", FIELD(warp, thread_id) + axis * (int)sizeof(uint32_t *));
        T(e, "  %s = load <32 x i32>, ptr %s, align 4\n", v.text, array.text);
        break;
    case SPECIAL_NTID:
        v = emit_load(e, "i32", "%grid", FIELD(grid, config.block) + 4 * axis);
        break;
    case SPECIAL_NCTAID:
        v = emit_load(e, "i32", "%grid", FIELD(grid, config.grid) + 4 * axis);
        break;
    case SPECIAL_CTAID:
        v = emit_load(e, "i32", "%block", FIELD(block, id) + 4 * axis);
        break;
    default:
        T(e, "  %s = add <32 x i32> zeroinitializer, <", v.text);
        for (int i = 0; i < WARP_LANES; i++)
            T(e, "%si32 %d", i ? ", " : "", i);
        T(e, ">\n");
        break;
    }
    emit_define(e, in, in->dst, v);
}
