/**
 * @file machine_alone.c
 * A machine whose findings begin and end with it.
 */
#include <stdlib.h>

#include "execute/machine.h"
#include "report/reporter.h"

struct machine *machine_create(const struct options *options)
{
    struct reporter *reporter = reporter_open(options);
    if (!reporter)
        abort();
    return machine_create_again(options, reporter);
}

void machine_destroy(struct machine *m)
{
    if (m)
        reporter_close(machine_end(m));
}
