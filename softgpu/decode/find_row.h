/**
 * @file find_row.h
 * From an instruction of the text to its row, and to the function that reads it.
 */
#ifndef SOFTGPU_DECODE_FIND_ROW_H
#define SOFTGPU_DECODE_FIND_ROW_H

#include "decode/decoder.h"

/** Reads one instruction into `in`; on failure it has recorded why in the decoder. */
typedef bool (*decode_fn)(struct decoder *d, const struct ptx_instr *pi, struct insn *in);
/** By row: NULL for plain arithmetic and hidden rows. */
extern const decode_fn decode_functions[ROW_COUNT];

/**
 * The row for an instruction, NULL if none matches.
 * @param mode  receives the MODE_ bits of an arithmetic row
 */
const struct op_info *op_find(const struct ptx_instr *pi, uint64_t *mode);
/** True if any row has this mnemonic: tells an unknown instruction from an unknown form. */
bool op_known(const char *mnemonic);
/** As many modifiers as are looked at in another order. */
#define MAX_REORDERED 16
/** The modifiers in the order of a row's pattern (any_order.c). @return false if that does not take them all, or they are in it */
bool modifiers_in_order(const struct ptx_instr *pi, const char *pattern, const char **out);
/** How arithmetic rounds and what it does with small and large numbers: ptxas takes these anywhere, all else of it in its order. */
bool is_manner(const char *name);
/** The same of an arithmetic row: only what says how it rounds may stand elsewhere (`ex2.approx.f32.ftz`). */
bool manners_in_order(const struct ptx_instr *pi, const char *pattern, const char **out);
/** Does `modifiers[0..count)` match the pattern? Adds to `*mode`. */
bool op_matches(const char *pattern, const char *const *modifiers, int count, uint64_t *mode);

#define X(id, mnemonic, forms, section, defines, what, function, ...)                              \
    bool function(struct decoder *d, const struct ptx_instr *pi, struct insn *in);
#include "code/ops.def"

/** Has the instruction modifiers that PTX does not let stand together? Then the decoder's error says which (refused_form.c). */
bool form_refused(struct decoder *d, const struct ptx_instr *pi);
/** Do the words of its name stand in front, and is of each kind of modifiers one said? If not the decoder's error says which (modifier_places.c). */
bool modifiers_placed(struct decoder *d, const struct ptx_instr *pi);
/** Are its addresses of variables and its vectors what ptxas takes anywhere? If not the decoder's error says which is not (operand_forms.c). */
bool operand_forms_fit(struct decoder *d, const struct ptx_instr *pi);
/** Are its registers and literals of types that it takes? If not the decoder's error says which is not (operand_types.c). */
bool operand_types_fit(struct decoder *d, const struct ptx_instr *pi);
/** Are its literals such as it takes? If not the decoder's error says which is not (literal_ranges.c). */
bool literals_fit(struct decoder *d, const struct ptx_instr *pi);
/** Does it need what the module's `.target` does not have? Then the decoder's error says what (needed_target.c). */
bool target_lacks(struct decoder *d, const struct ptx_instr *pi);
/** The same of its `.version`. */
bool version_lacks(struct decoder *d, const struct ptx_instr *pi);

/** Plain arithmetic: destination and sources as the row says. */
bool decode_alu(struct decoder *d, const struct ptx_instr *pi, struct insn *in,
                const struct op_info *row);

#endif
