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
    CU_ASSERT_EQUAL(FATE(0xff, 0x25, 1, 2, 3, 4), RESULT_IGNORED);                  /* jmp *…(%rip): a call in place of a return */
    CU_ASSERT_EQUAL(FATE(0x58), RESULT_IGNORED);                                    /* pop %rax */
    CU_ASSERT_EQUAL(FATE(0x48, 0x89, 0xdf, 0xe8, 1, 2, 3, 4), RESULT_IGNORED);      /* mov %rbx, %rdi; call */
    CU_ASSERT_EQUAL(FATE(0xeb, 0x02, 0xcc, 0xcc, 0x31, 0xc0), RESULT_IGNORED);      /* jmp over; xor */
    CU_ASSERT_EQUAL(FATE(0x83, 0x45, 0xfc, 0x01, 0x31, 0xc0), RESULT_IGNORED);      /* addl $1, -4(%rbp); xor */
    CU_ASSERT_EQUAL(FATE(0xc7, 0x44, 0x24, 0x08, 1, 2, 3, 4, 0x31, 0xc0), RESULT_IGNORED); /* movl $…, 8(%rsp) */
    CU_ASSERT_EQUAL(FATE(0x75, 0x02, 0x31, 0xc0, 0x31, 0xc0), RESULT_IGNORED);      /* jne, both ways */
}

/** Ways that part and meet, as many as there are: a row of five ifs, a loop around the call, ways that end apart. */
static void test_ways(void)
{
    CU_ASSERT_EQUAL(FATE(0x75, 0x01, 0x90, 0x75, 0x01, 0x90, 0x75, 0x01, 0x90, 0x75, 0x01, 0x90, 0x75, 0x01, 0x90, 0x31, 0xc0), RESULT_IGNORED);
    CU_ASSERT_EQUAL(FATE(0x75, 0x01, 0x90, 0x75, 0x01, 0x90, 0x75, 0x01, 0x90, 0x75, 0x01, 0x90, 0x75, 0x01, 0x90, 0x85, 0xc0), RESULT_MAY_BE_USED);
    CU_ASSERT_EQUAL(FATE(0x83, 0x45, 0xfc, 0x01, 0x75, 0xfa, 0x31, 0xc0), RESULT_IGNORED);           /* addl; jne back; xor */
    CU_ASSERT_EQUAL(FATE(0x83, 0x45, 0xfc, 0x01, 0x75, 0xfa, 0x89, 0xc7), RESULT_MAY_BE_USED);
    CU_ASSERT_EQUAL(FATE(0x75, 0x01, 0xc3, 0x31, 0xc0), RESULT_PASSED_ON);                           /* one way returns it, one ignores it */
    CU_ASSERT_EQUAL(FATE(0x75, 0x02, 0x31, 0xc0, 0xc3), RESULT_PASSED_ON);
    CU_ASSERT_EQUAL(FATE(0x75, 0x01, 0xc3, 0x85, 0xc0), RESULT_MAY_BE_USED);
}

/** What lies between a call and the next one: its arguments are made. A call behind it makes the verdict. */
static void test_goes_on(void)
{
    CU_ASSERT_EQUAL(FATE(0x41, 0xb8, 1, 0, 0, 0, 0x31, 0xc0), RESULT_IGNORED);      /* mov $1, %r8d */
    CU_ASSERT_EQUAL(FATE(0x66, 0xbf, 1, 0, 0x31, 0xc0), RESULT_IGNORED);            /* mov $1, %di */
    CU_ASSERT_EQUAL(FATE(0x48, 0xc1, 0xe2, 0x05, 0x31, 0xc0), RESULT_IGNORED);      /* shl $5, %rdx */
    CU_ASSERT_EQUAL(FATE(0xd1, 0xeb, 0x31, 0xc0), RESULT_IGNORED);                  /* shr %ebx */
    CU_ASSERT_EQUAL(FATE(0x6a, 0x00, 0x68, 1, 2, 3, 4, 0x31, 0xc0), RESULT_IGNORED); /* push $0; push $… */
    CU_ASSERT_EQUAL(FATE(0xff, 0x74, 0x24, 0x18, 0x31, 0xc0), RESULT_IGNORED);      /* push 24(%rsp) */
    CU_ASSERT_EQUAL(FATE(0x6b, 0xdb, 0x0c, 0x31, 0xc0), RESULT_IGNORED);            /* imul $12, %ebx, %ebx */
    CU_ASSERT_EQUAL(FATE(0x0f, 0xaf, 0xd9, 0x31, 0xc0), RESULT_IGNORED);            /* imul %ecx, %ebx */
    CU_ASSERT_EQUAL(FATE(0xf7, 0xdb, 0xf7, 0xc3, 1, 2, 3, 4, 0x31, 0xc0), RESULT_IGNORED); /* neg, test $…, %ebx */
    CU_ASSERT_EQUAL(FATE(0x0f, 0x44, 0xd9, 0x0f, 0x94, 0xc1, 0x31, 0xc0), RESULT_IGNORED); /* cmove, sete %cl */
    CU_ASSERT_EQUAL(FATE(0xf2, 0x0f, 0x59, 0xc1, 0x66, 0x0f, 0x70, 0xc0, 0xe0, 0x31, 0xc0), RESULT_IGNORED); /* mulsd, pshufd */
    CU_ASSERT_EQUAL(FATE(0x66, 0x48, 0x0f, 0x7e, 0xc8), RESULT_IGNORED);            /* movq %xmm1, %rax */
    CU_ASSERT_EQUAL(FATE(0x66, 0x48, 0x0f, 0x7e, 0xca, 0x31, 0xc0), RESULT_IGNORED); /* movq %xmm1, %rdx */
    CU_ASSERT_EQUAL(FATE(0xf3, 0x0f, 0x7e, 0xc1, 0x85, 0xc0), RESULT_MAY_BE_USED);  /* movq %xmm1, %xmm0 */
    CU_ASSERT_EQUAL(FATE(0xf2, 0x0f, 0x2c, 0xc0), RESULT_IGNORED);                  /* cvttsd2si %xmm0, %eax */
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
    CU_ASSERT_EQUAL(FATE(0xc1, 0xe0, 0x05, 0x31, 0xc0), RESULT_MAY_BE_USED);        /* shl $5, %eax */
    CU_ASSERT_EQUAL(FATE(0x6b, 0xd8, 0x0c, 0x31, 0xc0), RESULT_MAY_BE_USED);        /* imul $12, %eax, %ebx */
    CU_ASSERT_EQUAL(FATE(0x0f, 0xaf, 0xd8, 0x31, 0xc0), RESULT_MAY_BE_USED);        /* imul %eax, %ebx */
    CU_ASSERT_EQUAL(FATE(0xf7, 0xe3), RESULT_MAY_BE_USED);                          /* mul %ebx */
    CU_ASSERT_EQUAL(FATE(0xf7, 0xd8, 0x31, 0xc0), RESULT_MAY_BE_USED);              /* neg %eax */
    CU_ASSERT_EQUAL(FATE(0x0f, 0x44, 0xd8, 0x31, 0xc0), RESULT_MAY_BE_USED);        /* cmove %eax, %ebx */
    CU_ASSERT_EQUAL(FATE(0x0f, 0x44, 0xc3, 0x31, 0xc0), RESULT_MAY_BE_USED);        /* cmove %ebx, %eax */
    CU_ASSERT_EQUAL(FATE(0x0f, 0x94, 0xc0, 0x31, 0xc0), RESULT_MAY_BE_USED);        /* sete %al: the rest stays */
    CU_ASSERT_EQUAL(FATE(0x66, 0x0f, 0x6e, 0xc0, 0x31, 0xc0), RESULT_MAY_BE_USED);  /* movd %eax, %xmm0 */
    CU_ASSERT_EQUAL(FATE(0xff, 0x30, 0x31, 0xc0), RESULT_MAY_BE_USED);              /* push (%rax) */
    CU_ASSERT_EQUAL(FATE(0x66, 0xb8, 1, 0), RESULT_MAY_BE_USED);                    /* mov $1, %ax: the upper half stays */
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

UNIT_MAIN("result use", {"ignored", test_ignored}, {"ways", test_ways}, {"goes on", test_goes_on}, {"used", test_used}, {"passed on", test_passed_on})
