/**
 * @file text_report.c
 * The report for a terminal, 80 columns: the sentence first, then the evidence, then one thing to
 * try, then a command.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/terminal.h"
#include "report/words.h"

#define SHOWN_ERRORS 1 /* findings shown of a case without -v: the first is the cause, or as good as any */

static void header(struct terminal *p)
{
    const struct record *r = p->r;
    struct text left = {0}, right = {0};
    text_printf(&left, "%s  %s", r->lab, r->title);
    text_printf(&right, "%s, seed %08x", r->device, r->seed);
    int gap = TERMINAL_RIGHT - words_width(text_str(&left)) - words_width(text_str(&right));
    terminal_paint(p, BOLD, text_str(&left));
    if (gap >= 2)
        text_printf(p->out, "%*s%s\n", gap, "", text_str(&right));
    else
        text_printf(p->out, "\n       %s\n", text_str(&right));
    text_free(&left);
    text_free(&right);
}

static void finding(struct terminal *p, const struct record_finding *f)
{
    struct text sentence = {0};
    const char *level = f->level == RECORD_WARNING ? "warning: " : "";
    text_printf(&sentence, "%s%s: %s", level, verdict_name(f->kind), f->message);
    struct text wrapped = {0};
    words_wrap(&wrapped, text_str(&sentence), 4);
    if (p->style->color && wrapped.len > 4) {
        size_t mark = strlen(level) + strlen(verdict_name(f->kind));
        text_printf(p->out, "    \033[%dm%.*s\033[0m%s", f->level == RECORD_ERROR ? RED : YELLOW,
                    (int)mark, wrapped.data + 4, wrapped.data + 4 + mark);
    } else {
        text_puts(p->out, text_str(&wrapped));
    }
    text_free(&wrapped);
    text_free(&sentence);
    terminal_accesses(p, f);
    text_puts(p->out, f->accesses_count ? "\n" : "");
    if (f->suggestion) {
        char *try = f->tried ? text_format("Another way: ./grade %s --hint", p->r->lab) : text_format("Try: %s", f->suggestion);
        if (f->tried)
            words_wrap(p->out, "What was advised last time did not help: is it at the right place?", 4);
        words_wrap(p->out, try, 4);
        free(try);
    }
    if (p->style->verbose && f->rule) {
        char *rule = text_format("Rule: %s", f->rule);
        words_wrap(p->out, rule, 4);
        free(rule);
    }
    if (p->style->verbose && f->object) {
        struct text where = {0};
        text_printf(&where, "In %s%s", f->space ? f->space : "", f->space ? " memory, " : "");
        words_object(&where, f->object, f->part, f->offset, f->element);
        text_printf(&where, "%s%s, seen %" PRId64 " time%s.", f->kernel ? ", kernel " : "",
                    f->kernel ? f->kernel : "", f->count, f->count == 1 ? "" : "s");
        words_wrap(p->out, text_str(&where), 4);
        text_free(&where);
    }
}

/** The case before `c` that shows the same finding (kind and lines), NULL if none. */
static const struct record_case *shown_before(const struct terminal *p, const struct record_case *c,
                                              const struct record_finding *f)
{
    for (int i = 0; i < p->r->parts_count; i++)
        for (int k = 0; k < p->r->parts[i].cases_count; k++) {
            const struct record_case *old = &p->r->parts[i].cases[k];
            if (old == c)
                return NULL;
            for (int n = 0; n < old->findings_count && n < SHOWN_ERRORS && !old->hidden; n++) {
                const struct record_finding *g = &old->findings[n];
                if (g->kind == f->kind && g->level == f->level &&
                    g->accesses[0].line == f->accesses[0].line &&
                    g->accesses[1].line == f->accesses[1].line)
                    return old;
            }
        }
    return NULL;
}

/** A finding that an earlier case told in full. */
static void finding_again(struct terminal *p, const struct record_finding *f,
                          const struct record_case *old)
{
    struct text t = {0};
    text_printf(&t, "%s%s", f->level == RECORD_WARNING ? "warning: " : "", verdict_name(f->kind));
    record_finding_lines(&t, f);
    text_printf(&t, ": as in \"%s\" above.", old->title);
    words_wrap(p->out, text_str(&t), 4);
    text_free(&t);
}

static void findings(struct terminal *p, const struct record_case *c)
{
    int errors = 0, left_out = 0;
    for (int i = 0; i < c->findings_count; i++) {
        const struct record_finding *f = &c->findings[i];
        bool error = f->level == RECORD_ERROR;
        errors += error;
        /* Warnings are shown where nothing worse is to be told, or with -v. */
        bool show = p->style->verbose || (error ? errors <= SHOWN_ERRORS : !errors && i < SHOWN_ERRORS);
        const struct record_case *old = p->style->verbose ? NULL : shown_before(p, c, f);
        bool gap = p->out->len > 1 && !memcmp(p->out->data + p->out->len - 2, "\n\n", 2);
        if (show && i && !old && !gap)
            text_puts(p->out, "\n");
        if (show && old)
            finding_again(p, f, old);
        else if (show)
            finding(p, f);
        else
            left_out++;
    }
    if (left_out)
        text_printf(p->out, "    %d more finding%s: -v shows %s.\n", left_out,
                    left_out > 1 ? "s" : "", left_out > 1 ? "them" : "it");
}

/** Of a hidden case only the kind of failure is told; not being able to judge is no secret. */
static void hidden_failure(struct terminal *p, const struct record_case *c)
{
    char *why = c->state == STATE_UNJUDGED
                    ? text_format("Could not judge: %s", c->message ? c->message : "")
                    : text_dup(verdict_name(c->verdict));
    words_wrap(p->out, why, 4);
    text_puts(p->out, "\n");
    free(why);
}

/** The failed case before `c` has just said the same, "f() is still to be written", say. */
static bool said_before(const struct terminal *p, const struct record_case *c)
{
    const struct record_case *old = NULL;
    for (int i = 0; i < p->r->parts_count; i++)
        for (int k = 0; k < p->r->parts[i].cases_count; k++) {
            const struct record_case *one = &p->r->parts[i].cases[k];
            if (one == c)
                return old && old->state == c->state && old->verdict == c->verdict && !old->hidden &&
                       !old->findings_count && !c->findings_count && old->message && c->message &&
                       !strcmp(old->message, c->message);
            old = one->state == STATE_NOT_TRIED ? old : one;
        }
    return false;
}

static void failure(struct terminal *p, const struct record_case *c)
{
    if (c->hidden) {
        hidden_failure(p, c);
        return;
    }
    if (said_before(p, c) && !p->style->verbose) {
        text_puts(p->out, "    The same.\n");
        return;
    }
    findings(p, c);
    if (c->message) {
        const char *label = c->verdict == VERDICT_WRONG_RESULT || c->findings_count ? "Result: "
                            : c->state == STATE_UNJUDGED ? "Could not judge: " : "";
        bool is_sentence = c->state == STATE_FAIL && c->verdict != VERDICT_WRONG_RESULT &&
                           !c->findings_count;
        char *line = text_format("%s%s%s", is_sentence ? verdict_name(c->verdict) : label,
                                 is_sentence ? ": " : "", c->message);
        words_wrap(p->out, line, 4);
        free(line);
    }
    if (p->style->verbose && c->detail) {
        text_puts(p->out, "    It printed:\n");
        words_indent(p->out, c->detail, 6);
    }
    if (c->state != STATE_OK) {
        char *again = record_replay(p->r, c);
        if (c->findings_count)
            text_puts(p->out, "    With --debug added this steps through it, also backwards:\n");
        words_command(p->out, "Again: ", again, 4);
        text_puts(p->out, "\n");
        free(again);
    }
}

/** The case before `c` was not run for the same reason, which it has told. */
static bool skipped_before(const struct terminal *p, const struct record_case *c)
{
    for (int i = 0; i < p->r->parts_count; i++) {
        const struct record_part *part = &p->r->parts[i];
        if (c > part->cases && c < part->cases + part->cases_count)
            return record_is_skipped(c - 1) && !strcmp(c[-1].message, c->message);
    }
    return false;
}

static void case_line(struct terminal *p, const struct record_case *c)
{
    terminal_line(p, c->hidden ? "a hidden case" : c->title, c->state, c->seconds, c->earned);
    bool warned = c->state == STATE_OK && c->findings_count && !c->hidden;
    if (c->state == STATE_FAIL || c->state == STATE_UNJUDGED)
        failure(p, c);
    else if (warned)
        findings(p, c);
    if (record_is_skipped(c) && (p->style->verbose || !skipped_before(p, c)))
        text_printf(p->out, "    %s\n", c->message);
    if (c->uncounted)
        text_printf(p->out, "    %s\n", c->uncounted);
    if (c->state == STATE_OK && p->style->verbose && c->detail && !c->hidden)
        words_indent(p->out, c->detail, 6);
}

static bool any_tried(const struct record_part *part)
{
    for (int i = 0; i < part->cases_count; i++)
        if (part->cases[i].state != STATE_NOT_TRIED)
            return true;
    return false;
}

static void property_line(struct terminal *p, const struct record_property *q)
{
    terminal_line(p, q->title, q->state, -1, q->earned);
    if (q->state == STATE_UNJUDGED)
        text_printf(p->out, "    Could not judge: softgpu counted no %s.\n", q->counter);
    if (q->state == STATE_FAIL && !q->has_value)
        text_printf(p->out, "    softgpu counted no %s; the reference has %g\n", q->counter,
                    q->reference);
    if (q->state != STATE_FAIL || !q->has_value)
        return;
    char *words = record_property_words(q);
    words_wrap(p->out, words, 4);
    free(words);
    const char *sentence = sentence_of_counter(q->counter);
    char *counts = sentence ? text_format("%s counts: %s", q->counter, sentence) : NULL;
    if (counts)
        words_wrap(p->out, counts, 4);
    free(counts);
}

/** The properties with points of their own that belong to a part; NULL: to none. Of the required ones their
 *  cases tell. */
static void properties(struct terminal *p, const struct record_part *part)
{
    bool first = true;
    for (int i = 0; i < p->r->properties_count && !p->r->partial; i++) {
        const struct record_property *q = &p->r->properties[i];
        if (q->required || record_part_of(p->r, q) != part)
            continue;
        if (first && !part)
            text_puts(p->out, "Properties\n");
        first = false;
        property_line(p, q);
    }
}

static void part(struct terminal *p, const struct record_part *part)
{
    char *title = text_format("Part %s  %s", part->id, part->title);
    bool tried = any_tried(part);
    if (!tried && p->r->partial) {
        free(title);
        return;
    }
    if (!tried) {
        char *why = part->missing ? text_format("not tried: needs part %s", part->missing)
                                  : text_dup("not tried");
        terminal_padded(p, title, TERMINAL_RIGHT - words_width(why));
        text_printf(p->out, "%s\n", why);
        free(why);
        free(title);
        return;
    }
    char *sum = text_format("%s%d/%d", part->kept ? "as before  " : "", part->earned, part->points);
    if (p->r->partial) {
        text_printf(p->out, "%s\n", title);
    } else {
        terminal_padded(p, title, TERMINAL_RIGHT - words_width(sum));
        text_printf(p->out, "%s\n", sum);
    }
    bool folded = part->kept && !p->style->verbose;
    for (int i = 0; i < part->cases_count && !folded; i++)
        if (!p->r->partial || part->cases[i].state != STATE_NOT_TRIED)
            case_line(p, &part->cases[i]);
    if (!folded)
        properties(p, part);
    free(sum);
    free(title);
}

static bool any_kept(const struct record *r)
{
    for (int i = 0; i < r->parts_count; i++)
        if (r->parts[i].kept && r->parts[i].state == STATE_OK)
            return true;
    return false;
}

static void footer(struct terminal *p)
{
    const struct record *r = p->r;
    if (any_kept(r))
        text_puts(p->out, "\nAs before: nothing that these parts can run has changed (--fresh runs all).\n");
    if (r->next) {
        text_puts(p->out, "\n");
        char *next = text_format("Next: %s", r->next);
        words_wrap(p->out, next, 0);
        free(next);
    }
    if (r->compare)
        words_command(p->out, "Compare: ", r->compare, 0);
    text_puts(p->out, "\n");
    if (r->partial)
        return;
    char *score = r->gpu && r->bonus_points
                      ? text_format("Score %d/%d, speed +%d", r->earned, r->points, r->bonus)
                      : text_format("Score %d/%d", r->earned, r->points);
    terminal_paint(p, r->earned == r->points ? GREEN : BOLD, score);
    if (r->state == STATE_UNJUDGED)
        text_puts(p->out, "   not final: some of it could not be judged");
    else if (p->style->hints_left > 0)
        text_printf(p->out, "%*snext hint: ./grade %s --hint", 36 - words_width(score), "", r->lab);
    text_puts(p->out, "\n");
    if (!p->style->verbose && r->sandbox[0] != 'A') {
        char *how = text_format("Sandbox %s.", r->sandbox);
        words_wrap(p->out, how, 0);
        free(how);
    }
    if (p->style->verbose) {
        char *how = text_format("%s; sandbox %s; %s%s; %.1f s", r->file, r->sandbox,
                                strncmp(r->nvcc, "clang", 5) ? "nvcc " : "", r->nvcc, r->seconds);
        words_wrap(p->out, how, 0);
        free(how);
    }
    free(score);
}

void report_text(struct text *out, const struct record *r, const struct report_style *s)
{
    struct terminal p = {out, r, s};
    header(&p);
    text_puts(out, "\n");
    if (r->verdict == VERDICT_COMPILE_ERROR && r->message) {
        terminal_paint(&p, RED, "It does not compile:");
        text_puts(out, "\n\n");
        words_indent(out, r->message, 2);
    } else {
        for (int i = 0; i < r->parts_count; i++)
            part(&p, &r->parts[i]);
        properties(&p, NULL);
        terminal_counters(&p);
        terminal_gpu(&p);
    }
    footer(&p);
}
