/**
 * @file emit_elements.h
 * Private to compile/: what emit_gather.c, of loads `x[i]`, and emit_group.c, of words side by side, do for emit_straight.c.
 */
#ifndef SOFTGPU_COMPILE_EMIT_ELEMENTS_H
#define SOFTGPU_COMPILE_EMIT_ELEMENTS_H

#include "compile/emit_access.h"

/** A struct indexed as it stands in the text, before anything of it is written. */
struct indexed_text {
    int sum, product;          /**< the instructions that make the address, or the same one twice */
    int base_source;           /**< of the sum, which is … */
    uint32_t base;             /**< this register or literal */
    uint32_t index;            /**< the product's first source */
    unsigned shift;
    bool is_signed;
};

#define GROUP_WORDS 4

/** Loads of words side by side: members[j] is the number of the instruction that reads word j; -1: none does. */
struct group_of_loads {
    int first, members[GROUP_WORDS], count;
    long long offset;          /**< of word 0 */
};

/** Is the address of that form? (emit_gather.c) */
bool access_find_indexed(const struct emit *e, const struct insn *in, struct indexed_text *t);
/** The number of the range that such an access looks into. The last one is for those who find none: nobody knows it before. (emit_gather.c) */
int access_range_number(struct emit *e, const struct access *a, const struct indexed *x);
/** Range `n` is known behind this; where it cannot be, on to label ExzID. `begin` and `same` are access_one_base()'s. (emit_gather.c) */
void access_know_range(struct emit *e, const struct access *a, const struct indexed *x, int n, struct value begin, struct value same);
/** Lanes' places behind the beginning of some sector, of elements %ExuID (a vector) behind the place %ExhID; a name. (emit_gather.c) */
struct value access_element_places(struct emit *e, const struct access *a, unsigned shift);
/** All lanes' elements, with AVX-512: gathered, or one by one where processors do that sooner, and go on meanwhile. (emit_gather.c) */
void access_load_elements(struct emit *e, const struct access *a, unsigned shift);
/** Under the checks: is it a load that is as without them where its memory is quiet (emit_quiet_global.c)? (emit_group.c) */
bool access_may_be_quiet(const struct emit *e, int i);
/** The group that load `i` belongs to. Every member finds the same one. @return false if it is alone (emit_group.c) */
bool access_group(const struct emit *e, int i, struct group_of_loads *g);
/** Where the lanes, which all run, lie at even distances of a sector or more, so that each load moves as many sectors as there are lanes, goes on, %GvxZID the place of lane 0's
 *  word 0, %GvsZID how far it is to the next one's; else at label `otherwise`. With AVX-512. (emit_group.c) */
void access_look_at_even_group(struct emit *e, const struct group_of_loads *g, int id, const char *otherwise);
/** Loads such a group that has been looked at: %GgzID_LANE each lane's four words. (emit_group.c) */
void access_load_even_rows(struct emit *e, int id, bool fetch);
/** Turns them about: %GgvID_J word J of all lanes. (emit_group.c) */
void access_turn_group(struct emit *e, const struct group_of_loads *g, int id);

#endif
