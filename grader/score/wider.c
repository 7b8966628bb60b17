/**
 * @file wider.c
 * See wider.h.
 */
#include "score/wider.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool same_line(const struct record_access *a, const struct record_access *b)
{
    return a->line == b->line && a->file && b->file && strcmp(a->file, b->file) == 0;
}

/** Of two accesses by threads that are known: whether those are of one block. */
static bool in_one_block(const struct record_finding *f)
{
    return memcmp(f->accesses[0].block, f->accesses[1].block, sizeof f->accesses[0].block) == 0;
}

static bool same_lines(const struct record_finding *f, const struct record_finding *g)
{
    const struct record_access *a = f->accesses, *b = g->accesses;
    return (same_line(&a[0], &b[0]) && same_line(&a[1], &b[1])) ||
           (same_line(&a[0], &b[1]) && same_line(&a[1], &b[0]));
}

static bool is_race(const struct record_finding *f)
{
    return f->kind == VERDICT_DATA_RACE && f->accesses_count == 2 && f->accesses[0].has_thread &&
           f->accesses[1].has_thread && f->suggestion;
}

/** The same race between two blocks, in whatever case. */
static const struct record_finding *between_blocks(const struct record *r,
                                                   const struct record_finding *f)
{
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++)
            for (int k = 0; k < r->parts[p].cases[i].findings_count; k++) {
                const struct record_finding *g = &r->parts[p].cases[i].findings[k];
                if (is_race(g) && !in_one_block(g) && same_lines(f, g))
                    return g;
            }
    return NULL;
}

static void widen(const struct record *r, struct record_finding *f)
{
    static const char barrier[] = "__syncthreads()";
    const struct record_finding *g = NULL;
    if (is_race(f) && in_one_block(f) && strncmp(f->suggestion, barrier, sizeof barrier - 1) == 0)
        g = between_blocks(r, f);
    if (!g)
        return;
    char *wider = text_dup(g->suggestion);
    free(f->suggestion);
    f->suggestion = wider;
    f->advised = g->advised;
}

void score_widen_advice(struct record *r)
{
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++)
            for (int k = 0; k < r->parts[p].cases[i].findings_count; k++)
                widen(r, &r->parts[p].cases[i].findings[k]);
}
