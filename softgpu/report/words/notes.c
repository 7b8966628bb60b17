/**
 * @file notes.c
 * What is said beside findings: why a run says less than it might, what an older value did.
 */
#include <string.h>

#include "report/finding.h"
#include "report/words/words.h"

static const char *const incomplete[INCOMPLETE_CAUSES] = {
    [INCOMPLETE_FINDINGS] = "more findings were made than are kept; the first are listed",
    [INCOMPLETE_READERS] = "too many threads read the same memory to remember them all: a race with one of the "
                           "first readers may have been missed",
    [INCOMPLETE_CONFLICTS] = "a kernel's accesses have met more than a million conflicts: those of its blocks that began after that were not looked at, but "
                             "for atomics and strong accesses",
    [INCOMPLETE_SIGNALS] = "threads have seen too much of what others wrote to follow all of it: a read that relies on an order which nothing "
                           "makes may have been missed, or what is missing to an order may be told wrongly",
    [INCOMPLETE_ALLOCATION] = "an allocation is too large to follow: reads of what nothing has written there were "
                              "not checked",
    [INCOMPLETE_HOST] = "the host uses memory that it shares with the device too often to follow: its later loads "
                        "and stores were not checked",
    [INCOMPLETE_STACK] = "functions call themselves so often that a thread's stack (cudaLimitStackSize) may be too small for it on a GPU, which depends on what the "
                         "compiler keeps there: an illegal address, where it is",
    [INCOMPLETE_PRINTED] = "a kernel's printf has a conversion that is C's and not device code's (sizes other than h, l and ll, such as %zu and %hhd; "
                           "a precision of *): what follows it on the line is printed here, and is garbage on a GPU",
    [INCOMPLETE_REGISTERED] = "a kernel may use memory that cudaHostRegister has mapped: the host's own loads and stores there were not checked",
    [INCOMPLETE_RESULTS] = "the host does more between a copy to its pageable memory and a wait for it than is followed: what it reads of the "
                           "result, or writes there, after that was not checked",
    [INCOMPLETE_LAUNCHES] = "kernels had more launches outstanding than cudaLimitDevRuntimePendingLaunchCount: here they wait, on a GPU "
                            "some may fail (cudaErrorLaunchPendingCountExceeded)",
    [INCOMPLETE_NESTED] = "kernels that launch kernels are run, but their executions are not enumerated",
    [INCOMPLETE_VALUE_SIGNAL] = "a kernel and a stream signal to each other by a value in memory (cuStreamWaitValue, "
                                "cuStreamWriteValue): whether the kernel's half releases or acquires was not checked",
    [INCOMPLETE_VALUE_WRITES] = "streams have written more values in memory (cuStreamWriteValue) than are remembered: a wait for one of the "
                                "others is taken for a wait for all of them",
    [INCOMPLETE_OPERATIONS] = "more copies, fills and allocations were issued without a wait of the host than are remembered: races with the "
                              "first of them may have been missed",
    [INCOMPLETE_PROCESSES] = "device memory is shared with another process, of whose accesses nothing is known here",
    [INCOMPLETE_PROGRAMMATIC] = "a graph's kernel that may begin before the one it depends on has ended was only run "
                                "and judged as beginning after it",
    [INCOMPLETE_TRIGGERS] = "a node that kernels update is launched behind a programmatic edge: it was taken to come after all updates by the "
                            "kernel before it, with a fence before the trigger or not",
    [INCOMPLETE_NODES] = "a graph that kernels launch, or whose kernels launch graphs, has nodes that kernels update: updates "
                         "and launches of these are not compared",
    [INCOMPLETE_REGISTERS] = "a kernel asks for registers by setmaxnreg, and nothing in its text fixes how many it begins with (two numbers in __launch_bounds__, or "
                             "__maxnreg__): ptxas ignores that, unless its command line does; whether the registers suffice was not checked",
    [INCOMPLETE_OUTCOMES] = "more different outcomes than are kept",
    [INCOMPLETE_EXECUTIONS] = "more executions than are tried",
    [INCOMPLETE_THREADS] = "more threads than can be enumerated",
    [INCOMPLETE_OVERLAP] = "accesses of different sizes overlap",
    [INCOMPLETE_ALIAS] = "memory that is mapped twice is used by two of its addresses",
    [INCOMPLETE_LOCATIONS] = "more locations than can be enumerated",
    [INCOMPLETE_EVENTS] = "more memory events than can be enumerated",
    [INCOMPLETE_TIME] = "the time for it was up",
    [INCOMPLETE_READS] = "a thread reads more often than can be enumerated",
    [INCOMPLETE_ROUNDS] = "a loop that changes memory, or counts its turns, goes round more often than can be enumerated: outcomes of "
                          "more turns are not told",
    [INCOMPLETE_BARRIERS] = "more barriers than can be enumerated",
    [INCOMPLETE_VALUES] = "values keep growing",
    [INCOMPLETE_FAR] = "memory is written behind the first 262,144 bytes of an allocation, which is not compared",
    [INCOMPLETE_GUESSES] = "more values than are tried where a read may see a write that its own thread's later writes lead to",
    [INCOMPLETE_EXCHANGE] = "votes and the like without a mask of lanes are tried by runs, in which no read sees a later write",
    [INCOMPLETE_RESTRICTED] = "a fence with .sync_restrict, which orders shared memory only, was taken for one of all memory: what relies on more is not told",
    [INCOMPLETE_GRADIENTS] = "the level that gradients give in a texture of three dimensions or a cube map is a GPU's only roughly",
    [INCOMPLETE_TEXTURES] = "texture and surface accesses are tried by runs, not in every execution of the model",
    [INCOMPLETE_NC] = "loads that are not coherent (ld.global.nc, __ldg) may miss any write of their launch: in runs they do not",
    [INCOMPLETE_ASYNC] = "asynchronous copies and barriers in shared memory are tried by runs, in which their order is not "
                         "followed: outcomes may be listed that cannot occur",
    [INCOMPLETE_CONVERGED] = "what depends on which lanes run together is tried by runs, in which no read sees a "
                             "later write",
    [INCOMPLETE_FAULT] = "a thread ends with a fault: this was tried by runs, in which no read sees a later write",
    [INCOMPLETE_LONG] = "a thread runs longer than can be enumerated",
    [INCOMPLETE_DELAYED] = "two threads each write one place and then look in the other's, in one of them with no fence.sc (__threadfence()) between: not all that "
                           "may come of it was tried",
    [INCOMPLETE_ENDLESS] = "a run in another order, or with older values where the program relies on an order, took far longer than the launch itself and was given "
                           "up: what it would have shown later, and whether it ends, is not known",
    [INCOMPLETE_SHARE] = "the launches before have used up what a program's small launches are looked into by beside their runs: from this one on, not all "
                         "were, as they would be in a program with fewer",
    [INCOMPLETE_TARGET] = "a GPU's driver refuses this module, for an instruction that its .target does not have; here it runs: ",
    [INCOMPLETE_SHARING] = "more memory turned out to be shared all the time",
    [INCOMPLETE_WIDE] = "accesses of 16 bytes cannot be enumerated",
};

const char *incomplete_words(enum incomplete_cause cause)
{
    return incomplete[cause];
}

/** What no run has shown to matter may be meant so: who reads it is told what that hangs on. */
static const char doubt[] = " Whether the program can do with it is not known: it can where that costs another try or round at worst.";

static void add_note(struct finding *f, const char *note, size_t size)
{
    size_t used = strlen(f->message);
    if (used + size <= sizeof f->message)
        memcpy(f->message + used, note, size);
}

void finding_phrase_doubt(struct finding *f)
{
    add_note(f, doubt, sizeof doubt);
}

bool finding_phrase_doubts(const struct finding *f)
{
    return strstr(f->message, doubt);
}

void finding_phrase_bites(struct finding *f)
{
    static const char older[] = " Here the older value changed the result.", order[] = " In another order of the threads the launch leaves something else.";
    bool of_turns = f->cause == CAUSE_TURN_AHEAD || f->cause == CAUSE_SAME_PHASE;
    char *doubted = strstr(f->message, doubt);
    if (doubted)
        *doubted = '\0';
    if (of_turns)
        add_note(f, order, sizeof order);
    else
        add_note(f, older, sizeof older);
}
