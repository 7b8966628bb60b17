/**
 * @file hint.c
 * Which hints are for the failure at hand: those of its kind, then of its case, then of its part.
 */
#include "course/hint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/progress.h"
#include "report/words.h"

#define MAX_STEPS (64 * 10)

struct hints {
    const char *steps[MAX_STEPS];
    int count, opened;
    char *key;   /**< under which the progress counts them */
    char *about; /**< for the reader: "missing-acquire, part B" */
};

static void add(struct hints *h, const struct spec_hint *hint)
{
    for (unsigned i = 0; i < hint->steps_count && h->count < MAX_STEPS; i++)
        h->steps[h->count++] = hint->steps[i];
}

static const char *part_of(const struct record *r, const struct record_case *c)
{
    for (int p = 0; p < r->parts_count; p++)
        if (c >= r->parts[p].cases && c < r->parts[p].cases + r->parts[p].cases_count)
            return r->parts[p].id;
    return "";
}

/** True if there is anything to give hints for. */
static bool collect(struct hints *h, const struct kit *k, const struct spec *s,
                    const struct record *r)
{
    const struct record_case *c = record_first_failure(r);
    bool compile = r->verdict == VERDICT_COMPILE_ERROR;
    const char *kind = verdict_name(c ? c->verdict : r->verdict);
    *h = (struct hints){0};
    if (!c && !compile)
        return false;
    for (unsigned i = 0; i < s->hints_count; i++)
        if (s->hints[i].finding && !strcmp(s->hints[i].finding, kind))
            add(h, &s->hints[i]);
    for (unsigned i = 0; c && i < s->hints_count; i++)
        if (s->hints[i].case_name && !strcmp(s->hints[i].case_name, c->name))
            add(h, &s->hints[i]);
    for (unsigned i = 0; c && i < s->hints_count; i++)
        if (s->hints[i].part && !strcmp(s->hints[i].part, part_of(r, c)))
            add(h, &s->hints[i]);
    h->key = text_format("%s %s", c ? c->name : "-", kind);
    h->about = compile ? text_dup("the compile error")
                       : text_format("%s in \"%s\"", kind, c->hidden ? "a hidden case" : c->title);
    h->opened = progress_hints(k, r->folder, h->key);
    return true;
}

static void release(struct hints *h)
{
    free(h->key);
    free(h->about);
}

int hint_left(const struct kit *k, const struct spec *s, const struct record *r)
{
    struct hints h;
    collect(&h, k, s, r);
    int left = h.count > h.opened ? h.count - h.opened : 0;
    release(&h);
    return left;
}

bool hint_open(const struct kit *k, const struct spec *s, const struct record *r, bool all,
               struct text *out, struct trouble *t)
{
    struct hints h;
    bool ok = true;
    if (!collect(&h, k, s, r)) {
        text_printf(out, "%s: nothing fails, so there is nothing to hint at.\n", r->lab);
    } else if (!h.count) {
        text_printf(out, "%s: no hint for %s. The handout: labs/%s/README.md\n", r->lab, h.about,
                    r->folder);
    } else {
        bool fresh = h.opened < h.count;
        h.opened = fresh ? h.opened + 1 : h.count;
        ok = progress_set_hints(k, r->folder, h.key, h.opened, t);
        text_printf(out, "%s  hint %d of %d for %s\n\n", r->lab, h.opened, h.count, h.about);
        for (int i = all || !fresh ? 0 : h.opened - 1; i < h.opened; i++) {
            char *step = text_format("%d. %s", i + 1, h.steps[i]);
            words_wrap(out, step, 2);
            free(step);
        }
        if (!fresh)
            text_puts(out, "\nThose are all.\n");
    }
    release(&h);
    return ok;
}
