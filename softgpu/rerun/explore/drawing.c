/**
 * @file drawing.c
 * See drawing.h: steps as text or as a table.
 */
#include "rerun/explore/drawing.h"

#include <errno.h>
#include <string.h>

#include "rerun/explore/drawing_steps.h"

#define COLUMNS 80
#define NUMBER_WIDTH 5
#define MAX_THREADS 4     /* columns that leave room for words; more threads are named in each line */

/* ---- Text ---- */

/** Words of `text`, which are parted by commas, below each other from column `left` on. */
static void text_hanging(FILE *out, const char *text, int left, int width)
{
    int at = width + 1;
    while (*text) {
        int n = (int)strcspn(text, ",");
        if (at > width || at + n + 2 > width) {
            fprintf(out, "%s%*s", at > width ? "" : ",\n", left, "");
            at = 0;
        } else {
            at += fprintf(out, ", ");
        }
        at += fprintf(out, "%.*s", n, text);
        text += n + strspn(text + n, ", ");
    }
    fputc('\n', out);
}

/** What the step does, and how: in one line of its column where there is room, else below. */
static void text_step(FILE *out, const struct step *step, int left, int width, const char *who)
{
    int n = fprintf(out, "%*d  %*s%s%s%s", NUMBER_WIDTH - 2, step->number, left, "", who, *who ? ": " : "", step->what);
    int room = NUMBER_WIDTH + left + width - n;
    if ((int)strlen(step->how) + 2 <= room || !*step->how) {
        fprintf(out, "%s%s\n", *step->how ? "  " : "", step->how);
        return;
    }
    fputc('\n', out);
    text_hanging(out, step->how, NUMBER_WIDTH + left + 2, width - 2);
}

static void text_outcome(FILE *out, const char *title, const char *left_in_memory, const struct steps *s)
{
    bool columns = s->thread.count <= MAX_THREADS;
    int width = columns && s->thread.count ? (COLUMNS - NUMBER_WIDTH) / s->thread.count : COLUMNS - NUMBER_WIDTH;
    char name[CELL] = "";
    fprintf(out, "\n%s\n", title);
    if (*left_in_memory)
        text_hanging(out, left_in_memory, 2, COLUMNS - 2);
    for (int t = 0; columns && t < s->thread.count; t++) {
        fprintf(out, "%*s", t ? width - (int)strlen(name) : NUMBER_WIDTH, "");
        drawing_steps_name(name, sizeof name, s, t);
        fputs(name, out);
    }
    fputs(columns ? "\n" : "", out);
    bool later = false;
    for (int i = 0; i < s->step.count; i++) {
        const struct step *step = &s->step.data[i];
        drawing_steps_name(name, sizeof name, s, step->thread);
        text_step(out, step, columns ? step->thread * width : 0, width - 1, columns ? "" : name);
        later |= step->later;
    }
    if (later)
        fputs("     A read here sees a write that comes further down: load buffering.\n", out);
}

/* ---- HTML ---- */

static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><title>Outcomes</title>\n<style>\n"
    "body{font:16px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\n"
    "h2{font-size:1.05rem;margin:2rem 0 .5rem}\ntable{border-collapse:collapse;width:100%;table-layout:fixed}\n"
    "th{font-weight:600;text-align:left}\nth,td{padding:.2rem .6rem;border-left:2px solid #8884;vertical-align:top}\n"
    "th:first-child,td:first-child{border:0;width:2rem;opacity:.6;text-align:right}\n"
    "td span{opacity:.65;font-size:.85em;display:block}\n.later{background:#fa06}\n"
    ":root{color-scheme:light dark}\n</style>\n<h1>Outcomes that the memory model allows</h1>\n"
    "<p>Under each: one execution that ends so, time running down.</p>\n";

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '<' || *text == '>' || *text == '&')
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
}

static void put_element(FILE *out, const char *open, const char *text, const char *close)
{
    fputs(open, out);
    put_escaped(out, text);
    fputs(close, out);
}

static void html_outcome(FILE *out, const char *title, const char *left_in_memory, const struct steps *s)
{
    put_element(out, "<section><h2>", title, "</h2>\n");
    put_element(out, "<p>", left_in_memory, "</p>\n<table><tr><th>");
    for (int t = 0; t < s->thread.count; t++) {
        char name[CELL];
        drawing_steps_name(name, sizeof name, s, t);
        put_element(out, "<th>", name, "");
    }
    fputc('\n', out);
    for (int i = 0; i < s->step.count; i++) {
        const struct step *step = &s->step.data[i];
        fprintf(out, "<tr><td>%d", step->number);
        for (int t = 0; t < step->thread; t++)
            fputs("<td>", out);
        put_element(out, step->later ? "<td class=later>" : "<td>", step->what, " ");
        put_element(out, "<span>", step->how, step->later ? " (which comes later: load buffering)</span>" : "</span>");
        for (int t = step->thread + 1; t < s->thread.count; t++)
            fputs("<td>", out);
        fputc('\n', out);
    }
    fputs("</table></section>\n", out);
}

/* ---- The file ---- */

void drawing_open(struct drawing *d, const char *path)
{
    size_t n = strlen(path);
    d->html = n > 5 && !strcmp(path + n - 5, ".html");
    d->out = fopen(path, "we");
    if (!d->out)
        fprintf(stderr, "softgpu: cannot write %s: %s\n", path, strerror(errno));
    else if (d->html)
        fputs(page_head, d->out);
}

void drawing_close(struct drawing *d)
{
    if (d->out)
        fclose(d->out);
    d->out = NULL;
}

void drawing_outcome(struct drawing *d, const char *title, const char *left_in_memory, const json_t *events)
{
    struct steps s;
    drawing_steps_read(&s, events);
    (d->html ? html_outcome : text_outcome)(d->out, title, left_in_memory, &s);
    fflush(d->out);
    drawing_steps_free(&s);
}
