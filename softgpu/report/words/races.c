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

/* ---- What to try ---- */

/** The call, as the first words of a clause. */
static const char *barrier(const struct race_facts *r)
{
    return r->same_warp ? "__syncthreads(), or __syncwarp() if only this warp works here," : "__syncthreads()";
}

/** Where a barrier must stand that joins two lines. */
static const char *place_of_barrier(char out[96], int first, int second)
{
    if (first == second) /* a loop that is unrolled, a function called twice */
        snprintf(out, 96, "after line %d, before the threads come to it again", first);
    else
        snprintf(out, 96, "%s line %d and %sline %d", first < second ? "between" : "after", first, first < second ? "" : "before ", second);
    return out;
}

/** A block's barrier is not enough where others come to the place, too, which is then said. */
static void say_grid_too(struct finding *f)
{
    static const char *const rest[2] = {"; if other blocks use it, too, a barrier of the whole grid",
                                        "; if other blocks use it, too, this_grid().sync()"};
    const char *add = rest[f->facts.race.cooperative];
    size_t used = strlen(f->suggestion);
    if (f->facts.race.grid_wide && used + strlen(add) < sizeof f->suggestion)
        put(f->suggestion + used, sizeof f->suggestion - used, "%s", add);
}

static void try_barrier(struct finding *f, bool loop)
{
    char place[96];
    const struct race_facts *r = &f->facts.race;
    int first = r->lines[0], second = r->lines[1];
    const char *what = barrier(r);
    const char *who = r->same_warp ? "" : ", reached by all threads";
    if (loop)
        say_try(f, "%s after line %d, before the loop comes to line %d again%s", what, first, second, who);
    else
        say_try(f, "%s %s%s", what, place_of_barrier(place, first, second), who);
    say_grid_too(f);
}

static void advise(struct finding *f)
{
    const struct race_facts *r = &f->facts.race;
    const char *fence = r->devices[0] ? "__threadfence_system()" : r->same_block ? "__threadfence_block()" : "__threadfence()";
    int first = r->lines[0], second = r->lines[1];
    char place[96];
    char both[48], after[64];
    snprintf(both, sizeof both, first == second ? "line %d" : "lines %d and %d", first, second);
    snprintf(after, sizeof after, first == second ? "right after it" : r->waits ? WORDS_BEHIND_LOOP " line %d" : "after its read on line %d", second);
    switch (r->advice) {
    case TRY_NOTHING:
        break;
    case TRY_BARRIER:
        try_barrier(f, false);
        break;
    case TRY_BARRIER_IN_LOOP:
        try_barrier(f, true);
        break;
    case TRY_BARRIER_BETWEEN_BRANCHES:
        say_try(f, "a barrier between line %d and line %d that all threads reach (as compiled, none comes to both lines), or a "
                   "flag (volatile or atomic) with a fence on both sides", first, second);
        break;
    case TRY_BARRIER_BEFORE_BRANCH:
        say_try(f, "%s after line %d and before the branch on line %d%s, reached by all threads", barrier(r), first, second,
                second < first ? ", where the loop comes round" : "");
        say_grid_too(f);
        break;
    case TRY_BARRIER_IN_PARTS:
        say_try(f, "outside of the branch that begins on line %d (end it, and begin it again behind): %s between line %d and "
                   "line %d, reached by all threads", r->parted_line, barrier(r), first, second);
        break;
    case TRY_BARRIER_BEHIND_BRANCH:
        say_try(f, "%s after the branch that begins on line %d, reached by all threads, before the loop comes to line %d "
                   "again", barrier(r), r->parted_line, second);
        say_grid_too(f);
        break;
    case TRY_BARRIER_AFTER_BRANCH:
        if (r->parted_line <= first)
            say_try(f, "%s after the branch that begins on line %d, reached by all threads, before line %d", barrier(r), r->parted_line, second);
        else
            say_try(f, "%s right before line %d, reached by all threads", barrier(r), second);
        say_grid_too(f);
        break;
    case TRY_READ_FIRST:
        say_try(f, "line %d reads what other threads write there: read into a variable, then %s reached by all "
                   "threads, and only then write", first, barrier(r));
        break;
    case TRY_ONE_UPDATE:
        say_try(f, "let only one thread do line %d, or use an atomic (atomicAdd, …): between a plain load and its "
                   "store another thread may come", first);
        break;
    case TRY_ONE_WRITER:
        say_try(f, "let only one thread write on line %d, or use an atomic; if each is to have an element of its own, look at the index", first);
        break;
    case TRY_ATOMIC:
        say_try(f, "an atomic on %s (atomicAdd, …): between a plain load and its store another %s may come", both, r->same_block ? "thread" : "block");
        break;
    case TRY_RELEASE_LOCK:
        say_try(f, "a lock taken on line %d that orders: a fence behind that line, and another before an atomic or volatile store that releases it", first);
        break;
    case TRY_OTHER_ARRAY:
        say_try(f, "line %d reads what other blocks write there: write to another array, or in a launch of its own", first);
        break;
    case TRY_BARRIER_FOR_ALL:
        say_try(f, "the barrier %s does not join these two threads: __syncthreads(), reached by all threads, in its place",
                place_of_barrier(place, first, second));
        break;
    case TRY_CLUSTER_BARRIER:
        say_try(f, "cluster.sync() (barrier.cluster, arrive with release) %s, reached by all threads of the cluster's blocks",
                place_of_barrier(place, first, second));
        break;
    case TRY_OTHER_LAUNCH:
        say_try(f, "if both blocks are meant to come to the same element: a launch of its own for line %d, a barrier of the whole "
                   "grid (a cooperative launch has one), an atomic, or a flag with a fence on both sides; if not, look at the index",
                first);
        break;
    case TRY_GRID_BARRIER:
        say_try(f, "cooperative_groups::this_grid().sync() %s, reached by all threads of all blocks", place_of_barrier(place, first, second));
        break;
    case TRY_HAND_ON:
        say_try(f, "__syncthreads() before line %d, reached by all threads: another thread of this block has waited for the other block, "
                   "and nothing makes this one wait for that", first);
        break;
    case TRY_SPEAK_FOR_ALL:
        say_try(f, "__syncthreads() after line %d, reached by all threads, before a thread signals for the block: what others have done "
                   "need not come before its signal", first);
        break;
    case TRY_SIGNAL_LATER:
        say_try(f, "what this block has received of the other came before line %d: signal after that line, behind a fence, and wait for "
                   "that signal", first);
        break;
    case TRY_BOTH_BARRIERS:
        say_try(f, "__syncthreads() after line %d, before a thread signals for its block, and __syncthreads() before line %d, behind that "
                   "thread's wait: both reached by all threads", first, second);
        break;
    case TRY_SMALLER_TILE:
        say_try(f, "tiles of at most 32 threads, and what warps exchange in shared memory of your own, with __syncthreads() between");
        break;
    case TRY_COPY_THEN_BARRIER: /* async_races.c has their words */
    case TRY_BARRIER_THEN_COPY:
        break;
    case TRY_STRONG:
        say_try(f, "line %d is plain, line %d atomic or volatile: an update needs atomics on both; a signal, too, and %s "
                   "before its write and after its read", first, second, fence);
        break;
    case TRY_SAME_WIDTH:
        say_try(f, "the same size on %s: atomic or volatile accesses of different sizes race with each other", both);
        break;
    case TRY_WIDER_SCOPE:
        if (r->devices[0])
            say_try(f, "system scope on %s (atomicAdd_system, …, cuda::thread_scope_system, or volatile): the two threads are of "
                       "different devices", both);
        else if (r->same_cluster)
            say_try(f, "cluster scope or wider on %s (without _block): the two threads are of different blocks of a cluster", both);
        else
            say_try(f, "device scope on %s (cuda::thread_scope_device, or without _block): the two threads are of different blocks", both);
        break;
    case TRY_FENCE_AFTER_READ:
        say_try(f, "%s %s line %d", fence, r->waits ? WORDS_BEHIND_LOOP : "after the read of the signal on", first);
        break;
    case TRY_FENCE_BEFORE_SIGNAL:
        say_try(f, "%s right before the signal on line %d, by the thread that signals", fence, first);
        break;
    case TRY_BOTH_FENCES:
        say_try(f, "%s right before the signal on line %d, by the thread that signals, and %s", fence, first, after);
        break;
    case TRY_FENCE_AND_SIGNAL:
        say_try(f, "after line %d: %s, and then a signal by an atomic or volatile store", first, fence);
        break;
    case TRY_FENCES:
        say_try(f, "%s before the signal on line %d and %s", r->devices[0] ? fence : "__threadfence()", first, after);
        break;
    case TRY_NO_RESTRICT:
        say_try(f, "no __restrict__ (and no __ldg) on memory that the kernel writes: line %d", first);
        break;
    case TRY_BEFORE_LAUNCH:
        say_try(f, "line %d before the launch, with __syncthreads() between if another thread launches; or, to come after the launched "
                   "kernel, in one launched into cudaStreamTailLaunch", first);
        break;
    case TRY_ONE_STREAM:
        if (r->graphs)
            say_try(f, "order lines %d and %d: by edges of one graph; or what comes first before the launch; or what comes second in a graph "
                       "that is launched into cudaStreamGraphTailLaunch", first, second);
        else
            say_try(f, "launch both kernels into one stream, or the second into cudaStreamTailLaunch: lines %d and %d", first, second);
        break;
    case TRY_FENCE_BETWEEN:
        if (first == second)
            say_try(f, "%s in each thread, between what it accesses first and what it accesses then on line %d", fence, first);
        else
            say_try(f, "%s in each thread, between what it accesses first and what it accesses then: after line %d, and "
                       "before line %d", fence, first, second);
        break;
    }
}

/* ---- Sentences ---- */

/** Strong on both sides, and of two devices. */
static void say_out_of_scope(struct finding *f, const char *place)
{
    char first[64], second[64];
    put_who(first, sizeof first, f, 0);
    put_who(second, sizeof second, f, 1);
    say(f, "%s and %s access %s by atomic or volatile operations, but gpu scope does not reach the other device: to each other "
           "they are plain.", first, second, place);
}

static void say_unordered(struct finding *f, const char *place)
{
    const struct race_facts *r = &f->facts.race;
    char first[100], second[100];
    put_both(first, sizeof first, f, 0);
    put_both(second, sizeof second, f, 1);
    bool second_reads = r->conflict == WRITE_THEN_READ;
    const char *reader = second_reads ? second : first, *writer = second_reads ? first : second;
    const char *same = r->unchanged ? " Here it stores what was there already; with other data it need not." : "";
    if (f->cause == CAUSE_READ_ONLY_CACHE)
        say(f, "%s reads %s through the read-only cache (const __restrict__, or __ldg) and %s writes it "
               "in the same kernel: such a read may miss the write, whatever is between them.%s",
            reader, place, writer, same);
    else if (f->cause == CAUSE_TEXTURE_CACHE)
        say(f, "%s reads %s through a texture or a surface and %s writes it in the same kernel: such a read may miss the "
               "write, whatever is between them, even of its own thread.", reader, place, writer);
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
    else if (f->cause == CAUSE_NOT_ACQUIRED)
        say_on(f, "%s released it before its signal (line %d), but %s does not acquire after it saw the signal "
                  "(line %d).", first, r->signal_line, second, r->via_line);
    else if (r->narrow)
        say_on(f, "%s releases it before its signal (line %d) at gpu scope, which does not reach the other device.", first,
               r->signal_line);
    else if (r->neither)
        say_on(f, "%s signals (line %d) without a release that covers it, and %s does not acquire after it saw the signal "
                  "(line %d).", first, r->signal_line, second, r->via_line);
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

/** Both accesses are of one thread; what comes between them is another's. */
static void say_late(struct finding *f, const char *place)
{
    static const char *const what[] = {
        [LATE_OVERWRITES] = "what it wrote is lost",
        [LATE_SWAP_FAILS] = "the compare-and-swap fails, and nobody looks at that",
        [LATE_CHECK_FAILS] = "what was checked does not hold any more",
    };
    char who[100];
    put_both(who, sizeof who, f, 1);
    say(f, "%s updates %s (line %d) by what it has read there on line %d; another thread has changed it in between, and %s.",
        who, place, f->accesses[1].line, f->accesses[0].line, what[f->facts.race.late]);
    say_rule(f, "a strong access is whole by itself; two of them are two, and others may come between");
    if (f->facts.race.late == LATE_CHECK_FAILS)
        say_try(f, "one atomic for both lines: look at what the update on line %d returns, or a loop around atomicCAS",
                f->accesses[1].line);
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
    else if (f->cause == CAUSE_IN_STEP || f->cause == CAUSE_WARPS_IN_STEP)
        say_in_step(f, place);
    else if (f->cause == CAUSE_TURN_AHEAD)
        say_turn_ahead(f, place);
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
    advise(f);
}
