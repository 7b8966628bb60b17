/**
 * @file instruction.h
 * Questions about a machine instruction of the host program that has faulted (x86-64).
 */
#ifndef SOFTGPU_HOST_INSTRUCTION_H
#define SOFTGPU_HOST_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

/** Bytes that the instruction at `pc` stores, as far as it matters here: 1, 2, or 4 for "4 or more". */
uint64_t instruction_stores(const uint8_t *pc);
/** What an instruction does with its operand in memory. */
enum instruction_access { ACCESS_LOAD, ACCESS_STORE, ACCESS_UPDATE /**< reads and writes */, ACCESS_SWAP /**< …, but writes only what it compares well */ };
/** Of the instruction at `pc`, which stores. */
enum instruction_access instruction_access(const uint8_t *pc);
/** Bytes that the instruction at `pc` loads, where it loads one number: 1, 2, 4 or 8; else, or if it is not known, 0. */
uint64_t instruction_loads(const uint8_t *pc);
/** Is a load at `pc` followed at once by AND with a constant? So a field of some bits is set: the bits beside it are read, and stored back. */
bool instruction_masks_load(const uint8_t *pc);
/** The program's own instruction that led to the one at `pc`: the same, or its call of the library
 *  function (memcpy) that it stands in. Call backtrace() once before, outside of a signal handler. */
uint64_t instruction_of_program(uint64_t pc);
/** Enough for a library's templates, compiled without optimisation, between the program and what faults. */
#define INSTRUCTION_FRAMES 16
/** Where an instruction comes from. */
struct instruction_origin {
    enum instruction_owner { OWNER_PROGRAM, OWNER_C_LIBRARY /**< on the program's behalf */, OWNER_SELF /**< the library that this is in, itself or
        by the C library */ } owner;
    uint64_t frames[INSTRUCTION_FRAMES]; /**< the program's own instructions that led to it, innermost first: instruction_of_program()'s, and its callers' */
    int count;                           /**< of them, at least 1 */
};
struct instruction_origin instruction_origin(uint64_t pc);

/** A repeated MOVS or STOS as memcpy() and memset() use them for all but small sizes: the processor's
 *  step goes element by element, so whoever follows it does it itself, a page at a time. */
struct instruction_string {
    bool moves;
    uint64_t width, length; /**< bytes of an element, of the instruction */
};
bool instruction_string(const uint8_t *pc, struct instruction_string *s);

#endif
