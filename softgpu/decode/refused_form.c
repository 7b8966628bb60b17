/**
 * @file refused_form.c
 * Modifiers that PTX knows but does not let stand together, as ptxas refuses them: a driver takes no module with such an instruction. The rows of
 * `code/ops.def` read the words one after another and would take them.
 */
#include <string.h>

#include "decode/decode_operands.h"
#include "decode/find_row.h"

#define NOT_GLOBAL "shared shared::cta shared::cluster local const param param::entry param::func"
#define OPERATORS "ca cg cs cv lu wb wt"
#define HALVES "f16 bf16 f16x2 bf16x2"
#define INTEGERS "u32 s32 u64 s64 b32 b64 b128"

/** An instruction with a word of `has` is refused where it has one of `with`, or of any if that is empty, or where it has none of `lacks`. */
static const struct refusal {
    const char *mnemonic, *has, *with, *lacks;
} refusals[] = {
    {"bar", "aligned", "", NULL},
    {"membar", "async", "", NULL},
    {"mbarrier", "noComplete", "relaxed cluster shared::cluster", NULL},
    {"ld", "wb wt", "", NULL},
    {"ld", HALVES, "", NULL},
    {"ld", "volatile mmio relaxed acquire", OPERATORS, NULL},
    {"ld", "volatile mmio", "cta cluster gpu L2::cache_hint", NULL},
    {"ld", "volatile", "sys", NULL},
    {"ld", "mmio", "v2 v4 v8", "relaxed"},
    {"ld", "relaxed acquire mmio", "local const param param::entry param::func", NULL},
    {"ld", "L2::cache_hint L2::64B L2::128B L2::256B nc", NOT_GLOBAL, NULL},
    {"ld", "nc", "volatile relaxed acquire mmio", "global"},
    {"st", "ca cv lu nc L2::64B L2::128B L2::256B", "", NULL},
    {"st", HALVES, "", NULL},
    {"st", "volatile mmio relaxed release", OPERATORS, NULL},
    {"st", "volatile mmio", "cta cluster gpu L2::cache_hint", NULL},
    {"st", "volatile", "sys", NULL},
    {"st", "mmio", "v2 v4 v8", "relaxed"},
    {"st", "relaxed release mmio", "local const param param::entry param::func", NULL},
    {"st", "L2::cache_hint", NOT_GLOBAL, NULL},
    {"atom", "v2 v4 v8 L2::cache_hint", NOT_GLOBAL, NULL},
    {"atom", "exch", "u32 s32 f32 u64 s64 f64", NULL},
    {"atom", "cas", "u32 s32 f32 u64 s64 f64", NULL},
    {"atom", "add", "s64", NULL},
    {"atom", "noftz", INTEGERS " f32 f64", NULL},
    {"atom", HALVES, NULL, "noftz"},
    {"red", "acq_rel", "", NULL},
    {"red", "v2 v4 v8 L2::cache_hint", NOT_GLOBAL, NULL},
    {"red", "noftz", INTEGERS " f32 f64", NULL},
    {"red", HALVES, NULL, "noftz"},
    {"cp", "noftz", INTEGERS " f32 f64 min max", NULL},
    {"cp", "f16 bf16", NULL, "noftz min max"},
    {"cp", "f16x2 bf16x2", "", NULL},
    {"cp", "add", "s64", NULL},
    {"setp", "ftz", "b16 b32 b64 u16 u32 u64 s16 s32 s64 bf16 bf16x2 f64", NULL},
    {"fma", "relu", "sat", NULL},
    {"suld", "wb wt", "", NULL},
    {"sust", "ca cv", "", NULL},
};

static bool is_in(const char *word, const char *list)
{
    size_t length = strlen(word);
    for (; *list; list += strspn(list, " ")) {
        size_t n = strcspn(list, " ");
        if (n == length && memcmp(list, word, n) == 0)
            return true;
        list += n;
    }
    return false;
}

/** The first of the instruction's modifiers that the list has, or NULL. */
static const char *one_of(const struct ptx_instr *pi, const char *list)
{
    for (int i = 0; i < pi->modifier_count; i++)
        if (is_in(pi->modifiers[i], list))
            return pi->modifiers[i];
    return NULL;
}

static bool refuse(struct decoder *d, const struct ptx_instr *pi, const struct refusal *r)
{
    const char *has = one_of(pi, r->has);
    if (!has)
        return false;
    const char *with = r->with && *r->with ? one_of(pi, r->with) : NULL;
    if (r->with && !*r->with)
        decode_fail(d, "PTX has no .%.40s of %.20s", has, pi->mnemonic);
    else if (with)
        decode_fail(d, "PTX does not let .%.40s of %.20s stand with .%.40s", has, pi->mnemonic, with);
    else if (r->lacks && !one_of(pi, r->lacks))
        decode_fail(d, "PTX lets .%.40s of %.20s stand only with .%.40s", has, pi->mnemonic, r->lacks);
    else
        return false;
    return true;
}

/** Most instructions are of none: their first letters differ. */
static bool is_of(const struct refusal *r, const char *mnemonic)
{
    return r->mnemonic[0] == mnemonic[0] && strcmp(r->mnemonic, mnemonic) == 0;
}

bool form_refused(struct decoder *d, const struct ptx_instr *pi)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (is_of(&refusals[i], pi->mnemonic) && refuse(d, pi, &refusals[i]))
            return true;
    return false;
}
