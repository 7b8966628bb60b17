/**
 * @file operand.c
 * Addresses (AMD64 Architecture Programmer's Manual, volume 3, chapter 1); see operand.h.
 */
#include "host/operand.h"

#if defined __x86_64__

#include <string.h>

#include "host/opcode.h"

static uint64_t thread_base(void)
{
    uint64_t base;
    __asm__("mov %%fs:0, %0" : "=r"(base)); /* System V ABI: it holds its own address */
    return base;
}

/** @param scale  what a displacement of one byte counts in */
static uint64_t address_of(const struct opcode *c, const greg_t *r, unsigned scale)
{
    static const uint8_t number[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                       REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    const uint8_t *p = c->at;
    unsigned mode = *p >> 6, rm = *p & 7, base = rm;
    uint64_t sum = c->fs ? thread_base() : 0;
    p++;
    if (rm == 4) {
        unsigned index = (*p >> 3 & 7) | (unsigned)c->r_x << 3;
        if (index != 4)
            sum += (uint64_t)r[number[index]] << (*p >> 6);
        base = *p++ & 7;
    }
    int32_t far = 0;
    if (mode == 2 || (mode == 0 && base == 5))
        memcpy(&far, p, 4);
    if (mode == 0 && rm == 5) /* from the next instruction on */
        return sum + (uint64_t)(uintptr_t)(p + 4 + opcode_immediate_bytes(c)) + (uint64_t)(int64_t)far;
    if (mode != 0 || base != 5)
        sum += (uint64_t)r[number[base | (unsigned)c->r_b << 3]];
    return sum + (mode == 1 ? (uint64_t)((int64_t)(int8_t)*p * (int64_t)scale) : (uint64_t)(int64_t)far);
}

bool operand_of(const ucontext_t *context, struct operand *o)
{
    const greg_t *r = context->uc_mcontext.gregs;
    struct opcode c;
    opcode_read((const uint8_t *)(uintptr_t)r[REG_RIP], &c);
    struct opcode_use u = opcode_use(&c);
    if (c.elsewhere || !u.bytes || *c.at >= 0xc0)
        return false;
    bool any = c.map == MAP_0F && ((c.op == 0x10 && c.prefix < PF3) || (c.op == 0x6f && c.prefix >= PF3)); /* at any address */
    *o = (struct operand){.address = address_of(&c, r, c.evex ? u.bytes : 1), .bytes = u.bytes, .loads = u.loads, .stores = u.stores,
                          .guesses = !u.stores && u.bytes >= 16 && !any};
    return true;
}

#endif
