/**
 * @file modifier_places.c
 * Words that are part of an instruction's name stand in front of its modifiers, and of a kind of modifiers there is one: as ptxas refuses anything else,
 * whatever order it lets modifiers have.
 */
#include <string.h>

#include "decode/decode_operands.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"

/** Names of more than one word, longer ones in front of those that they begin with; `words` stand nowhere else. */
static const struct name_rule {
    const char *mnemonic, *names, *words;
    bool must; /**< there is no such instruction without one */
} name_rules[] = {
    {"cp",
     "async.bulk.tensor async.bulk.prefetch.tensor async.bulk.prefetch async.bulk.commit_group async.bulk.wait_group async.bulk async.mbarrier.arrive "
     "async.commit_group async.wait_group async.wait_all async reduce.async.bulk.tensor reduce.async.bulk",
     "async bulk tensor prefetch commit_group wait_group wait_all mbarrier arrive reduce", true},
    {"mbarrier", "init inval arrive.expect_tx arrive_drop.expect_tx arrive arrive_drop expect_tx complete_tx test_wait.parity try_wait.parity test_wait try_wait pending_count",
     "init inval arrive arrive_drop expect_tx complete_tx test_wait try_wait parity pending_count", true},
    {"wmma", "load.a load.b load.c store.d mma", "load store mma a b c d", true},
    {"wgmma", "mma_async fence commit_group wait_group", "mma_async fence commit_group wait_group", true},
    {"bar", "cta.red cta.arrive red arrive warp.sync cta", "cta red arrive warp", false},
    {"barrier", "cta.red cta.arrive red arrive cluster.arrive cluster.wait cta", "cta red arrive cluster", false},
    {"st", "async bulk", "async bulk", false},
    {"red", "async", "async", false},
    {"cvt", "pack", "pack", false},
    {"cvta", "to", "to", false},
    {"createpolicy", "fractional range cvt", "fractional range cvt", true},
    {"shf", "l r", "l r", true},
    {"div", "full", "full", false},
    {"mad", "lo hi wide", "lo hi wide", false},
    {"mad24", "lo hi", "lo hi", true},
    {"madc", "lo hi", "lo hi", true},
    {"tensormap", "replace cp_fenceproxy", "replace cp_fenceproxy", true},
    {"setmaxnreg", "inc dec", "inc dec", true},
    {"tex", "base level grad", "base level grad", false},
    {"txq", "level", "level", false},
    {"suld", "b", "b", true},
    {"sust", "b p", "b p", true},
    {"sured", "b p", "b p", true},
};

/** Kinds of modifiers of memory instructions of which one may be said, and once. */
static const char *const memory_kinds[] = {
    "weak volatile relaxed acquire release acq_rel", "cta cluster gpu sys", "global shared shared::cta shared::cluster local const param param::entry param::func",
    "v2 v4 v8", "add min max and or xor inc dec exch cas", "ca cg cs cv lu wb wt", "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate",
    "L2::evict_first L2::evict_last L2::evict_normal", "L2::64B L2::128B L2::256B", "L2::cache_hint", "nc", "noftz", "mmio",
};

static bool in_list(const char *name, const char *list)
{
    return word_index(name, list) >= 0;
}

/** How many of the first modifiers are the words, with dots between them; 0 if not all of them stand there. */
static int words_in_front(const struct ptx_instr *pi, const char *words, size_t length)
{
    const char *end = words + length;
    for (int i = 0; i < pi->modifier_count; i++) {
        size_t n = strlen(pi->modifiers[i]);
        if ((size_t)(end - words) < n || memcmp(words, pi->modifiers[i], n) != 0)
            return 0;
        words += n;
        if (words == end)
            return i + 1;
        if (*words++ != '.')
            return 0;
    }
    return 0;
}

static int name_in_front(const struct ptx_instr *pi, const char *names)
{
    for (size_t n; *names; names += n, names += *names == ' ') {
        n = strcspn(names, " ");
        int taken = words_in_front(pi, names, n);
        if (taken)
            return taken;
    }
    return 0;
}

static bool name_comes_first(struct decoder *d, const struct ptx_instr *pi)
{
    for (size_t r = 0; r < sizeof name_rules / sizeof *name_rules; r++) {
        const struct name_rule *rule = &name_rules[r];
        if (strcmp(rule->mnemonic, pi->mnemonic) != 0)
            continue;
        int from = name_in_front(pi, rule->names);
        if (!from && rule->must)
            return decode_fail_form(d, pi);
        for (int i = from; i < pi->modifier_count; i++)
            if (in_list(pi->modifiers[i], rule->words))
                return decode_fail(d, ".%.40s of %.20s is part of its name: it comes first", pi->modifiers[i], pi->mnemonic);
        return true;
    }
    return true;
}

static bool of_memory(const char *mnemonic)
{
    return in_list(mnemonic, "ld ldu st atom red");
}

static bool said_once(struct decoder *d, const struct ptx_instr *pi)
{
    for (size_t k = 0; k < sizeof memory_kinds / sizeof *memory_kinds; k++) {
        const char *before = NULL;
        for (int i = 0; i < pi->modifier_count; i++) {
            if (!in_list(pi->modifiers[i], memory_kinds[k]))
                continue;
            if (before)
                return decode_fail(d, ".%.40s of %.20s cannot stand with .%.40s", pi->modifiers[i], pi->mnemonic, before);
            before = pi->modifiers[i];
        }
    }
    return true;
}

bool modifiers_placed(struct decoder *d, const struct ptx_instr *pi)
{
    if (strcmp(pi->mnemonic, "mma") == 0 && modifiers_one_of(pi, "popc.and popc.xor", NULL))
        return decode_fail(d, "what mma does with bits comes before .popc");
    return name_comes_first(d, pi) && (!of_memory(pi->mnemonic) || said_once(d, pi));
}
