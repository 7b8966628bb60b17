/**
 * @file drawing_steps.c
 * See drawing_steps.h: who does what, and where a read's value comes from.
 */
#include "rerun/explore/drawing_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *string_of(const json_t *e, const char *key)
{
    const char *s = json_string_value(json_object_get(e, key));
    return s ? s : "";
}

static struct who who_of(const json_t *e)
{
    struct who w;
    for (size_t i = 0; i < 3; i++) {
        w.at[i] = (int)json_integer_value(json_array_get(json_object_get(e, "block"), 2 - i));
        w.at[3 + i] = (int)json_integer_value(json_array_get(json_object_get(e, "thread"), 2 - i));
    }
    return w;
}

static int by_number(const void *a, const void *b)
{
    const struct who *v = a, *w = b;
    for (int i = 0; i < 6; i++)
        if (v->at[i] != w->at[i])
            return v->at[i] < w->at[i] ? -1 : 1;
    return 0;
}

static int thread_of(const struct steps *s, const json_t *e)
{
    struct who w = who_of(e);
    const struct who *at = bsearch(&w, s->thread.data, (size_t)s->thread.count, sizeof w, by_number);
    return at ? (int)(at - s->thread.data) : 0;
}

static void find_threads(struct steps *s, const json_t *events)
{
    for (size_t i = 0; i < json_array_size(events); i++) {
        struct who w = who_of(json_array_get(events, i));
        bool known = false;
        for (int t = 0; t < s->thread.count; t++)
            known |= by_number(&s->thread.data[t], &w) == 0;
        if (!known)
            *LIST_PUSH(&s->thread) = w;
    }
    if (s->thread.count)
        qsort(s->thread.data, (size_t)s->thread.count, sizeof s->thread.data[0], by_number);
}

static int put_numbers(char *out, size_t size, const char *word, const int at[3])
{
    return at[0] || at[1] ? snprintf(out, size, "%s (%d,%d,%d)", word, at[2], at[1], at[0])
                          : snprintf(out, size, "%s %d", word, at[2]);
}

void drawing_steps_name(char *out, size_t size, const struct steps *s, int thread)
{
    const struct who *w = &s->thread.data[thread], *first = &s->thread.data[0];
    bool one_block = true, one_thread = true;
    for (int t = 0; t < s->thread.count; t++) {
        one_block &= !memcmp(s->thread.data[t].at, first->at, sizeof(int[3]));
        one_thread &= !memcmp(s->thread.data[t].at + 3, first->at + 3, sizeof(int[3]));
    }
    int n = one_block && !one_thread ? 0 : put_numbers(out, size, "block", w->at);
    if (!one_thread || one_block)
        n += snprintf(out + n, size - (size_t)n, n ? ", " : "");
    if (!one_thread || one_block)
        put_numbers(out + n, size - (size_t)n, "thread", w->at + 3);
}

static void put_place(char *out, size_t size, const json_t *e)
{
    long long offset = json_integer_value(json_object_get(e, "offset"));
    if (offset % 4)
        snprintf(out, size, "%s, byte %lld", string_of(e, "object"), offset);
    else
        snprintf(out, size, "%s[%lld]", string_of(e, "object"), offset / 4);
}

static long long value_of(const json_t *e)
{
    return json_integer_value(json_object_get(e, "value"));
}

static void put_what(struct step *step, const json_t *e, const json_t *writes)
{
    const char *op = string_of(e, "op");
    char place[CELL / 2];
    put_place(place, sizeof place, e);
    if (!strcmp(op, "fence"))
        snprintf(step->what, CELL, "fence.%s", string_of(e, "order"));
    else if (!strcmp(op, "barrier"))
        snprintf(step->what, CELL, json_is_true(json_object_get(e, "passes")) ? "passes the barrier" : "at a barrier");
    else if (!strcmp(op, "exchange"))
        snprintf(step->what, CELL, "lanes exchange values");
    else if (writes)
        snprintf(step->what, CELL, "%s: %lld -> %lld", place, value_of(e), value_of(writes));
    else if (!strcmp(op, "store"))
        snprintf(step->what, CELL, "%s = %lld", place, value_of(e));
    else
        snprintf(step->what, CELL, "%s is %lld", place, value_of(e));
}

static void add_how(struct step *step, const char *text)
{
    size_t n = strlen(step->how);
    if (*text)
        snprintf(step->how + n, CELL - n, "%s%s", n ? ", " : "", text);
}

/** Where a read's value comes from; the order; the line. */
static void put_how(struct steps *s, struct step *step, const json_t *e)
{
    const json_t *from = json_object_get(e, "from");
    char text[CELL / 2];
    step->how[0] = 0;
    if (from && json_integer_value(from) >= 0) {
        int source = s->number_of[json_integer_value(from)];
        step->later = source > step->number;
        snprintf(text, sizeof text, "from %d", source);
        add_how(step, text);
    } else if (from) {
        add_how(step, "from before");
    }
    add_how(step, strcmp(string_of(e, "op"), "fence") ? string_of(e, "order") : "");
    if (json_object_get(e, "line")) {
        snprintf(text, sizeof text, "line %lld", (long long)json_integer_value(json_object_get(e, "line")));
        add_how(step, text);
    }
}

/** The write half that belongs to the read half at `at`: an atomic's is the next event of its thread. */
static const json_t *write_half(const struct steps *s, const json_t *events, size_t at, size_t *where)
{
    const json_t *e = json_array_get(events, at);
    if (strcmp(string_of(e, "op"), "atomic") != 0)
        return NULL;
    for (size_t i = at + 1; i < json_array_size(events); i++) {
        const json_t *other = json_array_get(events, i);
        if (thread_of(s, other) != thread_of(s, e))
            continue;
        *where = i;
        return other;
    }
    return NULL;
}

void drawing_steps_read(struct steps *s, const json_t *events)
{
    size_t count = json_array_size(events);
    memset(s, 0, sizeof *s);
    s->number_of = calloc(count + 1, sizeof *s->number_of);
    const json_t **writes = calloc(count + 1, sizeof *writes);
    if (!s->number_of || !writes)
        abort();
    find_threads(s, events);
    int number = 0;
    for (size_t i = 0; i < count; i++) {
        size_t half;
        if (s->number_of[i])
            continue;
        s->number_of[i] = ++number;
        if ((writes[i] = write_half(s, events, i, &half)))
            s->number_of[half] = number;
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *e = json_array_get(events, i);
        if (s->number_of[i] != s->step.count + 1)
            continue;
        struct step *step = LIST_PUSH(&s->step);
        *step = (struct step){.number = s->number_of[i], .thread = thread_of(s, e)};
        put_what(step, e, writes[i]);
        put_how(s, step, e);
    }
    free(writes);
}

void drawing_steps_free(struct steps *s)
{
    LIST_FREE(&s->thread);
    LIST_FREE(&s->step);
    free(s->number_of);
}
