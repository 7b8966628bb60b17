/**
 * @file required.c
 * What must have been done; see required.h.
 */
#include "score/required.h"

#include <stdlib.h>
#include <string.h>

void required_fail_cases(struct record *r)
{
    for (int i = 0; i < r->properties_count; i++) {
        struct record_property *p = &r->properties[i];
        struct record_case *c = p->required ? record_find(r, p->case_name) : NULL;
        if (!c || c->state != STATE_OK || (!p->has_value && !p->has_reference) ||
            record_property_met(p))
            continue;
        char *words = record_property_words(p);
        p->state = c->state = STATE_FAIL;
        c->verdict = VERDICT_NOT_AS_ASKED;
        c->earned = 0;
        free(c->message);
        c->message = text_format("the result is right, but the part asks for more: %s. Here: %s.",
                                 p->title, words);
        free(words);
    }
}

static char *why_not(const struct record *r, const struct record_part *part,
                     const struct record_case *c)
{
    for (int i = 0; i < part->cases_count; i++)
        if (part->cases[i].verdict == VERDICT_NOT_AS_ASKED)
            return text_format("counts when part %s is done as asked", part->id);
    const struct record_case *with = c->counts_with ? record_find(r, c->counts_with) : NULL;
    if (with && with->state != STATE_OK && !r->partial)
        return text_format("counts when \"%s\" passes", with->title);
    return NULL;
}

void required_uncount(const struct record *r, struct record_part *part)
{
    for (int i = 0; i < part->cases_count; i++) {
        struct record_case *c = &part->cases[i];
        free(c->uncounted);
        c->uncounted = c->state == STATE_NOT_TRIED ? NULL : why_not(r, part, c);
        if (c->uncounted)
            c->earned = 0;
        if (c->state != STATE_OK || c->points == 0) {
            free(c->uncounted);
            c->uncounted = NULL;
        }
    }
}
