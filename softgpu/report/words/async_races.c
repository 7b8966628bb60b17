/**
 * @file async_races.c
 * Races of which one side, at least, is an asynchronous copy.
 */
#include "report/finding.h"
#include "report/words/words.h"

/** A copy, or what else goes on beside its thread. */
static const char *noun(const struct finding *f, int i)
{
    return f->facts.race.products[i] ? "product" : "copy";
}

static void put_use(char *out, size_t size, const struct finding *f, int i)
{
    const struct race_facts *r = &f->facts.race;
    bool writes = r->conflict == WRITE_THEN_WRITE || (r->conflict == WRITE_THEN_READ) == (i == 0);
    char block[40], thread[40];
    put_block(block, sizeof block, &f->accesses[i]);
    put_thread(thread, sizeof thread, &f->accesses[i]);
    put(out, size, "%sblock %s thread %s%s", r->products[i] ? "the product (wgmma) that " : r->copies[i] ? "the asynchronous copy that " : "", block, thread,
        r->copies[i] ? writes ? " has issued writes" : " has issued reads" : writes ? " writes" : " reads");
}

static void say_wait(struct finding *f, int line, int other)
{
    if (f->facts.race.advice == TRY_READERS_THEN_COPY)
        say_try(f, line == other ? "before line %d copies to a place again: wait until what it has copied there is complete, and then for whoever reads it "
                                   "(a barrier, or an mbarrier at which they arrive)"
                                 : "before line %2$d copies to the same place: wait until what line %1$d has copied there is complete, and then for whoever "
                                   "reads it (a barrier, or an mbarrier at which they arrive)", line, other);
    else if (f->facts.race.advice == TRY_WAIT_OR_RELEASE)
        say_try(f, "wait before line %d at the mbarrier that the copy of line %d tells, for its phase; or, if that stands there and line %d reads what was "
                   "copied before: arrive at the barrier for which the copy waits after line %d, not before", other, line, other, other);
    else if (f->facts.race.products[0])
        say_try(f, "wgmma.commit_group and wgmma.wait_group behind line %d, then a barrier if another thread goes on, before line %d", line, other);
    else
        say_try(f, "wait for the copy of line %d before line %d, in the thread that issued it (commit its group, then wait until fewer "
                   "groups are under way; or the barrier it arrives at), then a barrier if another thread uses the data", line, other);
}

/** The first is a copy that may still be under way. */
static void say_pending(struct finding *f, const char *first, const char *second, const char *place)
{
    const struct race_facts *r = &f->facts.race;
    int line = f->accesses[0].line, other = f->accesses[1].line;
    say(f, "%s %s, and %s it, ", first, place, second);
    if (r->advice == TRY_BARRIER_THEN_COPY) {
        say_on(f, "and the copy may begin before that: from line %d to the next copy of line %d there is no barrier.", other, line);
        say_try(f, "a barrier that all threads reach after line %d, before the copy of line %d is issued", other, line);
    } else if (r->advice == TRY_RELEASE_THEN_COPY) {
        say_on(f, "and the copy may begin before that: from line %d to the next copy of line %d the thread arrives at no barrier.", other, line);
        say_try(f, "arrive at the barrier for which the copy of line %d waits (consumer_release(), mbarrier.arrive) after line %d, not before: "
                   "with that a thread says that it has read there", line, other);
    } else if (r->copy_waited) {
        say_on(f, "but only the thread that issued the copy has waited for it: for others it need not be complete.");
        say_try(f, "the wait, then a barrier that all threads reach, both before line %d; in a loop another barrier after line %d, "
                   "before line %d copies to the same place again", other, other, line);
    } else {
        say_on(f, "and the %s need not be complete by then: nothing that line %d comes after has waited for it.", noun(f, 0), other);
        say_wait(f, line, other);
    }
}

static void say_map(struct finding *f, const char *first, const char *second, const char *place)
{
    bool released = f->cause == CAUSE_MAP_NOT_ACQUIRED;
    int line = f->accesses[0].line, other = f->accesses[1].line;
    say(f, "%s %s, and %s it as its tensor map: the two are ordered, but copies read tensor maps by a way of their own (the tensormap "
           "proxy), and ", first, place, second);
    if (released) {
        say_on(f, "no fence.proxy.tensormap::generic.acquire of this map, of a scope that has the other thread in it, stands before the "
                  "copy.");
        say_try(f, "fence.proxy.tensormap::generic.acquire.gpu [map], 128 (cuda::ptx::fence_proxy_tensormap_generic) before line %d, in the "
                   "thread that issues the copy", other);
    } else {
        say_on(f, "no fence.proxy.tensormap::generic.release stands behind the store, of a scope that has the copy's thread in it.");
        say_try(f, "fence.proxy.tensormap::generic.release.gpu after line %d, in the thread that writes there (or tensormap.cp_fenceproxy), "
                   "and fence.proxy.tensormap::generic.acquire.gpu [map], 128 before the copy of line %d", line, other);
    }
    say_capital(f);
    say_rule(f, "accesses of two proxies are ordered only through a proxy fence (PTX ISA 8.6)");
}

void words_copy(struct finding *f)
{
    const struct race_facts *r = &f->facts.race;
    char first[120], second[120], place[300];
    put_use(first, sizeof first, f, 0);
    put_use(second, sizeof second, f, 1);
    put_place(place, sizeof place, f);
    if (f->cause == CAUSE_MAP_NOT_RELEASED || f->cause == CAUSE_MAP_NOT_ACQUIRED) {
        say_map(f, first, second, place);
        return;
    }
    if (f->cause == CAUSE_PROXY) {
        say(f, "%s %s, and %s it: the two are ordered, but a %s goes by another way (the async proxy) than plain "
               "accesses, and %s between them.", first, place, second, r->products[1] ? "product" : "bulk copy",
            r->elsewhere ? "only a fence.proxy.async for another state space stands" : "no fence.proxy.async stands");
        say_try(f, "fence.proxy.async (cuda::ptx::fence_proxy_async) after line %d, in the threads that write there, before the "
                   "barrier that the %s of line %d comes after", f->accesses[0].line, noun(f, 1), f->accesses[1].line);
        say_capital(f);
        say_rule(f, "accesses of two proxies are ordered only through a proxy fence (PTX ISA 8.6)");
        return;
    }
    if (r->copies[0]) {
        say_pending(f, first, second, place);
    } else {
        say(f, "%s %s, and %s it: nothing puts the first before the %s.", first, place, second, noun(f, 1));
        if (r->advice == TRY_COPY_THEN_BARRIER && r->products[1])
            say_try(f, "wgmma.wait_group for the product of line %d, then a barrier that all threads reach before they come round to line %d again; "
                       "or another place for each round", f->accesses[1].line, f->accesses[0].line);
        else if (r->advice == TRY_COPY_THEN_BARRIER)
            say_try(f, "in the thread that issues the copy of line %d, wait for it, then a barrier that all threads reach before they come "
                       "round to line %d again (or, where the copy tells an mbarrier, all wait at that); or another place for each round", f->accesses[1].line, f->accesses[0].line);
        else
            say_try(f, "a barrier (or an mbarrier at which all arrive, and %s waits) after line %d, before the %s of line %d is issued",
                    r->products[1] ? "whoever issues it" : "the copying thread", f->accesses[0].line, noun(f, 1), f->accesses[1].line);
    }
    say_capital(f);
    say_rule(f, r->products[0] || r->products[1] ? "a wgmma is complete only for those who come after a wgmma.wait_group for it (PTX ISA 9.7.15)"
                                                 : "an asynchronous copy is complete only for those who come after a wait for it (PTX ISA 9.7.9.25)");
}
