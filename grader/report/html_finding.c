/**
 * @file html_finding.c
 * A finding on the page: its sentence, the two accesses, and the run in which it bites as a column
 * a thread, with time running down.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "report/words.h"

static void thread_name(struct text *out, const char *open, const struct record_access *a,
                        const char *close)
{
    struct text who = {0};
    words_thread(&who, a);
    page_element(out, open, text_str(&who), close);
    text_free(&who);
}

static void place(struct text *out, const struct record_access *a)
{
    struct text where = {0};
    if (!a->file || !a->line)
        return;
    words_place(&where, a);
    page_element(out, " <span class=\"dim small\">", text_str(&where), "</span>");
    text_free(&where);
}

/** One of the two lines that the finding names: the line, and who did what there. */
static void access_line(struct text *out, const struct record_access *a, bool second)
{
    struct text value = {0};
    words_value(&value, a);
    text_puts(out, second ? "<div class=\"access two\">" : "<div class=access>");
    thread_name(out, "<b>", a, "</b> ");
    page_element(out, "", text_str(&value), "");
    place(out, a);
    if (a->within)
        page_element(out, " <span class=\"dim small\">in ", a->within, "</span>");
    if (a->called_from)
        page_element(out, " <span class=\"dim small\">called from ", a->called_from, "</span>");
    if (a->source)
        page_element(out, "<span class=src>", a->source, "</span>");
    text_puts(out, "</div>");
    text_free(&value);
}

static bool same_triple(const int a[3], const int b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool same_thread(const struct record_access *a, const struct record_access *b)
{
    return a->has_thread == b->has_thread &&
           (!a->has_thread || (same_triple(a->block, b->block) && same_triple(a->thread, b->thread)));
}

/**
 * The column of a step: 1 the first access's thread, 2 the second's. Another thread stands in the
 * column of its block if only one of the two is of that block, and in a column of its own otherwise.
 */
static int column_of(const struct record_finding *f, const struct record_access *step)
{
    bool in_block[2] = {false, false};
    for (int i = 0; i < f->accesses_count; i++) {
        const struct record_access *a = &f->accesses[i];
        if (same_thread(a, step))
            return i + 1;
        in_block[i] = a->has_thread && step->has_thread && same_triple(a->block, step->block);
    }
    return in_block[0] == in_block[1] ? f->accesses_count + 1 : in_block[0] ? 1 : 2;
}

static bool is_access(const struct record_finding *f, const struct record_access *step)
{
    for (int i = 0; i < f->accesses_count; i++)
        if (f->accesses[i].line == step->line && !strcmp(f->accesses[i].op, step->op) &&
            same_thread(&f->accesses[i], step))
            return true;
    return false;
}

static void one_step(struct text *out, const struct record_finding *f,
                     const struct record_access *step, int number, int column)
{
    bool own = column <= f->accesses_count && same_thread(step, &f->accesses[column - 1]);
    struct text what = {0};
    words_step(&what, step);
    text_printf(out, "<div class=\"step c%d%s%s%s\" style=\"grid-row:%d\">", column,
                own ? "" : " named", is_access(f, step) ? " marked" : "",
                step->missed ? " missed" : "", number + 1);
    thread_name(out, "<span class=\"thread small\">", step, "</span>");
    text_printf(out, "<span class=no>%d</span>", number);
    page_element(out, "<b>", text_str(&what), "</b>");
    if (step->object) {
        struct text object = {0};
        words_object(&object, step->object, NULL, step->offset, step->element);
        page_element(out, " <span class=\"dim small\">", text_str(&object), "</span>");
        text_free(&object);
    }
    if (step->order)
        page_element(out, " <code class=dim>", step->order, "</code>");
    place(out, step);
    if (step->source)
        page_element(out, "<span class=src>", step->source, "</span>");
    text_puts(out, "</div>\n");
    text_free(&what);
}

static void run(struct text *out, const struct record_finding *f)
{
    int columns = 1;
    for (int i = 0; i < f->interleaving_count; i++) {
        int c = column_of(f, &f->interleaving[i]);
        columns = c > columns ? c : columns;
    }
    if (!f->interleaving_count)
        return;
    text_puts(out, "<details open><summary>A run in which it happens</summary>");
    text_printf(out, "<div class=\"run %s\">", columns == 3 ? "three" : columns == 2 ? "two" : "one");
    for (int c = 1; c <= columns; c++) {
        text_printf(out, "<div class=\"who c%d\">", c);
        if (c <= f->accesses_count)
            thread_name(out, "", &f->accesses[c - 1], "</div>");
        else
            text_puts(out, "other threads</div>");
        text_printf(out, "<div class=\"rail c%d\" style=\"grid-row:2/span %d\"></div>", c,
                    f->interleaving_count);
    }
    text_puts(out, "\n");
    for (int i = 0; i < f->interleaving_count; i++)
        one_step(out, f, &f->interleaving[i], i + 1, column_of(f, &f->interleaving[i]));
    text_puts(out, "</div><p class=\"dim small\">In the order of execution, from top to bottom; "
                   "steps that play no part are left out.</p></details>");
}

static void where(struct text *out, const struct record_finding *f)
{
    text_puts(out, "<p class=\"dim small\">");
    if (f->rule && *f->rule)
        page_element(out, "Rule: ", f->rule, ". ");
    if (f->object) {
        page_element(out, "In ", f->space ? f->space : "", " ");
        struct text object = {0};
        words_object(&object, f->object, f->part, f->offset, f->element);
        page_element(out, "memory, <code>", text_str(&object), "</code>");
        text_free(&object);
        text_puts(out, f->kernel ? ", kernel <code>" : "");
        page_escape(out, f->kernel ? f->kernel : "");
        text_puts(out, f->kernel ? "</code>. " : ". ");
    }
    if (f->count > 1)
        text_printf(out, "Seen %" PRId64 " times.", f->count);
    text_puts(out, "</p>");
}

void html_finding(struct text *out, const struct record_finding *f)
{
    bool error = f->level == RECORD_ERROR;
    text_printf(out, "<section class=\"finding %s\"><p>", error ? "error" : "warning");
    page_element(out, "<span class=kind>", verdict_name(f->kind), "");
    text_puts(out, error ? "</span> " : "</span> (a warning) ");
    page_element(out, "", f->message, "</p>\n");
    for (int i = 0; i < f->accesses_count; i++)
        access_line(out, &f->accesses[i], i > 0);
    if (f->suggestion && *f->suggestion && !f->tried)
        page_element(out, "<p class=try><b>Try:</b> ", f->suggestion, "</p>");
    run(out, f);
    page_element(out, "<details><summary>What this kind means</summary><p>",
                 verdict_meaning(f->kind), "</p>");
    where(out, f);
    text_puts(out, "</details></section>\n");
}
