/**
 * @file result_use.c
 * Follows the code behind a call, on every way, until something reads or overwrites eax; see result_use.h. Only instructions
 * that compilers put there are known (AMD64 Architecture Programmer's Manual, volume 3, appendix A); any other ends
 * the search without a verdict.
 */
#include "host/result_use.h"

#include <execinfo.h>
#include <string.h>

#define MAX_INSTRUCTIONS 4096
#define MAX_BRANCHES 256
#define MAX_FRAMES 24

/** An instruction with its operands, as far as eax is concerned. */
struct operands {
    uint8_t reg;          /**< the register operand, or the opcode's extension */
    bool is_register;     /**< the other operand is a register too: */
    uint8_t rm;
    bool address_reads;   /**< the other operand is memory that rax points to */
    const uint8_t *end;   /**< behind them */
};

static struct operands decode(const uint8_t *p, uint8_t rex)
{
    uint8_t mod = *p >> 6, rm = *p & 7;
    struct operands o = {.reg = (uint8_t)((*p >> 3 & 7) | (rex & 4 ? 8 : 0)), .is_register = mod == 3};
    p++;
    if (mod == 3) {
        o.rm = (uint8_t)(rm | (rex & 1 ? 8 : 0));
        o.end = p;
        return o;
    }
    bool wide = mod == 2, none = false;
    if (rm == 4) {
        uint8_t base = *p & 7, index = *p >> 3 & 7;
        p++;
        none = base == 5 && mod == 0;
        wide |= none;
        o.address_reads = (base == 0 && !(rex & 1)) || (index == 0 && !(rex & 2));
    } else if (rm == 5 && mod == 0) {
        wide = true;
    } else {
        o.address_reads = rm == 0 && !(rex & 1);
    }
    o.end = p + (wide ? 4 : mod == 1 ? 1 : 0);
    return o;
}

static bool reads(const struct operands *o)
{
    return o->is_register ? o->rm == 0 : o->address_reads;
}

static int32_t displacement(const uint8_t *p)
{
    int32_t d;
    memcpy(&d, p, sizeof d);
    return d;
}

enum step { GOES_ON, READS, OVERWRITES, UNKNOWN };

/** Register and register or memory. `*next`: the instruction behind it. */
static enum step moves(uint8_t op, uint8_t rex, bool short_operand, const uint8_t *p, const uint8_t **next)
{
    struct operands o = decode(p, rex);
    *next = o.end;
    switch (op) {
    case 0x89: /* register to register or memory */
        if (o.reg == 0 || o.address_reads)
            return READS;
        return o.is_register && o.rm == 0 ? (short_operand ? READS : OVERWRITES) : GOES_ON;
    case 0x88:
        return o.reg == 0 || reads(&o) ? READS : GOES_ON;
    case 0x8b: /* and back */
    case 0x8d: /* an address */
    case 0x63:
        if (reads(&o))
            return READS;
        return o.reg == 0 ? (short_operand ? READS : OVERWRITES) : GOES_ON;
    case 0xc7: /* a constant */
    case 0xc6:
        *next += op == 0xc6 ? 1 : short_operand ? 2 : 4;
        if (o.address_reads || (op == 0xc6 && reads(&o)))
            return READS;
        return o.is_register && o.rm == 0 ? OVERWRITES : GOES_ON;
    case 0x31:
    case 0x33:
    case 0x29:
    case 0x2b: /* of itself: zero */
        if (o.is_register && o.reg == 0 && o.rm == 0)
            return op < 0x30 ? READS : OVERWRITES;
        return o.reg == 0 || reads(&o) ? READS : GOES_ON;
    case 0x83:
    case 0x81:
    case 0x80:
    case 0xc0:
    case 0xc1:
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3: /* shifts */
        *next += op >= 0xd0 ? 0 : op != 0x81 ? 1 : short_operand ? 2 : 4;
        return reads(&o) ? READS : GOES_ON;
    case 0x69:
    case 0x6b: /* multiply by a constant */
        *next += op == 0x6b ? 1 : short_operand ? 2 : 4;
        return reads(&o) ? READS : o.reg == 0 ? (short_operand ? READS : OVERWRITES) : GOES_ON;
    case 0xf6:
    case 0xf7: /* test with a constant, not, neg; the others multiply and divide rax */
        *next += o.reg % 8 > 1 ? 0 : op == 0xf6 ? 1 : short_operand ? 2 : 4;
        return reads(&o) ? READS : o.reg % 8 > 3 ? UNKNOWN : GOES_ON;
    default: /* add, or, and, cmp, test */
        return o.reg == 0 || reads(&o) ? READS : GOES_ON;
    }
}

/** Whether a two-byte opcode only has to do with vector registers and memory: moves, arithmetic, comparisons, shuffles. */
static bool is_vector(uint8_t op)
{
    static const uint8_t others[] = {0x28, 0x29, 0x2a, 0x2e, 0x2f, 0x51, 0x6c, 0x6d, 0x6e, 0x6f, 0x70, 0x74, 0x75, 0x76, 0x7f, 0xc2,
                                     0xc6, 0xd4, 0xd6, 0xdb, 0xdf, 0xe6, 0xeb, 0xef, 0xfa, 0xfb, 0xfe};
    return (op >= 0x10 && op <= 0x17) || (op >= 0x54 && op <= 0x6b) || memchr(others, op, sizeof others);
}

/** Two-byte opcodes: no-operations, widening moves, vector instructions, conditional moves, products. */
static enum step extended(uint8_t op, uint8_t rex, bool short_operand, const uint8_t *p, const uint8_t **next)
{
    struct operands o = decode(p, rex);
    bool widens = op == 0xb6 || op == 0xb7 || op == 0xbe || op == 0xbf;
    bool vector = is_vector(op);
    *next = o.end + (op == 0x70 || op == 0xc2 || op == 0xc6);
    if (op == 0x1f || op == 0x1e)
        return GOES_ON;
    if ((op & 0xf0) == 0x40 || op == 0xaf)
        return o.reg == 0 || reads(&o) ? READS : GOES_ON;
    if ((op & 0xf0) == 0x90) /* sets a byte */
        return reads(&o) ? READS : GOES_ON;
    if (op == 0x2c || op == 0x2d) /* floating point to an integer */
        return o.address_reads ? READS : o.reg == 0 ? OVERWRITES : GOES_ON;
    if (op == 0x7e) /* a vector register to a general one (66) or to a vector one (f3), or memory */
        return o.address_reads ? READS : short_operand && o.is_register && o.rm == 0 ? OVERWRITES : GOES_ON;
    if (!widens && !vector)
        return UNKNOWN;
    bool general = widens || op == 0x2a || op == 0x6e || !o.is_register; /* else `rm` is a vector register */
    if (general && reads(&o))
        return READS;
    return widens && o.reg == 0 ? (short_operand ? READS : OVERWRITES) : GOES_ON;
}

static bool is_move(uint8_t op)
{
    static const uint8_t known[] = {0x01, 0x03, 0x09, 0x0b, 0x21, 0x23, 0x29, 0x2b, 0x31, 0x33, 0x38, 0x39, 0x3a,
                                    0x3b, 0x63, 0x69, 0x6b, 0x80, 0x81, 0x83, 0x84, 0x85, 0x88, 0x89, 0x8b, 0x8d, 0xc0, 0xc1,
                                    0xc6, 0xc7, 0xd0, 0xd1, 0xd2, 0xd3, 0xf6, 0xf7};
    return memchr(known, op, sizeof known) != NULL;
}

/** Where ways of the code begin that have been followed, or will be. */
struct ways {
    const uint8_t *begin[MAX_BRANCHES];
    int count, done;
    int budget;              /**< instructions that may still be looked at */
    bool ignored, passed_on; /**< on some way so far */
};

/** A way more, unless it is known. @return false if there are too many */
static bool add_way(struct ways *w, const uint8_t *pc)
{
    for (int i = 0; i < w->count; i++)
        if (w->begin[i] == pc)
            return true;
    if (w->count == MAX_BRANCHES)
        return false;
    w->begin[w->count++] = pc;
    return true;
}

/** Follows one way to where it ends, or others begin. @return false: the result may be used there */
static bool follow(struct ways *w, const uint8_t *pc)
{
    while (w->budget-- > 0) {
        bool short_operand = false;
        uint8_t rex = 0;
        const uint8_t *p = pc, *next = NULL;
        for (; *p == 0x66 || *p == 0xf2 || *p == 0xf3 || *p == 0x2e; p++)
            short_operand |= *p == 0x66;
        if ((*p & 0xf0) == 0x40)
            rex = *p++;
        uint8_t op = *p++;
        enum step s = UNKNOWN;
        if (op == 0xc3)
            return w->passed_on = true;
        if (op == 0xe8 || (op == 0xb8 && !(rex & 1) && !short_operand) || (op == 0xff && *p == 0x25))
            return w->ignored = true; /* a call overwrites it, also one in place of a return (jmp *…(%rip)), as `mov $…, %eax` does */
        if (op == 0xeb || op == 0xe9)
            return add_way(w, op == 0xeb ? p + 1 + (int8_t)*p : p + 4 + displacement(p));
        if ((op & 0xf0) == 0x70)
            return add_way(w, p + 1) && add_way(w, p + 1 + (int8_t)*p);
        if (op == 0x0f && (*p & 0xf0) == 0x80)
            return add_way(w, p + 5) && add_way(w, p + 5 + displacement(p + 1));
        if (op == 0x0f) {
            s = extended(*p, rex, short_operand, p + 1, &next);
        } else if (is_move(op)) {
            s = moves(op, rex, short_operand, p, &next);
        } else if (op == 0xff) {
            struct operands o = decode(p, rex);
            bool calls = o.reg % 8 == 2;
            s = reads(&o) ? READS : calls ? OVERWRITES : o.reg % 8 > 2 && o.reg % 8 != 6 ? UNKNOWN : GOES_ON; /* inc, dec, push */
            next = o.end;
        } else if (op == 0x90 || op == 0xc9 || (op >= 0x51 && op <= 0x57) || (op >= 0x59 && op <= 0x5f) ||
                   ((op == 0x50 || op == 0x58) && rex & 1)) {
            s = GOES_ON; /* nop, leave, push, pop */
            next = p;
        } else if (op >= 0xb8 && op <= 0xbf) { /* mov of a constant; to eax: asked above */
            s = GOES_ON;
            next = p + (rex & 8 ? 8 : short_operand ? 2 : 4);
        } else if (op == 0x68 || op == 0x6a) { /* push of a constant */
            s = GOES_ON;
            next = p + (op == 0x6a ? 1 : 4);
        } else if (op == 0x58) {
            s = OVERWRITES;
        }
        if (s == OVERWRITES)
            return w->ignored = true;
        if (s != GOES_ON)
            return false;
        pc = next;
    }
    return false;
}

enum result_fate result_fate(const uint8_t *pc)
{
    struct ways w = {.begin = {pc}, .count = 1, .budget = MAX_INSTRUCTIONS};
    while (w.done < w.count)
        if (!follow(&w, w.begin[w.done++]))
            return RESULT_MAY_BE_USED;
    return w.passed_on ? RESULT_PASSED_ON : w.ignored ? RESULT_IGNORED : RESULT_MAY_BE_USED;
}

bool result_ignored(const void *address)
{
#if defined __x86_64__
    void *frames[MAX_FRAMES];
    enum result_fate fate = address ? result_fate(address) : RESULT_MAY_BE_USED;
    if (fate != RESULT_PASSED_ON)
        return fate == RESULT_IGNORED;
    int count = backtrace(frames, MAX_FRAMES), at = 0;
    while (at < count && frames[at] != address)
        at++;
    for (at++; at < count && fate == RESULT_PASSED_ON; at++)
        fate = result_fate(frames[at]);
    return fate == RESULT_IGNORED;
#else
    (void)address;
    return false;
#endif
}
