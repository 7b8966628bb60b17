/**
 * @file pageable.c
 * The client's pageable memory, for copies in graphs: the client reads and writes it when it is asked to. One
 * that does not answer within ANSWER_SECONDS has none any more, and the copy fails. And whether its threads run.
 */
#include <pthread.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "remote/server/server.h"

#define ANSWER_SECONDS 10

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int memory_fd = -1;
static bool broken; /* what comes late would be taken for what was asked for next */

void client_memory_connect(int fd)
{
    const struct timeval limit = {ANSWER_SECONDS, 0};
    char ready = 1;
    struct iovec part = {&ready, 1};
    pthread_mutex_lock(&lock);
    bool taken = memory_fd >= 0;
    if (!taken)
        memory_fd = fd;
    pthread_mutex_unlock(&lock);
    if (taken) {
        close(fd);
        return;
    }
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    wire_send(fd, &part, 1, -1);
}

static bool exchange(int fd, bool to_client, uint64_t address, void *bytes, uint64_t count)
{
    struct wire_memory m = {address, count, to_client ? MEMORY_WRITE : MEMORY_READ, 0};
    struct iovec parts[] = {{&m, sizeof m}, {bytes, to_client ? count : 0}};
    char done;
    if (!wire_send(fd, parts, 2, -1))
        return false;
    return to_client ? wire_receive(fd, &done, 1, NULL) : wire_receive(fd, bytes, count, NULL);
}

bool client_memory_copy(bool to_client, uint64_t address, void *bytes, uint64_t count)
{
    pthread_mutex_lock(&lock);
    bool moved = memory_fd >= 0 && !broken && exchange(memory_fd, to_client, address, bytes, count);
    broken |= !moved;
    pthread_mutex_unlock(&lock);
    return moved;
}

bool client_threads_run(void)
{
    struct wire_memory m = {.what = MEMORY_RUNS};
    struct iovec part = {&m, sizeof m};
    char runs = 0;
    pthread_mutex_lock(&lock);
    if (memory_fd >= 0 && !broken)
        broken = !wire_send(memory_fd, &part, 1, -1) || !wire_receive(memory_fd, &runs, 1, NULL);
    bool known = !broken;
    pthread_mutex_unlock(&lock);
    return known && runs != 0;
}
