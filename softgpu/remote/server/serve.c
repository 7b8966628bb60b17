/**
 * @file serve.c
 * Connections: a thread each, and from message to handler to answer.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "memory/memory.h"
#include "remote/runs.h"
#include "remote/serve.h"
#include "remote/server/lines.h"
#include "remote/server/server.h"
#include "runtime/state/host_thread.h"

/** How long threads may take to end once the client is gone. */
#define END_MS 1000
/** How long writing findings and counters may take after that. */
#define EXIT_SECONDS 20

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static int connections;

void request_take(struct request *r, void *to, size_t bytes)
{
    if (bytes > r->head.arg_bytes - r->taken) {
        r->bad = true;
        memset(to, 0, bytes);
        return;
    }
    memcpy(to, r->args + r->taken, bytes);
    r->taken += (uint32_t)bytes;
}

bool request_whole(struct request *r)
{
    r->bad |= r->taken != r->head.arg_bytes;
    return !r->bad;
}

void reply_give(struct reply *o, const void *data, size_t bytes)
{
    if (bytes > WIRE_ARGS - o->answer.result_bytes)
        abort(); /* api.def has a row that is too large */
    memcpy(o->results + o->answer.result_bytes, data, bytes);
    o->answer.result_bytes += (uint32_t)bytes;
}

static serve_function *handler(uint32_t id)
{
    static serve_function *const others[WIRE_COUNT] = {
        [WIRE_REGISTER_BINARY] = serve_register_binary,
        [WIRE_REGISTER_FUNCTION] = serve_register_function,
        [WIRE_REGISTER_VARIABLE] = serve_register_variable,
        [WIRE_REGISTER_MANAGED] = serve_register_managed,
        [WIRE_MANAGED] = serve_managed,
        [WIRE_LOAD] = serve_load,
        [WIRE_LABEL] = serve_label,
        [WIRE_LABEL_STREAM] = serve_label_stream,
        [WIRE_PARAMETERS] = serve_parameters,
        [WIRE_LAUNCH] = serve_launch,
        [WIRE_CLUSTERS] = serve_clusters,
        [WIRE_COPY] = serve_copy,
        [WIRE_COPY_BOX] = serve_copy_box,
        [WIRE_SHARE] = serve_share,
        [WIRE_PIN] = serve_pin,
        [WIRE_UNPIN] = serve_unpin,
        [WIRE_HOST_FUNCTION] = serve_host_function,
        [WIRE_GRAPH_NODE] = serve_graph_node,
        [WIRE_GRAPH_PARAMS] = serve_graph_params,
        [WIRE_GRAPH_DOT] = serve_graph_dot,
        [WIRE_CAPTURE_INFO] = serve_capture_info,
        [WIRE_TOUCH] = serve_touch,
        [WIRE_WATCH] = serve_watch,
        [WIRE_UNLOOKED] = serve_unlooked,
        [WIRE_STRAY] = serve_stray,
        [WIRE_MISSING] = serve_missing,
    };
    return id >= WIRE_COUNT ? NULL : others[id] ? others[id] : serve_table_call(id);
}

/** Reads a request; false where it is none. `r->bulk` is to be freed either way. */
static bool receive(int fd, struct request *r)
{
    memset(r, 0, offsetof(struct request, args));
    if (!wire_receive(fd, &r->head, sizeof r->head, NULL) || r->head.arg_bytes > WIRE_ARGS ||
        r->head.bulk_bytes > WIRE_BULK || !wire_receive(fd, r->args, r->head.arg_bytes, NULL))
        return false;
    if (r->head.bulk_bytes && !(r->bulk = malloc(r->head.bulk_bytes + 1)))
        return false;
    if (r->bulk)
        r->bulk[r->head.bulk_bytes] = 0; /* where it is text */
    return wire_receive(fd, r->bulk, r->head.bulk_bytes, NULL);
}

static bool answer(int fd, struct reply *o)
{
    struct iovec parts[] = {{&o->answer, sizeof o->answer},
                            {o->results, o->answer.result_bytes},
                            {o->bulk, o->answer.bulk_bytes}};
    fflush(stdout); /* the device's output comes before what the program prints next */
    return wire_send(fd, parts, 3, o->pass);
}

/** One call. False ends the connection. */
static bool turn(int fd, struct request *r, struct reply *o)
{
    bool held = touch_holds();
    if (held)
        touch_limit(fd);
    bool ok = receive(fd, r) && (!held || r->head.id == WIRE_TOUCH);
    serve_function *serve_it = ok ? handler(r->head.id) : NULL;
    memset(o, 0, offsetof(struct reply, results));
    o->pass = -1;
    if (serve_it) {
        runtime_thread()->per_thread_default = r->head.flags & WIRE_PER_THREAD;
        runtime_thread()->in_host_function = r->head.flags & WIRE_IN_HOST_FUNCTION;
        runtime_thread()->outer_call = r->head.site && r->head.site < LINES_BYTES
                                           ? (void *)(uintptr_t)(LINES_BASE + r->head.site)
                                           : NULL;
        o->answer.status = (int32_t)serve_it(r, o);
        runtime_thread()->per_thread_default = false;
    }
    o->answer.watch = __atomic_load_n(&runtime.client_watch, __ATOMIC_RELAXED);
    if (!serve_it || r->bad)
        touch_release();
    if (held)
        touch_limit(fd);
    ok = serve_it && !r->bad && answer(fd, o);
    free(r->bulk);
    free(o->bulk);
    if (o->pass >= 0)
        close(o->pass);
    return ok;
}

static void *connection(void *value)
{
    int fd = (int)(intptr_t)value;
    struct request *r = malloc(sizeof *r);
    struct reply *o = malloc(sizeof *o);
    while (r && o && turn(fd, r, o))
        ;
    touch_release();
    runtime_thread_ends(runtime_thread()); /* before the client hears of it: whoever has waited for its thread relies on that */
    free(r);
    free(o);
    close(fd);
    pthread_mutex_lock(&lock);
    connections--;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static bool is_local_stream(int fd)
{
    int domain = 0, type = 0;
    socklen_t size = sizeof domain;
    if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0)
        return false;
    size = sizeof type;
    return domain == AF_UNIX && getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
           type == SOCK_STREAM;
}

static void start_connection(int fd)
{
    pthread_t thread;
    pthread_mutex_lock(&lock);
    bool room = connections < WIRE_CONNECTIONS;
    connections += room;
    pthread_mutex_unlock(&lock);
    if (room && pthread_create(&thread, NULL, connection, (void *)(intptr_t)fd) == 0) {
        pthread_detach(thread);
        return;
    }
    close(fd);
    pthread_mutex_lock(&lock);
    connections -= room;
    pthread_mutex_unlock(&lock);
}

/** The client is gone: its threads find out by themselves, unless one runs a long kernel. */
static void wait_for_threads(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += END_MS / 1000;
    pthread_mutex_lock(&lock);
    while (connections && pthread_cond_timedwait(&ended, &lock, &until) != ETIMEDOUT)
        ;
    pthread_mutex_unlock(&lock);
}

/** Waits for the next connection. False once the client is gone: its socket is closed, or, since it
 *  may have sent us the other end of that, whoever started us says so. */
static bool wait_for_connection(int control, int lifeline)
{
    struct pollfd fds[2] = {{control, POLLIN, 0}, {lifeline, 0, 0}};
    while (poll(fds, 2, -1) < 0)
        if (errno != EINTR)
            return false;
    return !fds[1].revents;
}

void serve(int control, int lifeline, const char *program)
{
    char purpose;
    int fd;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* shared memory is files: too much of it is an error, no end */
    if (program)
        lines_load(program);
    memory_share_with_client();
    runtime.host_range = staging_holds;
    runtime.client_copy = client_memory_copy;
    runtime.client_runs = client_threads_run;
    while (wait_for_connection(control, lifeline) && wire_receive(control, &purpose, 1, &fd)) {
        if (fd >= 0 && is_local_stream(fd) && purpose == WIRE_CALLS)
            start_connection(fd);
        else if (fd >= 0 && is_local_stream(fd) && purpose == WIRE_HOST_FUNCTIONS)
            host_functions_connect(fd);
        else if (fd >= 0 && is_local_stream(fd) && purpose == WIRE_MEMORY)
            client_memory_connect(fd);
        else if (fd >= 0)
            close(fd);
    }
    wait_for_threads();
    alarm(EXIT_SECONDS); /* a thread in a long call may hold what the end needs */
}

void serve_runs(int control, int lifeline, const char *program, const char *list)
{
    static struct runs runs;
    uint8_t which;
    int fd;
    if (program)
        lines_load(program);
    if (!runs_read(&runs, list))
        return;
    while (wait_for_connection(control, lifeline) && wire_receive(control, &which, 1, &fd)) {
        bool ours = fd >= 0 && is_local_stream(fd) && which < runs.count && !runs.at[which].begun;
        if (ours && runs_fork(&runs.at[which])) {
            close(control);
            serve(fd, lifeline, NULL);
            return;
        }
        if (fd >= 0)
            close(fd);
    }
}
