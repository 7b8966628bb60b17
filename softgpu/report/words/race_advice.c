/**
 * @file race_advice.c
 * What to try against a race: the words for what check/race/ has chosen.
 */
#include "report/finding.h"
#include "report/words/words.h"

#include <stdio.h>
#include <string.h>

/** The call, as the first words of a clause. */
static const char *barrier(const struct race_facts *r)
{
    return r->same_warp ? "__syncthreads(), or __syncwarp() if only this warp works here," : "__syncthreads()";
}

static const char *comes(const struct race_facts *r)
{
    return r->unrolled ? "threads come" : "loop comes";
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
        say_try(f, "%s after line %d, before the %s to line %d again%s", what, first, comes(r), second, who);
    else
        say_try(f, "%s %s%s", what, place_of_barrier(place, first, second), who);
    say_grid_too(f);
}

/** Where one thread must not go on before all can see what it has done. */
static void try_sc_fences(struct finding *f, const char *fence)
{
    const struct race_facts *r = &f->facts.race;
    char places[128] = "";
    for (int i = 0; i < r->sc_count; i++) {
        int first = r->sc_lines[i][0], second = r->sc_lines[i][1];
        size_t used = strlen(places);
        const char *and = i ? ", and " : "";
        if (first == second)
            put(places + used, sizeof places - used, "%sbetween the accesses on line %d", and, first);
        else
            put(places + used, sizeof places - used, first < second ? "%sbetween line %d and line %d" : "%safter line %d and before line %d", and, first,
                second);
    }
    say_try(f, "%s %s%s: else others may find the second done before the first", fence, places,
            r->sc_instead ? ", instead of the weaker fence there" : "");
}

static enum apart apart(const struct race_facts *r)
{
    return r->devices[0] ? APART_ON_DEVICES : r->same_warp ? APART_LANES : r->same_block ? APART_WARPS : r->same_cluster ? APART_IN_CLUSTER : APART_BLOCKS;
}

void words_race_advice(struct finding *f)
{
    const struct race_facts *r = &f->facts.race;
    f->mend = (struct finding_mend){r->advice, apart(r), {r->lines[0], r->lines[1]}, r->parted_line, .read_first = r->conflict == READ_THEN_WRITE,
                                    .by_result = f->cause == CAUSE_ACTED_LATE && (r->late == LATE_BOTH_FIND || r->late == LATE_NONE_FINDS)};
    const char *fence = r->devices[0] ? "__threadfence_system()" : r->same_block ? "__threadfence_block()" : "__threadfence()";
    int first = r->lines[0], second = r->lines[1];
    char place[96];
    char both[48], after[64];
    snprintf(both, sizeof both, first == second ? "line %d" : "lines %d and %d", first, second);
    snprintf(after, sizeof after, first == second ? "right after it" : r->before_line ? "right before line %d" : r->waits ? WORDS_BEHIND_LOOP " line %d" : "after its read on line %d",
             r->before_line ? r->before_line : second);
    switch (r->advice) {
    case TRY_NOTHING:
        break;
    case TRY_BARRIER:
        try_barrier(f, false);
        break;
    case TRY_BARRIER_WITHIN_LINE:
        say_try(f, "%s between the store and the load on line %d, reached by all threads", barrier(r), first);
        say_grid_too(f);
        break;
    case TRY_BARRIER_IN_LOOP:
        try_barrier(f, true);
        break;
    case TRY_BARRIER_BETWEEN_BRANCHES:
        if (first == second)
            say_try(f, "a barrier, that all threads reach, between what line %d does in some threads and what it does in others, or a "
                       "flag (volatile or atomic) with a fence on both sides", first);
        else
            say_try(f, "a barrier between line %d and line %d that all threads reach (as compiled, none comes to both lines), or a "
                       "flag (volatile or atomic) with a fence on both sides", first, second);
        break;
    case TRY_BARRIER_BEFORE_BRANCH:
        if (first == second) /* a statement that the compiler has moved, or one of the branch's condition */
            say_try(f, "%s right before the branch on line %d, reached by all threads", barrier(r), first);
        else
            say_try(f, "%s after line %d and before the branch on line %d%s, reached by all threads", barrier(r), first, second,
                    second < first ? ", where the loop comes round" : "");
        say_grid_too(f);
        break;
    case TRY_BARRIER_IN_PARTS:
        say_try(f, "outside of the branch that begins on line %d (end it, and begin it again behind): %s between line %d and "
                   "line %d, reached by all threads", r->parted_line, barrier(r), first, second);
        break;
    case TRY_BARRIER_BEHIND_BRANCH:
        say_try(f, "%s after the branch that begins on line %d, reached by all threads, before the %s to line %d again", barrier(r),
                r->parted_line, comes(r), second);
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
    case TRY_COUNTER:
        snprintf(place, sizeof place, first == second ? "its atomic" : "the atomic on line %d", second);
        say_try(f, "line %d writes where %s says, and two threads got one place: look at what sets that counter back, and when, and how "
                   "far it counts", first, place);
        break;
    case TRY_ATOMIC:
        say_try(f, "an atomic on %s (atomicAdd, …): between a plain load and its store another %s may come", both, r->same_block ? "thread" : "block");
        break;
    case TRY_RELEASE_LOCK:
        say_try(f, "a lock that orders: %s %s line %d, which takes it, and before an atomic or volatile store on line %d, which gives it back",
                fence, r->waits ? WORDS_BEHIND_LOOP : "behind", first, second);
        break;
    case TRY_SAME_LOCK:
        if (first == second)
            say_try(f, "one lock for both: what the one %s has taken on line %d is not what the other has", r->same_block ? "thread" : "block", first);
        else
            say_try(f, "one lock for both: what is taken on line %d is not what is taken on line %d", first, second);
        break;
    case TRY_TAKE_LOCK:
        say_try(f, "line %d does without the lock that is taken on line %d: take it there, too", first, second);
        break;
    case TRY_OTHER_ARRAY:
        say_try(f, "line %d reads what other blocks write there: %s", first, r->cooperative
                ? "write to another array, and this_grid().sync() between who writes there and who reads it; or in a launch of its own"
                : "write to another array, or in a launch of its own");
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
        say_try(f, "if two blocks are meant to come to the same element: a launch of its own for line %d and what comes behind it, a barrier of the whole "
                   "grid (a cooperative launch has one), an atomic, or a flag with a fence on both sides; if not, look at the index",
                first);
        break;
    case TRY_GRID_BARRIER:
        say_try(f, "cooperative_groups::this_grid().sync() %s, reached by all threads of all blocks", place_of_barrier(place, first, second));
        break;
    case TRY_HAND_ON:
        say_try(f, "__syncthreads() before line %d, reached by all threads: another thread of this block comes after what the other block "
                   "has done, and nothing makes this one come after it, too", first);
        break;
    case TRY_SPEAK_FOR_ALL:
        snprintf(place, sizeof place, second ? "the loop on line %d" : "line %d", second ? second : first);
        say_try(f, "__syncthreads() after %s, reached by all threads, before a thread signals for the block: what others have done "
                   "need not come before its signal", place);
        break;
    case TRY_WARP_BEFORE_SIGNAL:
        say_try(f, "__syncwarp() after line %d and before line %d, where one lane signals for its warp: it has not waited for the others", first, second);
        break;
    case TRY_WARP_BEHIND_WAIT:
        say_try(f, "__syncwarp() before line %d: another lane of this warp has waited, and nothing makes this one wait for that", first);
        break;
    case TRY_WARP_BOTH:
        say_try(f, "__syncwarp() after line %d, before one lane signals for its warp, and __syncwarp() before line %d, behind that lane's wait", first,
                second);
        break;
    case TRY_SIGNAL_OF_EACH:
        say_try(f, "line %d is done by one thread for several warps, which do not wait for each other: let each warp that comes to line %d signal, "
                   "too, and wait for all; or let them meet before", second, first);
        break;
    case TRY_SET_BEFORE:
        say_try(f, "line %d sets what line %d counts: do that before the launch (cudaMemset), or in a launch of its own; an atomic there would not "
                   "come first, either", first, second);
        break;
    case TRY_SET_BACK:
        say_try(f, "line %d sets back what line %d counts, while others may still count: only the last that comes may do that; or before the next launch "
                   "(cudaMemset)", first, second);
        break;
    case TRY_SIGNAL_LATER:
        if (second) {
            say_try(f, "the signal on line %d comes before line %d, for which it is to speak: put it behind that line, with %s between", second, first, fence);
            break;
        }
        put_block(both, sizeof both, &f->accesses[0]);
        put_block(after, sizeof after, &f->accesses[1]);
        if (r->devices[0]) /* each has a block of any number */
            say_try(f, "a signal after line %d, behind a fence, and a wait for that one: all that device %d has received of device %d was sent before that line",
                    first, r->devices[1] - 1, r->devices[0] - 1);
        else
            say_try(f, "a signal after line %d, behind a fence, and a wait for that one: all that block %s has received of block %s was sent before that line",
                    first, after, both);
        break;
    case TRY_BOTH_BARRIERS:
        say_try(f, "__syncthreads() after line %d, before a thread signals for its block, and __syncthreads() before line %d, behind that "
                   "thread's wait: both reached by all threads", first, second);
        break;
    case TRY_KEEP_APART:
        say_try(f, "what the two threads have looked at before lets both come to %s, in some executions: look at those conditions, or let one wait for the "
                   "other's signal, with %s before that signal and behind the wait", both, fence);
        break;
    case TRY_SMALLER_TILE:
        say_try(f, "tiles of at most 32 threads, and what warps exchange in shared memory of your own, with __syncthreads() between");
        break;
    case TRY_COPY_THEN_BARRIER: /* async_races.c has their words */
    case TRY_BARRIER_THEN_COPY:
    case TRY_RELEASE_THEN_COPY:
    case TRY_WAIT_OR_RELEASE:
    case TRY_READERS_THEN_COPY:
        break;
    case TRY_STRONG:
        say_try(f, "line %d is plain, line %d atomic or volatile: an update needs atomics on both; a signal, too, and %s "
                   "before its write and after its read", first, second, fence);
        break;
    case TRY_STRONG_DATA:
        if (first == second)
            say_try(f, "volatile or relaxed atomic accesses on line %d: what a sequence lock guards is read while it may be written", first);
        else
            say_try(f, "volatile or relaxed atomic accesses on lines %d and %d: what a sequence lock guards is read while it may be written", first, second);
        break;
    case TRY_STRONG_SIGNAL:
        say_try(f, "line %d writes by a plain store what line %d waits for: an atomic or volatile store, with %s before it and %s behind the %s",
                first, second, fence, fence, r->waits ? "loop" : "wait");
        break;
    case TRY_STRONG_LOOK:
        say_try(f, "line %d looks by a plain load at what line %d updates: a volatile or atomic load, too", first, second);
        break;
    case TRY_USE_RESULT:
        say_try(f, "look at what the atomic on line %d returns, not again at the place (line %d): others update it in between, so that two threads may "
                   "find the same, or none what it looks for", second, first);
        break;
    case TRY_SAME_WIDTH:
        say_try(f, "%u bytes on line %d, as line %d has: atomic or volatile accesses of different sizes race with each other", r->bytes, first,
                second);
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
        if (r->before_line)
            say_try(f, "%s right before line %d: that is behind the read of the signal on line %d, whichever way is taken there", fence,
                    r->before_line, first);
        else
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
    case TRY_OTHER_SURFACE:
        say_try(f, "line %d in a launch of its own, behind the one that writes; or another array for line %d to write to than the one that is read "
                   "(no barrier and no fence helps within a launch)", first, second);
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
    case TRY_SC_FENCES:
        try_sc_fences(f, fence);
        break;
    case TRY_FENCE_BEFORE:
        if (!second)
            say_try(f, "%s right before line %d", fence, first);
        else if (first == second)
            say_try(f, "%s in each thread, right before line %d", fence, first);
        else
            say_try(f, "%s right before line %d, and right before line %d", fence, first, second);
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
