/**
 * @file host_touch.c
 * Loads and stores that the program itself makes, on the host, of memory that it shares with kernels
 * which it has not waited for.
 *
 * The host is one more thread of the model. Its accesses are strong, of system scope; its loads acquire
 * and its stores release, as the processor's do. It keeps loads in order among themselves, and so stores: a fence.sc.sys between two
 * of them would change nothing, so one is taken to stand behind each load and before each store (not between a store and a load).
 * So it is always the device's half that is missing: an
 * access that is not strong at system scope, a release or an acquire that does not reach the host. All
 * host threads count as one: how they synchronise among themselves is not seen.
 */
#include <string.h>

#include "check/race/accesses.h"
#include "check/race/explain.h"
#include "check/race/host.h"
#include "check/race/host_report.h"
#include "check/race/order.h"
#include "check/race/race.h"
#include "check/race/shadow/read_log.h"
#include "check/race/shadow/read_ranges.h"
#include "check/race/shadow/reader_group.h"
#include "check/race/stream_race.h"
#include "check/race/sync.h"
#include "check/race/ways.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "host/call_site.h"
#include "memory/memory.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "report/ptx_line.h"

#define HOST_FLAGS ((uint8_t)(EPOCH_STRONG | SCOPE_SYS << EPOCH_SCOPE_SHIFT))

/** Words that are known to have been looked at. */
#define MAX_LOOKED 4096

/* ---- The host as an agent ---- */

static uint32_t host_agent(struct race *race)
{
    if (!race->host.agent) {
        race->host.agent = race->host.latest = (uint32_t)race->agents.count;
        race->host.looked.count = 0;
        *LIST_PUSH(&race->agents) = (struct agent){.launch = NULL};
    }
    return race->host.agent;
}

/** The number by which events tell the instruction. */
static uint32_t site_of(struct race *race, const struct host_touch *t)
{
    int i = race->host.sites.count - 1;
    while (i >= 0 && (race->host.sites.data[i].pc != t->pc || race->host.sites.data[i].write != t->write))
        i--;
    if (i < 0) {
        i = race->host.sites.count;
        *LIST_PUSH(&race->host.sites) = (struct host_site){.pc = t->pc, .write = t->write};
    }
    struct issuer *by = &race->host.sites.data[i].by;
    *by = t->function ? *t->function : (struct issuer){0};
    by->function = t->function != NULL;
    return SITE_HOST | (uint32_t)i;
}

/** Has the host waited for the event's launch, or received it by a signal? */
static bool host_knows(const struct race *race, const struct host_touch *t, const struct epoch *e)
{
    const struct launch *launch = race->agents.data[e->agent].launch;
    return !launch || op_set_has(t->done, launch->op) ||
           (race->host.knowledge && clock_covers(race, race->host.knowledge->part[KNOW_CAUSAL], e->agent,
                                           e->thread, e->time));
}

/** HOST_UNIT_PINNED for memory of the host's own, else HOST_UNIT. */
static uint8_t host_unit(const struct race *race, uint64_t address)
{
    const struct allocation *a = memory_find(machine_memory(race->machine), address);
    return a && (a->kind == ALLOC_HOST || a->kind == ALLOC_REGISTERED) ? HOST_UNIT_PINNED : HOST_UNIT;
}

/** Has it looked at the place before? Whoever does so again asks whether something has come by now. @return true, too, where so many
 *  have been looked at that this is not known */
static bool looked_before(struct race *race, uint64_t address)
{
    for (int i = 0; i < race->host.looked.count; i++)
        if (race->host.looked.data[i] == address)
            return true;
    if (race->host.looked.count == MAX_LOOKED)
        return true;
    *LIST_PUSH(&race->host.looked) = address;
    return false;
}

void host_thread_free(struct race *race)
{
    LIST_FREE(&race->host.sites);
    LIST_FREE(&race->host.looked);
    observed_drop(&race->host.observed);
    knowledge_drop(race->host.knowledge);
}

/* ---- Loads ---- */

/** Takes in what the write that the host reads has published. */
static void observe(struct race *race, const struct shadow_word *c, uint32_t site)
{
    const struct sync *s = c->flags & WORD_SYNC ? c->sync : NULL;
    if (!s || !s->chain)
        return;
    chain_acquire_host(s->chain, s->upto, &race->host.knowledge);
    observed_note(&race->host.observed,
                  &(struct observed){.chain = s->chain, .upto = s->upto, .heard = s->upto + 1, .site = site,
                                     .time = race->host.time, .moment = race->moment, .reach = REACH_SYSTEM,
                                     .acquired = REACH_SYSTEM});
}

/** Has the host looked at the word since it was last written? Then what it writes comes later. */
static bool has_seen(struct race *race, const struct shadow_word *c)
{
    if (!c->read.agent)
        return false;
    if (!(c->read.flags & EPOCH_LIST))
        return agent_is_host(race, c->read.agent);
    struct readers_walk w;
    readers_walk(&w, race->readers, c->read.time);
    for (const struct reader *r; (r = readers_next(&w));)
        if (agent_is_host(race, r->agent))
            return true;
    return false;
}

/** May the host's store be undone by the read-modify-write that last wrote the word? unit_is_pinned() says where. */
static bool may_be_undone(struct race *race, const struct host_touch *t, const struct shadow_word *c, uint64_t address)
{
    return t->write && (c->write.flags & EPOCH_RMW) && unit_is_pinned(host_unit(race, address)) && !has_seen(race, c);
}

/** Against the last write. @return false if it is a conflict, which has been reported */
static bool check_write(struct race *race, const struct host_touch *t, const struct shadow_word *c,
                        uint32_t site, uint64_t address)
{
    if (!c->write.agent || host_knows(race, t, &c->write) ||
        (reaches_host(c->write.flags) && !may_be_undone(race, t, c, address)))
        return true;
    host_report(race, site, &c->write, true, address);
    return false;
}

/** The four bytes now. */
static uint32_t contents(const struct race *race, uint64_t address)
{
    const struct allocation *a = memory_find(machine_memory(race->machine), address);
    uint32_t v = 0;
    if (a && address - a->base + sizeof v <= a->bytes)
        memcpy(&v, a->host + (address - a->base), sizeof v);
    return v;
}

/** A strong write that the host sees: does it rely on its coming before a signal, with nothing that makes it so? One that left
 *  the word as it was is missed by nobody. */
static void check_order(struct race *race, const struct host_touch *t, const struct shadow_word *c, uint32_t site, uint64_t address)
{
    bool first = !looked_before(race, address);
    if (!first || !c->write.agent || !reaches_host(c->write.flags) || agent_is_host(race, c->write.agent) || host_knows(race, t, &c->write) ||
        ((c->flags & WORD_OLD) && c->old == contents(race, address)))
        return;
    if (host_signal_for(race, &c->write, place_of(NULL, SPACE_GLOBAL, address)))
        host_report(race, site, &c->write, true, address);
}

/** @return false if it is a conflict */
static bool load_word(struct race *race, const struct host_touch *t, struct shadow_word *c, uint32_t site,
                      uint64_t address)
{
    host_agent(race);
    if (!check_write(race, t, c, site, address))
        return false;
    check_order(race, t, c, site, address);
    if (c->write.agent && reaches_host(c->write.flags))
        observe(race, c, site);
    word_remember_read(race->readers, c,
                       (struct reader){.agent = host_agent(race), .time = race->host.time, .site = site,
                                       .mask = 1, .flags = HOST_FLAGS, .unit = HOST_UNIT},
                       PRUNE_SAME);
    return true;
}

/* ---- Stores ---- */

/** The first thread of a reader element that the host does not know of; false if it knows of all. */
static bool unknown_reader(const struct race *race, const struct host_touch *t, const struct reader *r,
                           struct epoch *e)
{
    *e = (struct epoch){.agent = r->agent, .time = r->time, .site = r->site, .flags = r->flags};
    for (uint32_t m = r->mask; m; m &= m - 1) {
        e->thread = (uint16_t)(r->warp * 32u + (uint32_t)__builtin_ctz(m));
        if (!host_knows(race, t, e))
            return true;
    }
    return false;
}

static bool check_reads(struct race *race, const struct host_touch *t, const struct shadow_word *c,
                        uint32_t site, uint64_t address)
{
    struct epoch e = c->read;
    if (!e.agent)
        return true;
    if (!(e.flags & EPOCH_LIST)) {
        if (reaches_host(e.flags) || host_knows(race, t, &e))
            return true;
        host_report(race, site, &e, false, address);
        return false;
    }
    struct readers_walk w;
    readers_walk(&w, race->readers, c->read.time);
    for (const struct reader *r; (r = readers_next(&w));) {
        if (!agent_is_host(race, r->agent) && !reaches_host(r->flags) &&
            unknown_reader(race, t, r, &e)) {
            host_report(race, site, &e, false, address);
            return false;
        }
    }
    return true;
}

/** What the host publishes with a store: all that it has done and received so far. */
static struct contribution release(struct race *race, uint32_t site, struct passed *passed)
{
    struct snapshot *s = snapshot_new();
    s->base = knowledge_ref(race->host.knowledge);
    s->agent = host_agent(race);
    s->time = s->uniform = race->host.time;
    *passed = (struct passed){.system = s};
    snapshot_join(&passed->sc_sys, s, KNOW_CAUSAL);
    return (struct contribution){.agent = s->agent, .time = s->time, .uniform = s->time, .site = site,
                                 .carries = true, .reach = REACH_SYSTEM, .host = true};
}

/** @return false if it is a conflict */
static bool store_word(struct race *race, const struct host_touch *t, struct shadow_word *c, uint32_t site,
                       uint64_t address)
{
    bool right = check_write(race, t, c, site, address) && check_reads(race, t, c, site, address);
    if (t->updates && c->write.agent && reaches_host(c->write.flags))
        observe(race, c, site);
    word_drop_sync(c);
    c->read.agent = 0;
    c->flags &= ~(uint32_t)WORD_OLD;
    struct passed passed;
    struct contribution out = release(race, site, &passed);
    struct sync *s = word_sync(c);
    s->chain = chain_new();
    s->chain->place = place_of(NULL, SPACE_GLOBAL, address);
    s->upto = chain_add(s->chain, &out, &passed);
    s->seq = 1;
    s->past[s->pasts++] = (struct past){.value = contents(race, address)}; /* a strong read may still return it */
    c->write = (struct epoch){.agent = out.agent, .time = race->host.time, .site = site,
                              .flags = HOST_FLAGS, .unit = host_unit(race, address)};
    return right;
}

static bool touch_word(struct race *race, const struct host_touch *t, struct shadow_word *c, uint32_t site,
                       uint64_t address)
{
    return (t->write ? store_word : load_word)(race, t, c, site, address);
}

/* ---- A touch ---- */

/** Copies and fills that have been issued and not been waited for. @return true if it was reported */
static bool check_ranges(struct race *race, const struct host_touch *t, uint32_t site)
{
    for (int i = 0; i < race->ranges.count; i++) {
        const struct host_range *r = &race->ranges.data[i];
        if ((!t->write && !r->writes) || r->value || op_set_has(t->done, r->op) ||
            t->address >= r->base + r->bytes || r->base >= t->address + t->bytes)
            continue;
        struct finding f = {0};
        finding_place(&f, race->machine, NULL, SPACE_GLOBAL, t->address);
        f.accesses[0] = (struct finding_access){.op = r->name};
        host_fill(race, &f.accesses[1], site);
        host_report_unwaited(race, &f, site, &(struct stream_use){.op = r->op, .name = r->name, .by = &r->by});
        return true;
    }
    return false;
}

bool host_touched(struct race *race, const struct host_touch *t)
{
    struct allocation *a = memory_find(machine_memory(race->machine), t->address);
    if (!a || a->freed)
        return false;
    uint32_t site = site_of(race, t);
    bool conflict = check_ranges(race, t, site);
    if (conflict)
        return true;
    race->host.time++;
    if (t->write)
        read_ranges_settle(shadow_of(a), 0, race->readers);
    uint64_t end = t->address + t->bytes;
    for (uint64_t at = t->address; at < end; at = (at & ~3ull) + 4) {
        uint64_t offset = at - (a->base & ~3ull);
        struct shadow_word *c = !a->shadow ? NULL : t->write ? shadow_at(a->shadow, offset)
                                                      : shadow_peek(a->shadow, offset);
        if (!c)
            continue;
        word_settle(a->shadow, c, 0, race->readers);
        word_open_group(race->readers, c);
        if (t->write && (at & 3 || end - at < 4))
            word_split(c);
        if (!(c->flags & WORD_SPLIT)) {
            conflict |= !touch_word(race, t, c, site, at);
            continue;
        }
        for (uint64_t b = at; b < end && b < (at & ~3ull) + 4; b++) {
            word_open_group(race->readers, &c->bytes[b % 4]);
            conflict |= !touch_word(race, t, &c->bytes[b % 4], site, b);
        }
    }
    if (t->write)
        shadow_wrote(a->shadow, host_agent(race));
    race->host.time += t->write;
    return conflict;
}
