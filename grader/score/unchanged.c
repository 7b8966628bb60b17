/**
 * @file unchanged.c
 * See unchanged.h.
 */
#include "score/unchanged.h"
#include "base/kit_version.h"
#include "build/meant.h"
#include "score/places.h"
#include "score/score.h"

#include <string.h>

/** A part's code, and what its cases ask of the text beside it; 0: not known. */
static uint64_t part_code(struct meant *m, const struct build *b, const struct spec_part *p)
{
    uint64_t h = 0;
    if (!m || !p->calls_count || !meant_hash(m, p->calls, p->calls_count, &h))
        return 0;
    h = text_hash(h, &b->common_hash, sizeof b->common_hash);
    h = text_hash(h, &b->original_hash, sizeof b->original_hash);
    for (unsigned i = 0; i < p->cases_count; i++) {
        struct places said = {{0}};
        bool is_said = p->cases[i].places && places_said(b->source, p->cases[i].places, &said);
        h = text_hash(h, is_said ? said.letter : "", is_said ? sizeof said.letter : 1);
    }
    return h ? h : 1;
}

/** Are the lab, the tools and the way to grade those of the last grade? */
static bool is_as_before(const struct build *b, const struct record *r, const struct record *last)
{
    return last && last->spec_hash == r->spec_hash && last->reference_hash == b->reference_hash && last->harness_hash == b->harness_hash &&
           last->softgpu_hash == b->softgpu_hash && last->schedules == r->schedules && last->nvcc && b->nvcc_version && !strcmp(last->nvcc, b->nvcc_version) &&
           last->version && !strcmp(last->version, kit_version) && !last->partial && !last->gpu && last->source_hash != b->source_hash &&
           last->parts_count == r->parts_count && last->properties_count == r->properties_count;
}

/** Full marks, properties among them, and nothing to say. */
static bool is_spotless(const struct record_part *p)
{
    if (p->state != STATE_OK || p->earned != p->points)
        return false;
    for (int i = 0; i < p->cases_count; i++)
        if (p->cases[i].state != STATE_OK || p->cases[i].findings_count || p->cases[i].message)
            return false;
    return true;
}

void unchanged_mark(const struct spec *s, const struct build *b, struct record *r, const struct record *last)
{
    struct meant *m = meant_read(b->source, s);
    bool before = is_as_before(b, r, last);
    for (int i = 0; i < r->parts_count; i++) {
        struct record_part *p = &r->parts[i];
        const struct record_part *old = before ? &last->parts[i] : NULL;
        p->code = part_code(m, b, &s->parts[i]);
        p->kept = old && p->code && old->code == p->code && old->cases_count == p->cases_count && is_spotless(old);
        p->seed = !p->kept ? 0 : old->kept ? old->seed : last->seed;
    }
    meant_free(m);
}

static void swap(void *a, void *b, size_t size)
{
    char other[sizeof(struct record_case) + sizeof(struct record_property)];
    memcpy(other, a, size);
    memcpy(a, b, size);
    memcpy(b, other, size);
}

static void take_part(struct record *r, struct record *last, int n)
{
    struct record_part *p = &r->parts[n];
    swap(&p->cases, &last->parts[n].cases, sizeof p->cases);
    p->state = STATE_OK;
    for (int i = 0; i < r->properties_count; i++)
        for (int c = 0; c < p->cases_count; c++)
            if (!strcmp(r->properties[i].case_name, p->cases[c].name))
                swap(&r->properties[i], &last->properties[i], sizeof *r->properties);
}

bool unchanged_take(const struct spec *s, struct record *r, struct record *last)
{
    bool any = false;
    for (int i = 0; i < r->parts_count; i++) {
        struct record_part *p = &r->parts[i];
        if (!p->kept || p->state == STATE_OK || score_missing_part(&s->parts[i], r))
            continue;
        take_part(r, last, i);
        any = true;
    }
    return any;
}
