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
    json_t *off;             /**< breakpoints that are disabled */
    json_t *displays;        /**< expressions, shown at each stop */
    bool traces;             /**< says each command before it does it */
    int listed;              /**< the last line that was listed the surroundings of, */
    uint64_t listed_at;      /**< and at which place */
};

typedef void command_fn(struct terminal *t, const char *rest);

/* moves.c */
command_fn do_run, do_start, do_until, do_advance, do_continue, do_step, do_next, do_stepi, do_finish, do_back, do_step_back,
    do_next_back, do_stepi_back, do_finish_back, do_goto, do_who, do_other, do_write_of, do_signal_of,
    do_could;
/* breaks.c */
command_fn do_break, do_tbreak, do_delete, do_disable, do_enable, do_condition, do_watch, do_rwatch, do_awatch, do_catch;
void info_breaks(struct terminal *t);
/** On to a place, in the thread that is looked at. @return false with the session's error */
bool breaks_advance(struct terminal *t, const char *place);
/** A breakpoint that holds once goes where it has been come to. */
void breaks_settle(struct terminal *t);
/* inspect.c */
command_fn do_info, do_print, do_type, do_type_name, do_display, do_undisplay, do_set, do_examine, do_stack, do_frame, do_up,
    do_down, do_thread, do_list, do_finding;
#define INFO_TOPICS "threads | locals | args | registers | breakpoints | buffers | display | frame | run"

/* show.c */
/** Where it stopped, and why. */
void show_stop(struct terminal *t);
/** "kernel.cu:41", with the line of the source where the file can be read. */
void show_place(const json_t *place);
void show_finding(const json_t *finding);
void show_threads(struct terminal *t);
/** So many lines around one; `mark` is where it stands. */
void show_source(const char *file, int line, int around, int mark);
void show_displays(struct terminal *t);
/** Where a breakpoint has come to stand, unless that is its own line. */
void show_breakpoint(const json_t *b);
/** "block 3 thread 9" */
void show_thread_name(const json_t *run, long long block, long long thread, char *out, size_t size);
/** Prints the answer's error and releases it. @return false; true: there is none, and it is still the caller's */
bool show_answer(json_t *answer);

#endif
