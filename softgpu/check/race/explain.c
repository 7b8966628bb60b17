/**
 * @file explain.c
 * From a conflict to a finding: its kind, one sentence, the two accesses with their values, and the
 * smallest change that would order them where the clocks tell it.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "check/race/advice.h"
#include "check/race/stream.h"
#include "execute/engine.h"
#include "execute/finding_place.h"
#include "report/finding.h"

#define REPEATS_KEPT 256  /* occurrences of one pair of lines that are worked out in full */

/* ---- Pairs seen ---- */

static void grow_seen(struct race *race)
{
    struct seen_pair *old = race->seen;
    uint32_t n = old ? race->seen_mask + 1 : 0;
    race->seen_mask = n ? n * 2 - 1 : 255;
    race->seen = calloc((size_t)race->seen_mask + 1, sizeof *race->seen);
    assert(race->seen);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t h = (uint32_t)(old[i].key * MIX_STEP >> 32) & race->seen_mask;
        while (race->seen[h].key)
            h = (h + 1) & race->seen_mask;
        if (old[i].key)
            race->seen[h] = old[i];
    }
    free(old);
}

/** Counts one more occurrence of this pair of instructions. @return how many came before */
static uint32_t seen_before(struct race *race, const struct actor *me,
                            const struct conflict_info *info)
{
    uint64_t key = ((uint64_t)me->insn->site << 35) ^ ((uint64_t)info->other->site << 7) ^
                   ((uint64_t)info->conflict << 4) ^ (info->shown ? 4u : 0u) ^
                   (info->ordering_only ? 2u : 0u) ^ 1u;
    if (race->seen_count * 2 >= race->seen_mask)
        grow_seen(race);
    uint32_t h = (uint32_t)(key * MIX_STEP >> 32) & race->seen_mask;
    while (race->seen[h].key && race->seen[h].key != key)
        h = (h + 1) & race->seen_mask;
    if (!race->seen[h].key) {
        race->seen[h].key = key;
        race->seen_count++;
    }
    return race->seen[h].count++;
}

/* ---- Words ---- */

static bool is_line(const uint32_t extent[3])
{
    return extent[1] == 1 && extent[2] == 1;
}

static void name_coordinates(char *out, size_t size, const uint32_t at[3], const uint32_t extent[3])
{
    if (is_line(extent))
        snprintf(out, size, "%u", at[0]);
    else
        snprintf(out, size, "(%u,%u,%u)", at[0], at[1], at[2]);
}

struct names {
    char block[2][40], thread[2][40];   /* [0] the earlier access, [1] the acting one */
    char place[96];
    bool same_block, same_warp;
};

static const struct grid *grid_of(const struct race *race, uint32_t agent)
{
    return &race->agents.data[agent].launch->grid;
}

static void name_all(struct names *n, const struct actor *me, const struct finding *f,
                     const struct epoch *other)
{
    const struct grid *g[2] = {grid_of(me->race, other->agent), grid_of(me->race, me->agent)};
    for (int i = 0; i < 2; i++) {
        name_coordinates(n->block[i], sizeof n->block[i], f->accesses[i].block, g[i]->config.grid);
        name_coordinates(n->thread[i], sizeof n->thread[i], f->accesses[i].thread,
                         g[i]->config.block);
    }
    n->same_block = other->agent == me->agent;
    n->same_warp = n->same_block && other->thread / WARP_LANES == me->thread / WARP_LANES;
    bool numbered = !strncmp(f->object, "alloc", 5);
    if (f->object[0]) /* names of variables and buffers are marked as such: "in" */
        snprintf(n->place, sizeof n->place, "%s%s%s (byte %llu)", numbered ? "" : "\"", f->object,
                 numbered ? "" : "\"", (unsigned long long)f->offset);
    else
        snprintf(n->place, sizeof n->place, "%s memory (byte %llu)",
                 f->space ? f->space : "global", (unsigned long long)f->offset);
}

/** "thread 9" within one block, "block 7" between blocks. */
static void name_who(char *out, size_t size, const struct names *n, int i)
{
    if (n->same_block)
        snprintf(out, size, "thread %s", n->thread[i]);
    else
        snprintf(out, size, "block %s", n->block[i]);
}

static int line_of(const struct actor *me, uint32_t site)
{
    const struct image *im = me->bs->block->grid->config.kernel->image;
    return site < im->site_count ? im->sites[site].line : 0;
}

static const char *past_tense(enum conflict c)
{
    return c == READ_THEN_WRITE ? "read" : "wrote";
}

/* ---- Sentences by kind ---- */

static void say_race(struct finding *f, const struct names *n, const struct actor *me,
                     const struct conflict_info *info)
{
    char first[100], second[100];
    snprintf(first, sizeof first, "block %s thread %s", n->block[0], n->thread[0]);
    snprintf(second, sizeof second, "block %s thread %s", n->block[1], n->thread[1]);
    if (info->conflict == WRITE_THEN_WRITE)
        snprintf(f->message, sizeof f->message,
                 "%s and %s both write %s and nothing orders the two%s.", first, second, n->place,
                 info->same_value ? " (here both write the same value)"
                                  : ": either value may stay");
    else
        snprintf(f->message, sizeof f->message,
                 "%s reads %s and %s writes it, and nothing orders the two: the read may get "
                 "either value.",
                 info->conflict == WRITE_THEN_READ ? second : first, n->place,
                 info->conflict == WRITE_THEN_READ ? first : second);
    if (info->not_coherent) {
        snprintf(f->message, sizeof f->message,
                 "%s reads %s through the read-only cache (const __restrict__, or __ldg) and %s writes it "
                 "in the same kernel: such a read may miss the write, whatever is between them.",
                 info->conflict == WRITE_THEN_READ ? second : first, n->place,
                 info->conflict == WRITE_THEN_READ ? first : second);
        snprintf(f->suggestion, sizeof f->suggestion,
                 "no __restrict__ (and no __ldg) on memory that the kernel writes: line %d",
                 f->accesses[info->conflict == WRITE_THEN_READ].line);
        return;
    }
    race_advise(f, me, info, n->same_block, n->same_warp);
}

static void say_missing(struct finding *f, const struct names *n, const struct actor *me,
                        const struct conflict_info *info, uint32_t via, uint32_t signal)
{
    char first[64], second[64];
    const char *fence = n->same_block ? "__threadfence_block()" : "__threadfence()";
    bool acquire = f->kind == FIND_MISSING_ACQUIRE;
    int see = line_of(me, via), tell = line_of(me, signal);
    name_who(first, sizeof first, n, 0);
    name_who(second, sizeof second, n, 1);
    if (info->conflict == WRITE_THEN_READ)
        snprintf(f->message, sizeof f->message, "%s may not see what %s wrote to %s: ", second,
                 first, n->place);
    else
        snprintf(f->message, sizeof f->message,
                 "%s writes %s, but what %s %s there need not come first: ", second, n->place,
                 first, past_tense(info->conflict));
    size_t used = strlen(f->message);
    if (acquire)
        snprintf(f->message + used, sizeof f->message - used,
                 "%s released it before its signal (line %d), but %s does not acquire after it "
                 "saw the signal (line %d).",
                 first, tell, second, see);
    else
        snprintf(f->message + used, sizeof f->message - used,
                 "%s signals (line %d) without a release that covers it.", first, tell);
    if (race_advise_mixed(f, me, info))
        return;
    if (acquire)
        snprintf(f->suggestion, sizeof f->suggestion, "%s after the read of the signal on line %d",
                 fence, see);
    else if (race_comes_before(me, info->other->site, signal))
        snprintf(f->suggestion, sizeof f->suggestion,
                 "%s after line %d and before the signal on line %d", fence, f->accesses[0].line,
                 tell);
    else /* what was taken for a signal comes before, in the code */
        snprintf(f->suggestion, sizeof f->suggestion,
                 "after line %d: %s, and then a signal by an atomic or volatile store",
                 f->accesses[0].line, fence);
}

static void say_ordering(struct finding *f, const struct names *n, const struct actor *me,
                         uint32_t via, uint32_t signal)
{
    char first[64], second[64];
    name_who(first, sizeof first, n, 0);
    name_who(second, sizeof second, n, 1);
    snprintf(f->message, sizeof f->message,
             "%s has seen the signal of %s (line %d), yet may still read an older value of %s: "
             "volatile and relaxed accesses do not order other memory.",
             second, first, line_of(me, signal), n->place);
    snprintf(f->suggestion, sizeof f->suggestion,
             "__threadfence() before the signal on line %d and after its read on line %d",
             line_of(me, signal), line_of(me, via));
}

/* ---- The finding ---- */

static const char *op_name(uint8_t flags, bool write)
{
    return flags & EPOCH_RMW ? "atomic" : write ? "store" : "load";
}

static void fill_accesses(struct finding *f, const struct actor *me,
                          const struct conflict_info *info)
{
    const struct epoch *o = info->other;
    const struct agent *a = &me->race->agents.data[o->agent];
    const struct insn *in = me->insn;
    bool writes = info->conflict != WRITE_THEN_READ;
    bool atomic = in->mem.order != ORDER_WEAK && info->conflict != WRITE_THEN_READ &&
                  in->dst != REG_NONE;
    finding_access_site(&f->accesses[0], &a->launch->grid, a->block, o->thread, o->site,
                        op_name(o->flags, info->conflict != READ_THEN_WRITE));
    finding_access_fill(&f->accesses[1], me->warp, me->lane, in,
                        atomic ? "atomic" : writes ? "store" : "load");
    f->access_count = 2;
    f->accesses[0].type = in->mem.type;
    if (!info->has_value)
        return;
    if (info->conflict != READ_THEN_WRITE) {
        f->accesses[0].has_value = true;
        f->accesses[0].value = info->before;
    } else {
        f->accesses[0].has_value = true; /* what the reader got: the contents before this write */
        f->accesses[0].value = info->before;
    }
    f->accesses[1].has_value = true;
    f->accesses[1].value = info->has_old ? info->old : info->now;
    if (info->has_old) {
        f->accesses[1].has_missed = true;
        f->accesses[1].missed = info->now;
    }
}

static enum finding_kind kind_of(enum verdict v)
{
    switch (v) {
    case MISSING_ACQUIRE:
        return FIND_MISSING_ACQUIRE;
    case MISSING_RELEASE:
        return FIND_MISSING_RELEASE;
    default:
        return FIND_DATA_RACE;
    }
}

static const char *rule_of(enum finding_kind kind)
{
    switch (kind) {
    case FIND_MISSING_ACQUIRE:
        return "acquire pattern: an acquire, or a strong read followed by a fence (PTX ISA 8.8)";
    case FIND_MISSING_RELEASE:
        return "release pattern: a release, or a fence followed by a strong write (PTX ISA 8.8)";
    case FIND_ORDERING:
        return "strong reads are ordered only by causality (PTX ISA 8.9.6)";
    default:
        return "conflicting accesses must be ordered by causality or morally strong "
               "(PTX ISA 8.7.2)";
    }
}

static void fill_trail(struct finding *f, const struct actor *me, const struct conflict_info *info,
                       uint32_t via, uint32_t signal)
{
    const struct epoch *o = info->other;
    const struct agent *theirs = &me->race->agents.data[o->agent];
    f->trail = (struct finding_trail){
        .known = theirs->launch == me->race->agents.data[me->agent].launch,
        .shown = info->shown, .op = theirs->launch->op,
        .block = {theirs->block, me->bs->block->index}, .thread = {o->thread, me->thread},
        .site = {o->site, me->insn->site}, .via = via, .signal = signal, .space = info->space,
        .address = info->address, .bytes = me->insn->mem.bytes};
}

/** Kernels of two streams: the finding shows their lines, its sentence their launches. */
static void report_streams(struct finding *f, const struct actor *me, const struct epoch *other)
{
    const struct grid *g[2] = {grid_of(me->race, other->agent), grid_of(me->race, me->agent)};
    char names[2][160];
    struct stream_use u[2];
    for (int i = 0; i < 2; i++) {
        stream_kernel_words(g[i]->config.kernel->name, names[i], sizeof names[i]);
        u[i] = (struct stream_use){g[i]->config.op, names[i], &g[i]->config.by};
    }
    stream_report(me->race, f, &u[0], &u[1]);
}

void explain(const struct actor *me, const struct conflict_info *info)
{
    struct race *race = me->race;
    if (seen_before(race, me, info) >= REPEATS_KEPT)
        return;
    if (agent_is_host(race, info->other->agent)) {
        host_explain(me, info);
        return;
    }
    struct finding f = {.level = LEVEL_ERROR};
    struct names n;
    uint32_t via = 0, signal = 0;
    const struct launch *theirs = race->agents.data[info->other->agent].launch;
    f.kernel = me->bs->block->grid->config.kernel->name;
    if (!info->ordering_only) {
        OBSERVE(&race->machine->observers, raced, me->bs->block->grid, info->other->site);
        OBSERVE(&race->machine->observers, raced, me->bs->block->grid, me->insn->site);
    }
    fill_accesses(&f, me, info);
    finding_place(&f, race->machine, me->bs->block, info->space, info->address);
    name_all(&n, me, &f, info->other);
    enum verdict v = epoch_judge(me, info->other, place_of(info->space, info->address), &via, &signal);
    f.kind = info->ordering_only ? FIND_ORDERING : kind_of(v);
    if (f.kind == FIND_DATA_RACE && theirs->op != me->bs->block->grid->config.op)
        f.kind = FIND_STREAM_RACE;
    if (info->ordering_only || info->same_value)
        f.level = LEVEL_WARNING;
    switch (f.kind) {
    case FIND_ORDERING:
        say_ordering(&f, &n, me, via, signal);
        break;
    case FIND_STREAM_RACE:
        fill_trail(&f, me, info, via, signal);
        report_streams(&f, me, info->other);
        return;
    case FIND_DATA_RACE:
        say_race(&f, &n, me, info);
        break;
    default:
        say_missing(&f, &n, me, info, via, signal);
    }
    if (f.message[0] >= 'a' && f.message[0] <= 'z')
        f.message[0] = (char)(f.message[0] - 'a' + 'A');
    snprintf(f.rule, sizeof f.rule, "%s", rule_of(f.kind));
    fill_trail(&f, me, info, via, signal);
    report_finding(machine_reporter(race->machine), &f);
}
