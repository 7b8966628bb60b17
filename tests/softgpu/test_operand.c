/**
 * @file test_operand.c
 * Which bytes an instruction touches, and how; the assembler makes the instructions.
 */
#include "host/instruction.h"
#include "host/operand.h"
#include "unit.h"

#if defined __x86_64__

/** What the registers hold that the instructions name. */
enum { RDI = 0x10000, RSI = 0x300, R12 = 0x20000, R13 = 0x30000, RBP = 0x40000, RSP = 0x50000 };

static bool operand_at(const uint8_t *pc, struct operand *o)
{
    ucontext_t c = {0};
    greg_t *r = c.uc_mcontext.gregs;
    r[REG_RDI] = RDI, r[REG_RSI] = RSI, r[REG_R12] = R12, r[REG_R13] = R13, r[REG_RBP] = RBP, r[REG_RSP] = RSP;
    r[REG_RIP] = (greg_t)(uintptr_t)pc;
    return operand_of(&c, o);
}

/** Where the instruction stands, which is jumped over. */
#define CODE(text)                                                                                                                \
    __extension__({                                                                                                               \
        const uint8_t *code_;                                                                                                     \
        __asm__("lea 1f(%%rip), %0\n\tjmp 2f\n1:\t" text "\n2:" : "=r"(code_));                                                   \
        code_;                                                                                                                    \
    })

#define IS(text, where, size, load, store)                                                                                        \
    do {                                                                                                                          \
        struct operand o = {0};                                                                                                   \
        CU_ASSERT_TRUE(operand_at(CODE(text), &o));                                                                               \
        CU_ASSERT_EQUAL(o.address, (uint64_t)(where));                                                                            \
        CU_ASSERT_EQUAL(o.bytes, size);                                                                                           \
        CU_ASSERT_EQUAL(o.loads, load);                                                                                           \
        CU_ASSERT_EQUAL(o.stores, store);                                                                                         \
    } while (0)
#define LOADS(text, where, size) IS(text, where, size, true, false)
#define STORES(text, where, size) IS(text, where, size, false, true)
#define UPDATES(text, where, size) IS(text, where, size, true, true)
#define NONE(text)                                                                                                                \
    do {                                                                                                                          \
        struct operand o;                                                                                                         \
        CU_ASSERT_FALSE(operand_at(CODE(text), &o));                                                                              \
    } while (0)

static void test_addresses(void)
{
    LOADS("mov (%%rdi), %%eax", RDI, 4);
    LOADS("mov 8(%%rdi), %%eax", RDI + 8, 4);
    LOADS("mov -8(%%rdi), %%eax", RDI - 8, 4);
    LOADS("mov 0x1234(%%rdi), %%eax", RDI + 0x1234, 4);
    LOADS("mov (%%rdi,%%rsi,4), %%eax", RDI + 4 * RSI, 4);
    LOADS("mov 16(%%rdi,%%rsi,8), %%eax", RDI + 8 * RSI + 16, 4);
    LOADS("mov 0x100(,%%rsi,2), %%eax", 0x100 + 2 * RSI, 4);
    LOADS("mov (%%r12), %%eax", R12, 4);
    LOADS("mov (%%r13), %%eax", R13, 4);
    LOADS("mov (%%rdi,%%r12), %%eax", RDI + R12, 4);
    LOADS("mov (%%r13,%%rsi), %%r9d", R13 + RSI, 4);
    LOADS("mov (%%rsp), %%eax", RSP, 4);
    LOADS("mov -4(%%rbp), %%eax", RBP - 4, 4);
}

static uint32_t here;

static void test_relative(void)
{
    const uint64_t at = (uint64_t)(uintptr_t)&here;
    struct operand o;
#define HERE(text)                                                                                                                \
    do {                                                                                                                          \
        CU_ASSERT_TRUE(operand_at(CODE(text), &o));                                                                               \
        CU_ASSERT_EQUAL(o.address, at);                                                                                           \
    } while (0)
    HERE("mov here(%%rip), %%eax");
    HERE("movl $5, here(%%rip)");
    HERE("movw $5, here(%%rip)");
    HERE("movb $5, here(%%rip)");
    HERE("cmpl $500, here(%%rip)");
    HERE("addl $5, here(%%rip)");
    HERE("testl $500, here(%%rip)");
    HERE("testb $5, here(%%rip)");
    HERE("notl here(%%rip)");
    HERE("imul $500, here(%%rip), %%eax");
    HERE("imul $5, here(%%rip), %%eax");
    HERE("shll $5, here(%%rip)");
    HERE("btl $5, here(%%rip)");
    HERE("pshufd $1, here(%%rip), %%xmm0");
    HERE("vpextrd $1, %%xmm0, here(%%rip)");
    HERE("vmovdqu here(%%rip), %%ymm0");
    HERE("crc32l here(%%rip), %%eax");
}

static void test_integers(void)
{
    LOADS("movzbl (%%rdi), %%eax", RDI, 1);
    LOADS("movswl (%%rdi), %%eax", RDI, 2);
    LOADS("movslq (%%rdi), %%rax", RDI, 4);
    LOADS("mov (%%rdi), %%rax", RDI, 8);
    LOADS("mov (%%rdi), %%ax", RDI, 2);
    LOADS("add (%%rdi), %%eax", RDI, 4);
    LOADS("cmp %%al, (%%rdi)", RDI, 1);
    LOADS("cmpl $1, (%%rdi)", RDI, 4);
    LOADS("testb $1, (%%rdi)", RDI, 1);
    LOADS("cmovne (%%rdi), %%rax", RDI, 8);
    LOADS("imul (%%rdi), %%eax", RDI, 4);
    LOADS("divl (%%rdi)", RDI, 4);
    LOADS("push (%%rdi)", RDI, 8);
    LOADS("call *(%%rdi)", RDI, 8);
    STORES("mov %%al, (%%rdi)", RDI, 1);
    STORES("movq $1, (%%rdi)", RDI, 8);
    STORES("sete (%%rdi)", RDI, 1);
    UPDATES("add %%eax, (%%rdi)", RDI, 4);
    UPDATES("addb $1, (%%rdi)", RDI, 1);
    UPDATES("incl (%%rdi)", RDI, 4);
    UPDATES("negq (%%rdi)", RDI, 8);
    UPDATES("lock xadd %%eax, (%%rdi)", RDI, 4);
    UPDATES("lock cmpxchg %%rax, (%%rdi)", RDI, 8);
    UPDATES("xchg %%ax, (%%rdi)", RDI, 2);
}

static void test_vectors(void)
{
    LOADS("movss (%%rdi), %%xmm0", RDI, 4);
    LOADS("movsd (%%rdi), %%xmm0", RDI, 8);
    LOADS("movups (%%rdi), %%xmm0", RDI, 16);
    LOADS("addsd (%%rdi), %%xmm0", RDI, 8);
    LOADS("mulps (%%rdi), %%xmm0", RDI, 16);
    LOADS("cvtsi2sdl (%%rdi), %%xmm0", RDI, 4);
    LOADS("comiss (%%rdi), %%xmm0", RDI, 4);
    LOADS("comisd (%%rdi), %%xmm0", RDI, 8);
    LOADS("movd (%%rdi), %%xmm0", RDI, 4);
    LOADS("movq (%%rdi), %%xmm0", RDI, 8);
    LOADS("flds (%%rdi)", RDI, 4);
    LOADS("fldt (%%rdi)", RDI, 10);
    LOADS("vmovups (%%rdi), %%ymm0", RDI, 32);
    LOADS("vfmadd231ss (%%rdi), %%xmm0, %%xmm1", RDI, 4);
    LOADS("vpmovzxbd (%%rdi), %%ymm0", RDI, 8);
    LOADS("vmovdqu64 64(%%rdi), %%zmm0", RDI + 64, 64);
    STORES("movq %%xmm0, (%%rdi)", RDI, 8);
    STORES("movaps %%xmm0, (%%rdi)", RDI, 16);
    STORES("vmovdqu %%ymm0, (%%r12)", R12, 32);
    STORES("vmovdqu64 %%zmm16, 128(%%rdi)", RDI + 128, 64);
    STORES("fstpl (%%rdi)", RDI, 8);
}

static void test_nothing(void)
{
    NONE("lea (%%rdi), %%rax");
    NONE("mov %%rdi, %%rax");
    NONE("nopl (%%rdi)");
    NONE("nopw 0x0(%%rax,%%rax,1)");
    NONE("endbr64");
    NONE("push %%rax");
    NONE("call 1b");
    NONE("ret");
    NONE("mov $5, %%eax");
    NONE("prefetcht0 (%%rdi)");
    NONE("vmovdqu64 (%%rdi), %%zmm0%{%%k1%}");
    NONE("syscall");
}

/** How strlen() and memcpy() load. */
static void test_guesses(void)
{
    struct operand o;
    CU_ASSERT_TRUE(operand_at(CODE("movdqa (%%rdi), %%xmm0"), &o) && o.guesses);
    CU_ASSERT_TRUE(operand_at(CODE("pcmpeqb (%%rdi), %%xmm0"), &o) && o.guesses);
    CU_ASSERT_TRUE(operand_at(CODE("vpminub (%%rdi), %%ymm0, %%ymm0"), &o) && o.guesses);
    CU_ASSERT_TRUE(operand_at(CODE("movdqu (%%rdi), %%xmm0"), &o) && !o.guesses);
    CU_ASSERT_TRUE(operand_at(CODE("movups (%%rdi), %%xmm0"), &o) && !o.guesses);
    CU_ASSERT_TRUE(operand_at(CODE("vmovdqu (%%rdi), %%ymm0"), &o) && !o.guesses);
    CU_ASSERT_TRUE(operand_at(CODE("mov (%%rdi), %%rax"), &o) && !o.guesses);
    CU_ASSERT_TRUE(operand_at(CODE("movaps %%xmm0, (%%rdi)"), &o) && !o.guesses);
}

/** Of one that has faulted: what it stored at least (4 for more), and how. */
static void test_stores(void)
{
    CU_ASSERT_EQUAL(instruction_stores(CODE("movb $1, (%%rdi)")), 1);
    CU_ASSERT_EQUAL(instruction_stores(CODE("sete (%%rdi)")), 1);
    CU_ASSERT_EQUAL(instruction_stores(CODE("stosb")), 1);
    CU_ASSERT_EQUAL(instruction_stores(CODE("movsw")), 2);
    CU_ASSERT_EQUAL(instruction_stores(CODE("movw $1, (%%rdi)")), 2);
    CU_ASSERT_EQUAL(instruction_stores(CODE("lock cmpxchg %%ax, (%%rdi)")), 2);
    CU_ASSERT_EQUAL(instruction_stores(CODE("lock xadd %%al, (%%rdi)")), 1);
    CU_ASSERT_EQUAL(instruction_stores(CODE("pextrw $1, %%xmm0, (%%rdi)")), 2);
    CU_ASSERT_EQUAL(instruction_stores(CODE("movq %%rax, (%%rdi)")), 4);
    CU_ASSERT_EQUAL(instruction_stores(CODE("movaps %%xmm0, (%%rdi)")), 4);
    CU_ASSERT_EQUAL(instruction_access(CODE("movl $1, (%%rdi)")), ACCESS_STORE);
    CU_ASSERT_EQUAL(instruction_access(CODE("movaps %%xmm0, (%%rdi)")), ACCESS_STORE);
    CU_ASSERT_EQUAL(instruction_access(CODE("stosl")), ACCESS_STORE);
    CU_ASSERT_EQUAL(instruction_access(CODE("addl $1, (%%rdi)")), ACCESS_UPDATE);
    CU_ASSERT_EQUAL(instruction_access(CODE("lock xadd %%eax, (%%rdi)")), ACCESS_UPDATE);
    CU_ASSERT_EQUAL(instruction_access(CODE("xchg %%eax, (%%rdi)")), ACCESS_UPDATE);
    CU_ASSERT_EQUAL(instruction_access(CODE("btsl $3, (%%rdi)")), ACCESS_UPDATE);
    CU_ASSERT_EQUAL(instruction_access(CODE("lock cmpxchg %%eax, (%%rdi)")), ACCESS_SWAP);
    CU_ASSERT_EQUAL(instruction_access(CODE("lock cmpxchg8b (%%rdi)")), ACCESS_SWAP);
}

/** One number or, of what loads several or nothing, 0. */
static void test_loads(void)
{
    CU_ASSERT_EQUAL(instruction_loads(CODE("movzbl (%%rdi), %%eax")), 1);
    CU_ASSERT_EQUAL(instruction_loads(CODE("cmpw $1, (%%rdi)")), 2);
    CU_ASSERT_EQUAL(instruction_loads(CODE("mov %%fs:0, %%eax")), 4);
    CU_ASSERT_EQUAL(instruction_loads(CODE("mov %%gs:0, %%eax")), 4);
    CU_ASSERT_EQUAL(instruction_loads(CODE("mov (%%edi), %%rax")), 8);
    CU_ASSERT_EQUAL(instruction_loads(CODE("vaddss (%%rdi), %%xmm0, %%xmm0")), 4);
    CU_ASSERT_EQUAL(instruction_loads(CODE("vmulsd (%%r12), %%xmm0, %%xmm9")), 8);
    CU_ASSERT_EQUAL(instruction_loads(CODE("cvtsi2sdq (%%rdi), %%xmm0")), 8);
    CU_ASSERT_EQUAL(instruction_loads(CODE("fldt (%%rdi)")), 0);
    CU_ASSERT_EQUAL(instruction_loads(CODE("movups (%%rdi), %%xmm0")), 0);
    CU_ASSERT_EQUAL(instruction_loads(CODE("movl $1, (%%rdi)")), 0);
}

/** A field of some bits is set. */
static void test_masks(void)
{
    CU_ASSERT_TRUE(instruction_masks_load(CODE("movzbl 3(%%rdi), %%eax\n\tand $-8, %%eax")));
    CU_ASSERT_TRUE(instruction_masks_load(CODE("mov (%%r12,%%rsi,4), %%r9d\n\tand $0x1234567, %%r9d")));
    CU_ASSERT_TRUE(instruction_masks_load(CODE("mov 0x1000(%%rdi), %%al\n\tand $3, %%al")));
    CU_ASSERT_TRUE(instruction_masks_load(CODE("mov (%%r13), %%ax\n\tand $0x1ff, %%ax")));
    CU_ASSERT_FALSE(instruction_masks_load(CODE("mov (%%rdi), %%eax\n\tor $8, %%eax")));
    CU_ASSERT_FALSE(instruction_masks_load(CODE("mov (%%rdi), %%eax\n\tnop\n\tand $8, %%eax")));
    CU_ASSERT_FALSE(instruction_masks_load(CODE("add (%%rdi), %%eax\n\tand $8, %%eax")));
    CU_ASSERT_FALSE(instruction_masks_load(CODE("movups (%%rdi), %%xmm0\n\tand $8, %%eax")));
}

UNIT_MAIN("operand", {"addresses", test_addresses}, {"relative to the instruction", test_relative}, {"integers", test_integers},
          {"vectors", test_vectors}, {"nothing", test_nothing}, {"guesses", test_guesses},
          {"stores", test_stores}, {"loads", test_loads}, {"masks", test_masks})

#else

static void test_none(void)
{
}

UNIT_MAIN("operand", {"none", test_none})

#endif
