/**
 * @file html_tiers.c
 * The page's section on the two tiers: what softgpu says of each case and what came out on a real GPU,
 * and how fast; see html.h.
 */
#include <stdlib.h>

#include "report/html.h"
#include "report/words.h"

static const char *const gpu_words[] = {[STATE_OK] = "right", [STATE_FAIL] = "wrong",
                                        [STATE_UNJUDGED] = "could not judge",
                                        [STATE_NOT_TRIED] = "–"};

static const char *on_softgpu(const struct record_case *c)
{
    return c->state == STATE_OK          ? "right"
           : c->state == STATE_FAIL      ? verdict_name(c->verdict)
           : c->state == STATE_UNJUDGED  ? "could not judge"
                                         : "not tried";
}

static void case_row(struct text *out, const struct record_case *c)
{
    bool differ = record_disagrees(c);
    page_element(out, "<tr><td>", c->hidden ? "a hidden case" : c->title, "</td>");
    page_element(out, differ ? "<td><b>" : "<td>", on_softgpu(c), differ ? "</b></td>" : "</td>");
    page_element(out, differ ? "<td><b>" : "<td>", gpu_words[c->gpu], differ ? "</b>" : "");
    if (c->gpu == STATE_FAIL) {
        page_element(out, " <span class=small>", verdict_name(c->gpu_verdict), "");
        page_element(out, c->gpu_message && !c->hidden ? ": " : "",
                     c->gpu_message && !c->hidden ? c->gpu_message : "", "</span>");
    }
    text_puts(out, "</td></tr>\n");
}

/** Case by case, where a GPU ran; and what it means when the two say different things. */
static void cases(struct text *out, const struct record *r)
{
    bool lucky = false, mistaken = false;
    page_element(out, "<table><tr><th>Case</th><th>softgpu</th><th>", r->gpu, "</th></tr>\n");
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++) {
            const struct record_case *c = &r->parts[p].cases[i];
            if (c->gpu == STATE_NOT_TRIED)
                continue;
            case_row(out, c);
            lucky |= record_disagrees(c) && c->gpu == STATE_OK && c->findings_count;
            mistaken |= record_disagrees(c) && c->gpu == STATE_FAIL;
        }
    text_puts(out, "</table>\n");
    if (lucky)
        text_puts(out, "<p>That a race came out right on the GPU proves nothing: softgpu shows a run in "
                       "which it does not.</p>\n");
    if (mistaken)
        text_puts(out, "<p>The score stays softgpu's, but one of the two is mistaken: please show this "
                       "report to your instructor.</p>\n");
}

static void speed(struct text *out, const struct record_performance *q)
{
    page_element(out, "<tr><td>", q->title, "");
    if (q->message)
        page_element(out, "<br><span class=\"dim small\">", q->message, "</span>");
    text_puts(out, "</td><td>");
    if (q->has_value)
        text_printf(out, "%.2f times the reference's time (%.2f to %.2f)<br><span class=\"dim small\">"
                         "%.1f µs, the reference %.1f µs, %d rounds</span>",
                    q->ratio, q->low, q->high, q->us, q->reference_us, q->rounds);
    text_printf(out, "</td><td class=num>+%d/%d</td></tr>\n", q->earned, q->points);
}

void html_tiers(struct text *out, const struct record *r)
{
    text_puts(out, "<h2>Two tiers</h2>\n"
                   "<p><b>softgpu</b> judges: it tells whether the program is right under the memory "
                   "model, not only whether it came out right, and gives all points. <b>A real GPU</b>, "
                   "where there is one, runs the same harness and the same PTX: it shows that the results "
                   "are right there too, and how fast they come.</p>\n");
    if (r->gpu_message)
        page_element(out, "<p>On a GPU: could not judge: ", r->gpu_message, "</p>\n");
    else if (!r->gpu)
        text_puts(out, "<p class=dim>No GPU took part here.</p>\n");
    else
        cases(out, r);
    bool timed = false;
    for (int i = 0; i < r->performance_count; i++)
        timed |= r->performance[i].has_value || r->performance[i].message;
    if (!timed)
        return;
    text_printf(out, "<h3>Speed: points on top of the score, +%d of %d</h3>\n<table>", r->bonus,
                r->bonus_points);
    for (int i = 0; i < r->performance_count; i++)
        speed(out, &r->performance[i]);
    text_puts(out, "</table>\n");
}
