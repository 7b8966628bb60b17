/**
 * @file executions.c
 * An outcome's events in words; see executions.h.
 */
#include "run/executions.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define MAX_BYTES (8u << 20)
#define MAX_EVENTS 64

/** What was asked: an outcome of a kernel. */
struct question {
    char kernel[64], digits[16];
};

static bool read_question(struct question *q, const char *differs)
{
    char letters[16];
    return sscanf(differs, "%63[A-Za-z0-9_]: %15[a-z] = %15[0-9] (", q->kernel, letters, q->digits) == 3 &&
           strstr(differs, "expected 1, got 0");
}

static bool is(const json_t *event, const char *op)
{
    const char *name = json_string_value(json_object_get(event, "op"));
    return name && !strcmp(name, op);
}

static bool same_thread(const json_t *a, const json_t *b)
{
    return json_equal(json_object_get(a, "block"), json_object_get(b, "block")) &&
           json_equal(json_object_get(a, "thread"), json_object_get(b, "thread"));
}

/** The events thread by thread, as in the program's text: threads in the order of their first events. @return how many */
static size_t by_thread(const json_t *events, const json_t *out[MAX_EVENTS])
{
    size_t n = 0, count = json_array_size(events);
    count = count < MAX_EVENTS ? count : MAX_EVENTS;
    for (size_t first = 0; first < count; first++) {
        bool seen = false;
        for (size_t i = 0; i < first; i++)
            seen |= same_thread(json_array_get(events, i), json_array_get(events, first));
        for (size_t i = first; !seen && i < count; i++)
            if (same_thread(json_array_get(events, i), json_array_get(events, first)))
                out[n++] = json_array_get(events, i);
    }
    return n;
}

/** Do the reads see the digits? */
static bool answers(const json_t *const *event, size_t count, const char *digits)
{
    for (size_t i = 0; i < count; i++)
        if (is(event[i], "load") &&
            (!*digits || json_integer_value(json_object_get(event[i], "value")) != *digits++ - '0'))
            return false;
    return !*digits;
}

static void put_thread(struct text *out, const json_t *event, bool by_block)
{
    const json_t *at = json_object_get(event, by_block ? "block" : "thread");
    text_printf(out, "%s %d", by_block ? "block" : "thread", (int)json_integer_value(json_array_get(at, 0)));
}

static void put_event(struct text *out, const json_t *event)
{
    const char *op = json_string_value(json_object_get(event, "op"));
    const char *part = json_string_value(json_object_get(event, "part"));
    const char *object = json_string_value(json_object_get(event, "object"));
    int value = (int)json_integer_value(json_object_get(event, "value"));
    bool load = is(event, "load");
    if (!object) {
        text_puts(out, op ? op : "a step");
        return;
    }
    text_puts(out, load ? "reads " : "writes ");
    if (part && *part == '.')
        text_puts(out, part + 1);
    else
        text_printf(out, "%s%s", object, part ? part : "");
    text_printf(out, " = %d", value);
    if (load && json_integer_value(json_object_get(event, "from")) < 0)
        text_puts(out, " (as it was)");
}

static char *in_words(const json_t *const *event, size_t count)
{
    struct text t = {0};
    bool blocks = false;
    for (size_t i = 1; i < count; i++)
        blocks |= !json_equal(json_object_get(event[0], "block"), json_object_get(event[i], "block"));
    for (size_t i = 0; i < count; i++) {
        bool next = !i || !same_thread(event[i - 1], event[i]);
        text_puts(&t, !i ? "It can be: " : next ? "; " : ", ");
        if (next) {
            put_thread(&t, event[i], blocks);
            text_puts(&t, " ");
        }
        put_event(&t, event[i]);
    }
    text_puts(&t, ".");
    char *words = text_dup(text_str(&t));
    text_clean(words);
    text_free(&t);
    return words;
}

/** The words for an outcome's line, if it is the one. */
static char *answer(const struct question *q, const json_t *line)
{
    const char *kind = json_string_value(json_object_get(line, "kind"));
    const char *kernel = json_string_value(json_object_get(line, "kernel"));
    const json_t *event[MAX_EVENTS];
    if (!kind || !kernel || strcmp(kind, "outcome") || strcmp(kernel, q->kernel))
        return NULL;
    size_t count = by_thread(json_object_get(line, "events"), event);
    return count && answers(event, count, q->digits) ? in_words(event, count) : NULL;
}

char *executions_explain(const char *path, const char *differs)
{
    struct question q;
    const char *why;
    size_t len;
    char *text = read_question(&q, differs) ? text_read_file(path, MAX_BYTES, &len, &why) : NULL, *words = NULL;
    for (char *line = text; line && *line && !words;) {
        size_t bytes = strcspn(line, "\n");
        json_t *j = json_loadb(line, bytes, 0, NULL);
        words = j ? answer(&q, j) : NULL;
        json_decref(j);
        line += bytes + (line[bytes] == '\n');
    }
    free(text);
    return words;
}
