/**
 * @file hint_use.c
 * `./grade dev tune LAB --report REPORT`: how a class used the lab's hints; see results.h.
 */
#include "class/results.h"
#include "report/words.h"
#include "spec/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_KEYS 200 // more than a lab has cases with hints

/** One hint, as the students' files name it: "many_blocks missing-acquire". */
struct use {
    const char *key;
    int students, steps, full;
};

static int by_students(const void *a, const void *b)
{
    const struct use *x = a, *y = b;
    return x->students != y->students ? y->students - x->students : strcmp(x->key, y->key);
}

static struct use *use_of(struct use *list, int *count, const char *key)
{
    for (int i = 0; i < *count; i++)
        if (!strcmp(list[i].key, key))
            return &list[i];
    if (*count == MAX_KEYS)
        return NULL;
    list[*count] = (struct use){.key = key};
    return &list[(*count)++];
}

/** Of the hints that lab.yaml has for a kind of finding, those that nobody opened. */
static void put_unopened(const struct spec *s, const struct use *list, int count, struct text *out)
{
    struct text line = {0};
    for (unsigned h = 0; h < s->hints_count; h++) {
        const char *kind = s->hints[h].finding;
        bool opened = !kind;
        for (int i = 0; i < count && !opened; i++)
            opened = !strcmp(strrchr(list[i].key, ' ') + 1, kind);
        if (!opened)
            text_printf(&line, "%s %s", line.data ? "," : "Nobody opened a hint for", kind);
    }
    if (line.data)
        words_wrap(out, text_str(&line), 2);
    text_free(&line);
}

static void put_uses(const struct results *r, const struct spec *s, struct text *out)
{
    static struct use list[MAX_KEYS];
    int count = 0, told = 0, none = 0;
    for (int i = 0; i < r->count; i++) {
        const char *key;
        json_t *value, *hints = (json_t *)r->list[i].hints;
        told += hints != NULL;
        none += hints && !json_object_size(hints);
        json_object_foreach(hints, key, value) {
            struct use *u = use_of(list, &count, key);
            if (!u)
                break;
            u->students++;
            u->steps += (int)json_integer_value(value);
            u->full += r->list[i].earned == r->points;
        }
    }
    text_printf(out, "  Hints: %d of %d students handed in which they opened%s\n", told, r->count,
                told ? "; of those who opened them:" : ".");
    if (!told)
        return;
    qsort(list, (size_t)count, sizeof *list, by_students);
    if (count)
        text_printf(out, "  %-44s students  steps  full marks\n", "case and finding");
    for (int i = 0; i < count; i++)
        text_printf(out, "  %-44.44s %8d %6.1f %11d\n", list[i].key, list[i].students,
                    (double)list[i].steps / list[i].students, list[i].full);
    text_printf(out, "  %d opened none.\n", none);
    put_unopened(s, list, count, out);
}

bool hint_use(const struct kit *k, const struct options *o, struct trouble *t)
{
    struct results r = {0};
    struct text out = {0};
    const char *lab = kit_find_lab(k, o->labs[0], t);
    if (!lab)
        return false;
    char *shown = text_format("labs/%s/lab.yaml", lab), *path = kit_path(k, "%s", shown);
    struct spec *s = spec_load(path, shown, NULL, t);
    bool ok = s && results_read(&r, o->report, t);
    if (ok && strncmp(r.lab, lab, strlen(r.lab)))
        ok = trouble_set(t, "%s is a report of %s, not of %s", o->report, r.lab, lab);
    if (ok) {
        put_uses(&r, s, &out);
        fputs(text_str(&out), stdout);
    }
    results_free(&r);
    spec_free(s);
    text_free(&out);
    free(path);
    free(shown);
    return ok;
}
