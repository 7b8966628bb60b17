/**
 * @file modifiers.h
 * Reading an instruction's modifiers from left to right.
 */
#ifndef SOFTGPU_DECODE_MODIFIERS_H
#define SOFTGPU_DECODE_MODIFIERS_H

#include "decode/decoder.h"

struct modifiers {
    const struct ptx_instr *pi;
    int at;
};
/** Takes the next modifier if it is `name`. */
bool modifier_take(struct modifiers *m, const char *name);
/** The word's index in the space-separated list, or -1. */
int word_index(const char *name, const char *list);
/** Takes the next modifier if it is in the space-separated list; its index, or -1. */
int modifier_of(struct modifiers *m, const char *list);
/** Takes a state space with its suffixes; SPACE_GENERIC if the next modifier is none. */
enum ptx_space modifier_space(struct modifiers *m);
/** Takes a type; PTX_NONE if the next modifier is none. */
enum ptx_type modifier_type(struct modifiers *m);
/** Fails unless all modifiers are taken. */
bool modifiers_end(struct decoder *d, struct modifiers *m);
/**
 * The first word of the space-separated list that the instruction has as a modifier, wherever; a word with a dot stands for neighbours.
 * @param length  receives the word's; may be NULL
 * @return where it stands in the list, or NULL
 */
const char *modifiers_one_of(const struct ptx_instr *pi, const char *list, int *length);

#endif
