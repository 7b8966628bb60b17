/**
 * @file any_order.c
 * Modifiers in another order than the PTX ISA writes them. ptxas takes them in any (all 120 orders of ldmatrix's five, say), and
 * libraries write what they like: `ldmatrix.sync.aligned.x4.m8n8.shared.b16`, `mma…s32.u8.u8.s32.satfinite`. A row's pattern says which
 * order is the ISA's; those that several words of it take, such as types, keep theirs among each other.
 */
#include <ctype.h>
#include <string.h>

#include "decode/find_row.h"

static bool is_type(const char *name)
{
    size_t letters = 0;
    while (islower((unsigned char)name[letters]))
        letters++;
    return strchr("usbfet", name[0]) && letters <= 2 && isdigit((unsigned char)name[letters]);
}

static bool is_one_of(const char *name, const char *list, size_t length)
{
    size_t n = strlen(name);
    for (size_t at = 0; at < length;) {
        size_t end = at;
        while (end < length && list[end] != '|')
            end++;
        if (end - at == n && !memcmp(list + at, name, n))
            return true;
        at = end + 1;
    }
    return false;
}

/** Does a word of a pattern, of so many characters, take the modifier? */
static bool takes(const char *word, size_t length, const char *name)
{
#define IS(placeholder) (length == sizeof placeholder - 1 && !memcmp(word, placeholder, length))
    if (IS("TYPE") || IS("TYPES"))
        return is_type(name) || !strcmp(name, "pred");
    if (IS("SHAPE"))
        return name[0] == 'm' && isdigit((unsigned char)name[1]);
    if (IS("SPACE") || (length == 6 && !memcmp(word, "shared", 6)))
        return is_one_of(name, "global|shared|local|const|param", 31) || !strncmp(name, "shared::", 8);
    if (IS("CACHE"))
        return !strncmp(name, "L1::", 4) || !strncmp(name, "L2::", 4) || is_one_of(name, "ca|cg|cs|cv|wb|wt", 17);
    if (IS("FIELD"))
        return is_one_of(name, "global_address|rank|box_dim|global_dim|global_stride|element_stride|elemtype|interleave_layout|swizzle_mode|fill_mode", 117);
    if (IS("SCOPE"))
        return is_one_of(name, "cta|cluster|gpu|sys", 19);
    if (IS("OP"))
        return is_one_of(name, "add|min|max|inc|dec|and|or|xor|exch|cas", 39);
    if (IS("ORDER"))
        return is_one_of(name, "relaxed|acquire|release|acq_rel", 31);
    if (IS("VECTOR"))
        return is_one_of(name, "v2|v4|v8", 8);
    if (IS("ROUND"))
        return is_one_of(name, "rn|rz|rm|rp|rni|rzi|rmi|rpi|rna", 31);
    if (IS("DIM"))
        return is_one_of(name, "1d|2d|3d|4d|5d", 14);
    if (IS("COMPARE"))
        return is_one_of(name, "eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|num|nan", 61);
    if (IS("BOOL"))
        return is_one_of(name, "and|or|xor", 10);
#undef IS
    return is_one_of(name, word, length);
}

/* The modifiers that a word takes, moved behind those that are placed already. @return how many are placed now */
static int place(const struct ptx_instr *pi, const char *word, size_t length, const char **out, int placed, bool *used)
{
    bool all = length == 5 && (!memcmp(word, "TYPES", 5) || !memcmp(word, "CACHE", 5)), found = false;
    for (int i = 0; i < pi->modifier_count && (all || !found); i++)
        if (!used[i] && takes(word, length, pi->modifiers[i])) {
            out[placed++] = pi->modifiers[i];
            found = used[i] = true;
        }
    return placed;
}

bool is_manner(const char *name)
{
    static const char manners[] = "rn|rz|rm|rp|ftz|sat|satfinite|relu|NaN|xorsign|abs|oob|approx|full|f4e|b4e|rc8|ecl|ecr|rc16|shiftamt|clamp|wrap";
    return is_one_of(name, manners, sizeof manners - 1);
}

bool manners_in_order(const struct ptx_instr *pi, const char *pattern, const char **out)
{
    if (!modifiers_in_order(pi, pattern, out))
        return false;
    for (int i = 0, j = 0;; i++, j++) {
        while (i < pi->modifier_count && is_manner(pi->modifiers[i]))
            i++;
        while (j < pi->modifier_count && is_manner(out[j]))
            j++;
        if (i == pi->modifier_count || j == pi->modifier_count)
            return i == j;
        if (pi->modifiers[i] != out[j])
            return false;
    }
}

static bool is_ordered_type(const char *name)
{
    return is_type(name) && strcmp(name, "b1024") != 0; /* a tensor map's is of no operand */
}

static bool is_ordered_space(const char *name)
{
    return !strcmp(name, "global") || !strcmp(name, "shared") || !strncmp(name, "shared::", 8);
}

/** Only their order says which type or space is the result's and which a source's: a word that takes few of them has not picked a later one. */
static bool keep_order(const struct ptx_instr *pi, const char *const *out, bool (*is_ordered)(const char *))
{
    for (int i = 0, j = 0;; i++, j++) {
        while (i < pi->modifier_count && !is_ordered(pi->modifiers[i]))
            i++;
        while (j < pi->modifier_count && !is_ordered(out[j]))
            j++;
        if (i == pi->modifier_count || j == pi->modifier_count)
            return i == j;
        if (strcmp(pi->modifiers[i], out[j]) != 0)
            return false;
    }
}

bool modifiers_in_order(const struct ptx_instr *pi, const char *pattern, const char **out)
{
    bool used[MAX_REORDERED] = {false};
    int placed = 0;
    if (pi->modifier_count > MAX_REORDERED)
        return false;
    while (*pattern) {
        size_t length = strcspn(pattern, " ");
        bool optional = pattern[length - 1] == '?';
        int before = placed;
        placed = place(pi, pattern, length - optional, out, placed, used);
        if (placed == before && !optional)
            return false;
        pattern += length;
        pattern += *pattern == ' ';
    }
    if (placed != pi->modifier_count || !keep_order(pi, out, is_ordered_type) || !keep_order(pi, out, is_ordered_space))
        return false;
    for (int i = 0; i < placed; i++)
        if (out[i] != pi->modifiers[i])
            return true;
    return false;
}
