/**
 * @file touch.c
 * The program's own loads and stores of shared memory, as the client tells them. From the word that one
 * is about to happen until the word that it has, nothing else goes on: the runtime's lock is held, but
 * for no longer than HOLD_SECONDS.
 *
 * A program could keep its accesses from being told. It would not get the device's bytes any sooner.
 */
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "remote/server/lines.h"
#include "remote/server/server.h"
#include "runtime/memory/host_watch.h"
#include "runtime/state/failure.h"

#define HOLD_SECONDS 1

static __thread bool holding;
static __thread enum wire_touch_stage last_stage;

bool touch_holds(void)
{
    return holding;
}

void touch_release(void)
{
    if (holding)
        runtime_unlock();
    holding = false;
}

void touch_limit(int fd)
{
    const struct timeval limit = {holding ? HOLD_SECONDS : 0, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

static void begin(const struct wire_touch *t, struct reply *o)
{
    runtime_lock();
    holding = host_watch_poll(t->address, t->access == ACCESS_LOAD);
    if (!holding)
        runtime_unlock();
    reply_give(o, &(uint32_t){holding}, sizeof(uint32_t));
}

/* A load that came too early gets what was there before. */
static bool load(const struct wire_touch *t, uint64_t pc, struct reply *o)
{
    uint64_t left;
    const uint8_t *old = host_watch_before(t->address, &left);
    bool early, known = host_watch_touched(t->address, t->bytes, ACCESS_LOAD, pc, &early);
    if (!early || !old)
        return known;
    uint64_t bytes = t->old_bytes < left ? t->old_bytes : left;
    o->bulk = malloc(bytes);
    if (!o->bulk)
        return false;
    memcpy(o->bulk, old, bytes);
    o->answer.bulk_bytes = bytes;
    return known;
}

cudaError_t serve_touch(struct request *r, struct reply *o)
{
    struct wire_touch t;
    request_take(r, &t, sizeof t);
    r->bad |= t.stage > TOUCH_ENDS || t.access > ACCESS_UPDATE || holding != (t.stage != TOUCH_BEGINS) ||
              (holding && last_stage >= t.stage);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    uint64_t pc = t.pc && t.pc < LINES_BYTES ? LINES_BASE + t.pc : 0;
    bool known = true, conflict;
    last_stage = t.stage;
    if (t.stage == TOUCH_BEGINS)
        begin(&t, o);
    else if (t.stage == TOUCH_LOADS)
        known = load(&t, pc, o);
    else if (t.bytes)
        known = host_watch_touched(t.address, t.bytes, (enum instruction_access)t.access, pc, &conflict);
    if (t.stage == TOUCH_ENDS)
        touch_release();
    return known ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t serve_watch(struct request *r, struct reply *o)
{
    uint64_t *bases = calloc(WIRE_WATCHED, sizeof *bases);
    if (!request_whole(r) || !bases) {
        free(bases);
        return cudaErrorInvalidValue;
    }
    runtime_lock();
    uint64_t change = runtime.client_watch;
    int count = runtime.machine ? host_watch_closed(bases, WIRE_WATCHED) : 0;
    runtime_unlock();
    reply_give(o, &change, sizeof change);
    o->bulk = bases;
    o->answer.bulk_bytes = (uint64_t)count * sizeof *bases;
    return cudaSuccess;
}

/* ---- What the program does wrong by itself ---- */

cudaError_t serve_stray(struct request *r, struct reply *o)
{
    struct wire_stray s;
    (void)o;
    request_take(r, &s, sizeof s);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    struct instruction_origin by = {.owner = s.owner <= OWNER_SELF ? (enum instruction_owner)s.owner : OWNER_PROGRAM};
    for (int i = 0; i < INSTRUCTION_FRAMES; i++)
        if (s.frames[i] && s.frames[i] < LINES_BYTES)
            by.frames[by.count++] = LINES_BASE + s.frames[i];
    runtime_lock();
    host_watch_stray(&(struct host_stray){s.address, s.write, by});
    runtime_unlock();
    return cudaSuccess;
}

cudaError_t serve_unlooked(struct request *r, struct reply *o)
{
    (void)o;
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    runtime_lock();
    failure_unlooked();
    runtime_unlock();
    return cudaSuccess;
}
