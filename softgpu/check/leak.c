/**
 * @file leak.c
 * Device memory that the program never freed, told when it ends.
 */
#include <stdlib.h>

#include "check/checkers.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "report/finding.h"
#include "report/reporter.h"

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
    struct finding f = {.kind = FIND_LEAK,
                        .cause = heap ? CAUSE_NOT_FREED_BY_KERNEL : CAUSE_NOT_FREED,
                        .facts.left.bytes = a->bytes};
    finding_place(&f, m, NULL, SPACE_GLOBAL, a->base);
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
