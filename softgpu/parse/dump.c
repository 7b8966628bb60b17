/**
 * @file dump.c
 * Tokens and modules as text.
 */
#include "parse/dump.h"

#include <stdlib.h>
#include <string.h>

#include "parse/lexer.h"

bool tokens_dump(FILE *out, const char *name, const char *text, size_t len, struct diag *d)
{
    struct lexer lx;
    struct token t;
    char *copy = malloc(len + 1);
    (void)name;
    if (!copy)
        abort();
    memcpy(copy, text, len);
    copy[len] = '\0';
    lexer_init(&lx, copy, len);
    do {
        lexer_next(&lx, &t);
        if (t.kind == TOKEN_ERROR)
            diag_at(d, DIAG_SYNTAX, copy, len, (size_t)(t.start - copy), "%s", t.message);
        else
            fprintf(out, "%d:%d %s %.*s\n", t.line, t.column, token_kind_name(t.kind), (int)t.len,
                    t.start);
    } while (t.kind != TOKEN_END && t.kind != TOKEN_ERROR);
    free(copy);
    return t.kind == TOKEN_END;
}

static const char *space_name(enum ptx_space s)
{
    static const char *const names[] = {"generic", "reg",   "global", "shared",
                                        "local",   "const", "param"};
    return names[s];
}

#define MAX_SHOWN 16 /* initial values of one variable */

static void dump_init(FILE *out, const struct ptx_variable *v)
{
    fputs(" =", out);
    for (int i = 0; i < v->init.count && i < MAX_SHOWN; i++) {
        const struct ptx_init *e = &v->init.data[i];
        uint64_t bits = e->bytes < 8 ? e->bits & ((1ull << 8 * e->bytes) - 1) : e->bits;
        if (!e->symbol) {
            fprintf(out, " %#llx", (unsigned long long)bits);
            continue;
        }
        fprintf(out, e->generic ? " generic(%s)" : " %s", e->symbol);
        if (e->bits)
            fprintf(out, "%+lld", (long long)e->bits);
        if (e->bytes == 1)
            fprintf(out, ">>%llu", (unsigned long long)e->mask_shift);
    }
    if (v->init.count > MAX_SHOWN)
        fprintf(out, " … %d values", v->init.count);
}

static void dump_variable(FILE *out, const struct ptx_variable *v, const char *indent)
{
    fprintf(out, "%s%s%s%s%s.%s .align %u ", indent, v->external ? ".extern " : "",
            v->visible ? ".visible " : "", v->weak ? ".weak " : "", v->common ? ".common " : "",
            space_name(v->space), v->align);
    if (v->vector > 1)
        fprintf(out, ".v%u ", v->vector);
    fprintf(out, ".%s %s%s  %llu bytes%s", ptx_type_name(v->type), v->name,
            v->incomplete ? "[]" : "", (unsigned long long)v->bytes, v->managed ? ", managed" : "");
    if (v->init.count)
        dump_init(out, v);
    fputc('\n', out);
}

static void dump_function_header(FILE *out, const struct ptx_function *f)
{
    fprintf(out, "%s%s%s%s %s%s%s", f->external ? ".extern " : "", f->visible ? ".visible " : "",
            f->weak ? ".weak " : "", f->is_entry ? ".entry" : ".func", f->name,
            f->noreturn ? ", does not return" : "", f->has_body ? "" : " (declaration)");
    if (f->max_threads[0])
        fprintf(out, ", at most %u x %u x %u threads", f->max_threads[0], f->max_threads[1],
                f->max_threads[2]);
    if (f->cluster[0])
        fprintf(out, ", clusters of %u x %u x %u", f->cluster[0], f->cluster[1], f->cluster[2]);
    if (f->req_threads[0])
        fprintf(out, ", exactly %u x %u x %u threads", f->req_threads[0], f->req_threads[1],
                f->req_threads[2]);
    if (f->has_body)
        fprintf(out, ", %d registers", f->regs.count);
    fputc('\n', out);
    for (int i = 0; i < f->returns.count; i++)
        dump_variable(out, &f->returns.data[i], "  returns ");
    for (int i = 0; i < f->params.count; i++)
        dump_variable(out, &f->params.data[i], "  takes ");
    for (int i = 0; i < f->variables.count; i++)
        dump_variable(out, &f->variables.data[i], "  ");
}

/** `file 1 line 7, inlined at line 9, …`: at most a few steps, a chain may be long. */
static void dump_loc(FILE *out, const struct ptx_module *m, int loc)
{
    fputs("   //", out);
    for (int depth = 0; loc >= 0 && depth < 4; depth++) {
        const struct ptx_loc *l = &m->locs.data[loc];
        fprintf(out, "%s file %d line %d", depth ? ", inlined at" : "", l->file, l->line);
        loc = l->inlined_at;
    }
}

static void dump_operand(FILE *out, const struct ptx_operand *o);

static void dump_list(FILE *out, const struct ptx_operand *o, const char *open, const char *between,
                      const char *close)
{
    fputs(open, out);
    for (int i = 0; i < o->count; i++) {
        if (i)
            fputs(between, out);
        dump_operand(out, &o->element[i]);
    }
    fputs(close, out);
}

static void dump_operand(FILE *out, const struct ptx_operand *o)
{
    if (o->negated)
        fputc('!', out);
    switch (o->kind) {
    case OPERAND_REG:
    case OPERAND_SPECIAL:
        fputs(o->name, out);
        break;
    case OPERAND_INT:
        fprintf(out, "%lld", (long long)o->bits);
        break;
    case OPERAND_FLOAT32:
        fprintf(out, "0f%08llx", (unsigned long long)o->bits);
        break;
    case OPERAND_FLOAT64:
        fprintf(out, "0d%016llx", (unsigned long long)o->bits);
        break;
    case OPERAND_SYMBOL:
        fputs(o->name, out);
        if (o->offset)
            fprintf(out, "%+lld", (long long)o->offset);
        break;
    case OPERAND_ADDRESS:
        dump_list(out, o, "[", ", ", "");
        if (o->offset)
            fprintf(out, "%+lld", (long long)o->offset);
        fputc(']', out);
        break;
    case OPERAND_VECTOR:
        dump_list(out, o, "{", ", ", "}");
        break;
    case OPERAND_PAIR:
        dump_list(out, o, "", "|", "");
        break;
    case OPERAND_LIST:
        dump_list(out, o, "(", ", ", ")");
        break;
    case OPERAND_SINK:
        fputc('_', out);
        break;
    }
}

static void dump_instruction(FILE *out, const struct ptx_module *m, const struct ptx_function *f,
                             const struct ptx_instr *in)
{
    fprintf(out, "  %5d  ", in->line);
    if (in->guard >= 0)
        fprintf(out, "@%s%s ", in->guard_negated ? "!" : "", f->regs.data[in->guard].name);
    fputs(in->mnemonic[0] ? in->mnemonic : "(end)", out);
    for (int i = 0; i < in->modifier_count; i++)
        fprintf(out, ".%s", in->modifiers[i]);
    for (int i = 0; i < in->operand_count; i++) {
        fputs(i ? ", " : " ", out);
        dump_operand(out, &in->operands[i]);
    }
    if (in->loc >= 0)
        dump_loc(out, m, in->loc);
    fputc('\n', out);
}

void module_dump(FILE *out, const struct ptx_module *m)
{
    fprintf(out, "PTX %d.%d for sm_%d%.1s%s\n", m->version_major, m->version_minor, m->target_sm, &m->target_suffix,
            m->debug ? ", debug" : "");
    for (int i = 0; i < m->variables.count; i++)
        dump_variable(out, &m->variables.data[i], "");
    for (int i = 0; i < m->functions.count; i++) {
        const struct ptx_function *f = &m->functions.data[i];
        dump_function_header(out, f);
        int label = 0;
        for (int j = 0; j < f->instrs.count; j++) {
            for (; label < f->labels.count && f->labels.data[label].instr == j; label++)
                fprintf(out, "%s:\n", f->labels.data[label].name);
            dump_instruction(out, m, f, &f->instrs.data[j]);
        }
    }
}
