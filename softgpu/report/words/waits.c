/**
 * @file waits.c
 * Threads that wait for what cannot come, and barriers that do not get all threads of a warp.
 */
#include "report/finding.h"
#include "report/words/words.h"

static void put_awaited(char *out, size_t size, const struct finding *f)
{
    const struct wait_facts *w = &f->facts.wait;
    char place[96];
    put_place(place, sizeof place, f);
    if (w->what == WAIT_FOR_PHASE && (int64_t)w->bytes < 0) {
        put(out, size, "a phase of %s, to which copies have brought %lld bytes more than were expected", place, -(long long)w->bytes);
        return;
    }
    if (w->what == WAIT_FOR_PHASE) {
        put(out, size, "a phase of %s, in which %u arrival%s and %lld bytes are missing", place, w->arrivals,
            w->arrivals == 1 ? "" : "s", (long long)w->bytes);
        return;
    }
    if (f->object[0]) {
        put(out, size, "%s to change", place);
        return;
    }
    switch (w->what) {
    case WAIT_FOR_BARRIER:
        put(out, size, "barrier %d", w->barrier);
        break;
    case WAIT_FOR_CLUSTER:
        put(out, size, "the barrier of its cluster");
        break;
    case WAIT_FOR_LANES:
        put(out, size, "other lanes of its warp");
        break;
    case WAIT_FOR_WARPS:
        put(out, size, "other warps of its warp group");
        break;
    case WAIT_FOR_MEMORY:
        put(out, size, "memory to change");
        break;
    case WAIT_FOR_PHASE:
    case WAIT_FOR_SHARED:
        put(out, size, "shared memory to change");
        break;
    }
}

/** "lanes 0 to 15 and 20" */
static void say_lanes(struct finding *f, uint32_t lanes)
{
    say_on(f, lanes & (lanes - 1) ? "lanes" : "lane");
    for (int i = 0, parts = 0; i < 32; i++) {
        int end = i;
        while (end < 31 && lanes >> i & 1 && lanes >> (end + 1) & 1)
            end++;
        if (!(lanes >> i & 1))
            continue;
        bool last = end == 31 || !(lanes >> (end + 1));
        say_on(f, !parts++ ? " %d" : last ? " and %d" : ", %d", i);
        if (end > i)
            say_on(f, " to %d", end);
        i = end;
    }
}

/** Which lanes of its warp are where, if not all of them wait at one line. */
static void say_standing(struct finding *f)
{
    const struct wait_facts *w = &f->facts.wait;
    if (w->standings + (w->left != 0) < 2)
        return;
    say_on(f, " Of its warp, ");
    for (int i = 0; i < w->standings; i++) {
        say_on(f, i ? i == w->standings - 1 ? " and " : ", " : "");
        say_lanes(f, w->standing[i].lanes);
        say_on(f, i ? " at line %d" : w->standing[i].lanes & (w->standing[i].lanes - 1) ? " are at line %d" : " is at line %d", w->standing[i].line);
    }
    if (w->left) {
        say_on(f, "; ");
        say_lanes(f, w->left);
        say_on(f, w->left & (w->left - 1) ? " have left the kernel" : " has left the kernel");
    }
    say_on(f, ".");
}

/** What it waits for may have been undone. */
static void say_lost(struct finding *f)
{
    const struct wait_facts *w = &f->facts.wait;
    if (w->lost_line)
        say_on(f, " Line %d updates it by a load and a store: of two threads that do so at once, one's update is lost.", w->lost_line);
}

static void say_endless(struct finding *f)
{
    const struct wait_facts *w = &f->facts.wait;
    say(f, "Thread %u of block %llu is in a loop at line %d that reads no memory and has no way out: it never "
           "ends.", w->thread, (unsigned long long)w->block, f->accesses[0].line);
    say_try(f, "if line %d waits for a variable, read it as volatile or by an atomic: the compiler "
               "has read it only once, before the loop", f->accesses[0].line);
}

void words_value_wait(struct finding *f)
{
    static const char *const how[] = {"is at least", "is", "has a bit of", "lacks a bit beside"};
    const struct value_facts *v = &f->facts.value;
    char place[96];
    put_place(place, sizeof place, f);
    say(f, "%s on line %d makes its stream wait until %s %s %llu. It holds %llu, and nothing that has been issued, and no "
           "thread of the host that still runs, will write there.", v->name, f->accesses[0].line, place, how[v->how & 3],
        (unsigned long long)v->value, (unsigned long long)v->holds);
    say_rule(f, "a stream that waits for a value goes on only when another stream, a kernel that runs or the host writes it");
    say_try(f, "issue what writes the value, in another stream, before the host waits");
}

void words_loop_node(struct finding *f)
{
    say(f, "The while node that %s has made on line %d has run what it holds %llu times, and its condition still holds.", f->accesses[0].op,
        f->accesses[0].line, (unsigned long long)f->facts.loop.turns);
    say_rule(f, "a while node ends when its condition is 0 (CUDA C++ Programming Guide, conditional graph nodes)");
    say_try(f, "cudaGraphSetConditional(handle, 0) in a kernel that the node holds, in the last turn: the value stays what it was where nobody sets it");
}

/** Why the wait has no end is not known; what is may say where to look. */
static void advise_wait(struct finding *f)
{
    const struct wait_facts *w = &f->facts.wait;
    int line = f->accesses[0].line;
    char place[96] = "memory";
    if (f->object[0])
        put_place(place, sizeof place, f);
    if (w->what == WAIT_FOR_PHASE && w->untouched && w->phases > 1)
        say_try(f, "%llu phases have ended before this one: by its parity a wait knows only the latest. If it was for an earlier one, let those who "
                   "arrive wait for this thread first (another barrier, at which it arrives); else wait for the parity of one that is begun",
                (unsigned long long)w->phases);
    else if (w->what == WAIT_FOR_PHASE && w->untouched)
        say_try(f, "nothing has come in this phase: wait for the parity of one that is begun, or look at what those wait for who were to "
                   "arrive, or to copy");
    else if (w->what == WAIT_FOR_PHASE && w->arrivals)
        say_try(f, "initialise it with as many arrivals as really come in a phase, or let %u more thread%s arrive", w->arrivals,
                w->arrivals == 1 ? "" : "s");
    else if (w->what == WAIT_FOR_PHASE)
        say_try(f, "let it expect as many bytes as copies bring in a phase: both numbers must be the same");
    else if (w->lost_line)
        say_try(f, "update it on line %d by one atomic, such as atomicAdd", w->lost_line);
    else if (w->host)
        say_try(f, "if the host is to write there, it must do so before it waits for the kernel (cudaStreamSynchronize and the like)");
    else if (w->what == WAIT_FOR_LANES || w->what == WAIT_FOR_WARPS || w->what == WAIT_FOR_CLUSTER)
        say_try(f, "every thread that line %d waits for has to come there: look which one waits elsewhere, or has left", line);
    else if (w->what == WAIT_FOR_BARRIER && w->expected > w->threads)
        say_try(f, "a count that the block can reach: line %d waits for %u threads, and it has %u", line, w->expected, w->threads);
    else if (w->what == WAIT_FOR_BARRIER && w->expected)
        say_try(f, "%u threads have to come to a barrier with that number: look which one waits elsewhere, or has left", w->expected);
    else if (w->what == WAIT_FOR_BARRIER)
        say_try(f, "every thread of the block has to come to a barrier with that number: look which one waits elsewhere");
    else if (w->ended)
        say_try(f, "who is to change %s? A block that has ended (%llu of %llu have) had to do it before it left; one that waits, before "
                   "it waits. If none, line %d waits at the wrong place, or for too many", place, (unsigned long long)w->ended,
                (unsigned long long)w->blocks, line);
    else
        say_try(f, "who is to change %s? All that still run wait: it has to be done before. If it was, line %d learned too late what it waits "
                   "for, or it was set back too early", place, line);
}

/** All go round, and come back to where they were. */
static void say_round(struct finding *f)
{
    const struct wait_facts *w = &f->facts.wait;
    char place[96] = "memory";
    if (f->object[0])
        put_place(place, sizeof place, f);
    say(f, "Thread %u of block %llu comes back to line %d and to %s for ever: whatever the threads that still run change there, they change "
           "back, and whoever of them goes first, none comes to its end.", w->thread, (unsigned long long)w->block, f->accesses[0].line, place);
    say_try(f, "what does line %d need to find, so that its thread goes on? Look which thread undid that, or took it away from another, and can "
               "never make it again", f->accesses[0].line);
}

void words_wait(struct finding *f)
{
    const struct wait_facts *w = &f->facts.wait;
    char awaited[192];
    if (f->cause == CAUSE_ENDLESS) {
        say_endless(f);
        return;
    }
    if (f->cause == CAUSE_NO_WAY_OUT) {
        say_round(f);
        return;
    }
    put_awaited(awaited, sizeof awaited, f);
    if (f->cause == CAUSE_MAY_WAIT) {
        say(f, "Thread %u of block %llu may wait for ever at line %d for %s: the runs here have ended, but in another order of the "
               "threads no thread that still runs will do it.", w->thread, (unsigned long long)w->block, f->accesses[0].line, awaited);
        say_lost(f);
        advise_wait(f);
        return;
    }
    say(f, "Thread %u of block %llu waits at line %d for %s", w->thread, (unsigned long long)w->block,
        f->accesses[0].line, awaited);
    if (!w->waiting) {
        say_on(f, ", and no thread that still runs will do it.");
        say_standing(f);
        say_lost(f);
        advise_wait(f);
        return;
    }
    say_on(f, ", while %llu of the grid's %llu blocks cannot start: the device holds no more at "
              "a time, and none of the %llu that run will end.",
           (unsigned long long)w->waiting, (unsigned long long)w->blocks, (unsigned long long)w->running);
    say_rule(f, "only resident blocks make progress; a grid larger than the device's capacity must not wait for "
                "itself");
    say_try(f, "launch at most %llu blocks of this shape, or a cooperative launch, which checks it",
            (unsigned long long)w->running);
}

void words_parted(struct finding *f)
{
    const struct parted_facts *p = &f->facts.parted;
    int barrier = f->accesses[0].line, other = f->accesses[1].line;
    const char *what = p->of_cluster ? "cluster.sync()" : p->unaligned ? "the barrier" : "__syncthreads()";
    if (p->unaligned || p->of_cluster)
        say_rule(f, "all threads of a group take part in its collective operations (CUDA C++ Programming Guide, \"Cooperative Groups\")");
    if (f->cause == CAUSE_PASSED_BY) {
        say(f, "Thread %d of warp %d waits at the barrier on line %d; thread %d of the same warp goes another "
               "way at line %d and passes that barrier by: all threads of %s.",
            p->threads[0], p->warp, barrier, p->threads[1], other, p->unaligned ? "the group must come to it" : "a warp must reach it together");
        say_try(f, "move %s on line %d out of the branch on line %d, so that every thread reaches it", what, barrier, other);
        return;
    }
    if (f->cause == CAUSE_WARPS_ELSEWHERE) {
        say(f, "Thread %d waits at the barrier on line %d and thread %d, of another warp, at that on line %d, and one barrier "
               "takes them together: __syncthreads() is for all threads of the block at one place.",
            p->threads[0], barrier, p->threads[1], other);
        say_try(f, "one __syncthreads() behind the branch, for both; or barriers with numbers and counts of their own");
        return;
    }
    if (f->cause == CAUSE_WARPS_LEFT_OUT && p->of_cluster) {
        char first[64], second[64];
        put_block(first, sizeof first, &f->accesses[0]);
        put_block(second, sizeof second, &f->accesses[1]);
        say(f, "Warp %d of block %s waits at its cluster's barrier on line %d, which thread %d%s%s has left out on its way to "
               "line %d: it ends only because that thread's warp has left the kernel.", p->warp, first, barrier, p->threads[1],
            p->same_block ? " of the same block" : " of block ", p->same_block ? "" : second, other);
    } else if (f->cause == CAUSE_WARPS_LEFT_OUT) {
        say(f, "Warp %d waits at the barrier on line %d, which thread %d, of another warp, has left out on its way to line %d: "
               "it ends only because that warp has left the kernel.", p->warp, barrier, p->threads[1], other);
    }
    if (f->cause == CAUSE_WARPS_LEFT_OUT) {
        say_try(f, "move %s on line %d out of the branch or the loop, so that every thread reaches it", what, barrier);
        return;
    }
    if (p->barriers[0] != p->barriers[1]) {
        say(f, "Thread %d of warp %d waits on line %d at barrier %d and thread %d of the same warp on line %d at barrier %d: all threads "
               "of a warp must reach the same barrier, and a GPU ends the kernel there by an illegal instruction.",
            p->threads[0], p->warp, barrier, p->barriers[0], p->threads[1], other, p->barriers[1]);
        say_try(f, "let the barrier's number be the same for the whole warp, such as one of threadIdx.x / 32");
        return;
    }
    if (p->counts[0] != p->counts[1]) {
        say(f, "Thread %d of warp %d waits on line %d at barrier %d for %u threads and thread %d of the same warp on line %d for %u: all threads "
               "of a warp must wait for the same, and a GPU ends the kernel there by an illegal instruction.",
            p->threads[0], p->warp, barrier, p->barriers[0], p->counts[0], p->threads[1], other, p->counts[1]);
        say_try(f, "let the barrier's count be the same for the whole warp");
        return;
    }
    say(f, "Thread %d of warp %d waits at the barrier on line %d while thread %d of the same warp "
           "is at line %d: all threads of a warp must reach the same barrier together.",
        p->threads[0], p->warp, barrier, p->threads[1], other);
    say_try(f, "move %s out of the branch, so that every thread reaches line %d", what, barrier);
}

void words_mask(struct finding *f)
{
    const struct mask_facts *m = &f->facts.mask;
    int line = f->accesses[0].line, other = f->accesses[1].line;
    switch (f->cause) {
    case CAUSE_NOT_IN_MASK:
        say(f, "Thread %d (lane %d of warp %d) comes to the %s on line %d with the mask 0x%08x, in which it is not: "
               "what it gets, and who waits for it, is undefined.",
            m->threads[0], m->threads[0] % 32, m->warp, m->operation, line, m->masks[0]);
        say_try(f, "on line %d a mask with every lane that comes there, such as 0x%08x; or keep lane %d away from it",
                line, m->masks[0] | m->together, m->threads[0] % 32);
        break;
    case CAUSE_MASKS_DIFFER:
        say(f, "Thread %d comes to the %s on line %d with the mask 0x%08x, and thread %d of the same warp to line %d "
               "with 0x%08x: lanes that are to meet name the same mask.",
            m->threads[0], m->operation, line, m->masks[0], m->threads[1], other, m->masks[1]);
        say_try(f, "compute the mask once, before the lanes part, and use it in all of them");
        break;
    case CAUSE_WARP_NOT_WHOLE:
        say(f, "Thread %d comes to the %s on line %d, which all 32 threads of a warp execute together, and of warp %d only those "
               "of 0x%08x are there: the others have left, or the block has no such threads. The result is undefined.",
            m->threads[0], m->operation, line, m->warp, m->masks[0]);
        say_try(f, "a multiple of 32 threads in a block, and none of them to leave before line %d", line);
        break;
    case CAUSE_GROUP_NOT_WHOLE:
        say(f, "Thread %d has executed the %s on line %d, which all 128 threads of a warp group execute together, and thread %d of "
               "its group has not, or not as often.",
            m->threads[0], m->operation, line, m->threads[1]);
        say_try(f, "a multiple of 128 threads in a block, and the same way to line %d for all of a group", line);
        break;
    case CAUSE_GROUP_REGISTERS:
        say(f, "Thread %d executes the %s on line %d for %u registers and thread %d of its warp group the one on line %d for %u: all 128 "
               "threads of a warp group execute the same one together.",
            m->threads[0], m->operation, line, m->masks[0], m->threads[1], other, m->masks[1]);
        say_try(f, "let the condition be the same for the whole warp group, such as one of threadIdx.x / 128");
        break;
    case CAUSE_NO_REGISTERS:
        say(f, "The warp group of thread %d asks on line %d for %u registers a thread%s, and the groups of a block have %u together, as the "
               "kernel's bounds say: one waits for ever for what no setmaxnreg.dec gives back.",
            m->threads[0], line, m->masks[0], m->masks[1] ? "" : " while the others keep theirs", m->together);
        if (m->masks[1])
            say_on(f, " The group of thread %d comes to %u on line %d.", m->threads[1], m->masks[1], other);
        say_try(f, "numbers that are %u at most over all warp groups of the block, at any time", m->together);
        break;
    case CAUSE_WARP_APART:
        say(f, "Thread %d is at the %s on line %d and thread %d of the same warp at line %d: all threads of a warp execute the "
               "same one together.",
            m->threads[0], m->operation, line, m->threads[1], other);
        say_try(f, "let the condition be the same for the whole warp, such as one of threadIdx.x / 32");
        break;
    case CAUSE_WARP_OPERANDS:
        say(f, "Thread %d and thread %d give the %s on line %d different addresses or strides: they are the matrix's, and the "
               "same for all threads of the warp.",
            m->threads[0], m->threads[1], m->operation, line);
        say_try(f, "on line %d the address of the matrix's first element, whichever thread it is", line);
        break;
    default:
        say(f, "Thread %d waits at the %s on line %d for all lanes of the mask 0x%08x; thread %d is one of them, goes "
               "another way at line %d and never comes.",
            m->threads[0], m->operation, line, m->masks[0], m->threads[1], other);
        say_try(f, "move line %d out of the branch on line %d; or take __ballot_sync() of the condition before the "
                   "branch, and name that mask", line, other);
        break;
    }
}
