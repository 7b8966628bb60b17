/* Atomics with numbers that other compilers than nvcc bring in registers (decode/atomic_numbers.c). */
#include "unit.h"

#include "code/operands.h"
#include "machine_fixture.h"

/** The constant operand of the n-th atomic; UINT64_MAX: it is a register. */
static uint64_t number_of_atomic(const struct image *im, int n, int operand)
{
    for (uint32_t i = 0; i < im->code_count; i++)
        if (insn_class(&im->code[i]) == INSN_ATOMIC && n-- == 0)
            return im->code[i].src[operand] & CONST_BIT ? *(uint32_t *)(im->constants + (im->code[i].src[operand] & ~CONST_BIT)) : UINT64_MAX;
    return UINT64_MAX;
}

/** A number that a register brings is the atomic's own, where the text says which one: behind copies, of a register that holds something else later,
 *  not where a guard or a branch decides, nor where it is computed. */
static void test_numbers_of_atomics(void)
{
    struct fixture f = fixture_open(PTX_HEADER ".visible .entry k(.param .u64 x) { .reg .b32 %r<20>; .reg .b64 %d<3>; .reg .pred %p<3>;\n"
                                   "ld.param.u64 %d1, [x]; mov.u32 %r9, %tid.x; setp.eq.u32 %p1, %r9, 0;\n"
                                   "mov.u32 %r1, 0; mov.u32 %r2, %r1; atom.add.u32 %r3, [%d1], %r2;\n"
                                   "mov.u32 %r4, 7; atom.cas.b32 %r3, [%d1], %r4, %r1; add.u32 %r4, %r9, 1; atom.add.u32 %r3, [%d1], %r4;\n"
                                   "mov.u32 %r5, 1; @%p1 mov.u32 %r5, 2; atom.add.u32 %r3, [%d1], %r5;\n"
                                   "mov.u32 %r6, 3; @%p1 bra L; mov.u32 %r6, 4; red.add.u32 [%d1], %r6; L: atom.add.u32 %r3, [%d1], %r6;\n"
                                   "atom.add.u32 %r3, [%d1], %r9; st.u32 [%d1], %r3; ret; }\n", NULL);
    const struct image *im = f.image;
    CU_ASSERT_EQUAL(number_of_atomic(im, 0, 1), 0);
    CU_ASSERT_EQUAL(number_of_atomic(im, 1, 1), 7);
    CU_ASSERT_EQUAL(number_of_atomic(im, 1, 2), 0);
    CU_ASSERT_EQUAL(number_of_atomic(im, 2, 1), UINT64_MAX);
    CU_ASSERT_EQUAL(number_of_atomic(im, 3, 1), UINT64_MAX);
    CU_ASSERT_EQUAL(number_of_atomic(im, 4, 1), 4);
    CU_ASSERT_EQUAL(number_of_atomic(im, 5, 1), UINT64_MAX);
    CU_ASSERT_EQUAL(number_of_atomic(im, 6, 1), UINT64_MAX);
    fixture_close(&f);
}

UNIT_MAIN("numbers of atomics", {"in a register", test_numbers_of_atomics})
