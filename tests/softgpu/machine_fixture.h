/* A machine with one PTX module, for tests of the executor. */
#ifndef TESTS_MACHINE_FIXTURE_H
#define TESTS_MACHINE_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "execute/grid_life.h"
#include "execute/machine.h"
#include "options/options.h"
#include "report/finding.h"

struct fixture {
    struct machine *machine;
    struct image *image;
};

/** `change` may adjust the options; NULL for fast mode on one thread. */
static inline struct fixture fixture_open(const char *ptx, const struct options *change)
{
    struct options o = {.device = device_model_at(0), .threads = 1, .max_findings = 100};
    struct diag d = {0};
    if (change)
        o = *change;
    if (!o.device)
        o.device = device_model_at(0);
    strcpy(o.check_list, "none");
    struct fixture f = {.machine = machine_create(&o)};
    f.image = machine_load(f.machine, "test", ptx, strlen(ptx), &d);
    if (!f.image) {
        fprintf(stderr, "line %d: %s\n", d.line, d.message);
        abort();
    }
    return f;
}

static inline uint8_t *fixture_alloc(struct fixture *f, uint64_t bytes, uint64_t *address)
{
    struct allocation *a =
        memory_alloc(machine_memory(f->machine), bytes, 0, ALLOC_DEVICE, NULL);
    memset(a->host, 0, bytes);
    *address = a->base;
    return a->host;
}

static inline struct grid *fixture_start(struct fixture *f, const char *kernel, uint32_t blocks,
                                         uint32_t threads, const void *params)
{
    struct grid_config c = {.kernel = image_function(f->image, kernel), .grid = {blocks, 1, 1},
                            .block = {threads, 1, 1}, .params = params, .op = 1};
    return grid_start(f->machine, &c);
}

/** Runs everything that has been started, in slices. @return how the last step ended */
static inline enum step_result fixture_run(struct fixture *f, uint64_t slice)
{
    enum step_result r;
    do
        r = machine_step(f->machine, slice);
    while (r == STEP_BUDGET || r == STEP_GRID_ENDED);
    return r;
}

static inline void fixture_close(struct fixture *f)
{
    machine_destroy(f->machine);
}

#define PTX_HEADER ".version 8.0\n.target sm_90\n.address_size 64\n"

#endif
