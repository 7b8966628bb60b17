/**
 * @file leak.c
 * Device memory that the program never freed, told when it ends.
 */
#include <stdio.h>
#include <stdlib.h>

#include "check/checkers.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "report/finding.h"

static void *leak_create(struct machine *m, int slot)
{
    (void)slot;
    return m;
}

static void tell(void *self, struct allocation *a)
{
    struct machine *m = self;
    bool heap = a->kind == ALLOC_DEVICE_HEAP;
    if (a->freed || a->name || (a->kind != ALLOC_DEVICE && a->kind != ALLOC_MANAGED && !heap))
        return;
    struct finding f = {.kind = FIND_LEAK, .level = LEVEL_WARNING};
    finding_place(&f, m, NULL, SPACE_GLOBAL, a->base);
    if (heap)
        snprintf(f.message, sizeof f.message,
                 "%llu bytes that a kernel took by malloc or new were never freed.",
                 (unsigned long long)a->bytes);
    else
        snprintf(f.message, sizeof f.message,
                 "%s, %llu bytes of device memory, was never freed.", f.object,
                 (unsigned long long)a->bytes);
    snprintf(f.rule, sizeof f.rule, "every %s", heap ? "malloc has its free" : "cudaMalloc has its cudaFree");
    snprintf(f.suggestion, sizeof f.suggestion, "%s before the program ends",
             heap ? "free it, or delete, in a kernel" : "cudaFree");
    report_finding(machine_reporter(m), &f);
}

/** A program that has gone wrong may end anywhere: what it did not free then says nothing. */
static void leak_destroy(void *self)
{
    if (reporter_count(machine_reporter(self), LEVEL_ERROR) == 0)
        memory_each(machine_memory(self), tell, self);
}

const struct observer leak_checker = {
    .name = "leak",
    .create = leak_create,
    .destroy = leak_destroy,
};
