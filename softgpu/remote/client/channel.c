/**
 * @file channel.c
 * Connections to the server, one a thread, and calls over them.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host/result_use.h"
#include "remote/client/client.h"

#define END_MS 2000 /* that a thread's end may wait for the server, which may be busy with another's call */

__thread const void *entry_site;
__thread bool per_thread_default, in_host_function, exchanging;
__thread uintptr_t host_function;

static __thread int connection = -1;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t control_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t thread_key;
static int control = -1;
static bool forked;
static uintptr_t program_start, program_end, program_base;

/** The server closes its end when it has done what a thread's end does: streams of the thread's own die with it. */
static void thread_ended(void *value)
{
    struct pollfd end = {.fd = (int)(intptr_t)value - 1, .events = POLLIN};
    shutdown(end.fd, SHUT_WR);
    poll(&end, 1, END_MS);
    close(end.fd);
}

/** A forked child has no connections: as on a real device, CUDA is not for it. */
static void fork_child(void)
{
    forked = true;
    connection = -1;
}

/** Notes where the program itself, the first object, was loaded. */
static int find_program(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    program_base = info->dlpi_addr;
    program_start = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD)
            continue;
        uintptr_t start = info->dlpi_addr + p->p_vaddr, end = start + p->p_memsz;
        program_start = start < program_start ? start : program_start;
        program_end = end > program_end ? end : program_end;
    }
    return 1;
}

static void start(void)
{
    const char *number = getenv(WIRE_VARIABLE);
    int type;
    socklen_t size = sizeof type;
    pthread_key_create(&thread_key, thread_ended);
    pthread_atfork(NULL, NULL, fork_child);
    dl_iterate_phdr(find_program, NULL);
    control = number ? atoi(number) : -1;
    if (control < 0 || getsockopt(control, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
        fprintf(stderr, "softgpu: this library needs a server: run the program with softgpu --remote\n");
        control = -1;
        return;
    }
    fcntl(control, F_SETFD, FD_CLOEXEC);
}

int channel_connect(char purpose)
{
    int pair[2];
    pthread_once(&once, start);
    if (control < 0 || forked || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return -1;
    struct iovec part = {&purpose, 1};
    pthread_mutex_lock(&control_lock);
    bool ok = wire_send(control, &part, 1, pair[1]);
    pthread_mutex_unlock(&control_lock);
    close(pair[1]);
    if (ok)
        return pair[0];
    close(pair[0]);
    return -1;
}

static int thread_connection(void)
{
    if (connection < 0 && !forked) {
        connection = channel_connect(WIRE_CALLS);
        watch_start();
        if (connection >= 0)
            pthread_setspecific(thread_key, (void *)(intptr_t)(connection + 1));
    }
    return connection;
}

uint64_t program_offset(uintptr_t address)
{
    return address >= program_start && address < program_end ? address - program_base : 0;
}

void call_begin(struct call *c, enum wire_id id, const void *site)
{
    pthread_once(&once, start);
    memset(c, 0, offsetof(struct call, args));
    c->head.id = id;
    c->head.flags = (per_thread_default ? WIRE_PER_THREAD : 0) |
                    (in_host_function ? WIRE_IN_HOST_FUNCTION : 0);
    c->returns = site;
    c->head.site = program_offset((uintptr_t)(entry_site ? entry_site : site));
    if (!c->head.site && host_function) /* the last call of it returns to no place of the program's */
        c->head.site = program_offset(host_function + 1);
    c->passed = -1;
}

void call_put(struct call *c, const void *data, size_t bytes)
{
    if (bytes > WIRE_ARGS - c->head.arg_bytes)
        abort(); /* api.def has a row that is too large */
    memcpy(c->args + c->head.arg_bytes, data, bytes);
    c->head.arg_bytes += (uint32_t)bytes;
}

void call_get(struct call *c, void *to, size_t bytes)
{
    if (bytes > c->answer.result_bytes - c->taken)
        return;
    memcpy(to, c->results + c->taken, bytes);
    c->taken += (uint32_t)bytes;
}

size_t call_array_bytes(struct call *c, size_t count, size_t each)
{
    if (count <= WIRE_ELEMENTS)
        return count * each;
    c->error = cudaErrorInvalidValue;
    return 0;
}

size_t call_put_array(struct call *c, const void *data, size_t bytes)
{
    uint8_t there = data != NULL;
    size_t at = c->head.bulk_bytes, end = at + (there ? WIRE_ALIGNED(bytes) : 0);
    call_put(c, &there, 1);
    if (end == at)
        return at;
    uint8_t *grown = realloc(c->arrays, end);
    if (!grown) {
        c->error = cudaErrorMemoryAllocation;
        return at;
    }
    memset(grown + end - 8, 0, 8); /* what aligns the next one */
    memcpy(grown + at, data, bytes);
    c->bulk = c->bulk_to = c->arrays = grown;
    c->head.bulk_bytes = c->bulk_room = end;
    return at;
}

void call_put_string(struct call *c, const char *text)
{
    uint64_t bytes = text ? strlen(text) + 1 : 0;
    if (bytes > WIRE_STRING)
        c->error = cudaErrorInvalidValue;
    call_put(c, &bytes, sizeof bytes);
    call_put_array(c, text, bytes);
}

void call_get_array(const struct call *c, void *to, size_t at, size_t bytes)
{
    if (to && bytes && c->answer.bulk_bytes == c->head.bulk_bytes)
        memcpy(to, c->arrays + at, bytes);
}

void call_end(struct call *c)
{
    free(c->arrays);
}

static bool exchange(int fd, struct call *c)
{
    struct iovec parts[] = {{&c->head, sizeof c->head},
                            {c->args, c->head.arg_bytes},
                            {(void *)(uintptr_t)c->bulk, c->head.bulk_bytes}};
    return wire_send(fd, parts, 3, -1) &&
           wire_receive(fd, &c->answer, sizeof c->answer, &c->passed) &&
           c->answer.result_bytes <= WIRE_ARGS &&
           wire_receive(fd, c->results, c->answer.result_bytes, NULL) &&
           c->answer.bulk_bytes <= c->bulk_room &&
           wire_receive(fd, c->bulk_to, c->answer.bulk_bytes, NULL);
}

/** A call has failed: the server hears of it if the program certainly does not look. */
static void tell_unlooked(const struct call *c)
{
    static __thread struct call told;
    bool asks = c->head.id != WIRE_cudaEventElapsedTime; /* that has no time to give then */
    bool answer = c->answer.status == cudaSuccess || (c->answer.status == cudaErrorNotReady && asks);
    if (answer || (!c->shows_nothing && !result_ignored(c->returns)))
        return;
    call_begin(&told, WIRE_UNLOOKED, NULL);
    call_do(&told);
}

cudaError_t call_do(struct call *c)
{
    static bool told;
    int fd = thread_connection();
    if (forked || c->error)
        return forked ? cudaErrorInitializationError : c->error;
    bool touch = c->head.id == WIRE_TOUCH || c->head.id == WIRE_WATCH;
    if (!touch)
        fflush(stdout); /* what was printed before the call comes before what the device prints in it */
    exchanging = true;
    bool ok = fd >= 0 && exchange(fd, c);
    exchanging = false;
    if (ok) {
        if (!touch) {
            watch_apply(c->answer.watch);
            tell_unlooked(c);
        }
        return (cudaError_t)c->answer.status;
    }
    watch_end(); /* nobody to tell any more: all is open */
    c->answer = (struct wire_answer){0};
    if (c->passed >= 0)
        close(c->passed);
    c->passed = -1;
    if (control >= 0 && !told)
        fprintf(stderr, "softgpu: the process that plays the device has ended\n");
    told = true;
    return control >= 0 ? cudaErrorDevicesUnavailable : cudaErrorInitializationError;
}
