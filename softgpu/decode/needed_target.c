/**
 * @file needed_target.c
 * What `.target` or `.version` does not have: ptxas refuses a module with such an instruction, so a driver does not load it, whatever the device. Here it runs,
 * and the run says so (`incomplete`).
 * Not to be mixed up with where PTX runs (runtime/code/target.h): what is written for an old target runs on a new device.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/decode_operands.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"

static const struct need {
    const char *targets, *mnemonic, *has, *with;
    int operands;
} needs[] = {
#define NEEDS(targets, mnemonic, has, with, operands) {targets, mnemonic, has, with, operands},
#include "decode/targets.def"
};

/** A version that is needed, in tenths. */
static const struct since {
    int version;
    struct need need;
} versions[] = {
#define SINCE(version, mnemonic, has, with, operands) {version, {NULL, mnemonic, has, with, operands}},
#include "decode/versions.def"
};

static bool meets(const struct ptx_instr *pi, const struct need *n)
{
    bool named = n->mnemonic[0] == '*' || (n->mnemonic[0] == pi->mnemonic[0] && strcmp(n->mnemonic, pi->mnemonic) == 0);
    if (!named || pi->operand_count < n->operands || (*n->has && !modifiers_one_of(pi, n->has, NULL)))
        return false;
    if (*n->with == '!')
        return !modifiers_one_of(pi, n->with + 1, NULL);
    return !*n->with || modifiers_one_of(pi, n->with, NULL);
}

/** Is the module's target one of the list? */
static bool is_target(const struct ptx_module *m, const char *targets)
{
    for (; *targets; targets += strspn(targets, " ")) {
        char *end;
        int sm = (int)strtol(targets, &end, 10);
        if (*end == 'a' ? m->target_sm == sm && m->target_suffix == 'a' : *end == 'f' ? m->target_sm / 10 == sm && m->target_suffix : m->target_sm >= sm)
            return true;
        targets = end + strcspn(end, " ");
    }
    return false;
}

/** "sm_90a, sm_10Xf or sm_11Xf": the list in words. */
static void name_targets(const char *targets, char *out, size_t size)
{
    size_t used = 0;

    *out = 0;
    for (const char *at = targets; *at && used < size; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        bool family = at[n - 1] == 'f', last = !at[n];
        used += (size_t)snprintf(out + used, size - used, "%ssm_%.*s%s", at == targets ? "" : last ? " or " : ", ", (int)n - family, at, family ? "Xa" : "");
        at += n;
    }
    if (used < size && targets[strlen(targets) - 1] >= '0' && targets[strlen(targets) - 1] <= '9')
        snprintf(out + used, size - used, " or later");
}

static bool lacks(struct decoder *d, const char *targets)
{
    char names[64];

    if (!d->m->target_sm || is_target(d->m, targets))
        return false;
    name_targets(targets, names, sizeof names);
    decode_fail(d, "needs .target %s, and this is sm_%d%.1s", names, d->m->target_sm, &d->m->target_suffix);
    return true;
}

/** Special registers of clusters, and of what the system keeps of shared memory. */
static const char *special_needs(const char *name)
{
    if (strstr(name, "cluster") || !strcmp(name, "%aggr_smem_size"))
        return "90";
    return strncmp(name, "%reserved_smem", 14) == 0 ? "80" : NULL;
}

bool target_lacks(struct decoder *d, const struct ptx_instr *pi)
{
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (meets(pi, &needs[i]) && lacks(d, needs[i].targets))
            return true;
    for (int i = 0; i < pi->operand_count; i++)
        if (pi->operands[i].kind == OPERAND_SPECIAL) {
            const char *targets = special_needs(pi->operands[i].name);
            if (targets && lacks(d, targets))
                return true;
        }
    return false;
}

static int special_since(const char *name)
{
    static const struct {
        const char *begin;
        int version;
    } since[] = {{"%clock_hi", 50}, {"%total_smem_size", 41}, {"%dynamic_smem_size", 41}, {"%aggr_smem_size", 81}, {"%reserved_smem", 76}, {"%cluster", 78},
                 {"%nclusterid", 78}, {"%is_explicit_cluster", 78}, {"%current_graph_exec", 80}};
    for (size_t i = 0; i < sizeof since / sizeof *since; i++)
        if (strncmp(name, since[i].begin, strlen(since[i].begin)) == 0)
            return since[i].version;
    return strncmp(name, "%pm", 3) == 0 && strstr(name, "_64") ? 40 : 0;
}

bool version_lacks(struct decoder *d, const struct ptx_instr *pi)
{
    int is = d->m->version_major * 10 + d->m->version_minor, needs_version = 0;

    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (versions[i].version > is && versions[i].version > needs_version && meets(pi, &versions[i].need))
            needs_version = versions[i].version;
    for (int i = 0; i < pi->operand_count; i++)
        if (pi->operands[i].kind == OPERAND_SPECIAL && special_since(pi->operands[i].name) > needs_version)
            needs_version = special_since(pi->operands[i].name);
    if (needs_version <= is)
        return false;
    decode_fail(d, "needs .version %d.%d or later, and this is %d.%d", needs_version / 10, needs_version % 10, d->m->version_major, d->m->version_minor);
    return true;
}
