/**
 * @file score.c
 * Points: cases to parts to the total; see score.h.
 */
#include "score/score.h"

#include "score/required.h"

#include <stdlib.h>
#include <string.h>

static void start_part(struct record_part *out, const struct spec_part *in)
{
    out->id = text_dup(in->id);
    out->title = text_dup(in->title);
    out->state = STATE_NOT_TRIED;
    out->cases_count = (int)in->cases_count;
    out->cases = text_zalloc(in->cases_count, sizeof *out->cases);
    for (unsigned i = 0; i < in->cases_count; i++) {
        const struct spec_case *c = &in->cases[i];
        out->cases[i] = (struct record_case){
            .id = text_format("%s%u", in->id, i + 1),
            .name = text_dup(c->name),
            .title = text_dup(c->title),
            .hidden = c->visibility == SPEC_HIDDEN,
            .points = c->points,
            .counts_with = c->counts_with ? text_dup(c->counts_with) : NULL,
            .state = STATE_NOT_TRIED,
            .gpu = STATE_NOT_TRIED,
        };
        out->points += c->points;
    }
}

/** The case whose counters a property looks at: its own, else the last visible one. */
static const char *property_case(const struct spec *s, const struct spec_property *p)
{
    const char *name = s->parts[0].cases[0].name;
    for (unsigned i = 0; i < s->parts_count; i++)
        for (unsigned c = 0; c < s->parts[i].cases_count; c++)
            if (s->parts[i].cases[c].visibility == SPEC_VISIBLE)
                name = s->parts[i].cases[c].name;
    return p->case_name ? p->case_name : name;
}

/** Where a property's points are told: as the spec says, else the part of its case. */
static const char *property_part(const struct spec *s, const struct spec_property *p)
{
    const char *name = property_case(s, p);
    for (unsigned i = 0; i < s->parts_count && !p->part; i++)
        for (unsigned c = 0; c < s->parts[i].cases_count; c++)
            if (!strcmp(s->parts[i].cases[c].name, name))
                return s->parts[i].id;
    return p->part;
}

struct record *score_start(const struct spec *s, const char *lab)
{
    struct record *r = text_zalloc(1, sizeof *r);
    r->lab = text_format("%.*s", (int)strcspn(lab, "_"), lab);
    r->folder = text_dup(lab);
    r->title = text_dup(s->title);
    r->points = s->points;
    r->state = STATE_NOT_TRIED;
    r->spec_hash = s->hash;
    r->parts_count = (int)s->parts_count;
    r->parts = text_zalloc(s->parts_count, sizeof *r->parts);
    for (unsigned p = 0; p < s->parts_count; p++)
        start_part(&r->parts[p], &s->parts[p]);
    r->properties_count = (int)s->properties_count;
    r->properties = text_zalloc(s->properties_count, sizeof *r->properties);
    for (unsigned i = 0; i < s->properties_count; i++) {
        const struct spec_property *p = &s->properties[i];
        r->properties[i] = (struct record_property){
            .title = text_dup(p->title),
            .counter = text_format("%s%s%s", p->object ? p->object : p->kernel ? p->kernel : "",
                                   p->object || p->kernel ? "." : "", p->counter),
            .unit = p->unit ? text_dup(p->unit) : NULL,
            .required = p->required,
            .case_name = text_dup(property_case(s, p)),
            .part = text_dup(property_part(s, p)),
            .has_max = p->max != NULL,
            .has_min = p->min != NULL,
            .max = p->max ? *p->max : 0,
            .min = p->min ? *p->min : 0,
            .points = p->points,
            .state = STATE_NOT_TRIED,
        };
        struct record_part *part = record_part_of(r, &r->properties[i]);
        if (part)
            part->points += p->points;
    }
    r->performance_count = (int)s->performance_count;
    r->performance = text_zalloc(s->performance_count, sizeof *r->performance);
    for (unsigned i = 0; i < s->performance_count; i++) {
        const struct spec_performance *p = &s->performance[i];
        r->performance[i] = (struct record_performance){.title = text_dup(p->title),
                                                        .case_name = text_dup(p->case_name),
                                                        .points = p->points,
                                                        .state = STATE_NOT_TRIED};
        r->bonus_points += p->points;
    }
    return r;
}

const char *score_missing_part(const struct spec_part *p, const struct record *r)
{
    for (unsigned n = 0; n < p->needs_count; n++)
        for (int i = 0; i < r->parts_count; i++)
            if (!strcmp(r->parts[i].id, p->needs[n]) && r->parts[i].state != STATE_OK)
                return r->parts[i].id;
    return NULL;
}

/** Does a case wait for another one of its part that has not passed? */
static bool waits(const struct spec_case *k, const struct record_part *part)
{
    for (int i = 0; k->after && i < part->cases_count; i++)
        if (!strcmp(part->cases[i].name, k->after))
            return part->cases[i].state != STATE_OK;
    return false;
}

/** Is the case still to be judged, and does `only` mean it? */
static bool is_wanted(const struct record_part *part, const struct record_case *c, const char *only)
{
    return record_is_open(c) && !part->kept && (!only || record_means(part, c, only));
}

int score_wanted(const struct spec *s, const struct record *r, const char *only, const struct spec_case **specs,
                 struct record_case **records)
{
    int count = 0;
    for (unsigned p = 0; p < s->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++)
            if (is_wanted(&r->parts[p], &r->parts[p].cases[i], only)) {
                specs[count] = &s->parts[p].cases[i];
                records[count++] = &r->parts[p].cases[i];
            }
    return count;
}

int score_ready(const struct spec *s, struct record *r, const char *only, struct record_case **records)
{
    int count = 0;
    for (unsigned p = 0; p < s->parts_count; p++) {
        struct record_part *part = &r->parts[p];
        const char *missing = only ? NULL : score_missing_part(&s->parts[p], r);
        free(part->missing);
        part->missing = missing ? text_dup(missing) : NULL;
        for (int i = 0; i < part->cases_count && !missing; i++) {
            struct record_case *c = &part->cases[i];
            bool asked_for = only && (!strcmp(only, c->name) || !strcmp(only, c->id));
            if (is_wanted(part, c, only) && (asked_for || !waits(&s->parts[p].cases[i], part)))
                records[count++] = c;
        }
    }
    return count;
}

/** A part's state is its worst case's. */
static enum record_state worse(enum record_state a, enum record_state b)
{
    static const int rank[] = {[STATE_OK] = 0, [STATE_NOT_TRIED] = 1, [STATE_FAIL] = 2,
                               [STATE_UNJUDGED] = 3};
    return rank[a] > rank[b] ? a : b;
}

void score_parts(struct record *r)
{
    required_fail_cases(r);
    for (int p = 0; p < r->parts_count; p++) {
        struct record_part *part = &r->parts[p];
        part->earned = 0;
        part->state = STATE_OK;
        for (int i = 0; i < part->cases_count; i++) {
            struct record_case *c = &part->cases[i];
            if (c->state == STATE_OK)
                c->earned = c->points;
            part->state = worse(part->state, c->state);
        }
        required_uncount(r, part);
        for (int i = 0; i < part->cases_count; i++)
            part->earned += part->cases[i].earned;
    }
}

static void judge_property(struct record *r, struct record_property *p)
{
    const struct record_case *c = record_find(r, p->case_name);
    if (!c || c->state != STATE_OK || (p->required && p->state == STATE_FAIL))
        return;
    if (!p->has_value && !p->has_reference) {
        p->state = STATE_UNJUDGED;
        return;
    }
    bool ok = record_property_met(p);
    p->state = ok ? STATE_OK : STATE_FAIL;
    p->earned = ok ? p->points : 0;
}

void score_total(struct record *r)
{
    bool unjudged = false;
    score_parts(r);
    r->earned = 0;
    for (int p = 0; p < r->parts_count; p++) {
        unjudged |= r->parts[p].state == STATE_UNJUDGED;
        for (int i = 0; i < r->parts[p].cases_count; i++)
            r->kit_fault |= r->parts[p].cases[i].kit_fault;
    }
    for (int i = 0; i < r->properties_count; i++) {
        judge_property(r, &r->properties[i]);
        struct record_part *part = record_part_of(r, &r->properties[i]);
        *(part ? &part->earned : &r->earned) += r->properties[i].earned;
        unjudged |= r->properties[i].state == STATE_UNJUDGED;
    }
    for (int p = 0; p < r->parts_count; p++)
        r->earned += r->parts[p].earned;
    r->bonus = 0;
    for (int i = 0; i < r->performance_count; i++)
        r->bonus += r->performance[i].earned;
    r->state = unjudged               ? STATE_UNJUDGED
               : r->earned < r->points ? STATE_FAIL
                                       : STATE_OK;
}
