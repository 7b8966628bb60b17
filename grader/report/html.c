/**
 * @file html.c
 * The record as one self-contained page: the score, what to do next, then each part's cases with
 * their findings, and at the end how it was graded. The page's pieces are in html_finding.c and
 * html_tables.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "report/report.h"
#include "report/words.h"

static const char *const state_words[] = {[STATE_OK] = "ok", [STATE_FAIL] = "failed",
                                          [STATE_UNJUDGED] = "could not judge",
                                          [STATE_NOT_TRIED] = "not tried"};

/** What the reader is told about a result that did not pass, in the words of the text report. */
static void result(struct text *out, const struct record_case *c)
{
    if (c->state == STATE_UNJUDGED) {
        page_element(out, "<p><b>Could not judge:</b> ", c->message ? c->message : "", "</p>");
    } else if (c->message) {
        bool sentence = c->verdict != VERDICT_WRONG_RESULT && !c->findings_count;
        page_element(out, "<p><b>", sentence ? verdict_name(c->verdict) : "Result", ":</b> ");
        page_element(out, "", c->message, "</p>");
    }
}

/** Both runs, one above the other; pictures in the page run no script, whatever they hold. */
static void timelines(struct text *out, const struct record_case *c)
{
    const char *const pictures[] = {c->timeline, c->reference_timeline};
    static const char *const names[] = {"your run", "the reference's run"};
    if (!c->timeline && !c->reference_timeline)
        return;
    text_puts(out, "<details open><summary>What ran when, in virtual time</summary>\n");
    for (int i = 0; i < 2; i++) {
        if (!pictures[i])
            continue;
        page_element(out, "<div class=wide><img class=timeline alt=\"a timeline: ", names[i],
                     "\" src=\"data:image/svg+xml;base64,");
        text_base64(out, pictures[i], strlen(pictures[i]));
        text_puts(out, "\"></div>\n");
    }
    text_puts(out, "<p class=\"dim small\">Both to one scale. A picture tells; it decides nothing.</p></details>\n");
}

static void replay(struct text *out, const struct record *r, const struct record_case *c)
{
    char *again = record_replay(r, c);
    text_puts(out, "<p class=small>The same run again:</p>");
    page_command(out, again);
    if (c->findings_count) {
        char *steps = text_format("%s --debug", again);
        text_puts(out, "<p class=small>Step through it, also backwards:</p>");
        page_command(out, steps);
        free(steps);
    }
    free(again);
}

/** Of a hidden case only the kind of failure is told; not being able to judge is no secret. */
static void hidden_case(struct text *out, const struct record_case *c)
{
    text_puts(out, "<div class=inside>");
    if (c->state == STATE_FAIL) {
        page_element(out, "<p><b>", verdict_name(c->verdict), "</b> ");
        page_element(out, "", verdict_meaning(c->verdict), "</p>");
    } else if (c->state == STATE_UNJUDGED) {
        result(out, c);
    }
    text_puts(out, "</div>\n");
}

static void inside(struct text *out, const struct record *r, const struct record_case *c)
{
    text_puts(out, "<div class=inside>\n");
    for (int i = 0; i < c->findings_count; i++)
        html_finding(out, &c->findings[i]);
    result(out, c);
    if (c->state == STATE_FAIL || c->state == STATE_UNJUDGED) {
        page_hints(out, c->hints, c->hints_count);
        replay(out, r, c);
    }
    timelines(out, c);
    html_counters(out, c);
    if (c->detail && *c->detail && c->state != STATE_OK)
        page_element(out, "<details><summary>What the run printed</summary><pre class=text>",
                     c->detail, "</pre></details>\n");
    text_puts(out, "</div>\n");
}

/** A row of its own, or the summary of what folds out below it. */
static void case_row(struct text *out, const struct record_case *c)
{
    page_element(out, "<span class=name>", c->hidden ? "a hidden case" : c->title, "</span>");
    page_element(out, "<span class=state>", state_words[c->state], "</span>");
    if (c->state != STATE_NOT_TRIED)
        text_printf(out, "<span class=\"dim small time\">%.1f s</span>", c->seconds);
    text_printf(out, "<span class=num>%d/%d</span>", c->earned, c->points);
}

static void one_case(struct text *out, const struct record *r, const struct record_case *c)
{
    bool folds = !c->hidden && c->state != STATE_NOT_TRIED;
    bool open = c->state != STATE_OK || c->findings_count;
    text_puts(out, !folds ? "<div" : open ? "<details class=fold open" : "<details class=fold");
    page_element(out, " id=\"case-", c->id, "\">");
    text_printf(out, "<%s class=\"case %s\">", folds ? "summary" : "div",
                record_state_name(c->state));
    case_row(out, c);
    text_printf(out, "</%s>\n", folds ? "summary" : "div");
    if (record_is_skipped(c))
        page_element(out, "<div class=inside><p class=\"dim small\">", c->message, "</p></div>\n");
    else if (c->hidden)
        hidden_case(out, c);
    else if (folds)
        inside(out, r, c);
    text_printf(out, "</%s>\n", folds ? "details" : "div");
}

static void part(struct text *out, const struct record *r, const struct record_part *p)
{
    page_element(out, "<h2 id=\"part-", p->id, "\">Part ");
    page_element(out, "", p->id, " &nbsp;");
    page_element(out, "", p->title, "</h2>\n");
    if (p->missing) {
        page_element(out, "<p>Not tried: it needs full marks in part ", p->missing, ".</p>\n");
        return;
    }
    if (p->kept)
        text_puts(out, "<p>As before: nothing that this part can run has changed since.</p>\n");
    for (int i = 0; i < p->cases_count; i++)
        if (!r->partial || p->cases[i].state != STATE_NOT_TRIED)
            one_case(out, r, &p->cases[i]);
    html_properties(out, r, p);
}

static bool any_tried(const struct record_part *p)
{
    for (int i = 0; i < p->cases_count; i++)
        if (p->cases[i].state != STATE_NOT_TRIED)
            return true;
    return false;
}

/** Title, score, what to do next. */
static void head(struct text *out, const struct record *r)
{
    page_element(out, "<p class=dim>", r->lab, "</p>\n");
    page_element(out, "<h1>", r->title, "</h1>\n");
    page_element(out, "<p class=dim><code>", r->file, "</code>, ");
    page_element(out, "graded on ", r->device, "");
    text_printf(out, ", seed <code>%08x</code></p>\n", r->seed);
    if (r->partial)
        text_puts(out, "<p>Only some cases were run: no score.</p>\n");
    else
        text_printf(out, "<p class=score>%d <span class=dim>of %d</span></p>\n", r->earned,
                    r->points);
    if (!r->partial && r->gpu && r->bonus_points)
        text_printf(out, "<p>+%d of %d for speed on a GPU</p>\n", r->bonus, r->bonus_points);
    if (!r->partial)
        page_bar(out, r->earned, r->points);
    if (r->state == STATE_UNJUDGED)
        text_puts(out, "<p><b>Not final:</b> some of it could not be judged. The reason stands "
                       "below; it is never held against the submission.</p>\n");
    else if (!r->partial && r->earned == r->points)
        text_puts(out, "<p>Full marks.</p>\n");
    const struct record_case *first = record_first_failure(r);
    if (first && r->verdict != VERDICT_COMPILE_ERROR) {
        page_element(out, "<p>The first to look at: <a href=\"#case-", first->id, "\">");
        page_element(out, "", first->hidden ? "a hidden case" : first->title, "</a>");
        page_element(out, " (", first->state == STATE_UNJUDGED ? "could not judge"
                                                               : verdict_name(first->verdict), ")</p>\n");
    }
    if (r->next)
        page_element(out, "<p class=next><b>Next:</b> ", r->next, "</p>\n");
    if (r->compare)
        page_command(out, r->compare);
}

static void not_compiled(struct text *out, const struct record *r)
{
    text_puts(out, "<h2>It does not compile</h2>\n");
    page_element(out, "<pre class=text>", r->message ? r->message : "", "</pre>\n");
    page_hints(out, r->hints, r->hints_count);
    text_puts(out, "<p class=small>After a change:</p>");
    page_command(out, r->command);
}

void report_html(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    char *title = text_format("%s %s", r->lab, r->title);
    page_begin(out, title);
    free(title);
    head(out, r);
    if (r->verdict == VERDICT_COMPILE_ERROR) {
        not_compiled(out, r);
    } else {
        if (r->message)
            page_element(out, "<p>", r->message, "</p>\n");
        html_scores(out, r);
        for (int p = 0; p < r->parts_count; p++)
            if (!r->partial || any_tried(&r->parts[p]))
                part(out, r, &r->parts[p]);
        html_properties(out, r, NULL);
        html_tiers(out, r);
    }
    html_provenance(out, r);
    page_end(out);
}
