/**
 * @file touch.c
 * The program's own loads and stores of shared memory, as the client tells them. From the word that one
 * is about to happen until the word that it has, nothing else goes on: the runtime's lock is held, but
 * for no longer than HOLD_SECONDS.
 *
 * A program could keep its accesses from being told. It would not get the device's bytes any sooner.
 */
#include <sys/socket.h>
#include <sys/time.h>

#include "remote/server/lines.h"
#include "remote/server/server.h"
#include "runtime/host_watch.h"

#define HOLD_SECONDS 1

static __thread bool holding;

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

cudaError_t serve_touch(struct request *r, struct reply *o)
{
    struct wire_touch t;
    request_take(r, &t, sizeof t);
    r->bad |= holding != (t.done != 0);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    if (!t.done) {
        runtime_lock();
        holding = host_watch_poll(t.address);
        if (!holding)
            runtime_unlock();
        reply_give(o, &(uint32_t){holding}, sizeof(uint32_t));
        return cudaSuccess;
    }
    uint64_t pc = t.pc && t.pc < LINES_BYTES ? LINES_BASE + t.pc : 0;
    bool read = t.source && host_watch_touched(t.source, t.bytes, false, pc);
    bool known = host_watch_touched(t.address, t.bytes, t.write, pc) || read;
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
