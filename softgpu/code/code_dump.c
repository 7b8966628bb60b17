/**
 * @file code_dump.c
 * The decoded program as text, for `--dump code`: one instruction a line.
 */
#include <string.h>

#include "code/image.h"
#include "parse/module.h"

static void print_reg(FILE *out, const char *label, uint32_t reg)
{
    if (reg == REG_NONE)
        return;
    if (reg & CONST_BIT)
        fprintf(out, " %s#%u", label, reg & ~CONST_BIT);
    else
        fprintf(out, " %s%u", label, reg);
}

static void print_text(FILE *out, const struct ptx_instr *pi)
{
    if (pi->guard >= 0)
        fprintf(out, "@%sp ", pi->guard_negated ? "!" : "");
    fputs(pi->mnemonic[0] ? pi->mnemonic : "(end)", out);
    for (int i = 0; i < pi->modifier_count; i++)
        fprintf(out, ".%s", pi->modifiers[i]);
}

static void print_insn(FILE *out, const struct image *im, const struct insn *in,
                       const struct ptx_instr *pi)
{
    const struct site *s = insn_site(im, in);

    fprintf(out, "%6ld  ", (long)(in - im->code));
    if (pi)
        print_text(out, pi);
    else
        fputs("(return)", out);
    print_reg(out, "->", in->dst);
    print_reg(out, "->", in->dst2);
    for (int i = 0; i < 4; i++)
        print_reg(out, "", in->src[i]);
    print_reg(out, in->guard_negated ? "if !" : "if ", in->guard);
    if (insn_class(in) == INSN_BRANCH)
        fprintf(out, " => %ld", (long)(in->target - im->code));
    else if (insn_class(in) == INSN_UNSUPPORTED)
        fprintf(out, " UNSUPPORTED: %s", (const char *)in->extra);
    else if (in->mem.bytes)
        fprintf(out, " offset %lld", (long long)in->offset);
    fprintf(out, "  ; ptx %d", s->ptx_line);
    if (s->file)
        fprintf(out, ", %s:%d", s->file, s->line);
    fputc('\n', out);
}

void image_dump(FILE *out, const struct image *im)
{
    for (int i = 0; i < im->variable_count; i++)
        fprintf(out, "variable %s: space %d, address 0x%llx, %llu bytes\n", im->variables[i].name,
                (int)im->variables[i].space, (unsigned long long)im->variables[i].address,
                (unsigned long long)im->variables[i].bytes);
    for (int i = 0; i < im->function_count; i++) {
        const struct function *f = im->functions[i];
        if (!f->entry) {
            fprintf(out, "\ndeclared %s\n", f->name);
            continue;
        }
        fprintf(out,
                "\n%s %s: frame %u, params %u, local %u (calls %u), shared %u, registers %u\n",
                f->is_entry ? "entry" : "function", f->name, f->frame_bytes, f->param_bytes,
                f->local_bytes, f->call_bytes, f->shared_bytes, f->registers);
        for (const struct insn *in = f->entry; in < f->end; in++)
            print_insn(out, im, in,
                       in + 1 < f->end ? &f->source->instrs.data[in - f->entry] : NULL);
    }
    if (im->lacking)
        fprintf(out, "\n%s", im->lacking);
    fprintf(out, "\nconstant area: %u bytes\n", im->constant_bytes);
}
