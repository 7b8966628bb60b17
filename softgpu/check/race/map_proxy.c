/**
 * @file map_proxy.c
 * The tensormap proxy (PTX ISA 8.6, 9.7.13.4): what is stored to a tensor map in global memory comes to a copy that reads the
 * map if a fence.proxy.tensormap::generic.release lies between, behind the store, and then a fence.proxy.tensormap::generic.acquire
 * of this map before the copy, each of a scope that has the other's thread in it.
 *
 * KNOW_MAP_RELEASED and its narrower likes hold what lies before a release on the way here. Each map that a launch acquires is an
 * agent of its own, whose time is the version of the map: it moves on when other stores than before are found there. KNOW_MAP holds
 * the versions that have been acquired.
 */
#include "check/race/map_proxy.h"

#include "base/mix.h"
#include "check/race/element.h"
#include "check/race/explain.h"
#include "check/race/sync.h"

void map_proxy_release(struct actor *me, enum mem_scope scope)
{
    enum knowledge_part part = scope == SCOPE_CTA       ? KNOW_MAP_RELEASED_CTA
                               : scope == SCOPE_CLUSTER ? KNOW_MAP_RELEASED_CLUSTER
                                                        : KNOW_MAP_RELEASED;
    struct vector_clock *causal = NULL;
    struct snapshot *now = snapshot_take(me);
    snapshot_join(&causal, now, KNOW_CAUSAL);
    knowledge_join_part(&lane_open(me->ws, me->lane)->extra, part, causal);
    clock_drop(causal);
    snapshot_drop(now);
    lane_goes_on(me->ws, me->lane);
}

static bool is_known(const struct actor *me, const struct epoch *e, enum knowledge_part part)
{
    const struct lane_state *ls = actor_lane(me);
    const struct knowledge *know[2] = {me->bs->base, ls ? ls->extra : NULL};
    bool known = false;
    for (int k = 0; k < 2; k++)
        known |= know[k] && clock_covers(me->race, know[k]->part[part], e->agent, e->thread, e->time);
    return known;
}

static bool is_released(const struct actor *me, const struct epoch *e)
{
    return is_known(me, e, KNOW_MAP_RELEASED) || is_known(me, e, KNOW_MAP_RELEASED_CLUSTER) ||
           is_known(me, e, KNOW_MAP_RELEASED_CTA);
}

/** Is the thread that wrote within the scope of the actor's acquire? */
static bool reaches(const struct actor *me, const struct epoch *e, enum mem_scope scope)
{
    const struct agent *writer = &me->race->agents.data[e->agent], *mine = &me->race->agents.data[me->agent];
    return scope == SCOPE_CTA       ? e->agent == me->agent
           : scope == SCOPE_CLUSTER ? e->agent == me->agent || (mine->cluster && mine->cluster == writer->cluster)
                                    : true;
}

/** A plain store of this launch that the word holds. */
static const struct epoch *stored_here(const struct actor *me, const struct unit *u)
{
    const struct epoch *e = &u->word->write;
    const struct agent *writer = &me->race->agents.data[e->agent];
    return !e->agent || writer->copies_of || writer->launch != me->race->agents.data[me->agent].launch ? NULL : e;
}

/** What the words of a map hold. */
struct stores {
    uint64_t digest;              /**< of who wrote them, and when; 0: nobody in this launch */
    struct epoch first;           /**< the first that no release covers, or else the first; agent 0: none */
    uint64_t address;             /**< its word */
    bool all_released, all_reach; /**< … the actor, by the scope that it gives */
};

static struct stores look_at(struct actor *me, struct mem_access *scratch, const struct copy_side *map, enum mem_scope scope)
{
    struct stores s = {.all_released = true, .all_reach = true};
    const struct insn *whole = me->insn;
    struct insn piece = *map->at;
    struct unit unit[16];
    int l = me->lane;
    piece.mem.bytes = 4;
    piece.mem.count = 1;
    me->insn = scratch->insn = &piece;
    scratch->mask = 1u << l;
    scratch->space = map->space;
    scratch->owner = me->bs->block;
    scratch->allocation[l] = map->allocation[l];
    for (uint32_t at = 0; map->space == SPACE_GLOBAL && at < map->bytes[l]; at += 4) {
        scratch->address[l] = map->address[l] + at;
        scratch->host[l] = map->host[l] + at;
        int n = units_of(me, scratch, l, 0, unit);
        for (int i = 0; i < n; i++) {
            const struct epoch *e = stored_here(me, &unit[i]);
            if (!e)
                continue;
            bool released = is_released(me, e);
            if (!s.first.agent || (s.all_released && !released)) {
                s.first = *e;
                s.address = scratch->address[l];
            }
            s.all_released &= released;
            s.all_reach &= reaches(me, e, scope);
            s.digest = (s.digest ^ at ^ (uint64_t)e->agent << 40 ^ (uint64_t)e->thread << 20 ^ e->time) * MIX_FACTOR | 1;
        }
    }
    scratch->insn = NULL;
    me->insn = whole;
    return s;
}

/** The map at `address`, whose version is made to be that of what lies there now. */
static struct known_map *map_at(struct actor *me, uint64_t address, uint64_t digest)
{
    struct race *race = me->race;
    const struct agent *mine = &race->agents.data[me->agent];
    struct launch *launch = mine->launch;
    struct known_map *m = NULL;
    for (int i = 0; !m && i < race->maps.count; i++)
        if (race->maps.data[i].launch == launch && race->maps.data[i].address == address)
            m = &race->maps.data[i];
    if (!m) {
        uint32_t agent = (uint32_t)race->agents.count;
        m = LIST_PUSH(&race->maps);
        *m = (struct known_map){.launch = launch, .address = address, .agent = agent};
        race->copies = true;
        *LIST_PUSH(&race->agents) = (struct agent){.launch = launch, .block = me->bs->block->index, .copies_of = me->agent};
    }
    m->version += m->digest != digest;
    m->digest = digest;
    return m;
}

void map_proxy_acquire(struct actor *me, struct mem_access *scratch, const struct copy_side *map, enum mem_scope scope)
{
    struct stores s = look_at(me, scratch, map, scope);
    if (!s.first.agent || !s.all_released || !s.all_reach)
        return;
    const struct known_map *m = map_at(me, map->address[me->lane], s.digest);
    clock_add_key(&knowledge_writable(&lane_open(me->ws, me->lane)->extra)->part[KNOW_MAP], m->agent, clock_thread_key(0), m->version);
}

void map_proxy_check(struct actor *me, struct mem_access *scratch, const struct copy_side *map)
{
    struct stores s = look_at(me, scratch, map, SCOPE_SYS);
    if (!s.first.agent || !epoch_ordered(me, &s.first))
        return;
    const struct known_map *m = map_at(me, map->address[me->lane], s.digest);
    if (is_known(me, &(struct epoch){.agent = m->agent, .time = m->version}, KNOW_MAP))
        return;
    struct conflict_info info = {.conflict = WRITE_THEN_READ, .other = &s.first, .space = (enum ptx_space)map->space, .address = s.address,
                                 .map_proxy = s.all_released ? MAP_NOT_ACQUIRED : MAP_NOT_RELEASED};
    explain(me, &info);
}
