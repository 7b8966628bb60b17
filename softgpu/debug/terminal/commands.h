/**
 * @file commands.h
 * Private to debug/terminal: the commands, and what they print.
 */
#ifndef SOFTGPU_DEBUG_TERMINAL_COMMANDS_H
#define SOFTGPU_DEBUG_TERMINAL_COMMANDS_H

#include "debug/session/session.h"

struct terminal {
    struct session session;
    bool quit;
    int next_id;             /**< of the next breakpoint */
    json_t *finding;         /**< the last that it stopped at */
};

typedef void command_fn(struct terminal *t, const char *rest);

/* moves.c */
command_fn do_run, do_continue, do_step, do_next, do_stepi, do_finish, do_back, do_step_back, do_next_back, do_stepi_back,
    do_finish_back, do_goto, do_who, do_other, do_write_of, do_signal_of, do_could;
/* inspect.c */
command_fn do_break, do_delete, do_watch, do_rwatch, do_awatch, do_catch, do_info, do_print, do_examine, do_stack, do_frame,
    do_up, do_down, do_thread, do_list, do_finding;

/* show.c */
/** Where it stopped, and why. */
void show_stop(struct terminal *t);
/** "kernel.cu:41", with the line of the source where the file can be read. */
void show_place(const json_t *place);
void show_finding(const json_t *finding);
void show_threads(struct terminal *t);
void show_source(const char *file, int line, int around);
/** Where a breakpoint has come to stand, unless that is its own line. */
void show_breakpoint(const json_t *b);
/** "block 3 thread 9" */
void show_thread_name(const json_t *run, long long block, long long thread, char *out, size_t size);
/** Prints the answer's error and releases it. @return false; true: there is none, and it is still the caller's */
bool show_answer(json_t *answer);

#endif
