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

static void dump_variable(FILE *out, const struct ptx_variable *v, const char *indent)
{
    fprintf(out, "%s.%s .align %u .%s %s  %llu bytes", indent, space_name(v->space), v->align,
            ptx_type_name(v->type), v->name, (unsigned long long)v->bytes);
    if (v->init.count)
        fprintf(out, ", %d initial values", v->init.count);
    if (v->managed)
        fputs(", managed", out);
    fputc('\n', out);
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
        fprintf(out, "   // file %d line %d", m->locs.data[in->loc].file, m->locs.data[in->loc].line);
    fputc('\n', out);
}

void module_dump(FILE *out, const struct ptx_module *m)
{
    fprintf(out, "PTX %d.%d for sm_%d%s\n", m->version_major, m->version_minor, m->target_sm,
            m->debug ? ", debug" : "");
    for (int i = 0; i < m->variables.count; i++)
        dump_variable(out, &m->variables.data[i], "");
    for (int i = 0; i < m->functions.count; i++) {
        const struct ptx_function *f = &m->functions.data[i];
        fprintf(out, "%s %s%s\n", f->is_entry ? ".entry" : ".func", f->name,
                f->has_body ? "" : " (declaration)");
        for (int j = 0; j < f->params.count; j++)
            dump_variable(out, &f->params.data[j], "  ");
        for (int j = 0; j < f->variables.count; j++)
            dump_variable(out, &f->variables.data[j], "  ");
        int label = 0;
        for (int j = 0; j < f->instrs.count; j++) {
            for (; label < f->labels.count && f->labels.data[label].instr == j; label++)
                fprintf(out, "%s:\n", f->labels.data[label].name);
            dump_instruction(out, m, f, &f->instrs.data[j]);
        }
    }
}
