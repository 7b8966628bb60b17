/**
 * @file watch.c
 * Waiting for saves (inotify on the lab's folder, since editors replace files) and keys.
 */
#include "course/watch.h"
#include "course/tried.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <termios.h>
#include <unistd.h>

#include "course/glance.h"
#include "course/hint.h"
#include "course/progress.h"
#include "grade.h"
#include "report/report.h"

#define SETTLE_MS 150 /* an editor's save is several events */

struct watching {
    const struct kit *kit;
    const struct options *options;
    const char *lab;
    int events, status;
    struct record *last;
};

static void show(const struct text *t)
{
    fputs(text_str(t), stdout);
    fflush(stdout);
}

static void show_trouble(struct watching *w, const struct trouble *t)
{
    if (!t->what[0])
        return;
    printf("grade: %s%s%s\n", t->what, t->todo[0] ? "; " : "", t->todo);
    fflush(stdout);
    w->status = 2;
}

static void keys(void)
{
    fputs("\n[n]ext  [r]un  [h]int  [l]ist  [q]uit, or save the file\n", stdout);
    fflush(stdout);
}

static void grade(struct watching *w)
{
    struct trouble t = {0};
    struct text out = {0};
    bool color = report_color(w->options->color, NULL);
    record_free(w->last);
    if (color)
        fputs("\033[H\033[2J\033[3J", stdout);
    struct record *before = progress_load(w->kit, w->lab);
    w->last = grade_lab_after(w->kit, w->options, w->lab, w->options->fresh || w->options->has_seed ? NULL : before, &t);
    if (w->last) {
        struct report_style style = {color, w->options->verbose, hint_left(w->kit, w->last),
                                     report_columns(NULL)};
        tried_mark(w->last, before);
        progress_save(w->kit, w->last, &t);
        report_text(&out, w->last, &style);
        w->status = record_exit(w->last);
        if (w->status == 0)
            text_puts(&out, "Full marks: n goes on to the next lab.\n");
    }
    record_free(before);
    show(&out);
    show_trouble(w, &t);
    text_free(&out);
    keys();
}

static void follow(struct watching *w)
{
    char *folder = kit_path(w->kit, "labs/%s", w->lab);
    if (w->events >= 0)
        close(w->events);
    w->events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    inotify_add_watch(w->events, folder, IN_CLOSE_WRITE | IN_MOVED_TO);
    free(folder);
    grade(w);
}

static void hint(struct watching *w)
{
    struct text out = {0};
    struct trouble t = {0};
    if (w->last)
        hint_open(w->kit, w->last, NULL, false, &out, &t);
    show(&out);
    show_trouble(w, &t);
    text_free(&out);
    keys();
}

static void list(struct watching *w)
{
    struct text out = {0};
    glance(w->kit, report_color(w->options->color, NULL), &out);
    show(&out);
    text_free(&out);
    keys();
}

static void next(struct watching *w)
{
    for (int i = 0; i < w->kit->labs_count; i++)
        if (!strcmp(w->kit->labs[i], w->lab)) {
            w->lab = w->kit->labs[(i + 1) % w->kit->labs_count];
            break;
        }
    follow(w);
}

/** False at q. */
static bool key(struct watching *w, char c)
{
    switch (c) {
    case 'n':
        next(w);
        break;
    case 'r':
        grade(w);
        break;
    case 'h':
        hint(w);
        break;
    case 'l':
        list(w);
        break;
    case 'q':
    case 4: /* ^D */
        return false;
    default:
        break;
    }
    return true;
}

/** Reads all events; true if one is about the kernel or the spec. */
static bool saved(int events)
{
    char buffer[4096] __attribute__((aligned(8)));
    bool ours = false;
    for (ssize_t n; (n = read(events, buffer, sizeof buffer)) > 0;)
        for (char *p = buffer; p < buffer + n;) {
            const struct inotify_event *e = (struct inotify_event *)p;
            ours |= e->len && (!strcmp(e->name, "kernel.cu") || !strcmp(e->name, "lab.yaml"));
            p += sizeof *e + e->len;
        }
    return ours;
}

static void loop(struct watching *w)
{
    for (;;) {
        struct pollfd fds[2] = {{w->events, POLLIN, 0}, {0, POLLIN, 0}};
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return;
        if (fds[1].revents) {
            char c;
            if (read(0, &c, 1) <= 0 || !key(w, c))
                return;
        } else if (fds[0].revents) {
            bool ours = saved(w->events);
            usleep(SETTLE_MS * 1000);
            if (saved(w->events) || ours)
                grade(w);
        }
    }
}

int watch(const struct kit *k, const struct options *o, struct trouble *t)
{
    struct watching w = {.kit = k, .options = o, .events = -1};
    struct termios old, raw;
    bool terminal = isatty(0) && tcgetattr(0, &old) == 0;
    w.lab = kit_find_lab(k, o->labs[0], t);
    if (!w.lab)
        return 2;
    if (terminal) {
        raw = old;
        raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO); /* ISIG stays: ^C works, and so does the shell */
        tcsetattr(0, TCSANOW, &raw);
    }
    follow(&w);
    loop(&w);
    if (terminal)
        tcsetattr(0, TCSANOW, &old);
    close(w.events);
    record_free(w.last);
    return w.status;
}
