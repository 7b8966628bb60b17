/**
 * @file test_alu.c
 * Every arithmetic row of the operation table, against tests/softgpu/alu_cases.txt (alu_cases.h): on a full warp, then
 * under masks, at every instruction set level of this host. Lanes that do not execute must keep their values. A row
 * that no case reaches fails.
 */
#include "alu_cases.h"
#include "decode/find_row.h"
#include "execute/alu/alu.h"

static bool reached[ROW_COUNT];

static int check_lanes(const struct program *p, const struct line *lines, int count,
                       const struct warp *w, const uint8_t *before)
{
    int wrong = 0;

    for (int t = 0; t < lines[0].results; t++) {
        char width = lines[0].tokens[t].width;
        if (!width)
            continue;
        for (int lane = 0; lane < WARP_LANES; lane++) {
            const struct token *want = &lines[lane % count].tokens[t];
            uint64_t high, low = lane_get(w->frame + p->slot[t], width == 'c' ? 'p' : width, lane, &high);
            uint64_t want_low = want->low, want_high = want->high;
            if (!(w->mask >> lane & 1))
                want_low = lane_get(before + p->slot[t], width == 'c' ? 'p' : width, lane, &want_high);
            if (low == want_low && high == want_high)
                continue;
            if (!wrong++)
                fprintf(stderr, "%s:%d: %s gives %llx, not %llx (lane %d, mask %x)\n", CASES,
                        lines[lane % count].number, lines[0].instr, (unsigned long long)low,
                        (unsigned long long)want_low, lane, w->mask);
        }
    }
    return wrong;
}

/** Runs the instruction under one mask with the given handler. @return wrong lanes */
static int run_masked(const struct program *p, const struct line *lines, int count, handler_fn fn,
                      uint32_t mask)
{
    uint32_t bytes = p->im->functions[0]->frame_bytes;
    struct warp *w = warp_of(p, lines, count, mask);
    uint8_t *before = malloc(bytes);

    memcpy(before, w->frame, bytes);
    CU_ASSERT_PTR_EQUAL(fn(w, p->insn), p->insn + 1);
    int wrong = check_lanes(p, lines, count, w, before);
    free(before);
    warp_end(w);
    return wrong;
}

/** The row of the text, and the one that was chosen for it. */
static void mark_reached(const struct program *p)
{
    const struct ptx_function *f = p->im->functions[0]->source;
    uint64_t mode;
    reached[op_find(&f->instrs.data[p->insn - p->im->code], &mode) - op_table] = true;
    reached[insn_row(p->insn)] = true;
    if (p->insn->op->extra == EXTRA_COMPARE)
        reached[insn_row(&((const struct set_desc *)p->insn->extra)->compare)] = true;
}

static void run_group(const struct line *lines, int count)
{
    static const uint32_t masks[] = {UINT32_MAX, 0xa5f00f31, 1, 0x80000000, 0};
    struct program p;
    int wrong = 0;

    if (!load(&lines[0], &p)) {
        CU_FAIL("a case does not decode");
        return;
    }
    mark_reached(&p);
    for (size_t k = 0; k < sizeof masks / sizeof masks[0]; k++) {
        wrong += run_masked(&p, lines, count, p.insn->run, masks[k]);
        for (int level = 0; p.insn->op->vector && level < ALU_LEVELS; level++) {
            handler_fn run = alu_handler_at(insn_row(p.insn), level);
            if (run)
                wrong += run_masked(&p, lines, count, run, masks[k]);
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    image_free(p.im);
}

static void test_cases(void)
{
    CU_ASSERT(each_group(run_group) > 1000);
}

/** Runs after test_cases: the table's claim about its tests holds for every row. */
static void test_all_rows_reached(void)
{
    for (int row = 0; row < ROW_COUNT; row++) {
        if (strcmp(op_table[row].test, CASES) != 0 || reached[row])
            continue;
        fprintf(stderr, "no case for row %d: %s %s\n", row,
                op_table[row].mnemonic ? op_table[row].mnemonic : "(hidden)", op_table[row].pattern);
        CU_FAIL("a row of the operation table without a case");
    }
}

/** The baseline exists everywhere, whatever the host adds. */
static void test_handlers(void)
{
    CU_ASSERT_PTR_NOT_NULL(alu_handler_at(ROW_add_32, 0));
    for (int row = 0; row < ROW_COUNT; row++)
        if (op_table[row].plain)
            CU_ASSERT_PTR_NOT_NULL(alu_handler((enum op_row)row));
}

UNIT_MAIN("alu", {"cases", test_cases}, {"every row has a case", test_all_rows_reached},
          {"every row has a handler", test_handlers})
