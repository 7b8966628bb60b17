/**
 * @file terminal.c
 * Reads commands and calls what they name. An empty line repeats the last, as in gdb.
 */
#include "debug/terminal/terminal.h"

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug/talk.h"
#include "debug/terminal/commands.h"

static void do_help(struct terminal *t, const char *rest);
static void do_quit(struct terminal *t, const char *rest);

/** Names, one or more; the first is the long one. A beginning of a long name will do. */
static const struct command {
    const char *names;
    command_fn *run;
    const char *help;
} commands[] = {
    {"run r", do_run, "start the program, from the beginning"},
    {"continue c", do_continue, "on to the next stop"},
    {"reverse-continue rc", do_back, "back to the one before"},
    {"step s", do_step, "this thread's next line"},
    {"next n", do_next, "the same, calls as one line"},
    {"stepi si", do_stepi, "this thread's next PTX instruction"},
    {"finish", do_finish, "on until the function returns"},
    {"reverse-step rs", do_step_back, "this thread's line before"},
    {"reverse-next rn", do_next_back, "the same, calls as one line"},
    {"reverse-stepi rsi", do_stepi_back, "its PTX instruction before"},
    {"reverse-finish", do_finish_back, "back to the call"},
    {"goto", do_goto, "PLACE: to that place, by its number"},
    {"break b", do_break, "FILE:LINE | FUNCTION [block N] [warp N] [thread N] [if CONDITION]"},
    {"watch", do_watch, "EXPRESSION: stop where it is written"},
    {"rwatch", do_rwatch, "EXPRESSION: … read"},
    {"awatch", do_awatch, "EXPRESSION: … read or written"},
    {"catch", do_catch, "[no] findings | launches | barriers | host"},
    {"delete d", do_delete, "[N] a breakpoint, or all"},
    {"print p", do_print, "[/x] EXPRESSION, by C's rules; %r1 is a register"},
    {"x", do_examine, "[/16x] EXPRESSION: the elements of an array"},
    {"info i", do_info, "threads | locals | registers | buffers | breakpoints | run"},
    {"backtrace bt where", do_stack, "who called"},
    {"frame f", do_frame, "N: look at that caller"},
    {"up", do_up, "look at the caller"},
    {"down", do_down, "and back"},
    {"thread t", do_thread, "BLOCK THREAD: look at that thread"},
    {"list l", do_list, "[LINE] of the source"},
    {"who", do_who, "EXPRESSION: back to who wrote it last"},
    {"could", do_could, "every value that this thread's next load may return, also of later writes, and what would rule it out"},
    {"finding", do_finding, "the last finding again"},
    {"other", do_other, "back to the finding's first access"},
    {"write", do_write_of, "back to the last write of what the finding is about"},
    {"signal", do_signal_of, "back to the signal that the finding's second thread has seen"},
    {"help h", do_help, "this"},
    {"quit q", do_quit, "end the program and the debugger"},
};
#define COMMANDS (sizeof commands / sizeof commands[0])

static void do_quit(struct terminal *t, const char *rest)
{
    (void)rest;
    t->quit = true;
}

static void do_help(struct terminal *t, const char *rest)
{
    (void)t, (void)rest;
    for (size_t i = 0; i < COMMANDS; i++)
        printf("%-24s %s\n", commands[i].names, commands[i].help);
    printf("Threads are counted over the whole run, places too; host code does not run again when you go back.\n");
}

/** Is `word` one of the names? A beginning of the first: 1; the whole of one: 2. */
static int names(const char *list, const char *word, size_t n)
{
    int found = !strncmp(list, word, n);
    for (const char *at = list; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == n && !strncmp(at, word, n))
            return 2;
    return found;
}

static const struct command *find(const char *word, size_t n)
{
    const struct command *found = NULL;
    for (size_t i = 0; i < COMMANDS; i++) {
        int how = names(commands[i].names, word, n);
        if (how == 2)
            return &commands[i];
        if (how && !found)
            found = &commands[i];
    }
    return found;
}

static void obey(struct terminal *t, const char *line)
{
    line += strspn(line, " \t");
    size_t n = strcspn(line, " \t/");
    if (!n || *line == '#')
        return;
    const struct command *c = find(line, n);
    if (c)
        c->run(t, line + n + strspn(line + n, " \t"));
    else
        printf("there is no command \"%.*s\"; help lists them\n", (int)n, line);
}

static struct session *at_work;

static void on_interrupt(int number)
{
    (void)number;
    session_pause(at_work);
}

static void read_all(struct terminal *t, FILE *in, bool prompt)
{
    char *line = NULL, *last = NULL;
    size_t room = 0;
    for (;;) {
        if (prompt)
            printf("(softgpu) ");
        fflush(stdout);
        if (t->quit || getline(&line, &room, in) < 0)
            break;
        size_t n = strlen(line);
        while (n && isspace((unsigned char)line[n - 1]))
            line[--n] = '\0';
        if (n) {
            free(last);
            last = strdup(line);
        }
        if (last && (n || prompt))
            obey(t, last);
    }
    free(line);
    free(last);
}

/** While the program runs: only what the user would not expect. */
static void tell_moved(struct session *s, const json_t *b)
{
    (void)s;
    if (talk_true(b, "stands"))
        show_breakpoint(b);
}

int terminal_run(char **program, const char *script)
{
    struct terminal t = {.next_id = 1};
    session_init(&t.session, program);
    t.session.placed = tell_moved;
    t.session.input = open("/dev/null", O_RDONLY | O_CLOEXEC); /* commands are not for the program */
    at_work = &t.session;
    signal(SIGINT, on_interrupt);
    FILE *f = script ? fopen(script, "r") : NULL;
    if (script && !f)
        fprintf(stderr, "softgpu: cannot read %s\n", script);
    if (f) {
        read_all(&t, f, false);
        fclose(f);
    }
    if (!t.quit && (!script || f))
        read_all(&t, stdin, isatty(0));
    session_end(&t.session);
    json_decref(t.finding);
    json_decref(t.session.breaks);
    json_decref(t.session.watches);
    return script && !f ? 2 : 0;
}
