/**
 * @file fault.c
 * Device faults: a finding, the grid's status, the first fault's sentence.
 */
#include "execute/engine.h"
#include "execute/finding_place.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t fault_lock = PTHREAD_MUTEX_INITIALIZER;

/** "thread 33 of block 2", with all coordinates only where the launch has them. */
static void name_thread(char *out, size_t size, const struct finding_access *a,
                        const struct grid_config *c)
{
    char thread[48], block[48];
    if (c->block[1] == 1 && c->block[2] == 1)
        snprintf(thread, sizeof thread, "%u", a->thread[0]);
    else
        snprintf(thread, sizeof thread, "(%u,%u,%u)", a->thread[0], a->thread[1], a->thread[2]);
    if (c->grid[1] == 1 && c->grid[2] == 1)
        snprintf(block, sizeof block, "%u", a->block[0]);
    else
        snprintf(block, sizeof block, "(%u,%u,%u)", a->block[0], a->block[1], a->block[2]);
    snprintf(out, size, "thread %s of block %s", thread, block);
}

static const char *access_name(const struct insn *in, enum finding_kind kind)
{
    switch (kind) {
    case FIND_TRAP:
        return "trap";
    case FIND_ASSERT:
        return "assert";
    case FIND_STEP_LIMIT:
        return "step";
    case FIND_UNSUPPORTED:
        return "instruction";
    default:
        return memory_operation_name(in);
    }
}

const struct insn *fault_at(struct warp *w, const struct insn *in, int lane,
                            enum finding_kind kind, enum grid_status status,
                            enum ptx_space space, uint64_t address, const char *format, ...)
{
    struct machine *m = warp_machine(w);
    struct grid *g = w->block->grid;
    struct finding f = {.kind = kind, .level = LEVEL_ERROR, .access_count = 1};
    char who[128], what[320];

    f.kernel = g->config.kernel->name;
    finding_access_fill(&f.accesses[0], w, lane, in, access_name(in, kind));
    if (space != SPACE_GENERIC)
        finding_place(&f, m, w->block, space, address);
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    name_thread(who, sizeof who, &f.accesses[0], &g->config);
    snprintf(f.message, sizeof f.message, "%s %s", who, what);
    snprintf(f.rule, sizeof f.rule, "%s", fault_rule(kind));
    if (kind == FIND_OUT_OF_BOUNDS && f.object[0])
        snprintf(f.suggestion, sizeof f.suggestion,
                 "look at the index on line %d: which threads and which turn of a loop must not get there?",
                 f.accesses[0].line);

    pthread_mutex_lock(&fault_lock);
    if (grid_running(g)) {
        snprintf(grid_run(g)->fault, sizeof grid_run(g)->fault, "%s", f.message);
        report_finding(m->reporter, &f);
        __atomic_store_n(&g->status, status, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&fault_lock);
    return NULL;
}

const char *fault_rule(enum finding_kind kind)
{
    switch (kind) {
    case FIND_OUT_OF_BOUNDS:
        return "every access lies inside one allocation or variable";
    case FIND_MISALIGNED:
        return "an access's address is a multiple of its size (PTX ISA 6.4.1)";
    case FIND_USE_AFTER_FREE:
        return "freed memory is not accessed";
    case FIND_ASSERT:
        return "assertions hold";
    case FIND_TRAP:
        return "no thread traps";
    case FIND_STEP_LIMIT:
        return "a launch ends within the step limit";
    default:
        return "";
    }
}

const char *grid_fault_message(const struct grid *g)
{
    return ((const struct grid_run *)g)->fault;
}
