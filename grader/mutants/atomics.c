/**
 * @file atomics.c
 * An atomic as its three steps, and resets of counters; see rewrite.h.
 */
#include <stdlib.h>
#include <string.h>

#include "mutants/rewrite.h"

/** An atomic taken apart: "atom.global.add.u32 d, [a], b" (of `red`, d is NULL). */
struct atomic {
    const char *guard, *result, *address, *b, *c, *type;
    char space[16], op[8];
};

static bool find_word(const char *opcode, const char *const *words, int count, char *out)
{
    for (int i = 0; i < count; i++) {
        char *modifier = text_format(".%s", words[i]);
        bool has = ptx_has(opcode, modifier);
        free(modifier);
        if (has) {
            strcpy(out, words[i]);
            return true;
        }
    }
    return false;
}

static bool read_atomic(struct atomic *a, const struct ptx_instruction *in)
{
    static const char *const ops[] = {"add", "and", "or",   "xor", "min",
                                      "max", "inc", "exch", "dec", "cas"};
    static const char *const types[] = {".u32", ".s32", ".b32", ".u64", ".s64",
                                        ".b64", ".f32", ".f64"};
    static const char *const spaces[] = {"global", "shared::cta", "shared::cluster", "shared"};
    bool red = ptx_is(in->opcode, "red");
    int first = red ? 0 : 1;
    *a = (struct atomic){.guard = in->guard};
    if ((!red && !ptx_is(in->opcode, "atom")) || in->operands < first + 2)
        return false;
    for (int i = 0; i < 8; i++)
        if (strlen(in->opcode) > 4 && !strcmp(in->opcode + strlen(in->opcode) - 4, types[i]))
            a->type = types[i];
    if (!a->type || !find_word(in->opcode, ops, 10, a->op))
        return false;
    find_word(in->opcode, spaces, 4, a->space);
    a->result = red || !strcmp(in->operand[0], "_") ? NULL : in->operand[0];
    a->address = in->operand[first];
    a->b = in->operand[first + 1];
    a->c = in->operands > first + 2 ? in->operand[first + 2] : NULL;
    return *a->address == '[' && *a->b != '{' && (strcmp(a->op, "cas") || a->c);
}

/** Writes what makes %fp_new from %fp_old; the guard goes before each instruction. */
static void write_operation(struct text *out, const struct atomic *a)
{
    const char *g = a->guard, *t = a->type, *b = a->b;
    if (!strcmp(a->op, "exch")) {
        text_printf(out, "%s mov%s %%fp_new, %s;\n", g, t, b);
    } else if (!strcmp(a->op, "cas")) {
        text_printf(out, "%s setp.eq%s %%fp_p, %%fp_old, %s;\n%s selp%s %%fp_new, %s, %%fp_old, %%fp_p;\n",
                    g, t, b, g, t, a->c);
    } else if (!strcmp(a->op, "inc")) {
        text_printf(out, "%s setp.ge%s %%fp_p, %%fp_old, %s;\n%s add%s %%fp_new, %%fp_old, 1;\n", g,
                    t, b, g, t);
        text_printf(out, "%s selp%s %%fp_new, 0, %%fp_new, %%fp_p;\n", g, t);
    } else if (!strcmp(a->op, "dec")) {
        /* old is 0 or beyond b: old - 1 >= b, unsigned. */
        text_printf(out, "%s sub%s %%fp_new, %%fp_old, 1;\n%s setp.ge%s %%fp_p, %%fp_new, %s;\n", g,
                    t, g, t, b);
        text_printf(out, "%s selp%s %%fp_new, %s, %%fp_new, %%fp_p;\n", g, t, b);
    } else if (!strcmp(a->op, "add") && t[1] == 'f') {
        text_printf(out, "%s add.rn%s %%fp_new, %%fp_old, %s;\n", g, t, b);
    } else {
        text_printf(out, "%s %s%s %%fp_new, %%fp_old, %s;\n", g, a->op, t, b);
    }
}

bool rewrite_split_atomic(struct text *out, const struct rewrite *r)
{
    struct atomic a;
    if (!read_atomic(&a, r->in))
        return false;
    const char *dot = *a.space ? "." : "";
    text_printf(out, "{\n.reg %s %%fp_old, %%fp_new;\n.reg .pred %%fp_p;\n", a.type);
    text_printf(out, "%s ld%s%s%s %%fp_old, %s;\n", a.guard, dot, a.space, a.type, a.address);
    write_operation(out, &a);
    text_printf(out, "%s st%s%s%s %s, %%fp_new;\n", a.guard, dot, a.space, a.type, a.address);
    if (a.result)
        text_printf(out, "%s mov%s %s, %%fp_old;\n", a.guard, a.type, a.result);
    text_puts(out, "}");
    return true;
}

static bool is_zero_literal(const char *operand)
{
    char *end;
    bool number = *operand >= '0' && *operand <= '9';
    return number && strtoull(operand, &end, 0) == 0 && (!*end || !strcmp(end, "U"));
}

/** Whether an operand is 0, or a register that its function sets once, to 0. */
static bool is_zero(const struct rewrite *r, const char *operand)
{
    const struct ptx_text *p = r->ptx;
    int function = p->list[r->statement].function, zeros = 0, others = 0;
    struct ptx_instruction in;
    if (*operand != '%')
        return is_zero_literal(operand);
    for (int i = 0; i < p->count; i++) {
        if (p->list[i].function != function || p->list[i].label ||
            !ptx_instruction_read(&in, p, i) || !in.operands || strcmp(in.operand[0], operand))
            continue;
        bool writes = !ptx_is(in.opcode, "st") && !ptx_is(in.opcode, "red");
        bool zero = ptx_is(in.opcode, "mov") && in.operands == 2 && is_zero_literal(in.operand[1]);
        zeros += writes && zero;
        others += writes && !zero;
    }
    return zeros == 1 && !others;
}

/** A store of zeros: "st.global.u32 [a], 0" or "st.global.v2.u32 [a], {%r1, %r1}". */
static bool stores_zero(const struct rewrite *r)
{
    const struct ptx_instruction *in = r->in;
    if (!ptx_is(in->opcode, "st") || in->operands != 2 || ptx_has(in->opcode, ".local") ||
        strstr(in->opcode, ".param"))
        return false;
    if (*in->operand[1] != '{')
        return is_zero(r, in->operand[1]);
    char *list = text_dup(in->operand[1] + 1), *save = NULL;
    bool all = true;
    for (char *w = strtok_r(list, ", }", &save); w; w = strtok_r(NULL, ", }", &save))
        all &= is_zero(r, w);
    free(list);
    return all;
}

bool rewrite_delete_reset(struct text *out, const struct rewrite *r)
{
    struct atomic a;
    if (stores_zero(r))
        return true;
    if (!read_atomic(&a, r->in))
        return false;
    if (!strcmp(a.op, "exch") && is_zero(r, a.b)) {
        if (a.result) /* what was there is still wanted */
            text_printf(out, "%s ld.volatile%s%s%s %s, %s;", a.guard, *a.space ? "." : "", a.space,
                        a.type, a.result, a.address);
        return true;
    }
    if (strcmp(a.op, "inc"))
        return false;
    char *opcode = ptx_replace(r->in->opcode, ".inc", ".add");
    text_printf(out, "%s %s %s%s%s, 1;", a.guard, opcode, a.result ? a.result : "",
                a.result ? ", " : "", a.address);
    free(opcode);
    return true;
}
