/**
 * @file refused_form.c
 * Modifiers that PTX knows but does not let stand together, as ptxas refuses them: a driver takes no module with such an instruction. The rows of
 * `code/ops.def` read the words one after another and would take them.
 */
#include <string.h>

#include "decode/decode_operands.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"

#define NOT_GLOBAL "shared shared::cta shared::cluster local const param param::entry param::func"
#define OPERATORS "ca cg cs cv lu wb wt"
#define HALVES "f16 bf16 f16x2 bf16x2"
#define OF_ALL_BUT_HALVES(t)                                                                                                                         \
    t ".b16 " t ".b32 " t ".b64 " t ".u16 " t ".u32 " t ".u64 " t ".s16 " t ".s32 " t ".s64 " t ".f32 " t ".f64 " t ".f16x2 " t ".bf16x2 "
#define WIDE "v8.b32 v8.u32 v8.s32 v8.f32 v4.b64 v4.u64 v4.s64 v4.f64"
#define SECOND_LEVEL "L2::evict_first L2::evict_last L2::evict_normal"
#define FIRST_LEVEL "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate"
#define INTEGERS "u32 s32 u64 s64 b32 b64 b128"

/** Words as modifiers_one_of() reads them. An instruction with a word of `has` is refused where it has one of `with`, or of any if that is empty, or where it has none of `lacks`. */
static const struct refusal {
    const char *mnemonic, *has, *with, *lacks;
} refusals[] = {
    {"bar", "aligned", "", NULL},
    {"membar", "async", "", NULL},
    {"mov", HALVES " tf32", "", NULL},
    {"cp", "L2::64B L2::128B L2::256B", "bulk", NULL},
    {"cp", "L2::cache_hint.L2::cache_hint", "", NULL},
    {"wmma", "and xor", NULL, "b1"},
    {"mbarrier", "noComplete", "relaxed cluster shared::cluster", NULL},
    {"ld", "wb wt", "", NULL},
    {"ld", HALVES, "", NULL},
    {"ld", "volatile mmio relaxed acquire", OPERATORS, NULL},
    {"ld", "volatile mmio", "cta cluster gpu L2::cache_hint " FIRST_LEVEL, NULL},
    {"ld", "mmio", "L2::64B L2::128B L2::256B", NULL},
    {"ld", "volatile", "sys", NULL},
    {"ld", "mmio", "v2 v4 v8 " NOT_GLOBAL, "relaxed"},
    {"ld", "volatile", "const param param::entry param::func", NULL},
    {"ld", WIDE, NOT_GLOBAL, NULL},
    {"ld", "b128", "v2 v4 v8", NULL},
    {"ld", SECOND_LEVEL, NULL, WIDE},
    {"ld", "relaxed acquire mmio", "local const param param::entry param::func", NULL},
    {"ld", "L2::cache_hint L2::64B L2::128B L2::256B nc", NOT_GLOBAL, NULL},
    {"ld", "nc", "weak volatile relaxed acquire mmio", "global"},
    {"ld", FIRST_LEVEL, NOT_GLOBAL, NULL},
    {"ldu", NOT_GLOBAL " " OPERATORS " nc weak volatile relaxed acquire mmio v8", "", NULL},
    {"ldu", FIRST_LEVEL " " SECOND_LEVEL " L2::cache_hint L2::64B L2::128B L2::256B", "", NULL},
    {"ldu", HALVES " " WIDE " v2.b128 v4.b128", "", NULL},
    {"st", "ca cv lu nc L2::64B L2::128B L2::256B", "", NULL},
    {"st", HALVES " tf32", "", NULL},
    {"st", "volatile mmio relaxed release", OPERATORS, NULL},
    {"st", "volatile mmio", "cta cluster gpu L2::cache_hint " FIRST_LEVEL, NULL},
    {"st", "volatile", "sys", NULL},
    {"st", "mmio", "v2 v4 v8 " NOT_GLOBAL, "relaxed"},
    {"st", "volatile", "const param param::entry param::func", NULL},
    {"st", WIDE, NOT_GLOBAL, NULL},
    {"st", "b128", "v2 v4 v8", NULL},
    {"st", SECOND_LEVEL, NULL, WIDE},
    {"st", "relaxed release mmio", "local const param param::entry param::func", NULL},
    {"st", "L2::cache_hint", NOT_GLOBAL, NULL},
    {"st", FIRST_LEVEL, NOT_GLOBAL, NULL},
    {"ld", "noftz", "", NULL},
    {"st", "noftz", "", NULL},
    {"ld", FIRST_LEVEL, OPERATORS, NULL},
    {"st", FIRST_LEVEL, OPERATORS, NULL},
    {"ldu", "noftz", "", NULL},
    {"ld", "mmio", NULL, "sys"},
    {"st", "mmio", NULL, "sys"},
    {"ld", "nc", "lu", NULL},
    {"atom", OPERATORS " L2::64B L2::128B L2::256B " FIRST_LEVEL " " SECOND_LEVEL, "", NULL},
    {"red", OPERATORS " L2::64B L2::128B L2::256B " FIRST_LEVEL " " SECOND_LEVEL, "", NULL},
    {"atom", "v2 v4 v8 L2::cache_hint", NOT_GLOBAL, NULL},
    {"atom", "exch", "u32 s32 f32 u64 s64 f64", NULL},
    {"atom", "cas", "u32 s32 f32 u64 s64 f64", NULL},
    {"atom", "cas", "noftz L2::cache_hint", NULL},
    {"atom", "add", "s64", NULL},
    {"atom", "noftz", INTEGERS " f32 f64", NULL},
    {"atom", HALVES, NULL, "noftz"},
    {"red", "acq_rel", "", NULL},
    {"red", "add", "s64", NULL},
    {"red", "v2 v4 v8 L2::cache_hint", NOT_GLOBAL, NULL},
    {"red", "noftz", INTEGERS " f32 f64", NULL},
    {"red", HALVES, NULL, "noftz"},
    {"cp", "noftz", INTEGERS " f32 f64 min max", NULL},
    {"cp", "f16 bf16", NULL, "noftz min max"},
    {"cp", "f16x2 bf16x2", "", NULL},
    {"cp", "add", "s64", NULL},
    {"setp", "ftz", "b16 b32 b64 u16 u32 u64 s16 s32 s64 bf16 bf16x2 f64", NULL},
    {"set", "ftz", "bf16 bf16x2 f64", NULL},
    {"set", OF_ALL_BUT_HALVES("u16") OF_ALL_BUT_HALVES("s16"), "", NULL},
    {"set", "f32.f16 f32.bf16 f32.f16x2 f32.bf16x2 f16.bf16 f16.f16x2 f16.bf16x2 bf16.f16x2 bf16.bf16x2", "", NULL},
    {"cvt", "sat.u8.u8 sat.s8.s8 sat.u16.u8 sat.u16.u16 sat.s16.u8 sat.s16.s8 sat.s16.s16 sat.u32.u8 sat.u32.u16 sat.u32.u32", "", NULL},
    {"cvt", "sat.s32.u8 sat.s32.s8 sat.s32.u16 sat.s32.s16 sat.s32.s32 sat.u64.u8 sat.u64.u16 sat.u64.u32 sat.u64.u64", "", NULL},
    {"cvt", "sat.s64.u8 sat.s64.s8 sat.s64.u16 sat.s64.s16 sat.s64.u32 sat.s64.s32 sat.s64.s64", "", NULL},
    {"cvt", "ftz.ftz", "", NULL},
    {"cvt", "tf32", "rni rzi rm rmi rp rpi", NULL},
    {"mma", "sp", "f16.e4m3 f16.e5m2", NULL},
    {"fma", "relu", "sat", NULL},
    {"min", "xorsign", NULL, "abs"},
    {"max", "xorsign", NULL, "abs"},
    {"tex", "cube acube", "f32.s32 s32.s32 u32.s32 f16x2.s32", NULL},
    {"tld4", "f32.s32 s32.s32 u32.s32", "", NULL},
    {"suld", "wb wt", "", NULL},
    {"sust", "ca cv", "", NULL},
};

/** Those of modules of some PTX ISA versions, in tenths, from a target on. */
static const struct {
    int since, until, sm;
    struct refusal refusal;
} refused_at_times[] = {
    {0, 91, 0, {"ld", "volatile", "local", NULL}},
    {0, 91, 0, {"st", "volatile", "local", NULL}},
    {64, 999, 70, {"shfl", "b32", NULL, "sync"}},
    {64, 999, 70, {"vote", "b32 pred", NULL, "sync"}},
    {14, 999, 0, {"div", "f32", NULL, "rn rz rm rp approx full"}},
    {32, 999, 20, {"mad", "f32", NULL, "rn rz rm rp"}},
    {14, 999, 0, {"mad", "f64", NULL, "rn rz rm rp"}},
};

static bool refuse(struct decoder *d, const struct ptx_instr *pi, const struct refusal *r)
{
    int length, with_length = 0;
    const char *has = modifiers_one_of(pi, r->has, &length);
    if (!has)
        return false;
    const char *with = r->with && *r->with ? modifiers_one_of(pi, r->with, &with_length) : NULL;
    if (r->with && !*r->with)
        decode_fail(d, "PTX has no .%.*s of %.20s", length, has, pi->mnemonic);
    else if (with)
        decode_fail(d, "PTX does not let .%.*s of %.20s stand with .%.*s", length, has, pi->mnemonic, with_length, with);
    else if (r->lacks && !modifiers_one_of(pi, r->lacks, NULL))
        decode_fail(d, "PTX lets .%.*s of %.20s stand only with .%.60s", length, has, pi->mnemonic, r->lacks);
    else
        return false;
    return true;
}

/** Most instructions are of none: their first letters differ. */
static bool is_of(const struct refusal *r, const char *mnemonic)
{
    return r->mnemonic[0] == mnemonic[0] && strcmp(r->mnemonic, mnemonic) == 0;
}

/** Of two values .abs is of .xorsign.abs; of three it stands alone. */
static bool lone_abs(struct decoder *d, const struct ptx_instr *pi)
{
    return (strcmp(pi->mnemonic, "min") == 0 || strcmp(pi->mnemonic, "max") == 0) && pi->operand_count == 3 &&
           refuse(d, pi, &(const struct refusal){pi->mnemonic, "abs", NULL, "xorsign"});
}

bool form_refused(struct decoder *d, const struct ptx_instr *pi)
{
    int version = d->m->version_major * 10 + d->m->version_minor;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (is_of(&refusals[i], pi->mnemonic) && refuse(d, pi, &refusals[i]))
            return true;
    for (size_t i = 0; i < sizeof refused_at_times / sizeof *refused_at_times; i++)
        if (version >= refused_at_times[i].since && version < refused_at_times[i].until && d->m->target_sm >= refused_at_times[i].sm &&
            is_of(&refused_at_times[i].refusal, pi->mnemonic) && refuse(d, pi, &refused_at_times[i].refusal))
            return true;
    return lone_abs(d, pi);
}
