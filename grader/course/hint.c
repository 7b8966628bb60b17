/**
 * @file hint.c
 * Hints of the first failure; score/hints.c has chosen them.
 */
#include "course/hint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/progress.h"
#include "report/words.h"

struct hints {
    char *const *steps;
    int count, opened;
    char *key;   /**< under which the progress counts them */
    char *about; /**< for the reader: "wrong-result in …" */
};

/** True if there is anything to give hints for. */
static bool collect(struct hints *h, const struct kit *k, const struct record *r, const char *only)
{
    const struct record_case *asked = only ? record_find(r, only) : NULL;
    bool failed = asked && (asked->state == STATE_FAIL || asked->state == STATE_UNJUDGED);
    const struct record_case *c = failed ? asked : asked ? NULL : record_first_failure(r);
    const struct record_property *p = asked ? NULL : record_first_property(r);
    const char *kind = verdict_name(c ? c->verdict : p ? VERDICT_PROPERTY : r->verdict);
    *h = (struct hints){0};
    if (!c && !p && !r->verdict)
        return false;
    h->steps = c ? c->hints : r->hints;
    h->count = c ? c->hints_count : r->hints_count;
    h->key = text_format("%s %s", c ? c->name : p ? p->case_name : "-", kind);
    h->about = c   ? text_format("%s in \"%s\"", kind, c->hidden ? "a hidden case" : c->title)
               : p ? text_format("the property \"%s\"", p->title)
                   : text_dup("the compile error");
    h->opened = progress_hints(k, r->folder, h->key);
    return true;
}

static void release(struct hints *h)
{
    free(h->key);
    free(h->about);
}

int hint_left(const struct kit *k, const struct record *r)
{
    struct hints h;
    collect(&h, k, r, NULL);
    int left = h.count > h.opened ? h.count - h.opened : 0;
    release(&h);
    return left;
}

bool hint_open(const struct kit *k, const struct record *r, const char *only, bool all, struct text *out,
               struct trouble *t)
{
    struct hints h;
    bool ok = true;
    if (!collect(&h, k, r, only)) {
        text_printf(out, "%s: %s, so there is nothing to hint at.\n", r->lab,
                    only ? "that case does not fail" : "nothing fails");
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
