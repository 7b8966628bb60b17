/**
 * @file test_result_use.c
 * What becomes of a call's result, by the machine code behind the call.
 */
#include "host/result_use.h"
#include "unit.h"

#define FATE(...) result_fate((const uint8_t[]){__VA_ARGS__, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc})

static void test_ignored(void)
{
    CU_ASSERT_EQUAL(FATE(0xb8, 0, 0, 0, 0), RESULT_IGNORED);                        /* mov $0, %eax */
    CU_ASSERT_EQUAL(FATE(0x31, 0xc0), RESULT_IGNORED);                              /* xor %eax, %eax */
    CU_ASSERT_EQUAL(FATE(0x48, 0x8b, 0x45, 0xe8), RESULT_IGNORED);                  /* mov -24(%rbp), %rax */
    CU_ASSERT_EQUAL(FATE(0x48, 0x8d, 0x45, 0xe8), RESULT_IGNORED);                  /* lea -24(%rbp), %rax */
    CU_ASSERT_EQUAL(FATE(0xe8, 1, 2, 3, 4), RESULT_IGNORED);                        /* call */
    CU_ASSERT_EQUAL(FATE(0xff, 0x15, 1, 2, 3, 4), RESULT_IGNORED);                  /* call *…(%rip) */
    CU_ASSERT_EQUAL(FATE(0x58), RESULT_IGNORED);                                    /* pop %rax */
    CU_ASSERT_EQUAL(FATE(0x48, 0x89, 0xdf, 0xe8, 1, 2, 3, 4), RESULT_IGNORED);      /* mov %rbx, %rdi; call */
    CU_ASSERT_EQUAL(FATE(0xeb, 0x02, 0xcc, 0xcc, 0x31, 0xc0), RESULT_IGNORED);      /* jmp over; xor */
    CU_ASSERT_EQUAL(FATE(0x83, 0x45, 0xfc, 0x01, 0x31, 0xc0), RESULT_IGNORED);      /* addl $1, -4(%rbp); xor */
    CU_ASSERT_EQUAL(FATE(0xc7, 0x44, 0x24, 0x08, 1, 2, 3, 4, 0x31, 0xc0), RESULT_IGNORED); /* movl $…, 8(%rsp) */
    CU_ASSERT_EQUAL(FATE(0x75, 0x02, 0x31, 0xc0, 0x31, 0xc0), RESULT_IGNORED);      /* jne, both ways */
}

static void test_used(void)
{
    CU_ASSERT_EQUAL(FATE(0x85, 0xc0), RESULT_MAY_BE_USED);                          /* test %eax, %eax */
    CU_ASSERT_EQUAL(FATE(0x89, 0x45, 0xfc), RESULT_MAY_BE_USED);                    /* mov %eax, -4(%rbp) */
    CU_ASSERT_EQUAL(FATE(0x89, 0xc7, 0x31, 0xc0), RESULT_MAY_BE_USED);              /* mov %eax, %edi */
    CU_ASSERT_EQUAL(FATE(0x48, 0x98), RESULT_MAY_BE_USED);                          /* cltq */
    CU_ASSERT_EQUAL(FATE(0x50), RESULT_MAY_BE_USED);                                /* push %rax */
    CU_ASSERT_EQUAL(FATE(0x48, 0x8b, 0x00), RESULT_MAY_BE_USED);                    /* mov (%rax), %rax */
    CU_ASSERT_EQUAL(FATE(0x0f, 0xb6, 0xc0), RESULT_MAY_BE_USED);                    /* movzbl %al, %eax */
    CU_ASSERT_EQUAL(FATE(0x41, 0x89, 0xc4, 0xb8, 0, 0, 0, 0), RESULT_MAY_BE_USED);  /* mov %eax, %r12d */
    CU_ASSERT_EQUAL(FATE(0x83, 0xf8, 0x02), RESULT_MAY_BE_USED);                    /* cmp $2, %eax */
    CU_ASSERT_EQUAL(FATE(0x75, 0x02, 0x89, 0xc7, 0x31, 0xc0), RESULT_MAY_BE_USED);  /* one way reads it */
    CU_ASSERT_EQUAL(FATE(0x66, 0x8b, 0x45, 0xe8), RESULT_MAY_BE_USED);              /* the upper half stays */
    CU_ASSERT_EQUAL(FATE(0x62, 0xf1, 0x7c), RESULT_MAY_BE_USED);                    /* not known here */
    CU_ASSERT_EQUAL(FATE(0xeb, 0xfe), RESULT_MAY_BE_USED);                          /* for ever */
}

static void test_passed_on(void)
{
    CU_ASSERT_EQUAL(FATE(0xc3), RESULT_PASSED_ON);                                  /* ret */
    CU_ASSERT_EQUAL(FATE(0xc9, 0xc3), RESULT_PASSED_ON);                            /* leave; ret */
    CU_ASSERT_EQUAL(FATE(0x48, 0x83, 0xc4, 0x18, 0x5b, 0x5d, 0xc3), RESULT_PASSED_ON); /* add $24, %rsp; pops */
    CU_ASSERT_EQUAL(FATE(0x75, 0x01, 0xc3, 0xc3), RESULT_PASSED_ON);
}

UNIT_MAIN("result use", {"ignored", test_ignored}, {"used", test_used}, {"passed on", test_passed_on})
