/**
 * @file host_report.h
 * Private to the race checker: findings about the program on the host (host_touch.c finds them).
 */
#ifndef SOFTGPU_CHECK_RACE_HOST_REPORT_H
#define SOFTGPU_CHECK_RACE_HOST_REPORT_H

#include "check/race/actor.h"
#include "check/race/stream_race.h"
#include "report/finding.h"

/** Is an access with these flags strong, and of system scope? */
static inline bool reaches_host(uint8_t flags)
{
    return (flags & EPOCH_STRONG) && reach_of(flags >> EPOCH_SCOPE_SHIFT) == REACH_SYSTEM;
}

/** The host's own access: `site` as host_touch.c numbers them. */
void host_fill(const struct race *race, struct finding_access *a, uint32_t site);
/** A conflict that nothing at all orders: with a kernel or a copy, as stream races are told. */
void host_report_unwaited(struct race *race, struct finding *f, uint32_t host_site, const struct stream_use *theirs);
/** The conflict of a device access `e` and a later one by the host. */
void host_report(struct race *race, uint32_t host_site, const struct epoch *e, bool device_writes, uint64_t address);

#endif
