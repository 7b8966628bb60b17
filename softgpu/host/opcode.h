/**
 * @file opcode.h
 * A machine instruction, read up to its operand in memory, and what it does with that (x86-64).
 */
#ifndef SOFTGPU_HOST_OPCODE_H
#define SOFTGPU_HOST_OPCODE_H

#include <stdbool.h>
#include <stdint.h>

/** The prefix that is part of the opcode, as VEX numbers them. */
enum opcode_prefix { NO_PREFIX, P66, PF3, PF2 };
enum opcode_map { ONE_BYTE, MAP_0F, MAP_0F38, MAP_0F3A };

struct opcode {
    const uint8_t *at;           /**< the ModRM byte, or behind the opcode */
    unsigned map, op, prefix;    /**< an enum opcode_map; an enum opcode_prefix */
    bool wide, r_x, r_b;         /**< REX.W, .X and .B */
    bool fs, narrow;             /**< segment FS; 66, whatever it means */
    bool elsewhere;              /**< an address of 32 bits, or from segment GS on */
    bool vex, evex, masked;
    unsigned vector;             /**< bytes of a whole vector */
};

void opcode_read(const uint8_t *pc, struct opcode *c);

/** What an opcode does with the operand in memory that its ModRM byte names; no bytes: nothing, or nothing known. */
struct opcode_use {
    unsigned bytes;
    bool loads, stores;
};
struct opcode_use opcode_use(const struct opcode *c);

/** Bytes of the constant behind an operand. */
unsigned opcode_immediate_bytes(const struct opcode *c);

#endif
