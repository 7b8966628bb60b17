/**
 * @file document.c
 * docs/ptx_support.md, written from the operation table: `softgpu --instructions` prints it.
 */
#include <string.h>

#include "code/ops.h"

static void print_pattern(FILE *out, const char *pattern)
{
    for (; *pattern; pattern++)
        fprintf(out, *pattern == '|' ? "\\%c" : "%c", *pattern);
}

void ops_document(FILE *out)
{
    fputs("# PTX instructions that softgpu executes\n\n"
          "Written by `softgpu --instructions` from the operation table, `softgpu/code/ops.def`: do not\n"
          "edit. Anything else ends the launch with `unsupported` and the PTX line. A form lists modifiers\n"
          "in their order, without dots: `?` marks one that may be absent, `|` separates alternatives, and\n"
          "an upper-case word stands for a set that the PTX ISA defines (COMPARE, BOOL, ORDER, SCOPE,\n"
          "SPACE, CACHE, VECTOR, ROUND, TYPE). Where forms are of words alone, of spaces, scopes and types, other orders\n"
          "are taken, too; of arithmetic only what says how it rounds, or what it does with bits beyond, may stand elsewhere (`ex2.approx.f32.ftz`:\n"
          "`tests/golden/modifier_orders.ptx`). Names of several words (`cp.async.bulk`) come first, types and spaces keep their order among each other, and of\n"
          "a kind of modifiers one is said. Registers of surface accesses may be wider than an element (`tests/runtime/surface_registers.cu`), those of addresses\n"
          "narrower than 32 bits (`tests/golden/narrow_address.ptx`). What ptxas takes and refuses beside this, form by form: `tests/softgpu/form_cases.txt`, and\n"
          "mutations of them, `tests/softgpu/test_mutations.sh`. Sections are those of the PTX ISA 9.0.\n"
          "An instruction that the module's `.target` or `.version` does not have runs, but no driver loads such a module, which a line `incomplete` says: `softgpu/decode/targets.def` says what\n"
          "needs sm_80 or later, or a target with a suffix (`tests/softgpu/target_cases.txt`), `softgpu/decode/versions.def` what needs PTX ISA 4.1 or later\n"
          "(`tests/softgpu/version_cases.txt`). What sm_75 has, CUDA 13's oldest target, is not asked about. A `.target` that the `.version` does not have is refused.\n\n"
          "| instruction | form | section | tested by |\n|---|---|---|---|\n",
          out);
    for (int i = 0; i < ROW_COUNT; i++) {
        const struct op_info *row = &op_table[i];
        if (!row->mnemonic)
            continue;
        fprintf(out, "| %s | ", row->mnemonic);
        print_pattern(out, row->pattern);
        fprintf(out, " | %s | %s |\n", row->section, row->test);
    }
}
