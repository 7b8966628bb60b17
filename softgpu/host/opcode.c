/**
 * @file opcode.c
 * Prefixes and opcodes (AMD64 Architecture Programmer's Manual, volume 3, chapter 1 and appendix A); see opcode.h.
 */
#include "host/opcode.h"

#include <string.h>

#define LOAD(n) ((struct opcode_use){(n), true, false})
#define STORE(n) ((struct opcode_use){(n), false, true})
#define BOTH(n) ((struct opcode_use){(n), true, true})
#define NOTHING ((struct opcode_use){0, false, false})

/* ---- Prefixes ---- */

static void read_vex(struct opcode *c, const uint8_t *p)
{
    bool three = *p == 0xc4;
    uint8_t last = three ? p[2] : p[1];
    c->vex = true;
    c->r_x = three && !(p[1] & 0x40);
    c->r_b = three && !(p[1] & 0x20);
    c->map = three ? p[1] & 0x1f : MAP_0F;
    c->wide = three && (last & 0x80);
    c->prefix = last & 3;
    c->vector = last & 4 ? 32 : 16;
    c->op = p[2 + three];
    c->at = p + 3 + three;
}

static void read_evex(struct opcode *c, const uint8_t *p)
{
    c->vex = c->evex = true;
    c->r_x = !(p[1] & 0x40);
    c->r_b = !(p[1] & 0x20);
    c->map = p[1] & 7;
    c->wide = p[2] & 0x80;
    c->prefix = p[2] & 3;
    c->masked = p[3] & 7 || p[3] & 0x10;
    c->vector = 16u << (p[3] >> 5 & 3);
    c->op = p[4];
    c->at = p + 5;
}

static void read_legacy(struct opcode *c, const uint8_t *p)
{
    c->map = ONE_BYTE;
    c->vector = 16;
    if (*p == 0x0f) {
        c->map = p[1] == 0x38 ? MAP_0F38 : p[1] == 0x3a ? MAP_0F3A : MAP_0F;
        p += c->map == MAP_0F ? 1 : 2;
    }
    c->op = *p;
    c->at = p + 1;
}

void opcode_read(const uint8_t *p, struct opcode *c)
{
    memset(c, 0, sizeof *c);
    for (;; p++) {
        if (*p == 0x66)
            c->narrow = true;
        else if (*p == 0xf2 || *p == 0xf3)
            c->prefix = *p == 0xf3 ? PF3 : PF2;
        else if (*p == 0x64)
            c->fs = true;
        else if (*p == 0x65 || *p == 0x67)
            c->elsewhere = true;
        else if (*p != 0xf0 && *p != 0x2e && *p != 0x36 && *p != 0x3e && *p != 0x26)
            break;
    }
    if (c->narrow && !c->prefix)
        c->prefix = P66;
    if ((*p & 0xf0) == 0x40) {
        c->wide = *p & 8, c->r_x = *p & 2, c->r_b = *p & 1;
        p++;
    }
    if (*p == 0xc4 || *p == 0xc5)
        read_vex(c, p);
    else if (*p == 0x62)
        read_evex(c, p);
    else
        read_legacy(c, p);
}

/* ---- Opcodes ---- */

static unsigned operand_bytes(const struct opcode *c)
{
    return c->wide ? 8 : c->narrow ? 2 : 4;
}

static struct opcode_use floating(unsigned op, unsigned extension)
{
    static const uint8_t plain[8] = {4, 4, 4, 4, 8, 8, 2, 2};
    unsigned bytes = plain[op - 0xd8];
    if (!(op & 1))                                   /* arithmetic */
        return LOAD(bytes);
    if (extension < 4)                               /* fld, fild; fst, fstp, fist, fistp, fisttp */
        return !extension ? LOAD(bytes) : op == 0xd9 && extension == 1 ? NOTHING : STORE(bytes);
    if (op == 0xd9)                                  /* fldcw, fnstcw */
        return extension == 5 ? LOAD(2) : extension == 7 ? STORE(2) : NOTHING;
    if (op == 0xdb || op == 0xdf)                    /* long doubles; long integers */
        return extension == 5 ? LOAD(op == 0xdb ? 10 : 8) : extension == 7 ? STORE(op == 0xdb ? 10 : 8) : NOTHING;
    return NOTHING;
}

static struct opcode_use one_byte(const struct opcode *c, unsigned extension)
{
    unsigned op = c->op, bytes = op & 1 ? operand_bytes(c) : 1;
    if (op < 0x40)
        return (op & 7) > 3 ? NOTHING : (op & 7) > 1 || op >= 0x38 ? LOAD(bytes) : BOTH(bytes);
    if (op >= 0xd8 && op <= 0xdf)
        return floating(op, extension);
    switch (op) {
    case 0x63: return LOAD(4);
    case 0x69: case 0x6b: return LOAD(operand_bytes(c));
    case 0x80: case 0x81: case 0x83: return extension == 7 ? LOAD(bytes) : BOTH(bytes);
    case 0x84: case 0x85: case 0x8a: case 0x8b: return LOAD(bytes);
    case 0x86: case 0x87: case 0xc0: case 0xc1: case 0xd0: case 0xd1: case 0xd2: case 0xd3: return BOTH(bytes);
    case 0x88: case 0x89: case 0xc6: case 0xc7: return STORE(bytes);
    case 0x8f: return STORE(8);
    case 0xf6: case 0xf7: return extension == 2 || extension == 3 ? BOTH(bytes) : LOAD(bytes);
    case 0xfe: case 0xff: return extension < 2 ? BOTH(bytes) : op == 0xff && extension != 7 ? LOAD(8) : NOTHING;
    default: return NOTHING;
    }
}

/** Vectors and their scalars: whole, whole, a float, a double. */
static unsigned by_prefix(const struct opcode *c)
{
    return c->prefix == PF3 ? 4 : c->prefix == PF2 ? 8 : c->vector;
}

static struct opcode_use integers_0f(const struct opcode *c, unsigned extension)
{
    unsigned op = c->op, bytes = operand_bytes(c);
    if ((op & 0xf0) == 0x40)
        return LOAD(bytes);
    if ((op & 0xf0) == 0x90)
        return STORE(1);
    switch (op) {
    case 0xa3: case 0xaf: case 0xb8: case 0xbc: case 0xbd: return LOAD(bytes);
    case 0xa4: case 0xa5: case 0xab: case 0xac: case 0xad: case 0xb1: case 0xb3: case 0xbb: case 0xc1: return BOTH(bytes);
    case 0xb0: case 0xc0: return BOTH(1);
    case 0xb6: case 0xbe: return LOAD(1);
    case 0xb7: case 0xbf: return LOAD(2);
    case 0xba: return extension == 4 ? LOAD(bytes) : BOTH(bytes);
    case 0xc3: return STORE(bytes);
    case 0xc7: return extension == 1 ? BOTH(c->wide ? 16 : 8) : NOTHING;
    default: return NOTHING;
    }
}

static struct opcode_use map_0f(const struct opcode *c, unsigned extension)
{
    unsigned op = c->op, whole = c->vex || c->prefix ? c->vector : 8; /* MMX */
    switch (op) {
    case 0x10: return LOAD(by_prefix(c));
    case 0x11: return STORE(by_prefix(c));
    case 0x12: case 0x16: return LOAD(8);
    case 0x13: case 0x17: return STORE(8);
    case 0x14: case 0x15: case 0x28: case 0x5b: case 0xc6: return LOAD(c->vector);
    case 0x29: case 0x2b: return STORE(c->vector);
    case 0x2a: return LOAD(c->prefix < PF3 || c->wide ? 8 : 4);
    case 0x2c: case 0x2d: return LOAD(c->prefix == PF3 ? 4 : c->prefix == P66 ? 16 : 8);
    case 0x2e: case 0x2f: return LOAD(c->prefix ? 8 : 4);
    case 0x5a: return LOAD(c->prefix ? by_prefix(c) : c->vector / 2);
    case 0x6e: return LOAD(c->wide ? 8 : 4);
    case 0x7e: return c->prefix == PF3 ? LOAD(8) : STORE(c->wide ? 8 : 4);
    case 0x7f: case 0xe7: return STORE(whole);
    case 0xc2: return LOAD(by_prefix(c));
    case 0xc4: return LOAD(2);
    case 0xd6: return c->prefix == P66 ? STORE(8) : NOTHING;
    case 0xe6: return LOAD(c->prefix == PF3 ? 8 : c->vector);
    case 0x71: case 0x72: case 0x73: case 0x77: case 0xc5: case 0xd7: case 0xf7: return NOTHING;
    default: break;
    }
    if (op >= 0x51 && op <= 0x5f)
        return LOAD(by_prefix(c));
    bool vector = (op >= 0x60 && op <= 0x76) || op == 0x7c || op == 0x7d || op >= 0xd0;
    return vector ? LOAD(whole) : c->vex ? NOTHING : integers_0f(c, extension);
}

static struct opcode_use map_0f38(const struct opcode *c)
{
    unsigned op = c->op, scalar = c->wide ? 8 : 4, row = op & 0x0f;
    if (op >= 0xf0) {
        if (c->vex)
            return LOAD(scalar);
        if (op > 0xf1)
            return NOTHING;
        return c->prefix == PF2 ? LOAD(op & 1 ? operand_bytes(c) : 1) : op & 1 ? STORE(operand_bytes(c)) : LOAD(operand_bytes(c));
    }
    if (op >= 0x96 && op <= 0xbf)                    /* fused multiply and add; the odd ones from 9 on of scalars */
        return row < 6 ? NOTHING : LOAD(row > 8 && row & 1 ? scalar : c->vector);
    switch (op) {
    case 0x18: case 0x58: return LOAD(4);
    case 0x19: case 0x59: return LOAD(8);
    case 0x1a: case 0x5a: return LOAD(16);
    case 0x78: return LOAD(1);
    case 0x79: return LOAD(2);
    case 0x20: case 0x23: case 0x25: case 0x30: case 0x33: case 0x35: return LOAD(c->vector / 2);
    case 0x21: case 0x24: case 0x31: case 0x34: return LOAD(c->vector / 4);
    case 0x22: case 0x32: return LOAD(c->vector / 8);
    default: break;
    }
    bool whole = op <= 0x0b || (op >= 0x1c && op <= 0x1e) || (op >= 0x28 && op <= 0x2b) || (op >= 0x36 && op <= 0x40);
    return whole ? LOAD(c->vector) : NOTHING;
}

static struct opcode_use map_0f3a(const struct opcode *c)
{
    switch (c->op) {
    case 0x0a: case 0x21: return LOAD(4);
    case 0x0b: return LOAD(8);
    case 0x14: return STORE(1);
    case 0x15: return STORE(2);
    case 0x16: return STORE(c->wide ? 8 : 4);
    case 0x17: return STORE(4);
    case 0x18: case 0x38: return LOAD(16);
    case 0x19: case 0x39: return STORE(16);
    case 0x20: return LOAD(1);
    case 0x22: case 0xf0: return LOAD(c->wide ? 8 : 4);
    case 0x08: case 0x09: case 0x0c: case 0x0d: case 0x0e: case 0x0f: return LOAD(c->vector);
    default: return NOTHING;
    }
}

/** Of AVX-512 what moves whole vectors, and scalars. */
static bool is_move(const struct opcode *c)
{
    return c->map == MAP_0F && (c->op == 0x10 || c->op == 0x11 || c->op == 0x28 || c->op == 0x29 || c->op == 0x6f || c->op == 0x7f || c->op == 0xe7);
}

struct opcode_use opcode_use(const struct opcode *c)
{
    unsigned extension = *c->at >> 3 & 7;
    if (c->evex && (c->masked || !is_move(c)))
        return NOTHING;
    return c->map == ONE_BYTE   ? one_byte(c, extension)
           : c->map == MAP_0F   ? map_0f(c, extension)
           : c->map == MAP_0F38 ? map_0f38(c)
           : c->map == MAP_0F3A ? map_0f3a(c) : NOTHING;
}

unsigned opcode_immediate_bytes(const struct opcode *c)
{
    unsigned op = c->op, extension = *c->at >> 3 & 7;
    if (c->map == MAP_0F3A)
        return 1;
    if (c->map == MAP_0F)
        return op == 0x70 || op == 0xa4 || op == 0xac || op == 0xba || op == 0xc2 || op == 0xc4 || op == 0xc6;
    if (c->map == MAP_0F38)
        return 0;
    if (op == 0x81 || op == 0xc7 || op == 0x69 || (op == 0xf7 && extension < 2))
        return c->narrow && !c->wide ? 2 : 4;
    return op == 0x80 || op == 0x83 || op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0x6b || (op == 0xf6 && extension < 2);
}
