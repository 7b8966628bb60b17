/**
 * @file glance.c
 * See glance.h.
 */
#include "course/glance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/map.h"
#include "course/progress.h"
#include "grade.h"
#include "report/words.h"

#define BAR 12

static void bar(struct text *out, int earned, int points, bool color)
{
    int full = points > 0 ? earned * BAR / points : 0;
    text_puts(out, color ? "[\033[32m" : "[");
    for (int i = 0; i < BAR; i++) {
        if (i == full && color)
            text_puts(out, "\033[0m");
        text_puts(out, i < full ? "#" : ".");
    }
    text_puts(out, color ? "\033[0m]" : "]");
}

/** The last word on a lab in a few: what fails first. */
static char *state_in_words(const struct record *r)
{
    const struct record_case *c = r ? record_first_failure(r) : NULL;
    if (!r)
        return text_dup("not begun");
    if (r->verdict == VERDICT_COMPILE_ERROR)
        return text_dup("does not compile");
    if (!c)
        return text_dup(r->earned == r->points ? "done" : "");
    if (c->state == STATE_UNJUDGED)
        return text_dup("could not judge");
    return text_format("%s: %s", c->id, verdict_name(c->verdict));
}

/** `*spec` is NULL where it cannot be read; the caller frees it. */
static int one_lab(const struct kit *k, const char *lab, bool color, struct text *out, char **next,
                   struct spec **spec)
{
    struct trouble t = {0};
    struct spec *s = *spec = grade_spec(k, lab, &t);
    struct record *r = s ? progress_load(k, lab) : NULL;
    int points = s ? s->points : 0, earned = r ? r->earned : 0;
    char *name = kit_short_name(lab), *state = s ? state_in_words(r) : text_dup(t.what);
    const char *title = s ? s->title : "broken spec";
    int width = words_width(title);
    text_printf(out, "%-6s %s%*s", name, width > 24 ? "" : title, width > 24 ? 0 : 25 - width, "");
    if (width > 24)
        text_printf(out, "%s\n%32s", title, "");
    bar(out, earned, points, color);
    text_printf(out, " %4d/%-4d %s\n", earned, points, s ? state : "");
    if (!s)
        words_wrap(out, state, 7);
    int status = !s ? 2 : earned == points ? 0 : 1;
    if (status == 1 && !*next)
        *next = r && r->state != STATE_OK && r->verdict != VERDICT_COMPILE_ERROR && r->parts[0].state == STATE_OK
                    ? text_format("./grade %s --hint", name)
                    : text_format("labs/%s/README.md, then: make %s && ./grade %s", lab, name,
                                  name);
    free(name);
    free(state);
    record_free(r);
    return status;
}

int glance(const struct kit *k, bool color, struct text *out)
{
    int status = 0;
    char *next = NULL;
    struct spec **specs = calloc((size_t)k->labs_count + 1, sizeof *specs);
    struct map_lab *map = calloc((size_t)k->labs_count + 1, sizeof *map);
    char **names = calloc((size_t)k->labs_count + 1, sizeof *names);
    if (!specs || !map || !names)
        abort();
    for (int i = 0; i < k->labs_count; i++) {
        int one = one_lab(k, k->labs[i], color, out, &next, &specs[i]);
        status = one > status ? one : status;
        names[i] = kit_short_name(k->labs[i]);
        map[i] = (struct map_lab){names[i], specs[i]};
    }
    map_write(map, k->labs_count, out);
    for (int i = 0; i < k->labs_count; i++) {
        free(names[i]);
        spec_free(specs[i]);
    }
    free(names);
    free(map);
    free(specs);
    text_printf(out, "\n%s%s\n", next ? "Next: " : "All labs have full marks.", next ? next : "");
    free(next);
    return status;
}
