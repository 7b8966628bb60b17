/**
 * @file find_row.c
 * The search for an instruction's row in the operation table, and the functions that X rows name.
 */
#include "decode/find_row.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "decode/decode_operands.h"
#include "decode/modifiers.h"
#include "execute/numerics/modes.h"

const decode_fn decode_functions[ROW_COUNT] = {
#define X(id, mnemonic, forms, section, defines, what, function, ...) [ROW_##id] = function,
#include "code/ops.def"
};

/** Modifiers that set bits of an arithmetic row's mode. */
static const struct {
    const char *name;
    uint64_t bits;
} mode_bits[] = {
    {"rn", ROUND_RN},     {"rz", ROUND_RZ},     {"rm", ROUND_RM},        {"rp", ROUND_RP},
    {"ftz", MODE_FTZ},    {"sat", MODE_SAT},    {"relu", MODE_RELU},     {"NaN", MODE_NAN},
    {"xorsign", MODE_XORSIGN}, {"abs", MODE_ABS},   {"oob", MODE_OOB},
};

static uint64_t mode_of(const char *modifier)
{
    for (size_t i = 0; i < sizeof mode_bits / sizeof mode_bits[0]; i++)
        if (strcmp(mode_bits[i].name, modifier) == 0)
            return mode_bits[i].bits;
    return 0;
}

/** Is `name` one of the alternatives of the pattern's next word? Sets its length and `optional`. */
static bool word_has(const char *word, const char *name, size_t *length, bool *optional)
{
    size_t end = strcspn(word, " ");
    bool found = false;

    *length = end;
    *optional = end > 0 && word[end - 1] == '?';
    end -= *optional;
    for (size_t at = 0; at < end;) {
        size_t n = strcspn(word + at, "|? ");
        if (name && strlen(name) == n && memcmp(word + at, name, n) == 0)
            found = true;
        at += n + 1;
    }
    return found;
}

bool op_matches(const char *pattern, const char *const *modifiers, int count, uint64_t *mode)
{
    uint64_t bits = 0;
    int at = 0;

    while (*pattern) {
        size_t length;
        bool optional;
        if (word_has(pattern, at < count ? modifiers[at] : NULL, &length, &optional))
            bits |= mode_of(modifiers[at++]);
        else if (!optional)
            return false;
        pattern += length;
        pattern += *pattern == ' ';
    }
    if (at != count)
        return false;
    *mode = bits;
    return true;
}

/* Rows by mnemonic: chains in table order, which begin where a hash of it says; built once, as each process that loads PTX does. NO_ROW ends one. */
enum { ROW_SLOTS = 1024, NO_ROW = -1 };
static int row_slots[ROW_SLOTS], next_rows[ROW_COUNT];
static pthread_once_t chained_once = PTHREAD_ONCE_INIT;

static uint32_t slot_of_mnemonic(const char *mnemonic)
{
    uint32_t h = mix_text(mnemonic, (uint32_t)strlen(mnemonic));
    return (h ^ h >> 16) % ROW_SLOTS;
}

static void chain_rows(void)
{
    for (int s = 0; s < ROW_SLOTS; s++)
        row_slots[s] = NO_ROW;
    for (int i = ROW_COUNT - 1; i >= 0; i--) {
        if (!op_table[i].mnemonic)
            continue;
        int *slot = &row_slots[slot_of_mnemonic(op_table[i].mnemonic)];
        next_rows[i] = *slot;
        *slot = i;
    }
}

/** The first row of a mnemonic from `row` on in its chain. @return NO_ROW if there is none */
static int row_from(int row, const char *mnemonic)
{
    while (row != NO_ROW && strcmp(op_table[row].mnemonic, mnemonic) != 0)
        row = next_rows[row];
    return row;
}

static int first_row(const char *mnemonic)
{
    pthread_once(&chained_once, chain_rows);
    return row_from(row_slots[slot_of_mnemonic(mnemonic)], mnemonic);
}

static int next_row(int row)
{
    return row_from(next_rows[row], op_table[row].mnemonic);
}

bool op_known(const char *mnemonic)
{
    return first_row(mnemonic) != NO_ROW;
}

/** Two values of a format of eight bits or fewer. */
static bool small_pair(const char *type)
{
    return (type[0] == 'e' || type[0] == 'u') && strlen(type) > 5 && strcmp(type + strlen(type) - 2, "x2") == 0;
}

/** How many of its types are. */
static int pairs_of_halves(const struct ptx_instr *pi)
{
    int count = 0;
    for (int i = 0; i < pi->modifier_count; i++)
        count += strcmp(pi->modifiers[i], "f16x2") == 0 || strcmp(pi->modifiers[i], "bf16x2") == 0;
    return count;
}

/**
 * Does an X row take this instruction? Rows of one mnemonic are told apart by a word that only
 * one of them has, the rest is the decoding function's business.
 */
static bool decoded_row_takes(int row, const struct ptx_instr *pi)
{
    int types = pi->modifier_count;
    while (types && is_manner(pi->modifiers[types - 1])) /* may stand behind */
        types--;
    const char *has = NULL, *last = types ? pi->modifiers[types - 1] : "", *before = types > 1 ? pi->modifiers[types - 2] : "";

    switch (row) {
    case ROW_add_cc: case ROW_sub_cc: case ROW_mad_cc: has = "cc"; break;
    case ROW_and_pred: case ROW_or_pred: case ROW_xor_pred: case ROW_not_pred: has = "pred"; break;
    case ROW_bar_warp: has = "warp"; break;
    case ROW_cancel: has = "try_cancel"; break;
    case ROW_cancel_asked: has = "is_canceled"; break;
    case ROW_st_async: case ROW_red_async: has = "async"; break;
    case ROW_cluster_arrive: has = "cluster"; break;
    case ROW_bar_red: case ROW_barrier_red: has = "red"; break;
    case ROW_cp_mbarrier: has = "mbarrier"; break;
    case ROW_map_replace: has = "replace"; break;
    case ROW_cp_tensor: has = "tensor"; break;
    case ROW_cp_bulk_reduce: has = "reduce"; break;
    case ROW_cp_bulk: case ROW_st_bulk: has = "bulk"; break;
    case ROW_cp_commit: has = "commit_group"; break;
    case ROW_cp_wait: has = "wait_group"; break;
    case ROW_cp_wait_all: has = "wait_all"; break;
    case ROW_mbar_init: has = "init"; break;
    case ROW_mbar_inval: has = "inval"; break;
    case ROW_mbar_arrive_drop: has = "arrive_drop"; break;
    case ROW_mbar_arrive: has = "arrive"; break;
    case ROW_mbar_expect_tx: has = "expect_tx"; break;
    case ROW_mbar_complete_tx: has = "complete_tx"; break;
    case ROW_mbar_test_wait: has = "test_wait"; break;
    case ROW_mbar_try_wait: has = "try_wait"; break;
    case ROW_mbar_pending: has = "pending_count"; break;
    case ROW_wgmma_fence: has = "fence"; break;
    case ROW_wgmma_commit: has = "commit_group"; break;
    case ROW_wgmma_wait: has = "wait_group"; break;
    case ROW_wmma_load: has = "load"; break;
    case ROW_wmma_store: has = "store"; break;
    case ROW_cvt_pack: has = "pack"; break;
    case ROW_min3_f32: case ROW_max3_f32:
        return strcmp(last, "f32") == 0 && pi->operand_count == 4;
    case ROW_setp_x2:
        return pairs_of_halves(pi) == 1;
    case ROW_set_x2:
        return pairs_of_halves(pi) == 2;
    case ROW_cvt_pack_half:
        return (strcmp(before, "f16x2") == 0 || strcmp(before, "bf16x2") == 0) &&
               strcmp(last, "f32") == 0;
    case ROW_cvt_small:
        return small_pair(last) || small_pair(before);
    default:
        return true;
    }
    for (int i = 0; i < pi->modifier_count; i++)
        if (strcmp(pi->modifiers[i], has) == 0)
            return true;
    return false;
}

/** Does an operand name a part of a register (`%r1.b0`)? No plain row takes those. */
static bool has_parts(const struct ptx_instr *pi)
{
    for (int i = 0; i < pi->operand_count; i++)
        if (pi->operands[i].part)
            return true;
    return false;
}

/** An arithmetic row that takes the modifiers in another order. */
static const struct op_info *reordered_row(const struct ptx_instr *pi, int first, uint64_t *mode)
{
    const char *ordered[MAX_REORDERED];
    for (int i = first; i != NO_ROW && !has_parts(pi); i = next_row(i)) {
        const struct op_info *row = &op_table[i];
        if (row->plain && manners_in_order(pi, row->pattern, ordered) && op_matches(row->pattern, ordered, pi->modifier_count, mode))
            return row;
    }
    return NULL;
}

const struct op_info *op_find(const struct ptx_instr *pi, uint64_t *mode)
{
    *mode = 0;
    int first = first_row(pi->mnemonic);
    for (int i = first; i != NO_ROW; i = next_row(i)) {
        const struct op_info *row = &op_table[i];
        if (!row->plain ? decoded_row_takes(i, pi)
                        : !has_parts(pi) && op_matches(row->pattern, pi->modifiers, pi->modifier_count, mode))
            return row;
    }
    return reordered_row(pi, first, mode);
}
