/**
 * @file test_flow_layout.c
 * A function's blocks in the order of its flow (decode/flow_layout.h): given shapes have the order that is written beside them, and of any shape,
 * whoever goes through it comes by the same instructions as before.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/flow_layout.h"
#include "unit.h"

#define MOST_STEPS 300

static struct ptx_module *parsed(const char *body)
{
    static char text[1 << 16];
    struct diag d = {0};
    snprintf(text, sizeof text, ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %%p<99>; .reg .b32 %%r<2>;\n%s\n}\n", body);
    struct ptx_module *m = module_parse("test", text, strlen(text), &d);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    return m;
}

/** The number that an instruction moves to a register: its name here; -1: it is another one. */
static int name_of(const struct ptx_instr *pi)
{
    return strcmp(pi->mnemonic, "mov") ? -1 : (int)pi->operands[1].bits;
}

static void write_order(const struct ptx_function *f, char *out)
{
    for (int i = 0; i < f->instrs.count; i++)
        if (name_of(&f->instrs.data[i]) >= 0)
            *out++ = (char)name_of(&f->instrs.data[i]);
    *out = 0;
}

static int label_at(const struct ptx_function *f, const char *name)
{
    for (int i = 0; i < f->labels.count; i++)
        if (!strcmp(f->labels.data[i].name, name))
            return f->labels.data[i].instr;
    CU_FAIL_FATAL("no such label");
    return -1;
}

/** The names of what a thread comes by, for which predicate n is, the k-th time that it is asked, a bit that hangs on both and on `seed`. @return how many */
static int walk(const struct ptx_function *f, unsigned seed, int *names)
{
    int asked[99] = {0}, count = 0, i = 0;
    while (i < f->instrs.count && count < MOST_STEPS) {
        const struct ptx_instr *pi = &f->instrs.data[i++];
        unsigned at = pi->guard >= 0 ? (unsigned)atoi(f->regs.data[pi->guard].name + 2) : 0;
        bool does = pi->guard < 0 || (((seed ^ (at * 2654435761u)) * 2246822519u + (unsigned)asked[at]++ * 3266489917u) >> 20 & 1) != pi->guard_negated;
        if (name_of(pi) >= 0)
            names[count++] = name_of(pi);
        if (!strcmp(pi->mnemonic, "ret") && does)
            break;
        if (!strcmp(pi->mnemonic, "bra") && does)
            i = label_at(f, pi->operands[0].name);
    }
    return count;
}

static void check_same(const char *body, const char *order)
{
    struct ptx_module *before = parsed(body), *after = parsed(body);
    const struct ptx_function *f = &before->functions.data[0], *g = &after->functions.data[0];
    char made[4096];
    layout_by_flow(after);
    write_order(g, made);
    if (order && strcmp(made, order))
        fprintf(stderr, "%s: made %s\n", order, made);
    CU_ASSERT(!order || !strcmp(made, order));
    for (unsigned seed = 0; seed < 24; seed++) {
        int first[MOST_STEPS + 1], then[MOST_STEPS + 1], count = walk(f, seed, first);
        CU_ASSERT_EQUAL_FATAL(walk(g, seed, then), count);
        CU_ASSERT(!memcmp(first, then, (size_t)count * sizeof *first));
    }
    module_free(before);
    module_free(after);
}

#define A(label, number) label ":\nmov.u32 %r1, " #number ";\n"

/* Shapes as compilers lay them out, and the order of the flow. 65 is A. */
static void test_shapes(void)
{
    static const struct {
        const char *body, *order;
    } all[] = {
        /* as nvcc has it: it stays */
        {A("A", 65) A("B", 66) "@%p1 bra D;\n" A("C", 67) A("D", 68) "@%p2 bra B;\n" A("E", 69) "ret;", "ABCDE"},
        /* a part of the loop behind the function's end */
        {A("A", 65) A("B", 66) "@%p1 bra D;\n" A("C", 67) "ret;\n" A("D", 68) "bra B;", "ABDC"},
        /* the latch before the head */
        {A("A", 65) "bra C;\n" A("B", 66) A("C", 67) "@%p1 bra E;\n" A("D", 68) "bra B;\n" A("E", 69) "ret;", "ACDBE"},
        /* a way out that does something, in the midst of the loop */
        {A("A", 65) A("B", 66) "@!%p1 bra D;\n" A("C", 67) "bra F;\n" A("D", 68) "@%p2 bra B;\n" A("E", 69) A("F", 70) "ret;", "ABDECF"},
        /* the same, which ends the thread */
        {A("A", 65) A("B", 66) "@!%p1 bra D;\n" A("C", 67) "ret;\n" A("D", 68) "@%p2 bra B;\n" A("E", 69) "ret;", "ABDEC"},
        /* the inner of two loops behind the outer one */
        {A("A", 65) A("B", 66) "bra E;\n" A("C", 67) "@%p1 bra B;\n" A("D", 68) "ret;\n" A("E", 69) A("F", 70) "@%p2 bra E;\n bra C;", "ABEFCD"},
        /* two ways into a loop */
        {A("A", 65) "@%p1 bra C;\n" A("B", 66) "bra D;\n" A("E", 69) "ret;\n" A("C", 67) "@%p3 bra E;\n" A("D", 68) "@%p2 bra C;\n" A("F", 70) "bra E;", "ABCDFE"},
        /* a loop that begins the function, one of a single block, and one without an end */
        {A("A", 65) "@%p1 bra A;\n" A("B", 66) "@%p2 bra A;\n" A("C", 67) "@%p3 bra C;\n" A("D", 68) "bra D;", "ABCD"},
        /* a list of branches */
        {A("A", 65) "T: .branchtargets C, D, E;\n" A("B", 66) "brx.idx %r1, T;\n" A("E", 69) "ret;\n" A("C", 67) "bra B;\n" A("D", 68) "bra B;", "ABCDE"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!strstr(all[i].body, "brx")) {
            check_same(all[i].body, all[i].order);
            continue;
        }
        struct ptx_module *m = parsed(all[i].body);
        char made[99];
        layout_by_flow(m);
        write_order(&m->functions.data[0], made);
        CU_ASSERT_STRING_EQUAL(made, all[i].order);
        module_free(m);
    }
}

/* A branch that now leads to what comes next is turned round, or goes; where the way goes on elsewhere there is a new one. */
static void test_branches(void)
{
    struct ptx_module *m = parsed(A("A", 65) A("B", 66) "@%p1 bra D;\n" A("C", 67) "ret;\n" A("D", 68) "bra B;");
    const struct ptx_function *f = &m->functions.data[0];
    layout_by_flow(m);
    CU_ASSERT_EQUAL(f->instrs.count, 7);
    CU_ASSERT(f->instrs.data[2].guard >= 0 && f->instrs.data[2].guard_negated);
    CU_ASSERT_EQUAL(label_at(f, f->instrs.data[2].operands[0].name), label_at(f, "C"));
    CU_ASSERT_STRING_EQUAL(f->instrs.data[4].mnemonic, "bra");
    CU_ASSERT_EQUAL(label_at(f, f->instrs.data[4].operands[0].name), 1);
    module_free(m);
}

/* Any flow at all, reducible or not, with blocks that nothing leads to. */
static void test_any_flow(void)
{
    unsigned random = 1;
    for (int round = 0; round < 400; round++) {
        char body[1 << 14], *at = body;
        int count = 2 + round % 30;
        for (int i = 0; i < count; i++) {
            random = random * 1664525 + 1013904223;
            int to = (int)(random >> 8) % count, kind = (int)(random >> 24) % 8;
            at += sprintf(at, "L%d:\nmov.u32 %%r1, %d;\n", i, i + 1);
            if (kind < 5)
                at += sprintf(at, "@%s%%p%d bra L%d;\n", kind % 2 ? "!" : "", i, to);
            else if (kind < 7)
                at += sprintf(at, "bra L%d;\n", to);
            else
                at += sprintf(at, kind % 2 && i % 3 ? "@%%p%d ret;\n" : "ret;\n", i);
        }
        check_same(body, NULL);
    }
}

UNIT_MAIN("flow layout", {"shapes", test_shapes}, {"branches", test_branches}, {"any flow", test_any_flow})
