/**
 * @file races.c
 * Two threads at one place: data-race, missing-release, missing-acquire, ordering.
 */
#include "report/finding.h"
#include "report/words/words.h"

#include <stdio.h>
#include <string.h>

/** "thread 9" within one block, "block 7" between blocks. */
static void put_who(char *out, size_t size, const struct finding *f, int i)
{
    char number[40], kernel[64];
    bool same = f->facts.race.same_block;
    uint8_t device = f->facts.race.devices[i];
    (same ? put_thread : put_block)(number, sizeof number, &f->accesses[i]);
    if (f->facts.race.kernels[i])
        put_plain(kernel, sizeof kernel, f->facts.race.kernels[i]);
    if (f->facts.race.kernels[i])
        put(out, size, "kernel %.40s's block %s", kernel, number);
    else if (device)
        put(out, size, "device %d's block %s", device - 1, number);
    else
        put(out, size, "%s %s", same ? "thread" : "block", number);
}

/** "block 7 thread 9", and whose, where that must be said. */
static void put_both(char *out, size_t size, const struct finding *f, int i)
{
    const struct finding_access *a = &f->accesses[i];
    const char *kernel = f->facts.race.kernels[i];
    char block[40], thread[40], name[64] = "";
    put_block(block, sizeof block, a);
    put_thread(thread, sizeof thread, a);
    if (kernel)
        put_plain(name, sizeof name, kernel);
    if (!kernel && f->facts.race.devices[i])
        put(out, size, "device %d's block %s thread %s", f->facts.race.devices[i] - 1, block, thread);
    else
        put(out, size, "%s%.40s%sblock %s thread %s", kernel ? "kernel " : "", name, kernel ? "'s " : "", block, thread);
}

/** Strong on both sides, and of two devices. */
static void say_out_of_scope(struct finding *f, const char *place)
{
    char first[64], second[64];
    put_who(first, sizeof first, f, 0);
    put_who(second, sizeof second, f, 1);
    say(f, "%s and %s access %s by atomic or volatile operations, but not both at system scope, which alone reaches the other "
           "device: to each other they are plain.", first, second, place);
}

static void say_unordered(struct finding *f, const char *place)
{
    const struct race_facts *r = &f->facts.race;
    char first[100], second[100];
    put_both(first, sizeof first, f, 0);
    put_both(second, sizeof second, f, 1);
    bool second_reads = r->conflict == WRITE_THEN_READ;
    const char *reader = second_reads ? second : first, *writer = second_reads ? first : second;
    bool apart = r->kernels[0] || r->kernels[1];
    const char *when = apart ? "while that kernel runs" : "in the same kernel";
    const char *same = r->unchanged ? " Here it stores what was there already; with other data it need not." : "";
    if (f->cause == CAUSE_READ_ONLY_CACHE)
        say(f, "%s reads %s through the read-only cache (const __restrict__, or __ldg) and %s writes it "
               "%s: such a read may miss the write, whatever is between them.%s",
            reader, place, writer, when, same);
    else if (f->cause == CAUSE_TEXTURE_CACHE)
        say(f, "%s reads %s through a texture or a surface and %s writes it %s: such a read may miss the "
               "write, whatever is between them%s.", reader, place, writer, when, apart ? "" : ", even of its own thread");
    else if (r->conflict == WRITE_THEN_WRITE)
        say(f, "%s and %s both write %s and nothing orders the two%s.", first, second, place,
            r->rests_on_read ? " (here both write the same value, but one of them makes it of what was there)"
            : r->same_value  ? " (here both write the same value)"
                             : ": either value may stay");
    else
        say(f, "%s reads %s and %s writes it, and nothing orders the two: the read may get either value.%s", reader, place, writer, same);
}

static void say_missing(struct finding *f, const char *place)
{
    const struct race_facts *r = &f->facts.race;
    char first[64], second[64];
    put_who(first, sizeof first, f, 0);
    put_who(second, sizeof second, f, 1);
    if (r->conflict == WRITE_THEN_READ)
        say(f, "%s may not see what %s wrote to %s: ", second, first, place);
    else
        say(f, "%s writes %s, but what %s %s there need not come first: ", second, place, first, r->conflict == READ_THEN_WRITE ? "read" : "wrote");
    if (f->cause == CAUSE_NOT_ACQUIRED && r->between_line)
        say_on(f, "%s released it before its signal (line %d), but who saw that signal (line %d) and then signalled to %s did "
                  "not acquire in between.", first, r->signal_line, r->between_line, second);
    else if (f->cause == CAUSE_NOT_ACQUIRED && r->narrow)
        say_on(f, "%s released it before its signal (line %d); %s acquires after it saw the signal (line %d) at gpu scope, which does "
                  "not reach the other device.", first, r->signal_line, second, r->via_line);
    else if (f->cause == CAUSE_NOT_ACQUIRED && r->of_block)
        say_on(f, "%s released it before its signal (line %d), but the fence of %s after it saw the signal (line %d) is for its own block only.",
               first, r->signal_line, second, r->via_line);
    else if (f->cause == CAUSE_NOT_ACQUIRED)
        say_on(f, "%s released it before its signal (line %d), but %s does not acquire after it saw the signal "
                  "(line %d).", first, r->signal_line, second, r->via_line);
    else if (r->narrow)
        say_on(f, "%s releases it before its signal (line %d) at gpu scope, which does not reach the other device.", first,
               r->signal_line);
    else if (r->passing_line)
        say_on(f, "%s released it before its signal (line %d), but who saw that (line %d) signals to %s (line %d) with no fence in between.",
               first, r->signal_line, r->between_line, second, r->passing_line);
    else if (r->neither)
        say_on(f, "%s signals (line %d) without a release that covers it, and %s does not acquire after it saw the signal "
                  "(line %d).", first, r->signal_line, second, r->via_line);
    else if (r->of_block)
        say_on(f, "%s signals (line %d) behind a fence that is for its own block only.", first, r->signal_line);
    else
        say_on(f, "%s signals (line %d) without a release that covers it.", first, r->signal_line);
}

static void say_relaxed(struct finding *f, const char *place)
{
    char first[64], second[64];
    put_who(first, sizeof first, f, 0);
    put_who(second, sizeof second, f, 1);
    say(f, "%s has seen the signal of %s (line %d), yet may still read an older value of %s: "
           "volatile and relaxed accesses do not order other memory.",
        second, first, f->facts.race.signal_line, place);
}

/** A store over another thread's, of whose later signal its own thread has heard. */
static void say_lands_later(struct finding *f, const char *place)
{
    char first[64], second[64];
    put_who(first, sizeof first, f, 0);
    put_who(second, sizeof second, f, 1);
    say(f, "%s has seen the signal of %s (line %d) and writes %s, yet what %s wrote there before its signal may land after that, and stay: "
           "volatile and relaxed accesses do not order other memory.",
        second, first, f->facts.race.signal_line, place, first);
}

/** Threads that go the same way, and need not go in step. */
static void say_in_step(struct finding *f, const char *place)
{
    char first[64], second[64];
    put_who(first, sizeof first, f, 0);
    put_who(second, sizeof second, f, 1);
    say(f, "%s reads from %s what %s has just written there, and nothing makes it wait for that: %s. volatile and relaxed "
           "accesses order no threads.", second, place, first,
        f->facts.race.same_warp ? "the lanes of a warp need not go in step" : "the threads of a block need not go in step");
}

/** Threads that go the same way, turn by turn, with one barrier a turn. */
static void say_turn_ahead(struct finding *f, const char *place)
{
    char first[64], second[64];
    put_who(first, sizeof first, f, 0);
    put_who(second, sizeof second, f, 1);
    say(f, "%s reads from %s what %s has already stored there for its next turn: the barrier comes before the read, and none "
           "behind it.", second, place, first);
    say_rule(f, "a barrier orders what comes before it; volatile and relaxed accesses order no threads");
}

/** Threads of a block that come by both lines between two barriers. */
static void say_same_phase(struct finding *f, const char *place)
{
    char first[64], second[64];
    put_who(first, sizeof first, f, 0);
    put_who(second, sizeof second, f, 1);
    if (f->facts.race.conflict == WRITE_THEN_WRITE)
        say(f, "%s writes %s on line %d and %s on line %d, and nothing makes the one wait for the other.", first, place, f->accesses[0].line, second,
            f->accesses[1].line);
    else if (f->facts.race.reads_first)
        say(f, "%s may come to its store on line %d before %s has read %s, though each thread reads before it stores: nothing makes the "
               "one wait for the others' reads.", first, f->accesses[0].line, second, place);
    else
        say(f, "%s may read %s before %s has come to line %d, which stands before the read: nothing makes it wait for that.", second, place,
            first, f->accesses[0].line);
    say_rule(f, "volatile and relaxed accesses order no threads, and the lanes of a warp need not go in step");
}

/** Who counts, and then looks whether it was the last. */
static void say_counted(struct finding *f, const char *place)
{
    char who[100];
    put_both(who, sizeof who, f, 1);
    say(f, "%s counts %s on line %d, and looks at it on line %d to see whether it has come to the number that it waits for; another thread may count in between, and "
           "then %s.", who, place, f->accesses[0].line, f->accesses[1].line,
        f->facts.race.late == LATE_BOTH_FIND ? "both find that number, and both act by it" : "neither finds that number, and nobody acts by it");
    say_rule(f, "a strong access is whole by itself; two of them are two, and others may come between");
    say_try(f, "what the atomic on line %d returns says whose count it was: decide by that, not by the look on line %d", f->accesses[0].line, f->accesses[1].line);
}

/** Who has made the better value stay, and then notes what belongs to it. */
static void say_belongs(struct finding *f, const char *place)
{
    char who[100];
    const struct finding_access *a = f->accesses;
    put_both(who, sizeof who, f, 1);
    say(f, "%s writes %s on line %d, which is to belong to the value that it gives the atomic on line %d; another thread %s done both beside it, with a better value or a worse one, and which "
           "of the two stores stays has nothing to do with which of the two values does.", who, place, a[1].line, a[0].line, f->facts.race.may ? "may have" : "has");
    say_rule(f, "each location has an order of its own in which what is written there stays; that of one says nothing about another's");
    say_try(f, "one atomic for both: the value above, what belongs to it below, in 64 bits (and the atomic of line %d on those); or let only who finds its own value there "
               "when all have been, behind a barrier or in a second kernel, write on line %d", a[0].line, a[1].line);
}

/** Both accesses are of one thread; what comes between them is another's. */
static void say_late(struct finding *f, const char *place)
{
    static const char *const what[] = {
        [LATE_OVERWRITES] = "what it wrote is lost",
        [LATE_SWAP_FAILS] = "the compare-and-swap fails, and nobody looks at that",
        [LATE_CHECK_FAILS] = "what was checked does not hold any more",
        [LATE_CLAIM] = "both have found it as if nobody else had",
        [LATE_CLAIM_OVER] = "what it put there is lost, though it goes by what it has found",
        [LATE_TAKES] = "what it put there is lost: it is not in what was taken, and not left there",
        [LATE_LINKS] = "what it linked there leads nowhere any more",
        [LATE_EXCHANGES] = "what it put there is lost: nobody has taken it, and it is not left there",
    };
    char who[100];
    put_both(who, sizeof who, f, 1);
    say(f, "%s updates %s (line %d) by what it has read there on line %d; another thread %s it in between, and %s%s.", who, place, f->accesses[1].line,
        f->accesses[0].line, f->facts.race.may ? "may change" : "has changed", f->facts.race.may ? "then " : "", what[f->facts.race.late]);
    if (f->facts.race.told)
        say_on(f, " It says then that it has updated: whoever is told must look again at all of it, until nobody updates any more, or that is lost.");
    if (f->facts.race.jumps)
        say_on(f, " What it puts there stands where the value leads that it has read: where that only shortens a way, whoever comes next may do it, "
                  "but what is taken off a list is taken twice.");
    say_rule(f, "a strong access is whole by itself; two of them are two, and others may come between");
    if (f->facts.race.late == LATE_CLAIM || f->facts.race.late == LATE_CLAIM_OVER)
        say_try(f, "one atomic for both lines: atomicCAS; it is this thread's if the atomic returns what line %d looks for", f->accesses[0].line);
    else if (f->facts.race.late == LATE_TAKES)
        say_try(f, "one atomic for both lines, which takes and empties at once: atomicExch(&place, 0) on line %d", f->accesses[0].line);
    else if (f->facts.race.late == LATE_LINKS)
        say_try(f, "one atomic for both lines: atomicExch, and what it returns is linked in place of what line %d reads (nobody may walk the list before that); or "
                   "atomicCAS in a loop that links what it returns", f->accesses[0].line);
    else if (f->facts.race.late == LATE_EXCHANGES)
        say_try(f, "one atomic for both lines: atomicExch() of what line %d stores, which returns what was there; or a lock around both", f->accesses[1].line);
    else if (f->facts.race.late == LATE_CHECK_FAILS && f->facts.race.picks)
        say_try(f, "one atomic for both lines: atomicMax or atomicMin, or atomicCAS in a loop that looks again");
    else if (f->facts.race.late == LATE_CHECK_FAILS)
        say_try(f, "one atomic for both lines: without the check on line %d, look at what the update on line %d returns; or "
                   "atomicCAS in a loop that checks again", f->accesses[0].line, f->accesses[1].line);
    else
        say_try(f, "one atomic for both lines: atomicAdd, atomicMax, … or atomicCAS in a loop that looks at what it returns");
}

/** The two may come out in an order that no interleaving has. */
static void say_not_interleaved(struct finding *f, const char *place)
{
    const struct race_facts *r = &f->facts.race;
    char first[100], second[100];
    put_both(first, sizeof first, f, 0);
    put_both(second, sizeof second, f, 1);
    if (r->conflict == WRITE_THEN_READ)
        say(f, "%s may read an older value of %s than %s writes there, and what the threads leave then is what no "
               "interleaving of them leaves: volatile and relaxed accesses do not order other memory.",
            second, place, first);
    else
        say(f, "%s and %s both write %s, and the wrong one may stay: what the threads leave then is what no "
               "interleaving of them leaves. Volatile and relaxed accesses do not order other memory.",
            first, second, place);
}

void words_race(struct finding *f)
{
    char place[96];
    put_place(place, sizeof place, f);
    if (f->cause == CAUSE_RELAXED)
        say_relaxed(f, place);
    else if (f->cause == CAUSE_LANDS_LATER)
        say_lands_later(f, place);
    else if (f->cause == CAUSE_IN_STEP || f->cause == CAUSE_WARPS_IN_STEP)
        say_in_step(f, place);
    else if (f->cause == CAUSE_TURN_AHEAD)
        say_turn_ahead(f, place);
    else if (f->cause == CAUSE_SAME_PHASE)
        say_same_phase(f, place);
    else if (f->cause == CAUSE_ACTED_LATE && f->facts.race.late == LATE_BELONGS)
        say_belongs(f, place);
    else if (f->cause == CAUSE_ACTED_LATE && f->facts.race.late >= LATE_BOTH_FIND)
        say_counted(f, place);
    else if (f->cause == CAUSE_ACTED_LATE)
        say_late(f, place);
    else if (f->cause == CAUSE_NOT_INTERLEAVED)
        say_not_interleaved(f, place);
    else if (f->cause == CAUSE_NOT_RELEASED || f->cause == CAUSE_NOT_ACQUIRED)
        say_missing(f, place);
    else if (f->facts.race.devices[0] && f->facts.race.advice == TRY_WIDER_SCOPE)
        say_out_of_scope(f, place);
    else
        say_unordered(f, place);
    say_capital(f);
    if (f->kind == FIND_ORDERING && f->level == LEVEL_WARNING && f->cause != CAUSE_ACTED_LATE)
        finding_phrase_doubt(f);
    words_race_advice(f);
}
