/**
 * @file trail.h
 * From a finding to what it speaks of: data watches for session_find_back(), by the trail that the program's side
 * adds to a finding.
 */
#ifndef SOFTGPU_DEBUG_SESSION_TRAIL_H
#define SOFTGPU_DEBUG_SESSION_TRAIL_H

#include "debug/session/session.h"

/** The finding's first access. @return NULL with why there is none; so the others */
json_t *trail_other(const json_t *trail, const char **why);
/** The last write of what it is about. */
json_t *trail_write(const json_t *trail, const char **why);
/** The signal of the first thread that the second has seen. */
json_t *trail_signal(const json_t *trail, const char **why);

/** Accesses to what `text` means to the thread that is looked at. @return NULL with s->error */
json_t *session_watch(struct session *s, const char *text, bool reads, bool writes);

#endif
