/**
 * @file fault.c
 * Device faults: a finding, the grid's status, the first fault's sentence.
 */
#include "base/host_memory.h"
#include "execute/block.h"
#include "execute/cluster.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/finding_place.h"
#include "execute/grid_life.h"
#include "execute/grid_run.h"
#include "execute/worker.h"
#include "report/reporter.h"

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t fault_lock = PTHREAD_MUTEX_INITIALIZER;

static const struct {
    enum finding_kind kind;
    enum grid_status status;
    const char *op;          /**< NULL: what the instruction does */
    enum finding_level level;/**< LEVEL_OF_KIND unless there is a reason */
} causes[CAUSE_COUNT] = {
    [CAUSE_MISALIGNED] = {FIND_MISALIGNED, GRID_MISALIGNED, NULL},
    [CAUSE_NULL] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_WILD] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_BEFORE_START] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_PAST_END] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_BEFORE_VARIABLE] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_PAST_VARIABLE] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_FREED] = {FIND_USE_AFTER_FREE, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_NO_PEER_ACCESS] = {FIND_PEER_ACCESS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_NO_POOL_ACCESS] = {FIND_PEER_ACCESS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_CONSTANT] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_OUTSIDE_SHARED] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_OUTSIDE_PEER] = {FIND_OUT_OF_BOUNDS, GRID_NO_PEER, NULL},
    [CAUSE_OUTSIDE_LOCAL] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_BESIDE_LOCAL] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_OTHERS_SHARED] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_OTHERS_LOCAL] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_OUTSIDE_PARAMETERS] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_FREED_TWICE] = {FIND_USE_AFTER_FREE, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_NEVER_ALLOCATED] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_NO_DEVICE_GRAPH] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, "launch"},
    [CAUSE_STACK] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_LOCAL_SIZE] = {FIND_OUT_OF_BOUNDS, GRID_STACK_OVERFLOW, NULL},
    [CAUSE_ASSERTION] = {FIND_ASSERT, GRID_ASSERT, "assert"},
    [CAUSE_BARRIER_NUMBER] = {FIND_TRAP, GRID_ILLEGAL_INSTRUCTION, "trap"},
    [CAUSE_BARRIER_COUNT] = {FIND_TRAP, GRID_ILLEGAL_INSTRUCTION, "trap"},
    [CAUSE_ELSEWHERE] = {FIND_BARRIER_DIVERGENCE, GRID_ILLEGAL_INSTRUCTION, "barrier"},
    [CAUSE_MBARRIER_NONE] = {FIND_MBARRIER_MISUSE, GRID_ILLEGAL_INSTRUCTION, NULL},
    [CAUSE_MBARRIER_GONE] = {FIND_MBARRIER_MISUSE, GRID_ILLEGAL_INSTRUCTION, NULL},
    [CAUSE_MBARRIER_GONE_TWICE] = {FIND_MBARRIER_MISUSE, GRID_ILLEGAL_INSTRUCTION, NULL, LEVEL_WARNING}, /* no fault */
    [CAUSE_MBARRIER_OVERWRITTEN] = {FIND_MBARRIER_MISUSE, GRID_ILLEGAL_INSTRUCTION, NULL},
    [CAUSE_MBARRIER_AGAIN] = {FIND_MBARRIER_MISUSE, GRID_ILLEGAL_INSTRUCTION, NULL}, /* the race checker's, no fault */
    [CAUSE_MBARRIER_COUNT] = {FIND_MBARRIER_MISUSE, GRID_ILLEGAL_INSTRUCTION, NULL},
    [CAUSE_MBARRIER_ARRIVALS] = {FIND_MBARRIER_MISUSE, GRID_ILLEGAL_INSTRUCTION, NULL},
    [CAUSE_MBARRIER_COMPLETES] = {FIND_MBARRIER_MISUSE, GRID_ILLEGAL_INSTRUCTION, NULL},
    [CAUSE_MBARRIER_BYTES] = {FIND_MBARRIER_MISUSE, GRID_ILLEGAL_INSTRUCTION, NULL},
    [CAUSE_COPY_LEFT] = {FIND_USE_AFTER_FREE, GRID_ILLEGAL_ADDRESS, NULL}, /* likewise */
    [CAUSE_MBARRIER_SPACE] = {FIND_MBARRIER_MISUSE, GRID_ILLEGAL_INSTRUCTION, NULL},
    [CAUSE_NO_SUCH_BLOCK] = {FIND_OUT_OF_BOUNDS, GRID_NO_PEER, NULL},
    [CAUSE_PEER_GONE] = {FIND_CLUSTER_MISUSE, GRID_NO_PEER, NULL},
    [CAUSE_PEER_LEAVES] = {FIND_CLUSTER_MISUSE, GRID_NO_PEER, NULL},       /* these two are the race checker's, no faults */
    [CAUSE_PEER_NOT_BEGUN] = {FIND_CLUSTER_MISUSE, GRID_NO_PEER, NULL},
    [CAUSE_CLUSTER_ARRIVED_TWICE] = {FIND_CLUSTER_MISUSE, GRID_ILLEGAL_INSTRUCTION, NULL},
    [CAUSE_CLUSTER_NOT_ARRIVED] = {FIND_CLUSTER_MISUSE, GRID_ILLEGAL_INSTRUCTION, NULL},
    [CAUSE_CANCEL_AGAIN] = {FIND_CLUSTER_MISUSE, GRID_ILLEGAL_INSTRUCTION, NULL},
    [CAUSE_BULK_SIZE] = {FIND_MISALIGNED, GRID_MISALIGNED, NULL},
    [CAUSE_ZEROS_SIZE] = {FIND_MISALIGNED, GRID_MISALIGNED, NULL},
    [CAUSE_ZEROS_SPACE] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_MAP_AT_NULL] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, "fence", LEVEL_WARNING}, /* no fault */
    [CAUSE_TENSOR_MAP] = {FIND_TRAP, GRID_ILLEGAL_INSTRUCTION, "copy"},
    [CAUSE_TENSOR_CORNER] = {FIND_MISALIGNED, GRID_ILLEGAL_INSTRUCTION, NULL},
    [CAUSE_TENSOR_NEGATIVE] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_INSTRUCTION, NULL},
    [CAUSE_TENSOR_MODE] = {FIND_TRAP, GRID_ILLEGAL_INSTRUCTION, "copy"},
    [CAUSE_TENSOR_PIXEL] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_INSTRUCTION, NULL},
    [CAUSE_TENSOR_BOUND] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_INSTRUCTION, NULL},
    [CAUSE_TEXTURE_MISUSE] = {FIND_TEXTURE_MISUSE, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_SURFACE_OUTSIDE] = {FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, NULL},
    [CAUSE_NO_FUNCTION] = {FIND_TRAP, GRID_ILLEGAL_INSTRUCTION, "trap"},
    [CAUSE_BRANCH_TABLE] = {FIND_TRAP, GRID_ILLEGAL_INSTRUCTION, "trap"},
    [CAUSE_TRAP] = {FIND_TRAP, GRID_TRAP, "trap"},
    [CAUSE_BREAKPOINT] = {FIND_TRAP, GRID_TRAP, "trap"},
    [CAUSE_STEPS] = {FIND_STEP_LIMIT, GRID_STEP_LIMIT, "step"},
    [CAUSE_HOST_MEMORY] = {FIND_UNSUPPORTED, GRID_UNSUPPORTED, "step"},
    [CAUSE_UNKNOWN_FUNCTION] = {FIND_UNSUPPORTED, GRID_UNSUPPORTED, "instruction"},
    [CAUSE_UNKNOWN_INSTRUCTION] = {FIND_UNSUPPORTED, GRID_UNSUPPORTED, "instruction"},
};

static struct finding finding_of(struct warp *w, const struct insn *in, int lane, const struct fault *fault)
{
    const char *op = causes[fault->cause].op;
    struct finding f = {.kind = causes[fault->cause].kind, .level = causes[fault->cause].level, .cause = fault->cause, .access_count = 1,
                        .kernel = w->block->grid->config.kernel->name, .facts.fault = fault->facts};
    finding_access_fill(&f.accesses[0], w, lane, in, op ? op : memory_operation_name(in));
    if (fault->space != SPACE_GENERIC)
        finding_place(&f, warp_machine(w), w->block, fault->space, fault->address);
    return f;
}

void fault_note(struct warp *w, const struct insn *in, int lane, const struct fault *fault)
{
    struct finding f = finding_of(w, in, lane, fault);
    pthread_mutex_lock(&fault_lock);
    if (grid_running(w->block->grid))
        report_finding(warp_machine(w)->reporter, &f);
    pthread_mutex_unlock(&fault_lock);
}

/** What the grid ends by. A GPU looks at an address's alignment before it looks where it leads (seen on an H100: tests/runtime/faults.cu). */
static enum grid_status status_of(const struct finding *f)
{
    const bool leads_nowhere = f->cause == CAUSE_NULL || f->cause == CAUSE_WILD || f->cause == CAUSE_PAST_END || f->cause == CAUSE_BEFORE_START;
    const unsigned bytes = f->facts.fault.bytes;
    const bool one_access = bytes && bytes <= 16 && !(bytes & (bytes - 1));
    return leads_nowhere && one_access && (f->facts.fault.address & (bytes - 1)) ? GRID_MISALIGNED : causes[f->cause].status;
}

/** Reports it, if it is the grid's first fault, and ends the grid. */
static void end_by(struct grid *g, struct finding *f)
{
    const enum grid_status status = status_of(f);
    pthread_mutex_lock(&fault_lock);
    if (grid_running(g)) {
        report_finding(g->machine->reporter, f);
        snprintf(grid_run(g)->fault, sizeof grid_run(g)->fault, "%s", f->message);
        __atomic_store_n(&g->status, status, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&fault_lock);
}

const struct insn *fault_at(struct warp *w, const struct insn *in, int lane, const struct fault *fault)
{
    struct grid *g = w->block->grid;
    struct finding f = finding_of(w, in, lane, fault);
    end_by(g, &f);
    return NULL;
}

void fault_after_exit(struct warp *w, const struct insn *in, int lane, uint32_t rank)
{
    struct grid *g = w->block->grid;
    const struct cluster *c = w->block->cluster;
    struct finding f = {.kind = FIND_CLUSTER_MISUSE, .cause = CAUSE_PEER_GONE, .access_count = 2, .kernel = g->config.kernel->name};
    uint64_t peer = cluster_mate(w->block, rank);
    finding_access_at(&f.accesses[0], g, peer, c->last_exit[rank].thread, c->last_exit[rank].at, "exit");
    finding_access_fill(&f.accesses[1], w, lane, in, memory_operation_name(in));
    end_by(g, &f);
}

void fault_two_barriers(struct warp *w, const struct insn *in, const struct insn *theirs, const struct parted_facts *who)
{
    struct finding f = {.kind = causes[CAUSE_ELSEWHERE].kind, .cause = CAUSE_ELSEWHERE, .access_count = 2, .kernel = w->block->grid->config.kernel->name,
                        .facts.parted = *who};
    for (int i = 0; i < 2; i++)
        finding_access_fill(&f.accesses[i], w, who->threads[i] % WARP_LANES, i ? in : theirs, causes[CAUSE_ELSEWHERE].op);
    end_by(w->block->grid, &f);
}

const char *grid_fault_message(const struct grid *g)
{
    return ((const struct grid_run *)g)->fault;
}

/* ---- Blocks that are cut ---- */

/** Ends its launch where one of its threads is. */
static void end_where_it_is(struct block *b, const struct fault *fault)
{
    for (int i = 0; i < b->warp_count; i++) {
        struct warp *w = &b->warps[i];
        for (int j = 0; j < w->group_count; j++)
            if (w->groups[j].state == GROUP_READY) {
                fault_at(w, w->groups[j].pc, __builtin_ctz(w->groups[j].mask), fault);
                return;
            }
    }
}

void block_cut(struct block *b, uint64_t limit)
{
    end_where_it_is(b, &(struct fault){.cause = CAUSE_STEPS, .facts.number = limit});
}

void block_cut_before(struct block *b, uint64_t limit, uint64_t ended)
{
    end_where_it_is(b, &(struct fault){.cause = CAUSE_STEPS, .facts = {.number = limit, .size = ended}});
}

void block_cut_for_memory(struct block *b)
{
    end_where_it_is(b, &(struct fault){.cause = CAUSE_HOST_MEMORY, .facts.number = host_memory_short()});
    if (!grid_running(b->grid))
        host_memory_set_short(0);
}
