/**
 * @file faults.c
 * Device faults, and what softgpu cannot execute.
 */
#include <inttypes.h>

#include "memory/memory.h"
#include "report/finding.h"
#include "report/words/words.h"

static const char *verb(const char *op)
{
    return op[0] == 'c' ? "copies" : op[0] == 'l' ? "reads" : op[0] == 's' ? "writes" : "updates";
}

/** alloc3, or in quotes a name that the program gave. */
static void put_object(char *out, size_t size, const struct finding *f)
{
    char object[sizeof f->object], made[208] = "";
    put_plain(object, sizeof object, f->object);
    if (!f->named)
        put_site(made, sizeof made, f->made);
    if (!object[0])
        put(out, size, "memory from malloc() in device code");
    else
        put(out, size, f->named ? "\"%s\"%s" : "%s%s", object, made);
}

/** What an access did wrong. */
static void say_access(struct finding *f)
{
    const struct fault_facts *x = &f->facts.fault;
    const char *variable = f->cause == CAUSE_BEFORE_VARIABLE || f->cause == CAUSE_PAST_VARIABLE ? "the shared variable " : "";
    char object[300];
    put_object(object, sizeof object, f);
    if (x->bytes || f->cause != CAUSE_OTHERS_SHARED)
        say_on(f, " %s %u bytes ", f->cause == CAUSE_CONSTANT ? "writes" : verb(f->accesses[0].op), x->bytes);
    switch (f->cause) {
    case CAUSE_MISALIGNED:
        say_on(f, "at an address that is not a multiple of %u", x->bytes);
        break;
    case CAUSE_NULL:
        say_on(f, "through a null pointer (address 0x%" PRIx64 ")", x->address);
        break;
    case CAUSE_WILD:
        say_wild(f);
        break;
    case CAUSE_BEFORE_START:
    case CAUSE_BEFORE_VARIABLE:
        say_on(f, "%" PRId64 " bytes before the start of %s%s, which holds %" PRIu64 " bytes", x->offset, variable, object, x->size);
        break;
    case CAUSE_PAST_END:
    case CAUSE_PAST_VARIABLE:
        say_on(f, "at offset %" PRId64 " of %s%s, which holds %" PRIu64 " bytes", x->offset, variable, object, x->size);
        break;
    case CAUSE_FREED:
        say_on(f, "at offset %" PRId64 " of %s, which has been freed", x->offset, object);
        break;
    case CAUSE_NO_PEER_ACCESS:
    case CAUSE_NO_POOL_ACCESS:
        if (x->number == FAULT_ON_HOST)
            say_on(f, "to %s, which is memory of the host, and device %" PRIu64 " has no access to that pool", object, x->size);
        else
            say_on(f, "to %s, which is memory of device %" PRIu64 ", and its own device %" PRIu64 " has no access to that%s", object,
                   x->number, x->size, f->cause == CAUSE_NO_POOL_ACCESS ? " pool" : "");
        break;
    case CAUSE_CONSTANT:
        say_on(f, "to %s, which is constant memory", object);
        break;
    case CAUSE_OUTSIDE_SHARED:
        say_on(f, "at offset %" PRId64 " of the block's shared memory, which holds %" PRIu64 " bytes", x->offset, x->size);
        break;
    case CAUSE_OUTSIDE_PEER:
        say_on(f, "at offset %" PRId64 " of another block's shared memory, which holds %" PRIu64 " bytes", x->offset, x->size);
        break;
    case CAUSE_OUTSIDE_LOCAL:
        say_on(f, "outside its local variables (offset %" PRId64 ", %" PRIu64 " bytes in use)", x->offset, x->size);
        break;
    case CAUSE_OTHERS_LOCAL:
        say_on(f, "by a pointer to %s: local memory is each thread's own, and it gets what lies there in its own",
               x->number ? "a local variable of an earlier launch, which is gone" : "another thread's local variable");
        break;
    case CAUSE_OTHERS_SHARED:
        say_on(f, "%s a pointer to %s: shared memory is each block's own, and it gets what lies there in its own", x->bytes ? "by" : " uses",
               x->number ? "the shared memory of an earlier launch, which is gone" : "another block's shared memory");
        break;
    case CAUSE_BESIDE_LOCAL:
        put_plain(object, sizeof object, x->text);
        if (x->number)
            say_on(f, "%" PRIu64 " bytes before the local variables of %s, which hold %" PRIu64 " bytes", x->number, object, x->size);
        else
            say_on(f, "at offset %" PRId64 " of the local variables of %s, which hold %" PRIu64 " bytes", x->offset, object, x->size);
        break;
    default: /* CAUSE_OUTSIDE_PARAMETERS */
        say_on(f, "at offset %" PRIu64 " of the kernel's parameters (%" PRIu64 " bytes, read-only)", (uint64_t)x->offset, x->size);
    }
}

/** What else a thread cannot do. */
static void say_other(struct finding *f)
{
    const struct fault_facts *x = &f->facts.fault;
    char object[300];
    switch (f->cause) {
    case CAUSE_FREED_TWICE:
        say_on(f, " frees memory that has been freed already");
        break;
    case CAUSE_NEVER_ALLOCATED:
        say_on(f, " frees 0x%" PRIx64 ", which malloc() in device code did not return", x->address);
        break;
    case CAUSE_NO_DEVICE_GRAPH:
        say_on(f, " launches 0x%" PRIx64 ", which is no graph that was instantiated with cudaGraphInstantiateFlagDeviceLaunch", x->address);
        break;
    case CAUSE_STACK:
        put_plain(object, sizeof object, x->text ? x->text : "");
        if (x->number)
            say_on(f, " calls too deep: %" PRIu64 " calls round by %.100s have %" PRId64 " bytes of local variables, and a place to return to each, and its stack "
                      "has %" PRIu64 " bytes (cudaLimitStackSize)", x->number, object, x->offset, x->size);
        else
            say_on(f, " calls too deep: its stack is used up (endless recursion?)");
        break;
    case CAUSE_LOCAL_SIZE:
        say_on(f, " needs more local memory than a thread may have (%" PRIu64 " bytes)", x->size);
        break;
    case CAUSE_ASSERTION:
        say_on(f, " fails the assertion `%s` (%s:%" PRIu64 ")", x->text, x->file, x->number);
        break;
    case CAUSE_BARRIER_NUMBER:
        say_on(f, " uses barrier %" PRIu64 ": there are only barriers 0 to 15", x->number);
        break;
    case CAUSE_BARRIER_COUNT:
        say_on(f, " waits at a barrier for %" PRIu64 " threads: the number must be a multiple of 32, and not 0",
               x->number);
        break;
    case CAUSE_MBARRIER_NONE:
        say_on(f, " uses a barrier in shared memory that nobody has initialised");
        break;
    case CAUSE_MBARRIER_GONE:
        say_on(f, " uses a barrier in shared memory after it was invalidated");
        break;
    case CAUSE_MBARRIER_GONE_TWICE:
        say_on(f, " invalidates once more a barrier in shared memory that is none any more: PTX leaves undefined what that does. Here nothing "
                  "changes, and the thread goes on");
        break;
    case CAUSE_MBARRIER_OVERWRITTEN:
        say_on(f, " uses a barrier in shared memory that something else has been written over");
        break;
    case CAUSE_MBARRIER_AGAIN:
        say_on(f, " initialises a barrier that is one already: mbarrier.inval comes first");
        break;
    case CAUSE_MBARRIER_COUNT:
        say_on(f, " initialises a barrier for %" PRIu64 " arrivals: there may be 1 to %" PRIu64, x->number, x->size);
        break;
    case CAUSE_MBARRIER_ARRIVALS:
        say_on(f, " arrives %" PRIu64 " times at a barrier that expects only %" PRIu64 " more in this phase", x->number,
               x->size);
        break;
    case CAUSE_MBARRIER_COMPLETES:
        say_on(f, " completes a phase by an arrival that was said not to (.noComplete)");
        break;
    case CAUSE_MBARRIER_BYTES:
        say_on(f, " lets a barrier expect %" PRId64 " bytes: there may be %" PRIu64, (int64_t)x->number, x->size);
        break;
    case CAUSE_COPY_LEFT:
        say_on(f, " copies from shared memory and does not wait: the block may end, and its shared memory with it, before "
                  "the copy has read it");
        say_try(f, "cp.async.bulk.wait_group.read 0 in that thread, before the block ends");
        break;
    case CAUSE_NO_SUCH_BLOCK:
        say_on(f, " uses the shared memory of block %" PRIu64 " of its cluster, which has %" PRIu64 ": ranks begin at 0", x->number,
               x->size);
        break;
    case CAUSE_CLUSTER_ARRIVED_TWICE:
        say_on(f, " arrives at its cluster's barrier again, and has not waited since it arrived there");
        break;
    case CAUSE_CLUSTER_NOT_ARRIVED:
        say_on(f, " waits at its cluster's barrier, and has not arrived there");
        break;
    case CAUSE_CANCEL_AGAIN:
        say_on(f, " asks for a block of the grid that has not begun, after its block has seen that there is none left");
        break;
    case CAUSE_BULK_SIZE:
        say_on(f, " copies %" PRIu64 " bytes in bulk: the number must be a multiple of 16", x->number);
        break;
    case CAUSE_ZEROS_SIZE:
        say_on(f, " stores %" PRIu64 " bytes of zeros in bulk: the number must be a multiple of 8", x->number);
        break;
    case CAUSE_ZEROS_SPACE:
        say_on(f, " stores zeros in bulk to memory that is not its block's shared memory");
        break;
    case CAUSE_MAP_AT_NULL:
        say_on(f, " acquires a tensor map through a null pointer (address 0x%" PRIx64 "), which is no global memory: PTX leaves undefined "
                  "what that does. Here no map is acquired, and the thread goes on", x->address);
        say_try(f, "fence.proxy.tensormap::generic.acquire on line %d only where the thread has a map", f->accesses[0].line);
        break;
    case CAUSE_TENSOR_MAP:
        if (put_own_memory(x->address))
            say_on(f, " copies by a tensor map in %s: it must be a kernel's parameter (const __grid_constant__), or global or constant", put_own_memory(x->address));
        else
            say_on(f, " copies by a tensor map of %" PRIu64 " dimensions, and there is none at the address that it gives", x->number);
        break;
    case CAUSE_TENSOR_CORNER:
        say_on(f, " copies a box whose first coordinate is %" PRId64 ", of elements of %u bytes: its row must begin at a multiple of "
                  "16 bytes", x->offset, x->bytes);
        break;
    case CAUSE_TENSOR_NEGATIVE:
        say_on(f, " stores a box whose coordinate %" PRIu64 " is %" PRId64 ": only a load may begin before the tensor", x->number,
               x->offset);
        break;
    case CAUSE_TENSOR_MODE:
        say_on(f, x->number ? " copies a box by a tensor map of cuTensorMapEncodeIm2col(): that needs .im2col, or .im2col_no_offs to store"
                            : " copies as im2col by a tensor map that is not of cuTensorMapEncodeIm2col()");
        break;
    case CAUSE_TENSOR_PIXEL:
        say_on(f, " copies pixels from coordinate %" PRId64 " of dimension %" PRIu64 " on, which lies outside of the tensor map's bounds "
                  "(pixelBoxLowerCorner, pixelBoxUpperCorner)", x->offset, x->number);
        break;
    case CAUSE_TENSOR_BOUND:
        say_on(f, " stores by a tensor map whose pixelBoxLowerCorner is %" PRId64 " in dimension %" PRIu64 ": only a load may have one before "
                  "the picture", x->offset, x->number);
        break;
    case CAUSE_MBARRIER_SPACE:
        say_on(f, " uses a barrier that does not lie in its block's shared memory");
        break;
    case CAUSE_TEXTURE_MISUSE:
        say_on(f, " %s", x->text);
        break;
    case CAUSE_SURFACE_OUTSIDE:
        put_object(object, sizeof object, f);
        say_on(f, " %s %u bytes of the surface %s at %s %" PRId64 ", which goes from 0 to %" PRIu64, verb(f->accesses[0].op), x->bytes,
               object, x->text, x->offset, x->size - 1);
        break;
    case CAUSE_NO_FUNCTION:
        say_on(f, " calls through a pointer (0x%" PRIx64 ") that is no function", x->address);
        break;
    case CAUSE_BRANCH_TABLE:
        say_on(f, " jumps to entry %" PRIu64 " of a branch table that has %" PRIu64, x->number, x->size);
        break;
    case CAUSE_TRAP:
        say_on(f, " executes a trap instruction");
        break;
    case CAUSE_BREAKPOINT:
        say_on(f, " reaches a breakpoint, and no debugger is attached");
        break;
    case CAUSE_STEPS:
        if (x->size) {
            say_on(f, " is here when the launch has used its %" PRIu64 " steps, %" PRIu64 " of its blocks to their ends", x->number, x->size);
            break;
        }
        say_on(f, " is still in a loop here after the launch has used its %" PRIu64 " steps: the loop has no end, or it "
                  "waits for something that never happens", x->number);
        break;
    case CAUSE_UNKNOWN_FUNCTION:
        say_on(f, " calls %s, which is neither in this module nor built into softgpu", x->text);
        break;
    case CAUSE_HOST_MEMORY:
        say_on(f, " is here when this machine's memory runs short: what the checks remember has come to %" PRIu64 " MB, up to 14 bytes "
                  "for each that the program touches, and what each thread has heard of others", x->number >> 20);
        break;
    default: /* CAUSE_UNKNOWN_INSTRUCTION */
        say_on(f, " reaches what softgpu cannot execute: %s", x->text ? x->text : "unknown instruction");
    }
}

static const char *plain_name(char *out, size_t size, const char *name)
{
    put_plain(out, size, name);
    return out;
}

/** What helps wherever it occurs. */
static void say_plain_advice(struct finding *f)
{
    const struct fault_facts *x = &f->facts.fault;
    int line = f->accesses[0].line;
    switch (f->cause) {
    case CAUSE_NULL:
        if (x->number)
            say_try(f, "look at what malloc() or new in the kernel returns: it has found no room. Free what is done with, or, before the first "
                       "launch, cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes)");
        else
            say_try(f, "look at which pointer line %d goes through: an argument that is NULL (did its cudaMalloc succeed?), or a variable that "
                       "nobody has set", line);
        break;
    case CAUSE_MISALIGNED:
        say_try(f, "what is read or written at once begins at a multiple of its size: align what line %d uses (alignas), or go by smaller elements", line);
        break;
    case CAUSE_FREED:
        say_try(f, "free it after its last use");
        break;
    case CAUSE_FREED_TWICE:
    case CAUSE_NEVER_ALLOCATED:
        say_try(f, "free what malloc() or new has returned, once, and in one thread where many have the pointer");
        break;
    case CAUSE_TEXTURE_MISUSE:
        say_try(f, "look at which object line %d gets, how it was made, and until when it lives: its resource, its shape and its type go with the "
                   "function that reads or writes it", line);
        break;
    case CAUSE_STACK:
        say_try(f, "cudaDeviceSetLimit(cudaLimitStackSize, bytes) before the launch, a loop in place of the recursion, or an end to it");
        break;
    default:
        break;
    }
}

void words_fault(struct finding *f)
{
    char thread[48], block[48], name[64];
    put_thread(thread, sizeof thread, &f->accesses[0]);
    put_block(block, sizeof block, &f->accesses[0]);
    say(f, "thread %s of block %s", thread, block);
    if (f->cause <= CAUSE_OUTSIDE_PARAMETERS)
        say_access(f);
    else
        say_other(f);
    const struct fault_facts *x = &f->facts.fault;
    if (f->cause == CAUSE_NO_PEER_ACCESS)
        say_try(f, "cudaSetDevice(%" PRIu64 "); cudaDeviceEnablePeerAccess(%" PRIu64 ", 0); before the launch, or a copy "
                   "(cudaMemcpyPeerAsync) to memory of device %" PRIu64, x->size, x->number, x->size);
    if (f->cause == CAUSE_NO_POOL_ACCESS)
        say_try(f, "cudaMemPoolSetAccess() for device %" PRIu64 " on the pool: memory of a pool has access of its own, and "
                   "cudaDeviceEnablePeerAccess() does not count", x->size);
    say_plain_advice(f);
    if (f->cause == CAUSE_TRAP)
        say_try(f, "look at what leads to line %d: a __trap() of the program's, or one that the compiler puts where it sees that a null pointer would be used "
                   "or that no way goes on", f->accesses[0].line);
    if (f->cause == CAUSE_HOST_MEMORY)
        say_try(f, "fewer elements (what is wrong with many mostly is with few), fewer programs at once, or --check none");
    if (f->cause == CAUSE_PAST_END && x->offset >= (int64_t)x->bytes << 31)
        say_try(f, "an unsigned index on line %d has gone below 0: 0 - 1 is 4294967295; in which thread, or which turn of a loop?",
                f->accesses[0].line);
    else if ((f->cause == CAUSE_OTHERS_LOCAL || f->cause == CAUSE_OTHERS_SHARED) && x->number)
        say_try(f, "put what a later launch is to use on line %d into global memory", f->accesses[0].line);
    else if (f->cause == CAUSE_OTHERS_LOCAL)
        say_try(f, "put what other threads are to use on line %d into shared or global memory", f->accesses[0].line);
    else if (f->cause == CAUSE_OTHERS_SHARED)
        say_try(f, "put what other blocks are to use on line %d into global memory", f->accesses[0].line);
    else if (f->cause == CAUSE_CONSTANT)
        say_try(f, "make what line %d changes a __device__ variable, or change it from the host: kernels only read constant memory",
                f->accesses[0].line);
    else if (f->cause == CAUSE_BESIDE_LOCAL)
        say_try(f, "look at the index on line %d, and at the size of the array that it is for", f->accesses[0].line);
    else if (f->cause == CAUSE_OUTSIDE_LOCAL)
        say_try(f, "look at the index on line %d, and at the size of the array%s", f->accesses[0].line,
                x->offset >= (int64_t)x->size ? "; or is it a pointer to a variable of a function that has returned?" : "");
    else if (f->cause == CAUSE_OUTSIDE_SHARED && x->text)
        say_try(f, "let the launch give the extern array %s[] its bytes, <<<blocks, threads, bytes>>> (it gives %" PRIu64 "), or look at the index on line %d",
                plain_name(name, sizeof name, x->text), x->number, f->accesses[0].line);
    else if (f->cause == CAUSE_OUTSIDE_SHARED)
        say_try(f, "look at the index on line %d, and at the size of the array: for the largest block, too?", f->accesses[0].line);
    else if (f->cause == CAUSE_WILD)
        try_wild(f);
    else if (f->kind == FIND_OUT_OF_BOUNDS && (f->object[0] || f->cause == CAUSE_PAST_END || f->cause == CAUSE_BEFORE_START))
        say_try(f, "look at the index on line %d: which threads and which turn of a loop must not get there?",
                f->accesses[0].line);
}

/** One block of a cluster uses another's shared memory, which is not sure to be there. */
void words_peer(struct finding *f)
{
    bool begins = f->cause == CAUSE_PEER_NOT_BEGUN, goes_first = f->cause == CAUSE_PEER_GONE;
    const struct finding_access *use = &f->accesses[goes_first], *exit = &f->accesses[!goes_first];
    char block[48], thread[48], peer[48];
    put_block(block, sizeof block, use);
    put_thread(thread, sizeof thread, use);
    put_block(peer, sizeof peer, begins ? use : exit);
    if (begins) {
        say(f, "thread %s of block %s uses the shared memory of another block of its cluster on line %d, and nothing before that "
               "says that the other block has begun: until it has, its shared memory is not there.", thread, block, use->line);
        say_try(f, "cluster.sync() before line %d, in all threads of all blocks of the cluster", use->line);
        return;
    }
    say(f, "thread %s of block %s uses the shared memory of block %s of its cluster on line %d, and that block %s on line %d: its "
           "shared memory is gone then.", thread, block, peer, use->line, goes_first ? "has left" : "may have left before, ends",
        exit->line);
    say_try(f, "cluster.sync() after line %d, in all threads of all blocks of the cluster, before any of them leaves", use->line);
}

void words_unknown_call(struct finding *f)
{
    say(f, "%.200s is not supported by softgpu", f->facts.fault.text);
}
