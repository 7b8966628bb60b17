/**
 * @file processors.c
 * What the host's scheduler is asked for. Where it cannot say (more processors than a cpu_set_t names), nothing is asked.
 */
#include "base/processors.h"

#include <sched.h>
#include <unistd.h>

int processors_allowed(void)
{
    cpu_set_t all;
    long n = sched_getaffinity(0, sizeof all, &all) ? sysconf(_SC_NPROCESSORS_ONLN) : CPU_COUNT(&all);
    return n < 1 ? 1 : (int)n;
}

int processor_here(void)
{
    return sched_getcpu();
}

/** Of @p all but @p here every @p count th from the @p index th on; empty where there are none. */
static cpu_set_t part_of(const cpu_set_t *all, int here, int index, int count)
{
    cpu_set_t part;
    int others = CPU_COUNT(all) - (here >= 0 && CPU_ISSET(here, all));
    CPU_ZERO(&part);
    if (others < 1 || here < 0)
        return part;
    int groups = others < count ? others : count, seen = 0;
    for (int step = 1; step < CPU_SETSIZE; step++) {
        int cpu = (here + step) % CPU_SETSIZE;
        if (CPU_ISSET(cpu, all) && seen++ % groups == index % groups)
            CPU_SET(cpu, &part);
    }
    return part;
}

int thread_beside(pthread_t *thread, int index, int count, void *(*work)(void *), void *arg)
{
    cpu_set_t all, part;
    pthread_attr_t attributes;
    if (sched_getaffinity(0, sizeof all, &all))
        return pthread_create(thread, NULL, work, arg);
    part = part_of(&all, processor_here(), index, count);
    if (!CPU_COUNT(&part) || pthread_attr_init(&attributes))
        return pthread_create(thread, NULL, work, arg);
    int error = pthread_attr_setaffinity_np(&attributes, sizeof part, &part);
    if (!error)
        error = pthread_create(thread, &attributes, work, arg);
    pthread_attr_destroy(&attributes);
    if (error) /* a sandbox may refuse it */
        return pthread_create(thread, NULL, work, arg);
    pthread_setaffinity_np(*thread, sizeof all, &all);
    return 0;
}

void process_beside(int here, int index, int count)
{
    cpu_set_t all, part;
    if (sched_getaffinity(0, sizeof all, &all))
        return;
    part = part_of(&all, here, index, count);
    if (CPU_COUNT(&part) && sched_setaffinity(0, sizeof part, &part) == 0)
        sched_setaffinity(0, sizeof all, &all);
}
