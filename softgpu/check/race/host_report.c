/**
 * @file host_report.c
 * What is told of a kernel's thread, or a copy, and the program on the host at one place.
 */
#include "check/race/host_report.h"

#include "check/race/explain.h"
#include "check/race/host.h"
#include "check/race/order.h"
#include "check/race/sync.h"
#include "check/race/ways.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "host/call_site.h"
#include "report/ptx_line.h"
#include "report/reporter.h"

void host_fill(const struct race *race, struct finding_access *a, uint32_t site)
{
    const struct host_site *s = &race->host.sites.data[site & ~SITE_HOST];
    *a = (struct finding_access){.op = s->write ? "host store" : "host load"};
    const struct call_site *c = call_site((const void *)(uintptr_t)s->pc, true);
    a->file = c->file;
    a->line = c->line;
}

static void finish(struct race *race, struct finding *f, enum finding_kind kind, enum finding_cause cause)
{
    f->kind = kind;
    f->cause = cause;
    f->access_count = 2;
    report_finding(machine_reporter(race->machine), f);
}

void host_report_unwaited(struct race *race, struct finding *f, uint32_t host_site,
                            const struct stream_use *theirs)
{
    const struct host_site *s = &race->host.sites.data[host_site & ~SITE_HOST];
    struct issuer host = s->by;
    host.call = (const void *)(uintptr_t)s->pc;
    stream_report(race, f, theirs, &(struct stream_use){.writes = s->write, .by = &host});
}

void host_report(struct race *race, uint32_t host_site, const struct epoch *e, bool device_writes,
                   uint64_t address)
{
    const struct agent *a = &race->agents.data[e->agent];
    const struct grid_config *config = &a->launch->grid.config;
    struct finding f = {.kernel = config->kernel->name};
    bool host_writes = race->host.sites.data[host_site & ~SITE_HOST].write;
    finding_place(&f, race->machine, NULL, SPACE_GLOBAL, address);
    finding_access_site(&f.accesses[0], &a->launch->grid, a->block, e->thread, e->site,
                        e->flags & EPOCH_RMW ? "atomic" : device_writes ? "store" : "load");
    host_fill(race, &f.accesses[1], host_site);
    if (host_writes && (e->flags & EPOCH_RMW) && reaches_host(e->flags)) {
        f.facts.race = (struct race_facts){.conflict = WRITE_THEN_WRITE};
        finish(race, &f, FIND_STREAM_RACE, CAUSE_HOST_NOT_ATOMIC);
        return;
    }
    uint32_t signal = host_signal_for(race, e, place_of(NULL, SPACE_GLOBAL, address));
    if (!signal && !(e->flags & EPOCH_STRONG)) {
        struct stream_use kernel = stream_kernel(config);
        kernel.read = device_writes ? NULL : image_site_insn(config->kernel->image, e->site);
        host_report_unwaited(race, &f, host_site, &kernel);
        return;
    }
    f.facts.race = (struct race_facts){
        .conflict = !device_writes ? READ_THEN_WRITE : host_writes ? WRITE_THEN_WRITE : WRITE_THEN_READ,
        .signal_line = signal ? site_line_to_say(&config->kernel->image->sites[signal]) : 0};
    if (signal) /* seen by the host, but no release of system scope goes with it */
        finish(race, &f, reaches_host(e->flags) ? FIND_ORDERING : FIND_MISSING_RELEASE, CAUSE_HOST_NOT_RELEASED);
    else
        finish(race, &f, FIND_STREAM_RACE, CAUSE_HOST_OUTSIDE_SCOPE);
}

void host_explain(const struct actor *me, const struct conflict_info *info)
{
    struct race *race = me->race;
    const struct grid *g = me->bs->block->grid;
    struct finding f = {.kernel = g->config.kernel->name};
    struct hearsay how;
    finding_place(&f, race->machine, me->bs->block, info->space, info->address);
    host_fill(race, &f.accesses[0], info->other->site);
    finding_access_fill(&f.accesses[1], me->warp, me->lane, me->insn,
                        info->conflict == WRITE_THEN_READ ? "load" : "store");
    enum verdict v = epoch_judge(me, info->other, place_of(me, info->space, info->address), &how);
    bool signalled = v != UNORDERED && !(how.via & SITE_HOST);
    f.facts.race = (struct race_facts){
        .conflict = info->conflict, .strong = order_is_strong(&me->insn->mem),
        .waits = signalled && way_waits_at(g->config.kernel->image, how.via),
        .via_line = signalled ? site_line_to_say(&g->config.kernel->image->sites[how.via]) : 0};
    if (info->conflict == WRITE_THEN_WRITE && unit_is_pinned(info->other->unit) && reaches_host(flags_of(&me->insn->mem, false)) &&
        insn_class(me->insn) == INSN_ATOMIC)
        finish(race, &f, FIND_STREAM_RACE, CAUSE_HOST_NOT_ATOMIC);
    else if (signalled)
        finish(race, &f, info->ordering_only ? FIND_ORDERING : FIND_MISSING_ACQUIRE, CAUSE_HOST_NOT_ACQUIRED);
    else
        finish(race, &f, FIND_STREAM_RACE, CAUSE_HOST_UNORDERED);
}
