/**
 * @file litmus.h
 * Litmus tests: a notation, and the PTX that it stands for.
 *
 * A test is a row of tiny programs, one a thread, with `|` between them and `;` between statements:
 *
 *     x = 1        a volatile store to a word in global memory: x, y or z, all 0 at first
 *     a = x        a volatile load into a register: a, b, c or d, each loaded once
 *     fence        __threadfence(), fence.sc.gpu
 *     fence_block  __threadfence_block(), fence.sc.cta
 *     fence_acq_rel  fence.acq_rel.gpu, which C++ calls atomic_thread_fence(memory_order_acq_rel)
 *     syncwarp     __syncwarp() among the threads of the test
 *
 * An outcome is what the registers hold in the end, in alphabetical order: "10" is a = 1, b = 0.
 */
#include <stdio.h>
#include <string.h>

#include "harness.h"

#define LITMUS_ASKED 4   /* outcomes asked of each test */
#define LITMUS_THREADS 8 /* at most */
#define LITMUS_MEMORY 8  /* words: x, y, z, none, then a, b, c, d */

/** Where the threads are: each in a block of its own, or in one block, or in one warp. */
enum litmus_place { LITMUS_BLOCKS, LITMUS_WARPS, LITMUS_LANES };

struct litmus {
    const char *name;
    enum litmus_place place;
    const char *program;
    const char *asked[LITMUS_ASKED]; /**< outcomes */
};

/** How many registers a test has: as many as an outcome has digits. */
static int litmus_registers(const struct litmus *t)
{
    return (int)strlen(t->asked[0]);
}

static int litmus_threads(const struct litmus *t)
{
    int threads = 1;
    for (const char *p = t->program; *p; p++)
        threads += *p == '|';
    return threads;
}

static struct harness_launch litmus_shape(const struct litmus *t)
{
    unsigned n = (unsigned)litmus_threads(t);
    if (t->place == LITMUS_BLOCKS)
        return (struct harness_launch){.blocks = n, .threads = 1};
    return (struct harness_launch){.blocks = 1, .threads = t->place == LITMUS_WARPS ? 32 * n : n};
}

/** One statement; `s` has no spaces around it. */
static void litmus_statement(FILE *out, const struct litmus *t, const char *s)
{
    char to, from;
    int end = 0;
    if (sscanf(s, "%c = %c%n", &to, &from, &end) == 2 && !s[end] && strchr("xyz", to) &&
        strchr("12", from)) {
        fprintf(out, "    st.volatile.global.u32 [%%rd1+%d], %c;\n", 4 * (to - 'x'), from);
    } else if (end && !s[end] && strchr("abcd", to) && strchr("xyz", from)) {
        fprintf(out, "    ld.volatile.global.u32 %%%c, [%%rd1+%d];\n", to, 4 * (from - 'x'));
        fprintf(out, "    st.global.u32 [%%rd1+%d], %%%c;\n", 16 + 4 * (to - 'a'), to);
    } else if (!strcmp(s, "fence")) {
        fputs("    fence.sc.gpu;\n", out);
    } else if (!strcmp(s, "fence_block")) {
        fputs("    fence.sc.cta;\n", out);
    } else if (!strcmp(s, "fence_acq_rel")) {
        fputs("    fence.acq_rel.gpu;\n", out);
    } else if (!strcmp(s, "syncwarp")) {
        fprintf(out, "    bar.warp.sync %d;\n", (1 << litmus_threads(t)) - 1);
    } else {
        harness_usage("litmus test %s: what is '%s'?", t->name, s);
    }
}

/** The statements of one thread, up to `|` or the end. @return what follows */
static const char *litmus_thread(FILE *out, const struct litmus *t, const char *p)
{
    while (*p && *p != '|') {
        char statement[32];
        p += strspn(p, " ;");
        size_t len = strcspn(p, ";|"), cut = len;
        while (cut && p[cut - 1] == ' ')
            cut--;
        snprintf(statement, sizeof statement, "%.*s", (int)cut, p);
        if (cut)
            litmus_statement(out, t, statement);
        p += len;
    }
    return p + (*p == '|');
}

/** The test as a kernel of its name with one parameter, the address of LITMUS_MEMORY words. */
static void litmus_kernel(FILE *out, const struct litmus *t)
{
    static const char *const number[] = {"%ctaid.x", "%tid.x", "%tid.x"};
    fprintf(out, ".visible .entry %s(.param .u64 memory)\n{\n", t->name);
    fputs("    .reg .b64 %rd1;\n    .reg .b32 %a, %b, %c, %d, %t, %lane;\n    .reg .pred %p;\n"
          "    ld.param.u64 %rd1, [memory];\n    cvta.to.global.u64 %rd1, %rd1;\n",
          out);
    fprintf(out, "    mov.u32 %%t, %s;\n", number[t->place]);
    if (t->place == LITMUS_WARPS) // the first lane of each warp
        fputs("    and.b32 %lane, %t, 31;\n    shr.u32 %t, %t, 5;\n"
              "    setp.ne.u32 %p, %lane, 0;\n    @%p ret;\n",
              out);
    int threads = litmus_threads(t);
    for (int i = 0; i < threads; i++)
        fprintf(out, "    setp.eq.u32 %%p, %%t, %d;\n    @%%p bra thread%d;\n", i, i);
    fputs("    ret;\n", out);
    const char *p = t->program;
    for (int i = 0; i < threads; i++) {
        fprintf(out, "thread%d:\n", i);
        p = litmus_thread(out, t, p);
        fputs("    ret;\n", out);
    }
    fputs("}\n", out);
}

/** All tests as one PTX module, malloced. */
static char *litmus_module(const struct litmus *tests, int count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        harness_usage("no memory for the litmus tests");
    fputs(".version 7.0\n.target sm_75\n.address_size 64\n\n", out);
    for (int i = 0; i < count; i++)
        litmus_kernel(out, &tests[i]);
    fclose(out);
    return text;
}
