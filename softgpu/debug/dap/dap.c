/**
 * @file dap.c
 * Requests come in, are looked up and answered; also while the program runs.
 */
#include "debug/dap/dap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "debug/dap/adapter.h"
#include "debug/talk.h"

/** Output of the program in one event. */
#define OUTPUT_BYTES 8192

/** `running`: also answered while the program runs. */
static const struct request {
    const char *command;
    request_fn *run;
    bool running, before;    /**< … and before it has been launched */
    const char *event;       /**< told once it has been answered; NULL: none */
} requests[] = {
    {"initialize", on_initialize, true, true, "initialized"},
    {"launch", on_launch, false, true, NULL},
    {"configurationDone", on_configuration_done, false, true, NULL},
    {"setBreakpoints", on_set_breakpoints, true, true, NULL},
    {"setFunctionBreakpoints", on_set_function_breakpoints, true, true, NULL},
    {"setExceptionBreakpoints", on_set_exception_breakpoints, true, true, NULL},
    {"setDataBreakpoints", on_set_data_breakpoints, true, true, NULL},
    {"dataBreakpointInfo", on_data_breakpoint_info, false, false, NULL},
    {"threads", on_threads, true, true, NULL},
    {"stackTrace", on_stack_trace, false, false, NULL},
    {"scopes", on_scopes, false, false, NULL},
    {"variables", on_variables, false, false, NULL},
    {"evaluate", on_evaluate, false, false, NULL},
    {"exceptionInfo", on_exception_info, false, false, NULL},
    {"readMemory", on_read_memory, false, false, NULL},
    {"continue", on_continue, false, false, NULL},
    {"next", on_next, false, false, NULL},
    {"stepIn", on_step_in, false, false, NULL},
    {"stepOut", on_step_out, false, false, NULL},
    {"stepBack", on_step_back, false, false, NULL},
    {"reverseContinue", on_reverse_continue, false, false, NULL},
    {"pause", on_pause, true, false, NULL},
    {"softgpu/otherAccess", on_other_access, false, false, NULL},
    {"softgpu/lastWrite", on_last_write, false, false, NULL},
    {"softgpu/signal", on_signal, false, false, NULL},
    {"softgpu/couldRead", on_could_read, false, false, NULL},
    {"terminate", on_terminate, true, true, NULL},
    {"disconnect", on_disconnect, true, true, NULL},
};

/** With a body in any case: the protocol has it optional for some, and some clients have not. */
void tell(struct adapter *a, const char *event, json_t *body)
{
    channel_send(&a->channel, json_pack("{s:s,s:s,s:o}", "type", "event", "event", event, "body", body ? body : json_object()));
}

/** Text for the client's console. */
static void say_to_client(struct adapter *a, const char *category, const char *text)
{
    json_t *output = json_string(text);
    if (!output) /* not UTF-8 */
        output = json_string("(output that is not UTF-8)\n");
    tell(a, "output", json_pack("{s:s,s:o}", "category", category, "output", output));
}

void fail_reply(struct reply *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(r->error, sizeof r->error, format, args);
    va_end(args);
}

static void answer(struct adapter *a, const json_t *m, struct reply *r)
{
    bool ok = !r->error[0];
    json_t *back = json_pack("{s:s,s:I,s:b,s:s}", "type", "response", "request_seq", (json_int_t)talk_number(m, "seq", 0),
                             "success", ok, "command", talk_text(m, "command", ""));
    if (!ok) {
        json_decref(r->body);
        json_object_set_new(back, "message", json_string(r->error));
        r->body = json_pack("{s:{s:i,s:s,s:b}}", "error", "id", 1, "format", r->error, "showUser", 1);
    }
    if (r->body)
        json_object_set_new(back, "body", r->body);
    channel_send(&a->channel, back);
}

static const struct request *find(const char *command)
{
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        if (!strcmp(requests[i].command, command))
            return &requests[i];
    return NULL;
}

static void move(struct adapter *a, move_fn *how)
{
    forget_handles(a);
    a->running = true;
    bool ok = how(a);
    while (ok && a->again && !a->over) { /* stopped to hear what to stop at */
        bool paused = a->session.stop && !strcmp(talk_text(a->session.stop, "reason", ""), "pause");
        a->again = false;
        if (paused)
            ok = session_continue(&a->session);
    }
    a->again = a->running = false;
    if (a->over)
        return;
    if (!ok)
        say_to_client(a, "console", a->session.error), say_to_client(a, "console", "\n");
    tell_stop(a);
}

static void handle(struct adapter *a, const json_t *m)
{
    struct reply r = {0};
    const char *command = talk_text(m, "command", "");
    if (strcmp(talk_text(m, "type", ""), "request"))
        return; /* we ask nothing: no answers come */
    const struct request *q = find(command);
    if (!q)
        fail_reply(&r, "softgpu does not know the request \"%.60s\"", command);
    else if (a->running && !q->running)
        fail_reply(&r, "the program runs: pause it first");
    else if (!a->launched && !q->before)
        fail_reply(&r, "nothing has been launched");
    else
        q->run(a, json_object_get(m, "arguments"), &r);
    bool ok = !r.error[0];
    answer(a, m, &r);
    if (ok && q && q->event)
        tell(a, q->event, NULL);
    if (ok && r.move && !a->running)
        move(a, r.move);
}

/** What the program has printed. */
static void pass_output(struct adapter *a, int which)
{
    char text[OUTPUT_BYTES + 1];
    ssize_t n = read(a->pipes[which], text, OUTPUT_BYTES);
    if (n > 0) {
        text[n] = '\0';
        say_to_client(a, which ? "stderr" : "stdout", text);
    } else if (n == 0 || errno != EAGAIN) {
        close(a->pipes[which]);
        a->pipes[which] = -1;
    }
}

bool adapter_hear(struct adapter *a, int wait_ms)
{
    struct epoll_event e[4];
    const char *error;
    int n = epoll_wait(a->events, e, 4, a->is_file ? 0 : wait_ms);
    if (a->is_file)
        channel_fill(&a->channel);
    for (int i = 0; i < n; i++)
        if (e[i].data.fd == a->channel.in)
            channel_fill(&a->channel);
        else
            for (int k = 0; k < 2; k++)
                if (a->pipes[k] >= 0 && e[i].data.fd == a->pipes[k])
                    pass_output(a, k);
    for (;;) {
        json_t *m = channel_take(&a->channel, &error);
        if (m)
            handle(a, m);
        else if (error)
            say_to_client(a, "stderr", "softgpu: a message is no JSON object\n");
        else
            break;
        json_decref(m);
    }
    a->over |= a->channel.broken;
    return !a->over;
}

static bool hear_while_running(struct session *s)
{
    return adapter_hear(s->self, 0);
}

static void hear_of(struct adapter *a, int fd)
{
    struct epoll_event e = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(a->events, EPOLL_CTL_ADD, fd, &e) != 0 && errno == EPERM)
        a->is_file = true; /* it never blocks, and its end is the client's */
}

/** Pipes for the program's output: ours do not block. */
static bool open_pipes(struct adapter *a)
{
    int ends[2];
    for (int i = 0; i < 2; i++) {
        if (pipe2(ends, O_CLOEXEC) != 0)
            return false;
        a->pipes[i] = ends[0];
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        *(i ? &a->session.errors : &a->session.output) = ends[1];
        hear_of(a, ends[0]);
    }
    a->session.input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return true;
}

int dap_run(int in, int out, char **program)
{
    struct adapter a = {.channel = {.in = in, .out = out}, .program = program, .next_id = 1,
                        .events = epoll_create1(EPOLL_CLOEXEC), .pipes = {-1, -1}};
    signal(SIGPIPE, SIG_IGN);
    session_init(&a.session, program);
    a.session.self = &a;
    a.session.listen = a.events;
    a.session.heard = hear_while_running;
    a.session.placed = tell_breakpoint;
    hear_of(&a, in);
    if (a.events < 0 || !open_pipes(&a)) {
        fprintf(stderr, "softgpu: %s\n", strerror(errno));
        return 2;
    }
    while (adapter_hear(&a, -1))
        ;
    if (a.channel.error[0])
        fprintf(stderr, "softgpu: the editor's messages are not understood: %s\n", a.channel.error);
    session_end(&a.session);
    forget_handles(&a);
    LIST_FREE(&a.handles);
    json_decref(a.finding);
    json_decref(a.session.breaks);
    json_decref(a.session.watches);
    for (int i = 0; a.started && a.started[i]; i++)
        free(a.started[i]);
    free(a.started);
    channel_free(&a.channel);
    return a.channel.error[0] ? 2 : 0;
}

/** A socket that nobody listens on is left from a session that was killed. */
static void remove_stale(const struct sockaddr_un *at)
{
    struct stat st;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && lstat(at->sun_path, &st) == 0 && S_ISSOCK(st.st_mode) &&
        connect(fd, (const struct sockaddr *)at, sizeof *at) != 0 && errno == ECONNREFUSED)
        unlink(at->sun_path);
    if (fd >= 0)
        close(fd);
}

int dap_listen(const char *path, char **program)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), client = -1;
    if (strlen(path) < sizeof at.sun_path) {
        memcpy(at.sun_path, path, strlen(path) + 1);
        mode_t mask = umask(0177); /* for its owner alone */
        remove_stale(&at);
        if (fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0 && listen(fd, 1) == 0)
            client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
        umask(mask);
        if (client >= 0)
            unlink(path);
    } else {
        errno = ENAMETOOLONG;
    }
    if (client < 0) {
        fprintf(stderr, "softgpu: cannot listen on %s: %s\n", path, strerror(errno));
        return 2;
    }
    close(fd);
    int status = dap_run(client, client, program);
    close(client);
    return status;
}
