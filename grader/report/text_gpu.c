/**
 * @file text_gpu.c
 * The text report's word on the second tier; see terminal.h.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "report/terminal.h"
#include "report/words.h"

static void say(struct terminal *p, int indent, char *line)
{
    words_wrap(p->out, line, indent);
    free(line);
}

/** Why the two tiers say different things about a case, as far as one can know. */
static void disagreement(struct terminal *p, const struct record_case *c)
{
    const char *title = c->hidden ? "a hidden case" : c->title;
    if (c->gpu == STATE_FAIL) {
        const char *kind = verdict_name(c->gpu_verdict);
        const char *why = c->gpu_message && !c->hidden ? c->gpu_message : "";
        say(p, 4,
            text_format("%s: right on softgpu, but not on this GPU: %s%s%s.", title, kind,
                        *why ? ": " : "", why));
    } else {
        say(p, 4,
            text_format("%s: right on this GPU, %s on softgpu.", title, verdict_name(c->verdict)));
    }
}

static void results(struct terminal *p)
{
    const struct record *r = p->r;
    int tried = 0, right = 0, differ = 0, wrong_here = 0, lucky = 0;
    for (int i = 0; i < r->parts_count; i++)
        for (int k = 0; k < r->parts[i].cases_count; k++) {
            const struct record_case *c = &r->parts[i].cases[k];
            tried += c->gpu != STATE_NOT_TRIED;
            right += c->gpu == STATE_OK;
            differ += record_disagrees(c);
            wrong_here += record_disagrees(c) && c->gpu == STATE_FAIL;
            lucky += record_disagrees(c) && c->gpu == STATE_OK && c->findings_count;
        }
    text_printf(p->out, "  %d of %d results right%s\n", right, tried,
                differ ? "; the two tiers disagree:" : ", as on softgpu.");
    for (int i = 0; i < r->parts_count; i++)
        for (int k = 0; k < r->parts[i].cases_count; k++)
            if (record_disagrees(&r->parts[i].cases[k]))
                disagreement(p, &r->parts[i].cases[k]);
    if (lucky)
        say(p, 2,
            text_dup("That a race came out right here proves nothing: softgpu shows a run in "
                     "which it does not."));
    if (wrong_here)
        say(p, 2,
            text_dup("The score stays softgpu's, but one of the two is mistaken: please show "
                     "this report to your instructor."));
    if (r->gpu_reaches_host && p->style->verbose)
        say(p, 2,
            text_dup("Kernels on this GPU can reach the host's memory: its results rest on "
                     "their not doing so."));
}

static void speed_line(struct terminal *p, const struct record_performance *q)
{
    if (q->state == STATE_FAIL && q->has_value && !q->message)
        terminal_word_line(p, q->title, "slow", YELLOW, q->earned);
    else
        terminal_line(p, q->title, q->state, -1, q->earned);
    if (q->has_value)
        say(p, 4,
            text_format("%.2f times the reference's time (%.2f to %.2f): %.1f\u00a0µs, "
                        "the reference %.1f\u00a0µs, %d rounds",
                        q->ratio, q->low, q->high, q->us, q->reference_us, q->rounds));
    if (q->has_value && q->floor_us > 0 && p->style->verbose)
        say(p, 4, text_format("Memory needs at least %.1f\u00a0µs for it.", q->floor_us));
    if (q->message && q->state == STATE_UNJUDGED && q->possible > q->earned)
        say(p, 4,
            text_format("%s; %d of %d points are sure, %d are open: run it again", q->message,
                        q->earned, q->points, q->possible - q->earned));
    else if (q->message)
        say(p, 4, text_dup(q->message));
}

void terminal_gpu(struct terminal *p)
{
    const struct record *r = p->r;
    if (!r->gpu && !r->gpu_message)
        return;
    text_printf(p->out, "On a GPU%s%s\n", r->gpu ? "  " : "", r->gpu ? r->gpu : "");
    if (r->gpu_message) {
        say(p, 4, text_format("Could not judge: %s", r->gpu_message));
        return;
    }
    results(p);
    bool timed = false;
    for (int i = 0; i < r->performance_count; i++)
        timed |= r->performance[i].has_value || r->performance[i].message;
    if (!timed)
        return;
    char *sum = text_format("+%d/%d", r->bonus, r->bonus_points);
    terminal_padded(p, "Speed  points on top of the score", TERMINAL_RIGHT - words_width(sum));
    text_printf(p->out, "%s\n", r->partial ? "" : sum);
    for (int i = 0; i < r->performance_count; i++)
        speed_line(p, &r->performance[i]);
    free(sum);
}
