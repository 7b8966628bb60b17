/**
 * @file html.c
 * One self-contained page: no script, no outside file. Hints open one inside the other; each
 * finding's two accesses are drawn as two columns, a thread each, time running down.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/report.h"
#include "report/words.h"

static const char style_sheet[] =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
    "color:#1b1f24;background:#fff}"
    "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid #d0d7de}"
    "code,pre,.src{font-family:ui-monospace,monospace;font-size:.9em}"
    ".case{margin:.4rem 0;padding:.3rem .8rem;border-left:4px solid #d0d7de}"
    ".ok{border-color:#1a7f37}.fail{border-color:#cf222e}.unjudged{border-color:#9a6700}"
    ".pts{float:right;color:#57606a}.finding{margin:.8rem 0 1.2rem;padding:.6rem 1rem;"
    "background:#f6f8fa;border-radius:6px}.kind{font-weight:600;color:#cf222e}"
    ".warning .kind{color:#9a6700}"
    "table.time{border-collapse:collapse;width:100%;margin:.6rem 0;table-layout:fixed}"
    ".time th{width:50%;text-align:left;font-weight:600;border-bottom:2px solid #57606a}"
    ".time td{border-left:2px solid #afb8c1;padding:.3rem .6rem;vertical-align:top;"
    "overflow-wrap:anywhere}"
    ".bar{background:#eaeef2;border-radius:4px;height:.7rem}.bar i{display:block;height:100%;"
    "background:#1a7f37;border-radius:4px}details{margin:.4rem 0}.dim{color:#57606a}"
    "@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}"
    ".finding{background:#161b22}.bar{background:#30363d}h2{border-color:#30363d}}";

static void escape(struct text *out, const char *s)
{
    for (; *s; s++) {
        const char *entity = *s == '&'   ? "&amp;"
                             : *s == '<' ? "&lt;"
                             : *s == '>' ? "&gt;"
                             : *s == '"' ? "&quot;"
                                         : NULL;
        if (entity)
            text_puts(out, entity);
        else
            text_add(out, s, 1);
    }
}

/** `tag` with escaped content. */
static void element(struct text *out, const char *open, const char *content, const char *close)
{
    text_puts(out, open);
    escape(out, content);
    text_puts(out, close);
}

/** Which access came first in the run that is shown: a store before the load that missed it. */
static void timeline(struct text *out, const struct record_finding *f)
{
    if (!f->accesses_count)
        return;
    text_puts(out, "<table class=time><tr>");
    for (int i = 0; i < f->accesses_count; i++) {
        struct text who = {0};
        words_thread(&who, &f->accesses[i]);
        element(out, "<th>", text_str(&who), "</th>");
        text_free(&who);
    }
    text_puts(out, "</tr>");
    for (int i = 0; i < f->accesses_count; i++) {
        const struct record_access *a = &f->accesses[i];
        struct text place = {0}, value = {0};
        words_place(&place, a);
        words_value(&value, a);
        text_puts(out, i ? "<tr><td></td><td>" : "<tr><td>");
        element(out, "<span class=dim>", text_str(&place), "</span><br>");
        element(out, "<span class=src>", a->source ? a->source : a->op, "</span><br>");
        element(out, "<b>", text_str(&value), "</b></td>");
        text_puts(out, !i && f->accesses_count > 1 ? "<td></td></tr>" : "</tr>");
        text_free(&place);
        text_free(&value);
    }
    text_puts(out, "</table>");
}

static void finding(struct text *out, const struct record_finding *f)
{
    text_printf(out, "<div class=\"finding %s\">", f->level == RECORD_ERROR ? "error" : "warning");
    element(out, "<span class=kind>", verdict_name(f->kind), "</span>: ");
    element(out, "", f->message, "");
    timeline(out, f);
    if (f->suggestion)
        element(out, "<p><b>Try:</b> ", f->suggestion, "</p>");
    if (f->rule && *f->rule)
        element(out, "<p class=dim>Rule: ", f->rule, "</p>");
    if (f->count > 1)
        text_printf(out, "<p class=dim>Seen %" PRId64 " times.</p>", f->count);
    text_puts(out, "</div>");
}

/** Each hint stands inside the one before, so that one click opens one. */
static void hints(struct text *out, char *const *list, int count)
{
    for (int i = 0; i < count; i++) {
        text_printf(out, "<details><summary>%s</summary>", i ? "Next hint" : "Hint");
        element(out, "<p>", list[i], "</p>");
    }
    for (int i = 0; i < count; i++)
        text_puts(out, "</details>");
}

static void one_case(struct text *out, const struct record *r, const struct record_case *c)
{
    static const char *const words[] = {[STATE_OK] = "ok", [STATE_FAIL] = "FAIL",
                                        [STATE_UNJUDGED] = "could not judge",
                                        [STATE_NOT_TRIED] = "not tried"};
    text_printf(out, "<div class=\"case %s\"><span class=pts>%s &nbsp; %d/%d</span>",
                record_state_name(c->state), words[c->state], c->earned, c->points);
    element(out, "", c->hidden ? "a hidden case" : c->title, "");
    if (c->hidden) {
        if (c->state == STATE_FAIL)
            element(out, "<p>", verdict_name(c->verdict), "</p>");
        text_puts(out, "</div>\n");
        return;
    }
    for (int i = 0; i < c->findings_count; i++)
        finding(out, &c->findings[i]);
    if (c->message)
        element(out, "<p><b>Result:</b> ", c->message, "</p>");
    if (c->state == STATE_FAIL || c->state == STATE_UNJUDGED) {
        char *again = record_replay(r, c);
        element(out, "<p>Again: <code>", again, "</code></p>");
        free(again);
    }
    hints(out, c->hints, c->hints_count);
    text_puts(out, "</div>\n");
}

static void bar(struct text *out, int earned, int points)
{
    text_printf(out, "<div class=bar><i style=\"width:%d%%\"></i></div>",
                points ? 100 * earned / points : 0);
}

static void properties(struct text *out, const struct record *r)
{
    if (r->properties_count)
        text_puts(out, "<h2>Properties</h2>");
    for (int i = 0; i < r->properties_count; i++) {
        const struct record_property *p = &r->properties[i];
        text_printf(out, "<div class=\"case %s\"><span class=pts>%d/%d</span>",
                    record_state_name(p->state), p->earned, p->points);
        element(out, "", p->title, "");
        if (p->has_value) {
            element(out, "<p class=dim><code>", p->counter, "</code> ");
            text_printf(out, "was %g", p->value);
            if (p->has_max)
                text_printf(out, "; at most %g is allowed", p->max);
            if (p->has_min)
                text_printf(out, "; at least %g is asked for", p->min);
            if (p->has_reference)
                text_printf(out, "; the reference has %g", p->reference);
            text_puts(out, ".</p>");
        }
        text_puts(out, "</div>\n");
    }
}

static void provenance(struct text *out, const struct record *r)
{
    char when[64];
    time_t t = (time_t)r->time;
    struct tm tm;
    gmtime_r(&t, &tm);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M UTC", &tm);
    text_printf(out, "<h2>How it was graded</h2><p class=dim>%s, %.1f s, seed <code>%08x</code>, ",
                when, r->seconds, r->seed);
    element(out, "", r->device, ", sandbox ");
    element(out, "", r->sandbox, ", nvcc ");
    element(out, "", r->nvcc, "");
    text_printf(out, ".<br>spec %016" PRIx64 ", source %016" PRIx64 ", reference %016" PRIx64
                     ", harness %016" PRIx64 ", softgpu %016" PRIx64 "</p>",
                r->spec_hash, r->source_hash, r->reference_hash, r->harness_hash,
                r->softgpu_hash);
}

void report_html(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    text_puts(out, "<!doctype html><html lang=en><meta charset=utf-8>"
                   "<meta name=viewport content=\"width=device-width,initial-scale=1\">");
    text_printf(out, "<style>%s</style>", style_sheet);
    element(out, "<title>", r->lab, " ");
    element(out, "", r->title, "</title><h1>");
    element(out, "", r->lab, " ");
    element(out, "", r->title, "</h1>");
    text_printf(out, "<p><b>%d/%d</b>%s</p>", r->earned, r->points,
                r->state == STATE_UNJUDGED ? ", not final: some of it could not be judged" : "");
    bar(out, r->earned, r->points);
    if (r->next)
        element(out, "<p><b>Next:</b> ", r->next, "</p>");
    if (r->message)
        element(out, "<h2>It does not compile</h2><pre>", r->message, "</pre>");
    hints(out, r->hints, r->hints_count);
    for (int p = 0; p < r->parts_count && r->verdict != VERDICT_COMPILE_ERROR; p++) {
        const struct record_part *part = &r->parts[p];
        element(out, "<h2>Part ", part->id, " ");
        element(out, "", part->title, "");
        text_printf(out, " <span class=pts>%d/%d</span></h2>", part->earned, part->points);
        bar(out, part->earned, part->points);
        if (part->missing)
            element(out, "<p>Not tried: needs part ", part->missing, ".</p>");
        for (int i = 0; i < part->cases_count && !part->missing; i++)
            one_case(out, r, &part->cases[i]);
    }
    properties(out, r);
    provenance(out, r);
    text_puts(out, "</html>\n");
}
