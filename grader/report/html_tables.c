/**
 * @file html_tables.c
 * The page's tables: points by part, counters, properties, and with what it was graded; see html.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "report/html.h"
#include "report/words.h"

/** "1,234,567", "3.25": as few digits as say it. */
static void number(struct text *out, double v)
{
    if (fabs(v) >= 1e15 || (v != floor(v) && fabs(v) < 1000)) {
        text_printf(out, "%.4g", v);
        return;
    }
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%.0f", fabs(v));
    text_puts(out, v < 0 ? "−" : "");
    for (int i = 0; i < len; i++) {
        text_add(out, &digits[i], 1);
        if ((len - i - 1) % 3 == 0 && i + 1 < len)
            text_puts(out, ",");
    }
}

static void score_row(struct text *out, const char *label, int earned, int points, const char *why)
{
    text_puts(out, "<tr><td>");
    text_puts(out, label);
    if (why)
        page_element(out, " <span class=\"dim small\">", why, "</span>");
    text_puts(out, "</td><td style=\"width:30%\">");
    page_bar(out, earned, points);
    text_printf(out, "</td><td class=num>%d/%d</td></tr>\n", earned, points);
}

void html_scores(struct text *out, const struct record *r)
{
    if (r->partial)
        return;
    text_puts(out, "<h2>Points</h2>\n<table>");
    for (int p = 0; p < r->parts_count; p++) {
        const struct record_part *part = &r->parts[p];
        struct text label = {0};
        char *why = part->missing ? text_format("not tried: needs part %s", part->missing) : NULL;
        page_element(&label, "<a href=\"#part-", part->id, "\">Part ");
        page_element(&label, "", part->id, "</a> &nbsp;");
        page_escape(&label, part->title);
        score_row(out, text_str(&label), part->earned, part->points, why);
        text_free(&label);
        free(why);
    }
    int earned = 0, points = 0;
    for (int i = 0; i < r->properties_count; i++) {
        if (record_part_of(r, &r->properties[i]))
            continue;
        earned += r->properties[i].earned;
        points += r->properties[i].points;
    }
    if (points)
        score_row(out, "<a href=\"#properties\">Properties</a>", earned, points, NULL);
    text_puts(out, "</table>\n");
}

void html_counters(struct text *out, const struct record_case *c)
{
    bool compared = false;
    int shown = 0;
    for (int i = 0; i < c->counters_count; i++) {
        compared |= c->counters[i].has_reference;
        shown += c->counters[i].value != 0 || c->counters[i].reference != 0;
    }
    if (!shown)
        return;
    text_puts(out, "<details><summary>What it cost: softgpu's counters</summary>"
                   "<table class=counters><thead><tr><th>Counter</th><th class=num>Yours</th>");
    text_puts(out, compared ? "<th class=num>Reference</th>" : "");
    text_puts(out, "<th>What it counts</th></tr></thead>\n");
    for (int i = 0; i < c->counters_count; i++) {
        const struct record_counter *k = &c->counters[i];
        const char *sentence = sentence_of_counter(k->name);
        if (!k->value && !k->reference)
            continue;
        page_element(out, "<tr><td><code>", k->name, "</code></td><td class=num>");
        number(out, k->value);
        text_puts(out, compared ? "</td><td class=\"num dim\">" : "");
        if (k->has_reference)
            number(out, k->reference);
        page_element(out, "</td><td class=small>", sentence ? sentence : "", "</td></tr>\n");
    }
    text_puts(out, "</table></details>\n");
}

void html_properties(struct text *out, const struct record *r, const struct record_part *part)
{
    bool first = true;
    for (int i = 0; i < r->properties_count && !r->partial; i++) {
        const struct record_property *p = &r->properties[i];
        if ((p->required && p->state != STATE_FAIL) || record_part_of(r, p) != part)
            continue;
        if (first && !part)
            text_puts(out, "<h2 id=properties>Properties</h2>\n");
        first = false;
        static const char *const words[] = {[STATE_OK] = "kept", [STATE_FAIL] = "not kept",
                                            [STATE_UNJUDGED] = "could not judge",
                                            [STATE_NOT_TRIED] = "not tried"};
        const char *sentence = sentence_of_counter(p->counter);
        text_printf(out, "<div class=\"case %s\">", record_state_name(p->state));
        page_element(out, "<span class=name>", p->title, "</span>");
        page_element(out, "<span class=state>", words[p->state], "</span>");
        text_printf(out, "<span class=num>%d/%d</span></div>\n", p->earned, p->points);
        page_element(out, "<div class=inside><p class=small><code>", p->counter, "</code>");
        if (p->has_value) {
            text_puts(out, " is <b>");
            number(out, p->value);
            text_puts(out, "</b>");
        }
        if (p->has_max) {
            text_puts(out, "; at most ");
            number(out, p->max);
            text_puts(out, " is allowed");
        }
        if (p->has_min) {
            text_puts(out, "; at least ");
            number(out, p->min);
            text_puts(out, " is asked for");
        }
        if (p->has_reference) {
            text_puts(out, "; the reference has ");
            number(out, p->reference);
        }
        page_element(out, ". ", sentence ? sentence : "", "</p></div>\n");
    }
}

static void row(struct text *out, const char *name, const char *value)
{
    page_element(out, "<tr><td>", name, "</td>");
    page_element(out, "<td>", value, "</td></tr>\n");
}

static void hash_row(struct text *out, const char *name, uint64_t hash)
{
    text_printf(out, "<tr><td>%s</td><td><code>%016" PRIx64 "</code></td></tr>\n", name, hash);
}

void html_provenance(struct text *out, const struct record *r)
{
    char when[64];
    time_t t = (time_t)r->time;
    struct tm tm = {0};
    gmtime_r(&t, &tm);
    if (!strftime(when, sizeof when, "%Y-%m-%d %H:%M UTC", &tm))
        *when = 0;
    char *duration = text_format("%s, in %.1f s", when, r->seconds);
    text_puts(out, "<h2>How it was graded</h2>\n");
    text_puts(out, "<p class=small>The whole of it again, with the same inputs and schedules:</p>");
    char *command = text_format("%s --seed %08x", r->command, r->seed);
    page_command(out, command);
    text_puts(out, "<details><summary>Sandbox and tools</summary><table>\n");
    row(out, "When", duration);
    row(out, "Sandbox", r->sandbox);
    row(out, "Device", r->device);
    row(out, "Compiler", r->nvcc);
    row(out, "Grader", r->version);
    hash_row(out, "Spec", r->spec_hash);
    hash_row(out, "Submission", r->source_hash);
    hash_row(out, "Reference", r->reference_hash);
    hash_row(out, "Harness", r->harness_hash);
    hash_row(out, "softgpu", r->softgpu_hash);
    text_puts(out, "</table></details>\n");
    free(command);
    free(duration);
}
