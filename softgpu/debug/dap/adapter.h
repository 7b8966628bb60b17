/**
 * @file adapter.h
 * Private to debug/dap: one session's state, and the requests.
 */
#ifndef SOFTGPU_DEBUG_DAP_ADAPTER_H
#define SOFTGPU_DEBUG_DAP_ADAPTER_H

#include "debug/dap/framing.h"
#include "debug/session/session.h"

/** The thread that stands for the program on the host, where no kernel runs. */
#define HOST_THREAD 1
/** Threads of a kernel have numbers from here on: block after block. */
#define FIRST_THREAD 2

/** What a number that the client gives back for variables or a frame means; forgotten at each move. */
struct handle {
    enum { HANDLE_FRAME, HANDLE_REGISTERS, HANDLE_SPECIAL, HANDLE_BUFFERS, HANDLE_LOCALS, HANDLE_VALUE } kind;
    long long block, thread;
    int frame;
    char *expression;        /**< HANDLE_VALUE */
};

struct adapter {
    struct session session;
    struct channel channel;
    int events;              /**< epoll: the channel, and the program's output */
    bool is_file;            /**< the channel is: it is always ready, and nothing waits for it */
    int pipes[2];            /**< the program's output and errors, our ends */
    char **program;
    char **started;          /**< what was launched, ours */
    bool configured, launched, running;
    bool over;               /**< the client has gone, or may */
    bool again;              /**< what to stop at has changed while it ran: on, when it has stopped */
    bool stop_at_end, stop_on_entry;
    int next_id;
    json_t *finding;         /**< the last that it stopped at */
    LIST(struct handle) handles;
};

/** Handles one request. Its answer's body, NULL for none, or `*error` set; runs after the answer if `*move` is. */
typedef bool move_fn(struct adapter *a);
struct reply {
    json_t *body;
    char error[256];
    move_fn *move;           /**< to be done after the answer is sent */
    bool events_first;       /**< "initialized" follows the answer */
};
typedef void request_fn(struct adapter *a, const json_t *arguments, struct reply *r);

/* starting.c */
request_fn on_initialize, on_launch, on_configuration_done, on_disconnect, on_terminate;
/* stopping.c */
request_fn on_set_breakpoints, on_set_function_breakpoints, on_set_exception_breakpoints, on_data_breakpoint_info,
    on_set_data_breakpoints;
/* moving.c */
request_fn on_continue, on_next, on_step_in, on_step_out, on_step_back, on_reverse_continue, on_pause;
/* … and those that the protocol does not have: from a finding to what it speaks of, and what a load could read. */
request_fn on_other_access, on_last_write, on_signal, on_could_read;
/** In the console: could, who, other, write, signal, goto. @return false: it is none of these */
bool on_console(struct adapter *a, const char *text, struct reply *r);
/** A breakpoint has found its line. */
void tell_breakpoint(struct session *s, const json_t *b);
/** Tells the client where the program has stopped, or that it has ended. */
void tell_stop(struct adapter *a);
/* looking.c */
request_fn on_threads, on_stack_trace, on_scopes, on_variables, on_evaluate, on_exception_info, on_read_memory;

/** The number of the thread that is looked at. */
long long thread_number(const struct adapter *a);
void forget_handles(struct adapter *a);

/** An event. Takes `body` over. */
void tell(struct adapter *a, const char *event, json_t *body);
void fail_reply(struct reply *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Reads what has come: requests, the program's output. @return false at the end */
bool adapter_hear(struct adapter *a, int wait_ms);

#endif
