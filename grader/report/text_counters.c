/**
 * @file text_counters.c
 * softgpu's counters of one case with a sentence each, for -v; see terminal.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/terminal.h"
#include "report/words.h"

/** The case that the first property looks at, else the last one that has counters. */
static const struct record_case *chosen(const struct record *r)
{
    const struct record_case *last = NULL;
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++)
            if (r->parts[p].cases[i].counters_count)
                last = &r->parts[p].cases[i];
    for (int i = 0; i < r->properties_count; i++) {
        const struct record_case *c = record_find(r, r->properties[i].case_name);
        if (c && c->counters_count)
            return c;
    }
    return last;
}

static int decimals(double v)
{
    return v == floor(v) ? 0 : 3;
}

static void line(struct terminal *p, const struct record_counter *c)
{
    const char *sentence = sentence_of_counter(c->name);
    text_puts(p->out, "  ");
    terminal_padded(p, c->name, 26);
    text_printf(p->out, "%14.*f", decimals(c->value), c->value);
    if (c->has_reference)
        text_printf(p->out, "%14.*f", decimals(c->reference), c->reference);
    text_puts(p->out, "\n");
    if (sentence)
        words_wrap(p->out, sentence, 6);
}

void terminal_counters(struct terminal *p)
{
    const struct record_case *c = chosen(p->r);
    if (!p->style->verbose || !c)
        return;
    char *title = text_format("Counters of \"%s\"", c->title);
    if (words_width(title) > 28)
        text_printf(p->out, "%s\n%28s", title, "");
    else
        terminal_padded(p, title, 28);
    text_printf(p->out, "%14s%14s\n", "here", "reference");
    for (int i = 0; i < c->counters_count; i++)
        if (c->counters[i].value != 0 ||
            (c->counters[i].has_reference && c->counters[i].reference != 0))
            line(p, &c->counters[i]);
    free(title);
}
