/**
 * @file alu_cases.h
 * The cases of tests/softgpu/alu_cases.txt, and a warp that is about to execute one.
 *
 * A case is `instruction results < operands`. A value is a width letter and hexadecimal digits: p
 * predicate, h 16 bits, r 32, d 64, q 128; `#…` is written into the instruction as it stands, `!` negates,
 * `a|b` and `{a,b}` are pairs and vectors, c0 and c1 the carry flag, `-r1.b2` a video instruction's sign and part. Neighbouring cases of one
 * instruction run together, one a lane.
 */
#ifndef TESTS_ALU_CASES_H
#define TESTS_ALU_CASES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "decode/decode.h"
#include "execute/bind.h"
#include "execute/warp.h"
#include "unit.h"

#define CASES "tests/softgpu/alu_cases.txt"
#define MAX_TOKENS 24

/** One value of a case: a register when `width` is a letter. */
struct token {
    char width;                  /* p h r d q, c for the carry flag, 0 for punctuation and literals */
    char text[40];               /* of punctuation and literals; of a register what stands behind it, ".b0" */
    uint64_t low, high;
};

struct line {
    char instr[80];
    struct token tokens[MAX_TOKENS];
    int count, results;          /* tokens; the first `results` of them come before the `<` */
    int number;
};

static bool next_token(const char **at, struct token *t)
{
    const char *s = *at + strspn(*at, " \n");

    memset(t, 0, sizeof *t);
    if (!*s)
        return false;
    if (strchr("{}|,!<-", *s)) {
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
        n = *s == '.' ? strcspn(s, " \n,}|") : 0;
        memcpy(t->text, s, n < sizeof t->text ? n : sizeof t->text - 1);
        s += n;
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
    PUT(".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k()\n{\n"
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
        bool starts = is_register(t) || strchr("#_{!-", mark);
        PUT("%s", ended && starts ? ", " : "");
        if (is_register(t))
            PUT("%%%c%d%s", t->width, i, t->text);
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

/** @return a warp of this mask whose operands are those of the lines, one a lane; the rest of its frame is 0xa5 */
static struct warp *warp_of(const struct program *p, const struct line *lines, int count, uint32_t mask)
{
    uint32_t bytes = p->im->functions[0]->frame_bytes;
    struct warp *w = aligned_alloc(64, (sizeof *w + 63) & ~63ul);

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
    set_mask(w, mask);
    return w;
}

static void warp_end(struct warp *w)
{
    free(w->frame);
    free(w);
}

/** Neighbouring cases of one instruction, up to a warp of them. @return cases */
static int each_group(void (*run)(const struct line *lines, int count))
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
            run(lines, count);
            count = 0;
        }
        lines[count++] = l;
    }
    if (count)
        run(lines, count);
    fclose(f);
    return cases;
}

#endif
