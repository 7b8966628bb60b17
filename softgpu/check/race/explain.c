/**
 * @file explain.c
 * From a conflict to a finding: its kind and cause, the two accesses with their values, and what the clocks
 * tell about the change that would order them. The words are report/words/races.c's.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/looks.h"
#include "analyse/paths.h"
#include "analyse/swaps.h"
#include "analyse/tells.h"
#include "base/mix.h"
#include "check/race/actor.h"
#include "check/race/advice.h"
#include "check/race/async_proxy.h"
#include "check/race/copy_advice.h"
#include "check/race/explain.h"
#include "check/race/older_read.h"
#include "check/race/order.h"
#include "check/race/overlooked.h"
#include "check/race/block_phases.h"
#include "check/race/stream_race.h"
#include "check/race/ways.h"
#include "execute/machine.h"
#include "execute/finding_place.h"
#include "execute/observer.h"
#include "execute/reserved.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "report/ptx_line.h"

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

/** 0: two lanes of a warp, 1: of a block; 2: of two blocks. What is advised differs, so that none of them hides the others. */
static unsigned far_apart(const struct actor *me, const struct epoch *o)
{
    bool same_block = o->agent == me->agent;
    return same_block && o->thread / WARP_LANES == me->thread / WARP_LANES ? 0 : same_block ? 1 : 2;
}

bool explained_often(struct race *race, uint64_t key)
{
    if (race->seen_count * 2 >= race->seen_mask)
        grow_seen(race);
    uint32_t h = (uint32_t)(key * MIX_STEP >> 32) & race->seen_mask;
    while (race->seen[h].key && race->seen[h].key != key)
        h = (h + 1) & race->seen_mask;
    if (!race->seen[h].key) {
        race->seen[h].key = key;
        race->seen_count++;
    }
    struct seen_pair *pair = &race->seen[h];
    pair->now = pair->run == race->runs ? pair->now + 1 : 1;
    pair->run = race->runs;
    return pair->count++ >= REPEATS_KEPT;
}

/** Has this pair of instructions been told often? */
static bool pair_told_often(struct race *race, const struct actor *me, const struct conflict_info *info)
{
    uint64_t key = ((uint64_t)me->insn->site << 36) ^ ((uint64_t)info->other->site << 8) ^
                   ((uint64_t)info->conflict << 4) ^ (info->same_value ? 8u : 0u) ^ (info->shown ? 4u : 0u) ^
                   (info->ordering_only ? 2u : 0u) ^ (uint64_t)far_apart(me, info->other) << 6 ^ 1u;
    return explained_often(race, key);
}

void explain_take_back(struct race *race, struct function *kernel)
{
    kernel->conflicts = 0;
    for (uint32_t i = 0; race->seen && i <= race->seen_mask; i++)
        if (race->seen[i].key && race->seen[i].run == race->runs) {
            race->seen[i].count -= race->seen[i].now;
            race->seen[i].now = 0;
        }
}

/* ---- The facts ---- */

static const struct grid *grid_of(const struct race *race, uint32_t agent)
{
    return &race->agents.data[agent].launch->grid;
}

static int line_of(const struct actor *me, uint32_t site)
{
    const struct image *im = actor_image(me);
    return site < im->site_count ? site_line_to_say(&im->sites[site]) : 0;
}

static void fill_facts(struct finding *f, const struct actor *me, const struct conflict_info *info, enum verdict v,
                       const struct hearsay *how)
{
    const struct epoch *o = info->other;
    bool same_block = o->agent == me->agent || me->race->agents.data[o->agent].copies_of == me->agent;
    const struct launch *launches[2] = {me->race->agents.data[o->agent].launch, me->race->agents.data[me->agent].launch};
    bool apart = launches[0] != launches[1], nested = apart && launches[0]->root == launches[1]->root;
    bool same_warp = same_block && o->thread / WARP_LANES == me->thread / WARP_LANES;
    f->cause = info->turn_ahead                  ? CAUSE_TURN_AHEAD
               : info->phase                     ? CAUSE_SAME_PHASE
               : info->lands_later               ? CAUSE_LANDS_LATER
               : info->in_step                   ? (same_warp ? CAUSE_IN_STEP : CAUSE_WARPS_IN_STEP)
               : f->kind == FIND_ORDERING        ? CAUSE_RELAXED
               : f->kind == FIND_MISSING_ACQUIRE ? CAUSE_NOT_ACQUIRED
               : f->kind == FIND_MISSING_RELEASE ? CAUSE_NOT_RELEASED
               : info->not_coherent && !nested   ? (info->texture ? CAUSE_TEXTURE_CACHE : CAUSE_READ_ONLY_CACHE)
                                                 : CAUSE_UNORDERED;
    f->facts.race = (struct race_facts){
        .conflict = info->conflict, .same_value = info->same_value, .rests_on_read = info->rests_on_read, .unchanged = info->unchanged, .same_block = same_block,
        .same_cluster = same_cluster(me->race, o->agent, me->agent),
        .same_warp = same_warp, .nested = nested,
        .via_line = line_of(me, how->via), .signal_line = line_of(me, how->signal),
        .narrow = how->narrow, .neither = f->kind == FIND_MISSING_RELEASE && how->neither && !how->narrow,
        .reads_first = info->phase && phase_of_write(me, o->site) == PHASE_READ_FIRST,
        .released = v == MISSING_ACQUIRE && !how->narrow, .acquired = v == MISSING_RELEASE && how->acquired && !how->narrow};
    if (!same_device(me->race, me->agent, o->agent)) {
        f->facts.race.devices[0] = 1 + device_of(me->race, o->agent);
        f->facts.race.devices[1] = 1 + device_of(me->race, me->agent);
    } else {
        for (int i = 0; i < 2 && apart; i++)
            f->facts.race.kernels[i] = launches[i]->grid.config.kernel->name;
    }
    for (int i = 0; i < 2 && nested; i++)
        f->facts.race.graphs |= launches[i]->parent && launches[i]->parent->grid.config.graph;
    if (how->not_acquired && how->not_acquired != how->via)
        f->facts.race.between_line = line_of(me, how->not_acquired);
    if (how->passed) {
        f->facts.race.between_line = line_of(me, how->seen);
        f->facts.race.passing_line = line_of(me, how->passed);
    }
    uint32_t read = how->not_acquired ? how->not_acquired : how->via;
    f->facts.race.waits = read && way_waits_at(actor_image(me), read);
    f->facts.race.copies[0] = agent_copies(me->race, o->agent);
    f->facts.race.copies[1] = me->as_agent != 0;
    const uint32_t sites[2] = {o->site, me->insn->site};
    for (int i = 0; i < 2; i++) {
        const struct insn *in = f->facts.race.copies[i] ? image_site_insn(actor_image(me), sites[i]) : NULL;
        f->facts.race.products[i] = in && insn_class(in) == INSN_TENSOR;
    }
    if (info->map_proxy) {
        f->cause = info->map_proxy == MAP_NOT_RELEASED ? CAUSE_MAP_NOT_RELEASED : CAUSE_MAP_NOT_ACQUIRED;
    } else if (info->proxy_only) {
        f->cause = CAUSE_PROXY;
        f->facts.race.elsewhere = info->proxy_elsewhere;
    } else if (f->kind == FIND_DATA_RACE && (f->facts.race.copies[0] || me->as_agent)) {
        f->cause = CAUSE_COPY;
        f->facts.race.copy_waited = f->facts.race.copies[0] && async_waited(me->race, o);
        if (same_block)
            race_advise_copy(f, me, info);
    } else if (info->space == SPACE_SHARED && info->address >= reserved_begin(me->home->block->shared_bytes)) {
        f->facts.race.advice = TRY_SMALLER_TILE;
    } else if (!me->as_agent) {
        race_advise(f, me, info, how);
    }
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
    bool atomic = order_is_strong(&in->mem) && in->dst != REG_NONE && (writes || insn_class(in) == INSN_ATOMIC);
    finding_access_site(&f->accesses[0], &a->launch->grid, a->block, o->thread, o->site,
                        agent_copies(me->race, o->agent) ? "copy" : op_name(o->flags, info->conflict != READ_THEN_WRITE));
    finding_access_fill(&f->accesses[1], me->warp, me->lane, in,
                        me->as_agent ? "copy" : atomic ? "atomic" : writes ? "store" : "load");
    f->access_count = 2;
    f->accesses[0].type = in->mem.type;
    if (!info->has_value)
        return;
    f->accesses[0].has_value = !info->kept;
    f->accesses[0].value = info->kept ? 0 : info->before; /* of a reader, what it got: the contents before this write */
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

/** Are they one launch, or two that run at once, as often as is wanted? */
static bool run_together(const struct launch *theirs, const struct launch *mine)
{
    return theirs == mine || (mine->grid.config.together && theirs && theirs->set == mine->set && theirs->run == mine->run);
}

/** At worst a turn or a try is lost with what the load gets. */
static bool is_given_up(const struct function *f, const struct insn *load)
{
    return load_is_retried(f, load) || load_is_tried(f, load);
}

/** A strong load whose value nobody uses: what it gets is nothing to anybody, but that by it the thread may have heard of others. */
static bool is_idle_look(const struct actor *me)
{
    const struct insn *in = me->insn;
    const struct function *f = image_function_at(actor_image(me), in);
    return f && insn_class(in) == INSN_LOAD && in->mem.count == 1 && (in->dst == REG_NONE || !path_reads(f, in + 1, in->dst));
}

static void fill_trail(struct finding *f, const struct actor *me, const struct conflict_info *info,
                       uint32_t via, uint32_t signal)
{
    const struct epoch *o = info->other;
    const struct agent *theirs = &me->race->agents.data[o->agent];
    const struct launch *mine = me->race->agents.data[me->agent].launch;
    f->trail = (struct finding_trail){
        .known = run_together(theirs->launch, mine) && !theirs->copies_of && !me->as_agent,
        .retried = info->ordering_only && is_given_up(image_function_at(actor_image(me), me->insn), me->insn),
        .only_if_bites = info->update || info->phase || (info->ordering_only && is_idle_look(me)), .shown = info->shown, .op = mine->set, .launch = {theirs->launch->op, mine->op},
        .block = {theirs->block, me->bs->block->index}, .thread = {o->thread, me->thread},
        .site = {o->site, me->insn->site}, .via = via, .signal = signal, .space = info->space,
        .made_again = info->ordering_only && look_is_told(image_function_at(actor_image(me), me->insn), me->insn),
        .address = info->address, .bytes = me->insn->mem.bytes};
}

/** Kernels of two streams: the finding shows their lines, its sentence their launches. */
static void report_streams(struct finding *f, const struct actor *me, const struct epoch *other)
{
    struct stream_use u[2];
    for (int i = 0; i < 2; i++)
        u[i] = stream_kernel(&grid_of(me->race, i ? me->agent : other->agent)->config);
    stream_report(me->race, f, &u[0], &u[1]);
}

/** Two strong accesses that would not race if their scopes reached each other: they were meant to meet. */
static bool is_out_of_scope(const struct actor *me, const struct conflict_info *info)
{
    const struct epoch *o = info->other;
    return (o->flags & EPOCH_STRONG) && order_is_strong(&me->insn->mem) && 1u << (o->unit >> 4) == me->insn->mem.bytes;
}

void race_tell_doubts(struct race *race, doubted_fn *tell, void *self)
{
    race->doubted.tell = tell;
    race->doubted.self = self;
}

/** Has the thread read an older value, though it has seen a later signal? */
static bool relies_on_signal(const struct actor *me, const struct conflict_info *info)
{
    return info->ordering_only && info->conflict == WRITE_THEN_READ && !info->update && !info->in_step && !info->turn_ahead && !info->phase &&
           insn_class(me->insn) == INSN_LOAD && !agent_is_host(me->race, info->other->agent);
}

/** Somebody may want to know what comes of an older value. */
static void tell_doubt(const struct actor *me, const struct conflict_info *info)
{
    const struct race *race = me->race;
    if (race->doubted.tell && info->ordering_only && info->shown && !info->update && !info->in_step && !info->turn_ahead && !info->phase &&
        !agent_is_host(race, info->other->agent))
        race->doubted.tell(race->doubted.self, &(struct doubted_read){me->warp, me->lane, me->insn->site, info->other->site, info->address, info->old, me->insn->dst});
}

void explain(const struct actor *me, const struct conflict_info *info)
{
    struct race *race = me->race;
    if ((info->phase || info->turn_ahead || info->in_step) && info->conflict == WRITE_THEN_READ && phase_look_waits(me, info))
        return;
    if (relies_on_signal(me, info) && signal_look_waits(me, info))
        return;
    tell_doubt(me, info);
    if (!info->ordering_only && (!info->same_value || info->rests_on_read)) /* an error */
        overlooked_count(me->bs->block->grid->config.kernel, me->insn);
    if (pair_told_often(race, me, info))
        return;
    if (agent_is_host(race, info->other->agent)) {
        host_explain(me, info);
        return;
    }
    struct finding f = {.kernel = me->bs->block->grid->config.kernel->name};
    struct hearsay how;
    const struct launch *theirs = race->agents.data[info->other->agent].launch;
    if (!info->ordering_only) {
        const struct image *image = actor_image(me);
        observers_note_race(machine_observers(race->machine), (struct code_site){image, info->other->site});
        observers_note_race(machine_observers(race->machine), (struct code_site){image, me->insn->site});
    }
    fill_accesses(&f, me, info);
    finding_place(&f, race->machine, me->home->block, info->space, info->address);
    enum verdict v = epoch_judge(me, info->other, place_of(me, info->space, info->address), &how);
    /* A non-coherent load after the write, in order: no release or acquire is missing, and none would help. */
    bool cached = info->not_coherent && epoch_ordered(me, info->other);
    /* Two stores of one value need no order, so that no half of one is missing; but those of what a thread has read there (+= 1) have met by luck. */
    bool agree = info->same_value && !info->rests_on_read && !info->ordering_only, by_themselves = agree && !(info->other->flags & EPOCH_READ);
    f.kind = info->proxy_only || info->map_proxy || cached || (by_themselves && same_device(race, me->agent, info->other->agent)) ? FIND_DATA_RACE
             : info->ordering_only      ? FIND_ORDERING
                                        : kind_of(v);
    if (f.kind == FIND_DATA_RACE && theirs->op != me->bs->block->grid->config.op && !is_out_of_scope(me, info) &&
        !actor_knows_of(me, info->other->agent)) /* kernels that signal to each other run at once: no event would order them */
        f.kind = FIND_STREAM_RACE;
    if (agree && (same_device(race, me->agent, info->other->agent) || !is_out_of_scope(me, info)))
        f.level = LEVEL_WARNING;
    fill_trail(&f, me, info, how.via, how.signal);
    if (f.kind == FIND_STREAM_RACE) {
        report_streams(&f, me, info->other);
        return;
    }
    fill_facts(&f, me, info, v, &how);
    report_finding(machine_reporter(race->machine), &f);
}
