/**
 * @file test_alu.c
 * Every arithmetic row of the operation table, against tests/softgpu/alu_cases.txt.
 *
 * A case is `instruction results < operands`. A value is a width letter and hexadecimal digits: p
 * predicate, h 16 bits, r 32, d 64, q 128; `#…` is written into the instruction as it stands, `!` negates,
 * `a|b` and `{a,b}` are pairs and vectors, c0 and c1 the carry flag. Neighbouring cases of one
 * instruction run together, one a lane: on a full warp, then under masks, at every instruction set level
 * of this host, then as machine code, for values that differ among lanes and for values that do not, and for any values as the interpreter has it. Lanes that do not
 * execute must keep their values. A row that no case reaches fails.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "compile/emit.h"
#include "compile/llvm.h"
#include "compile/object.h"
#include "compile/support.h"
#include "decode/decode.h"
#include "decode/find_row.h"
#include "execute/alu/alu.h"
#include "execute/bind.h"
#include "execute/machine.h"
#include "execute/warp.h"
#include "unit.h"

#define CASES "tests/softgpu/alu_cases.txt"
#define MAX_TOKENS 24

/** One value of a case: a register when `width` is a letter. */
struct token {
    char width;                  /* p h r d q, c for the carry flag, 0 for punctuation and literals */
    char text[40];               /* of punctuation and literals */
    uint64_t low, high;
};

struct line {
    char instr[80];
    struct token tokens[MAX_TOKENS];
    int count, results;          /* tokens; the first `results` of them come before the `<` */
    int number;
};

static bool reached[ROW_COUNT];

static bool next_token(const char **at, struct token *t)
{
    const char *s = *at + strspn(*at, " \n");

    memset(t, 0, sizeof *t);
    if (!*s)
        return false;
    if (strchr("{}|,!<", *s)) {
        t->text[0] = *s++;
    } else if (*s == '#' || *s == '_') {
        size_t n = strcspn(s, " \n,}|");
        memcpy(t->text, s, n < sizeof t->text ? n : sizeof t->text - 1);
        s += n;
    } else {
        char digits[40] = "";
        t->width = *s++;
        size_t n = strspn(s, "0123456789abcdef");
        memcpy(digits, s, n < sizeof digits ? n : sizeof digits - 1);
        s += n;
        if (n > 16) {
            t->low = strtoull(digits + n - 16, NULL, 16);
            digits[n - 16] = 0;
            t->high = strtoull(digits, NULL, 16);
        } else {
            t->low = strtoull(digits, NULL, 16);
        }
    }
    *at = s;
    return true;
}

static bool read_line(const char *text, struct line *l)
{
    size_t n = strcspn(text, " \n");
    struct token t;

    if (text[0] == '#' || n == 0)
        return false;
    memset(l, 0, sizeof *l);
    memcpy(l->instr, text, n < sizeof l->instr ? n : sizeof l->instr - 1);
    text += n;
    l->results = -1;
    while (next_token(&text, &t) && l->count < MAX_TOKENS) {
        if (t.text[0] == '<')
            l->results = l->count;
        else
            l->tokens[l->count++] = t;
    }
    return l->results >= 0;
}

static bool same_shape(const struct line *a, const struct line *b)
{
    if (strcmp(a->instr, b->instr) != 0 || a->count != b->count || a->results != b->results)
        return false;
    for (int i = 0; i < a->count; i++)
        if (a->tokens[i].width != b->tokens[i].width ||
            strcmp(a->tokens[i].text, b->tokens[i].text) != 0)
            return false;
    return true;
}

static bool is_register(const struct token *t)
{
    return t->width && t->width != 'c';
}

static const char *type_of(char width)
{
    return width == 'p' ? "pred" : width == 'h' ? "b16" : width == 'r' ? "b32"
           : width == 'd' ? "b64" : "b128";
}

/** The kernel: each operand is set by a mov and each result read by one, which shows their slots. */
static void write_ptx(const struct line *l, char *out, size_t size)
{
    size_t n = 0;
#define PUT(...) n += (size_t)snprintf(out + n, n < size ? size - n : 0, __VA_ARGS__)
    PUT(".version 9.0\n.target sm_100\n.address_size 64\n.visible .entry k()\n{\n"
        ".reg .pred %%p<32>;\n.reg .b16 %%h<32>;\n.reg .b32 %%r<32>;\n.reg .b64 %%d<32>;\n"
        ".reg .b128 %%q<32>;\n");
    for (int i = l->results; i < l->count; i++)
        if (is_register(&l->tokens[i])) {
            if (l->tokens[i].width == 'q')
                PUT("mov.b128 %%q%d, {%%d30, %%d31};\n", i);
            else
                PUT("mov.%s %%%c%d, 0;\n", type_of(l->tokens[i].width), l->tokens[i].width, i);
        }
    PUT("%s ", l->instr);
    bool ended = false;          /* the token before ends a value */
    for (int i = 0; i < l->count; i++) {
        const struct token *t = &l->tokens[i];
        char mark = t->text[0];
        if (t->width == 'c')
            continue;
        bool starts = is_register(t) || strchr("#_{!", mark);
        PUT("%s", ended && starts ? ", " : "");
        if (is_register(t))
            PUT("%%%c%d", t->width, i);
        else
            PUT("%s", mark == '#' ? t->text + 1 : t->text);
        ended = is_register(t) || strchr("#_}", mark);
    }
    PUT(";\n");
    for (int i = 0; i < l->results; i++)
        if (is_register(&l->tokens[i]))
            PUT("mov.%s %%%c31, %%%c%d;\n", type_of(l->tokens[i].width), l->tokens[i].width,
                l->tokens[i].width, i);
    PUT("ret;\n}\n");
#undef PUT
}

static uint64_t no_place(void *self, const char *name, enum ptx_space space, uint64_t bytes,
                         unsigned align, bool managed)
{
    (void)self, (void)name, (void)space, (void)bytes, (void)align, (void)managed;
    return 0;
}

static uint64_t lane_get(const uint8_t *at, char width, int lane, uint64_t *high)
{
    *high = 0;
    switch (width) {
    case 'p': return *(const uint32_t *)at >> lane & 1;
    case 'h': return ((const uint16_t *)at)[lane];
    case 'r': return ((const uint32_t *)at)[lane];
    case 'q': *high = ((const uint64_t *)at)[WARP_LANES + lane]; /* fall through */
    default: return ((const uint64_t *)at)[lane];
    }
}

static void lane_set(uint8_t *at, char width, int lane, uint64_t low, uint64_t high)
{
    switch (width) {
    case 'p':
        *(uint32_t *)at = (*(uint32_t *)at & ~(1u << lane)) | (uint32_t)low << lane;
        break;
    case 'h': ((uint16_t *)at)[lane] = (uint16_t)low; break;
    case 'r': ((uint32_t *)at)[lane] = (uint32_t)low; break;
    case 'q': ((uint64_t *)at)[WARP_LANES + lane] = high; /* fall through */
    default: ((uint64_t *)at)[lane] = low; break;
    }
}

/** A decoded group with what is needed to run its one instruction. */
struct program {
    struct image *im;
    const struct insn *insn;
    uint32_t slot[MAX_TOKENS];
};

static bool load(const struct line *l, struct program *p)
{
    static const struct variable_placer placer = {.place = no_place};
    static char ptx[4096];
    struct diag d = {0};

    write_ptx(l, ptx, sizeof ptx);
    struct ptx_module *m = module_parse(l->instr, ptx, strlen(ptx), &d);
    p->im = m ? image_decode(m, &placer, &d) : NULL;
    if (!p->im) {
        fprintf(stderr, "%s:%d: %s\n%s", CASES, l->number, d.message, ptx);
        return false;
    }
    image_bind(p->im, false);
    const struct insn *in = p->im->code;
    for (int i = l->results; i < l->count; i++)
        if (is_register(&l->tokens[i]))
            p->slot[i] = (in++)->dst;
    p->insn = in++;
    for (int i = 0; i < l->results; i++)
        if (is_register(&l->tokens[i]))
            p->slot[i] = (in++)->src[0];
    for (int i = 0; i < l->count; i++)
        if (l->tokens[i].width == 'c')
            p->slot[i] = p->insn->dst2;
    bool refused = insn_class(p->insn) == INSN_UNSUPPORTED;
    if (refused)
        fprintf(stderr, "%s:%d: %s\n", CASES, l->number, (const char *)p->insn->extra);
    return !refused;
}

static void set_mask(struct warp *w, uint32_t mask)
{
    w->mask = mask;
    for (int i = 0; i < WARP_LANES; i++)
        w->lane_mask[i] = mask >> i & 1 ? -1 : 0;
}

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
    struct warp *w = aligned_alloc(64, (sizeof *w + 63) & ~63ul);
    uint8_t *before = malloc(bytes);
    int wrong;

    memset(w, 0, sizeof *w);
    w->frame = aligned_alloc(64, bytes);
    w->constants = p->im->constants;
    memset(w->frame, 0xa5, bytes);
    for (int i = lines[0].results; i < lines[0].count; i++) {
        char width = lines[0].tokens[i].width;
        for (int lane = 0; width && lane < WARP_LANES; lane++)
            lane_set(w->frame + p->slot[i], width == 'c' ? 'p' : width, lane,
                     lines[lane % count].tokens[i].low, lines[lane % count].tokens[i].high);
    }
    memcpy(before, w->frame, bytes);
    set_mask(w, mask);
    CU_ASSERT_PTR_EQUAL(fn(w, p->insn), p->insn + 1);
    wrong = check_lanes(p, lines, count, w, before);
    free(before);
    free(w->frame);
    free(w);
    return wrong;
}

/* ---- The same as machine code */

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
        memset(plan.varying, varying, (size_t)plan.slots);
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

/** Runs the code on the lines from `first` on, one a lane. @return wrong lanes */
static int run_code(machine_code_fn *run, const struct line *lines, int count, uint32_t mask)
{
    const struct program *p = &compiled.program;
    uint32_t bytes = p->im->functions[0]->frame_bytes;
    struct warp *w = aligned_alloc(64, (sizeof *w + 63) & ~63ul);
    struct block block = {0};
    struct grid grid = {0};
    int wrong = 0;

    memset(w, 0, sizeof *w);
    w->frame = aligned_alloc(64, bytes);
    w->constants = p->im->constants;
    w->block = &block;
    block.grid = &grid;
    memset(w->frame, 0xa5, bytes);
    for (int i = lines[0].results; i < lines[0].count; i++) {
        char width = lines[0].tokens[i].width;
        for (int lane = 0; width && lane < WARP_LANES; lane++)
            lane_set(w->frame + p->slot[i], width == 'c' ? 'p' : width, lane, lines[lane % count].tokens[i].low,
                     lines[lane % count].tokens[i].high);
    }
    set_mask(w, mask);
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
    free(w->frame);
    free(w);
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
    uint32_t bytes = p->im->functions[0]->frame_bytes;
    struct warp *w = aligned_alloc(64, (sizeof *w + 63) & ~63ul);
    int wrong = 0;
    memset(w, 0, sizeof *w);
    w->frame = aligned_alloc(64, bytes);
    w->constants = p->im->constants;
    set_mask(w, UINT32_MAX);
    memset(w->frame, 0xa5, bytes);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        lines[lane] = *shape;
        for (int i = shape->results; i < shape->count; i++) {
            struct token *t = &lines[lane].tokens[i];
            char width = t->width == 'c' ? 'p' : t->width;
            if (!width)
                continue;
            t->low = any_value(width);
            t->high = draw();
            lane_set(w->frame + p->slot[i], width, lane, t->low, t->high);
        }
    }
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
    free(w->frame);
    free(w);
    return wrong;
}

static int run_compiled(const struct line *lines, int count)
{
    int wrong = 0;
    if (!llvm_available())
        return 0;
    if (!compiled.shape.count || !same_shape(&compiled.shape, &lines[0])) {
        drop_compiled();
        compiled.shape = lines[0];
        if (!load(&lines[0], &compiled.program))
            return 1;
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

static bool only_compiled; /**< at another level of the processor than its own: the handlers have been tried */

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
    for (size_t k = 0; !only_compiled && k < sizeof masks / sizeof masks[0]; k++) {
        wrong += run_masked(&p, lines, count, p.insn->run, masks[k]);
        for (int level = 0; p.insn->op->vector && level < ALU_LEVELS; level++) {
            handler_fn run = alu_handler_at(insn_row(p.insn), level);
            if (run)
                wrong += run_masked(&p, lines, count, run, masks[k]);
        }
    }
    wrong += run_compiled(lines, count);
    CU_ASSERT_EQUAL(wrong, 0);
    image_free(p.im);
}

static void test_cases(void)
{
    static struct line lines[WARP_LANES];
    static char text[512];
    FILE *f = fopen(CASES, "r");
    int count = 0, number = 0, cases = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    while (fgets(text, sizeof text, f)) {
        struct line l;
        number++;
        if (!read_line(text, &l)) {
            CU_ASSERT(text[0] == '#' || text[0] == '\n');
            continue;
        }
        l.number = number;
        cases++;
        if (count && (count == WARP_LANES || !same_shape(&lines[0], &l))) {
            run_group(lines, count);
            count = 0;
        }
        lines[count++] = l;
    }
    if (count)
        run_group(lines, count);
    fclose(f);
    drop_compiled();
    if (!llvm_available())
        printf("not compiled: %s\n", llvm_describe());
    CU_ASSERT(cases > 1000);
}

/** Machine code for lesser processors has the same bits. */
static void test_lower_levels(void)
{
    enum llvm_level own = llvm_level();
    only_compiled = true;
    for (enum llvm_level level = LEVEL_PLAIN; llvm_available() && level < own; level++) {
        setenv("SOFTGPU_ISA", llvm_level_name(level), 1);
        CU_ASSERT_EQUAL(llvm_level(), level);
        test_cases();
    }
    unsetenv("SOFTGPU_ISA");
    only_compiled = false;
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

UNIT_MAIN("alu", {"cases", test_cases}, {"machine code at lower levels", test_lower_levels}, {"every row has a case", test_all_rows_reached},
          {"every row has a handler", test_handlers})
