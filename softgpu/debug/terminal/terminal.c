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
#include "debug/terminal/line_edit.h"

static void do_help(struct terminal *t, const char *rest);
static void do_quit(struct terminal *t, const char *rest);
static const struct command *find(const char *word, size_t n);

/** What completion offers behind a command. */
enum follows { NOTHING, A_VARIABLE, A_COMMAND, A_WORD };

/** Names, one or more; the first is the long one. A beginning of a long name will do. */
static const struct command {
    const char *names;
    command_fn *run;
    enum follows follows;
    const char *words;           /**< of A_WORD */
    const char *help;
} commands[] = {
    {"run r", do_run, NOTHING, NULL, "start the program, from the beginning"},
    {"start", do_start, NOTHING, NULL, "the same, and stop at the first launch"},
    {"continue c", do_continue, NOTHING, NULL, "on to the next stop"},
    {"reverse-continue rc", do_back, NOTHING, NULL, "back to the one before"},
    {"step s", do_step, NOTHING, NULL, "this thread's next line"},
    {"next n", do_next, NOTHING, NULL, "the same, calls as one line"},
    {"stepi si", do_stepi, NOTHING, NULL, "this thread's next PTX instruction"},
    {"finish", do_finish, NOTHING, NULL, "on until the function returns"},
    {"until u", do_until, NOTHING, NULL, "[LINE] this thread's next line that is not one before; on to that line"},
    {"advance", do_advance, NOTHING, NULL, "LINE | FILE:LINE | FUNCTION: on until this thread comes there"},
    {"reverse-step rs", do_step_back, NOTHING, NULL, "this thread's line before"},
    {"reverse-next rn", do_next_back, NOTHING, NULL, "the same, calls as one line"},
    {"reverse-stepi rsi", do_stepi_back, NOTHING, NULL, "its PTX instruction before"},
    {"reverse-finish", do_finish_back, NOTHING, NULL, "back to the call"},
    {"goto", do_goto, NOTHING, NULL, "PLACE: to that place, by its number"},
    {"break b", do_break, NOTHING, NULL, "FILE:LINE | FUNCTION [block N] [warp N] [thread N] [if CONDITION]"},
    {"tbreak tb", do_tbreak, NOTHING, NULL, "the same, once"},
    {"watch", do_watch, A_VARIABLE, NULL, "EXPRESSION: stop where it is written"},
    {"rwatch", do_rwatch, A_VARIABLE, NULL, "EXPRESSION: … read"},
    {"awatch", do_awatch, A_VARIABLE, NULL, "EXPRESSION: … read or written"},
    {"catch", do_catch, A_WORD, "findings launches barriers host no", "[no] findings | launches | barriers | host"},
    {"delete d", do_delete, NOTHING, NULL, "[N] a breakpoint, or all"},
    {"disable", do_disable, NOTHING, NULL, "[N] a breakpoint, or all: not to stop at for now"},
    {"enable", do_enable, NOTHING, NULL, "[N] to stop at again"},
    {"condition", do_condition, A_VARIABLE, NULL, "N [EXPRESSION]: when breakpoint N is to stop"},
    {"print p inspect", do_print, A_VARIABLE, NULL, "[/x] EXPRESSION, by C's rules; a[3]@4 is four elements, %r1 a register"},
    {"whatis", do_type_name, A_VARIABLE, NULL, "EXPRESSION: its type"},
    {"ptype", do_type, A_VARIABLE, NULL, "EXPRESSION: its type, with its members"},
    {"display", do_display, A_VARIABLE, NULL, "EXPRESSION: print it at each stop"},
    {"undisplay", do_undisplay, NOTHING, NULL, "[N] no longer"},
    {"set", do_set, A_WORD, "trace-commands on off", "trace-commands on | off: says each command; what is looked at cannot be changed"},
    {"x", do_examine, A_VARIABLE, NULL, "[/16x] EXPRESSION: the elements of an array"},
    {"info i", do_info, A_WORD, INFO_TOPICS, INFO_TOPICS},
    {"backtrace bt where", do_stack, NOTHING, NULL, "who called"},
    {"frame f", do_frame, NOTHING, NULL, "N: look at that caller"},
    {"up", do_up, NOTHING, NULL, "look at the caller"},
    {"down", do_down, NOTHING, NULL, "and back"},
    {"thread t", do_thread, NOTHING, NULL, "BLOCK THREAD: look at that thread"},
    {"list l", do_list, NOTHING, NULL, "[LINE] of the source; again: further on"},
    {"who", do_who, A_VARIABLE, NULL, "EXPRESSION: back to who wrote it last"},
    {"could", do_could, NOTHING, NULL, "every value that this thread's next load may return, also of later writes, and what would rule it out"},
    {"finding", do_finding, NOTHING, NULL, "the last finding again"},
    {"other", do_other, NOTHING, NULL, "back to the finding's first access"},
    {"write", do_write_of, NOTHING, NULL, "back to the last write of what the finding is about"},
    {"signal", do_signal_of, NOTHING, NULL, "back to the signal that the finding's second thread has seen"},
    {"help h", do_help, A_COMMAND, NULL, "this"},
    {"quit q", do_quit, NOTHING, NULL, "end the program and the debugger"},
};
#define COMMANDS (sizeof commands / sizeof commands[0])

static void do_quit(struct terminal *t, const char *rest)
{
    (void)rest;
    t->quit = true;
}

static void do_help(struct terminal *t, const char *rest)
{
    const struct command *one = *rest ? find(rest, strcspn(rest, " ")) : NULL;
    (void)t;
    if (one) {
        printf("%-24s %s\n", one->names, one->help);
        return;
    }
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
    if (t->traces)
        printf("+%s\n", line);
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
    for (;;) {
        fflush(stdout);
        free(line);
        t->session.interrupted = false;
        line = t->quit ? NULL : prompt ? line_ask("(softgpu) ", in) : line_read(in);
        if (!line && t->session.interrupted) /* Ctrl-C: this line is dropped */
            continue;
        if (!line)
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

/* ---- Completion ---- */

static void offer_words(const char *words, void (*offer)(const char *word))
{
    char *copy = strdup(words), *rest = copy;
    for (char *word; copy && (word = strsep(&rest, " |"));)
        if (*word)
            offer(word);
    free(copy);
}

static void offer_variables(struct terminal *t, void (*offer)(const char *word))
{
    static const char *const questions[][2] = {{"evaluate", "children"}, {"buffers", "buffers"}};
    size_t i;
    json_t *v;
    for (int k = 0; k < 2 && t->session.stop; k++) {
        json_t *m = session_ask(&t->session, session_question(&t->session, questions[k][0]));
        json_array_foreach(json_object_get(m, questions[k][1]), i, v)
            offer(talk_text(v, "name", ""));
        json_decref(m);
    }
    offer_words("threadIdx blockIdx blockDim gridDim warpSize", offer);
}

/** What could stand behind `before`, which begins the line. */
static void complete(void *self, const char *before, void (*offer)(const char *word))
{
    struct terminal *t = self;
    before += strspn(before, " \t");
    const struct command *c = *before ? find(before, strcspn(before, " \t/")) : NULL;
    for (size_t i = 0; !*before && i < COMMANDS; i++) {
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(commands[i].names, " "), commands[i].names);
        offer(name);
    }
    switch (c ? c->follows : NOTHING) {
    case A_VARIABLE: offer_variables(t, offer); break;
    case A_COMMAND: complete(self, "", offer); break;
    case A_WORD: offer_words(c->words, offer); break;
    case NOTHING: break;
    }
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
    struct terminal t = {.next_id = 1, .off = json_array(), .displays = json_array()};
    session_init(&t.session, program);
    t.session.placed = tell_moved;
    t.session.input = open("/dev/null", O_RDONLY | O_CLOEXEC); /* commands are not for the program */
    at_work = &t.session;
    line_words(complete, &t);
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
    json_decref(t.off);
    json_decref(t.displays);
    json_decref(t.session.breaks);
    json_decref(t.session.watches);
    return script && !f ? 2 : 0;
}
