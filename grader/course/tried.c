/**
 * @file tried.c
 * See tried.h.
 */
#include "course/tried.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/** Whether two texts are the same but for their numbers: lines move when a line is put in. */
static bool same_words(const char *a, const char *b)
{
    for (;;) {
        bool number = isdigit((unsigned char)*a) && isdigit((unsigned char)*b);
        while (number && isdigit((unsigned char)*a))
            a++;
        while (number && isdigit((unsigned char)*b))
            b++;
        if (*a != *b)
            return false;
        if (!*a)
            return true;
        a++;
        b++;
    }
}

static int distance(const struct record_finding *f)
{
    return f->accesses_count == 2 ? abs(f->accesses[1].line - f->accesses[0].line) : 0;
}

/** The advice is in the program now: the call that it names was added, or stood there and was moved; where it names none, the
 *  finding's own code is another: a line reads otherwise, or something was put between the two. */
static bool was_followed(const struct record_finding *a, const struct record_finding *b)
{
    bool moved = a->accesses_count != b->accesses_count || distance(a) != distance(b);
    if (a->advised >= 0)
        return a->advised > b->advised || (a->advised == b->advised && a->advised > 0 && moved);
    if (moved)
        return true;
    for (int i = 0; i < a->accesses_count; i++) {
        const char *x = a->accesses[i].source, *y = b->accesses[i].source;
        if (x && y && strcmp(x, y) != 0)
            return true;
    }
    return false;
}

/** Is it about the same place: does a line of the one read as one of the other does? What was followed may have changed one of
 *  them. Lines whose text is unknown are taken for the same. */
static bool same_place(const struct record_finding *a, const struct record_finding *b)
{
    bool known = false;
    for (int i = 0; i < a->accesses_count; i++)
        for (int k = 0; k < b->accesses_count; k++) {
            const char *x = a->accesses[i].source, *y = b->accesses[k].source;
            known |= x && y;
            if (x && y && strcmp(x, y) == 0)
                return true;
        }
    return !known;
}

static bool was_tried(const struct record_finding *f, const struct record_case *last)
{
    for (int i = 0; i < last->findings_count; i++) {
        const struct record_finding *g = &last->findings[i];
        if (g->kind == f->kind && g->suggestion && same_words(f->suggestion, g->suggestion) && same_place(f, g))
            return g->tried || was_followed(f, g);
    }
    return false;
}

void tried_mark(struct record *now, const struct record *last)
{
    if (!last || last->spec_hash != now->spec_hash)
        return;
    for (int p = 0; p < now->parts_count; p++)
        for (int i = 0; i < now->parts[p].cases_count; i++) {
            struct record_case *c = &now->parts[p].cases[i];
            const struct record_case *old = record_find(last, c->id);
            for (int k = 0; old && k < c->findings_count; k++)
                c->findings[k].tried = c->findings[k].suggestion && was_tried(&c->findings[k], old);
        }
}
