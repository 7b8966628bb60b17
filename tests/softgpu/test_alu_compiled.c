/**
 * @file test_alu_compiled.c
 * Every arithmetic row of the operation table as machine code, against tests/softgpu/alu_cases.txt (alu_cases.h): on a
 * full warp and under a mask, for values that differ among lanes and for values that do not, and for any values as the
 * interpreter has it.
 */
#include "alu_cases.h"
#include "compile/emit.h"
#include "compile/llvm.h"
#include "compile/object.h"
#include "compile/support.h"
#include "execute/machine.h"

/** The instruction of a group, compiled; neighbouring groups of one instruction share it. */
static struct {
    struct line shape;
    struct program program;
    struct object_code *code[2];   /* operands that vary, operands that are the same in all lanes */
    machine_code_fn *run[2];
} compiled;

static void drop_compiled(void)
{
    for (int i = 0; i < 2; i++)
        object_free(compiled.code[i]);
    if (compiled.program.im)
        image_free(compiled.program.im);
    memset(&compiled, 0, sizeof compiled);
}

/** Compiles only the instruction: it is entered there and left behind it. @return false where it has no text of its own */
static bool compile_one(const struct program *p, bool varying, struct object_code **code, machine_code_fn **run)
{
    struct plan plan;
    char why[256] = "";
    size_t length;
    CU_ASSERT_FATAL(plan_make(&plan, p->im->functions[0]));
    int at = (int)(p->insn - p->im->functions[0]->entry);
    bool own = plan.way[at] == WAY_ROW || plan.way[at] == WAY_LOGIC;
    if (own) {
        memset(plan.entry, 0, (size_t)plan.count);
        memset(plan.varying, varying, (size_t)plan.webs);
        plan.entry[at] = true;
        plan.way[at + 1] = WAY_LEAVE;
        char *text = emit_module(&plan, &length);
        void *object = llvm_object(text, length, &length, why, sizeof why);
        *code = object ? object_load(object, length, compiled_symbol, plan.f, why, sizeof why) : NULL;
        *run = *code ? (machine_code_fn *)(uintptr_t)object_run(*code) : NULL;
        free(object);
        if (!*run)
            fprintf(stderr, "%s: %s\n", p->im->functions[0]->name, why);
        CU_ASSERT_PTR_NOT_NULL(*run);
        free(text);
    }
    plan_free(&plan);
    return own && *run;
}

/** Runs the code on the lines, one a lane. @return wrong lanes */
static int run_code(machine_code_fn *run, const struct line *lines, int count, uint32_t mask)
{
    const struct program *p = &compiled.program;
    struct warp *w = warp_of(p, lines, count, mask);
    struct block block = {0};
    struct grid grid = {0};
    int wrong = 0;

    w->block = &block;
    block.grid = &grid;
    w->run_start = p->insn;
    CU_ASSERT_PTR_EQUAL(run(w, 0), p->insn + 1);
    for (int t = 0; t < lines[0].results; t++)
        for (int lane = 0; lines[0].tokens[t].width && lane < WARP_LANES; lane++) {
            char width = lines[0].tokens[t].width;
            const struct line *l = &lines[lane % count];
            uint64_t high, low = lane_get(w->frame + p->slot[t], width == 'c' ? 'p' : width, lane, &high);
            if (!(mask >> lane & 1) || (low == l->tokens[t].low && high == l->tokens[t].high))
                continue;
            if (!wrong++)
                fprintf(stderr, "%s:%d: %s compiled gives %llx, not %llx (lane %d)\n", CASES, l->number, l->instr,
                        (unsigned long long)low, (unsigned long long)l->tokens[t].low, lane);
        }
    warp_end(w);
    return wrong;
}

static uint64_t draw(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 32;
}

/** Any bits, and often those where floating point or shifts change their ways. */
static uint64_t any_value(char width)
{
    static const uint32_t singles[] = {0, 1, 31, 32, 0x7fffff, 0x800000, 0x3f800000, 0x7e800000, 0x7e800001, 0x7f7fffff, 0x7f800000,
                                       0x7f800001, 0x7fc12345, 0x7fffffff};
    static const uint64_t doubles[] = {0, 1, 63, 64, 0xfffffffffffff, 0x10000000000000, 0x3ff0000000000000, 0x7fefffffffffffff,
                                       0x7ff0000000000000, 0x7ff0000000000001, 0x7ff8123456789abc, 0x47efffffe0000000};
    uint64_t word = draw() << 32 | draw(), how = draw() % 4;
    if (width == 'd')
        return how == 0 ? doubles[draw() % 12] | (word & 1ull << 63) : word;
    if (width != 'r')
        return width == 'p' ? word & 1 : (uint16_t)word;
    return how == 0   ? singles[draw() % 14] | (word & 0x80000000u)
           : how == 1 ? (word & 0x80ffffffu) | 0x3f000000u /* near 1 */
                      : (uint32_t)word;
}

/** The same of any values, as the interpreter has it. @return wrong lanes */
static int run_any_values(const struct line *shape)
{
    static struct line lines[WARP_LANES];
    const struct program *p = &compiled.program;
    int wrong = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        lines[lane] = *shape;
        for (int i = shape->results; i < shape->count; i++) {
            struct token *t = &lines[lane].tokens[i];
            if (!t->width)
                continue;
            t->low = any_value(t->width == 'c' ? 'p' : t->width);
            t->high = draw();
        }
    }
    struct warp *w = warp_of(p, lines, WARP_LANES, UINT32_MAX);
    p->insn->body(w, p->insn);
    for (int lane = 0; lane < WARP_LANES; lane++)
        for (int i = 0; i < shape->results; i++) {
            struct token *t = &lines[lane].tokens[i];
            if (t->width)
                t->low = lane_get(w->frame + p->slot[i], t->width == 'c' ? 'p' : t->width, lane, &t->high);
        }
    wrong += run_code(compiled.run[0], lines, WARP_LANES, UINT32_MAX);
    for (int lane = 0; compiled.run[1] && lane < 4; lane++)
        wrong += run_code(compiled.run[1], &lines[lane], 1, UINT32_MAX);
    warp_end(w);
    return wrong;
}

static void run_group(const struct line *lines, int count)
{
    int wrong = 0;
    if (!compiled.shape.count || !same_shape(&compiled.shape, &lines[0])) {
        drop_compiled();
        compiled.shape = lines[0];
        if (!load(&lines[0], &compiled.program)) {
            CU_FAIL("a case does not decode");
            return;
        }
        for (int i = 0; i < 2; i++)
            compile_one(&compiled.program, i == 0, &compiled.code[i], &compiled.run[i]);
        for (int i = 0; compiled.run[0] && i < 8; i++)
            wrong += run_any_values(&lines[0]);
    }
    if (compiled.run[0]) {
        wrong += run_code(compiled.run[0], lines, count, UINT32_MAX);
        wrong += run_code(compiled.run[0], lines, count, 0xa5f00f31);
    }
    for (int i = 0; compiled.run[1] && i < count; i++)
        wrong += run_code(compiled.run[1], lines + i, 1, i & 1 ? UINT32_MAX : 0x80000010);
    CU_ASSERT_EQUAL(wrong, 0);
}

static void test_cases(void)
{
    if (!llvm_available()) {
        printf("not compiled: %s\n", llvm_describe());
        return;
    }
    CU_ASSERT(each_group(run_group) > 1000);
    drop_compiled();
}

/** Machine code for lesser processors has the same bits. */
static void test_lower_levels(void)
{
    enum llvm_level own = llvm_level();
    for (enum llvm_level level = LEVEL_PLAIN; llvm_available() && level < own; level++) {
        setenv("SOFTGPU_ISA", llvm_level_name(level), 1);
        CU_ASSERT_EQUAL(llvm_level(), level);
        test_cases();
    }
    unsetenv("SOFTGPU_ISA");
}

UNIT_MAIN("alu_compiled", {"cases", test_cases}, {"machine code at lower levels", test_lower_levels})
