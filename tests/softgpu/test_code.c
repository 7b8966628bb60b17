/**
 * @file test_code.c
 * What a decoded instruction says of itself: its row, its operands wherever they are kept.
 */
#include <stdlib.h>
#include <string.h>

#include "code/operands.h"
#include "decode/decode.h"
#include "execute/bind.h"
#include "execute/engine.h"
#include "unit.h"

static uint64_t place(void *self, const char *name, enum ptx_space space, uint64_t bytes, unsigned align,
                      bool managed)
{
    (void)self, (void)name, (void)space, (void)bytes, (void)align, (void)managed;
    return 1 << 20;
}

/** A module with kernel k, its body after these declarations. */
static struct image *program(const char *body)
{
    static const struct variable_placer placer = {.place = place};
    static char ptx[8192];
    struct diag d = {0};
    snprintf(ptx, sizeof ptx,
             ".version 8.0\n.target sm_90\n.address_size 64\n"
             ".visible .entry k(.param .u64 p)\n"
             "{ .reg .b16 %%h<9>; .reg .b32 %%r<19>; .reg .b64 %%l<9>; .reg .b128 %%q<3>; .reg .pred %%p<9>;\n"
             "ld.param.u64 %%l1, [p];\n%s\nret; }\n", body);
    struct ptx_module *m = module_parse("test", ptx, strlen(ptx), &d);
    struct image *im = m ? image_decode(m, &placer, &d) : NULL;
    if (!im) {
        fprintf(stderr, "line %d: %s\n%s", d.line, d.message, ptx);
        abort();
    }
    image_bind(im, true);
    return im;
}

/** The instruction behind the load of the parameter. */
static const struct insn *second(const struct image *im)
{
    return &im->code[1];
}

/* ---- Operands */

/** An instruction, its reads and its writes by role: g guard, a address, s source, c argument, r result. */
static const struct {
    const char *text, *roles;
    enum op_row row;
} operand_cases[] = {
    {"add.u32 %r1, %r2, %r3;", "ssr", ROW_add_32},
    {"@%p1 add.u32 %r1, %r2, 5;", "gssr", ROW_add_32},
    {"mov.u32 %r1, %r2;", "sr", ROW_mov_32},
    {"mov.u32 %r1, %tid.x;", "r", ROW_special},
    {"mov.u32 %r1, %clock;", "r", ROW_special_ordered},
    {"mov.b64 {%r1, %r2}, %l2;", "srr", ROW_unpack},
    {"mov.b64 {_, %r2}, %l2;", "sr", ROW_unpack},
    {"mov.b64 %l2, {%r1, %r2};", "ssr", ROW_pack_2x32},
    {"mov.b64 %l2, {%h1, %h2, %h3, %h4};", "ssssr", ROW_pack},
    {"mov.b128 %q1, %q2;", "sr", ROW_mov_128},
    {"setp.lt.and.s32 %p1|%p2, %r1, %r2, %p3;", "sssrr", ROW_is_lt_s32},
    {"setp.eq.f16 %p1, %h1, %h2;", "ssr", ROW_setp_half},
    {"set.eq.u32.u32 %r1, %r2, %r3;", "ssr", ROW_set},
    {"set.eq.and.u32.u32 %r1, %r2, %r3, %p1;", "sssr", ROW_set},
    {"add.cc.u32 %r1, %r2, %r3;", "ssrr", ROW_add_cc},
    {"addc.u32 %r1, %r2, %r3;", "sssr", ROW_addc},
    {"addc.cc.u32 %r1, %r2, %r3;", "sssrr", ROW_addc},
    {"cvt.u32.u16 %r1, %h1;", "sr", ROW_ext_u16_16_32},
    {"lop3.b32 %r1, %r2, %r3, %r4, 1;", "sssr", ROW_lop3_lut},
    {"ld.global.u32 %r1, [%l1];", "ar", ROW_ld},
    {"ld.global.v2.u32 {%r1, %r2}, [%l1];", "arr", ROW_ld},
    {"st.global.v2.u32 [%l1], {%r1, %r2};", "ass", ROW_st},
    {"atom.global.add.u32 %r1, [%l1], %r2;", "asr", ROW_atom},
    {"atom.global.cas.b32 %r1, [%l1], %r2, %r3;", "assr", ROW_atom},
    {"red.global.add.u32 [%l1], %r2;", "as", ROW_red},
    {"atom.global.add.v2.f32 {%r1, %r2}, [%l1], {%r3, %r4};", "assrr", ROW_atom},
    {"fence.acq_rel.gpu;", "", ROW_fence},
    {"shfl.sync.idx.b32 %r1|%p1, %r2, %r3, 31, -1;", "ssssrr", ROW_shfl},
    {"bar.sync 0;", "s", ROW_bar},
    {"bar.arrive 0, 64;", "ss", ROW_bar_arrive},
    {"@!%p1 bra L; L:", "g", ROW_bra},
    {"@%p1 exit;", "g", ROW_exit},
    {"@%p1 ret;", "g", ROW_exit},
};

static void test_operands(void)
{
    static const char letters[] = {[ROLE_SOURCE] = 's', [ROLE_GUARD] = 'g', [ROLE_ADDRESS] = 'a',
                                   [ROLE_ARGUMENT] = 'c', [ROLE_RESULT] = 'r'};
    for (size_t i = 0; i < sizeof operand_cases / sizeof operand_cases[0]; i++) {
        struct image *im = program(operand_cases[i].text);
        char roles[32] = "";
        struct operand_iter it = operands_of(second(im));
        for (struct operand o; operands_next(&it, &o);) {
            roles[strlen(roles)] = letters[o.role];
            CU_ASSERT_EQUAL(o.write, o.role == ROLE_RESULT);
            CU_ASSERT(o.reg != REG_NONE);
            CU_ASSERT(o.write ? insn_writes(second(im), o.reg) : insn_reads(second(im), o.reg));
        }
        bool right = !strcmp(roles, operand_cases[i].roles) &&
                     insn_row(second(im)) == operand_cases[i].row;
        if (!right)
            fprintf(stderr, "%s: row %d, operands %s, not %s\n", operand_cases[i].text,
                    insn_row(second(im)), roles, operand_cases[i].roles);
        CU_ASSERT(right);
        image_free(im);
    }
}

UNIT_MAIN("code", {"operands", test_operands})
