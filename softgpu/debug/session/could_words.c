/**
 * @file could_words.c
 * See could_words.h.
 */
#include "debug/session/could_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/talk.h"

/** Why an older value than this may be read. */
static void put_cause(FILE *f, const json_t *r, const char *indent)
{
    fprintf(f, "%s%s", indent, talk_text(r, "why", ""));
    if (talk_number(r, "signal", 0))
        fprintf(f, " (signal: line %lld, read: line %lld)", talk_number(r, "signal", 0), talk_number(r, "via", 0));
    fprintf(f, ".\n");
}

static void put_value(FILE *f, const json_t *r, bool newest)
{
    fprintf(f, "%s  %s", talk_text(r, "value", ""), newest ? "newest" : "older");
    if (talk_true(r, "written"))
        fprintf(f, ", written by block %lld thread %lld, line %lld", talk_number(r, "block", 0), talk_number(r, "thread", 0),
                talk_number(r, "line", 0));
    else
        fprintf(f, ", from before");
    fprintf(f, "\n");
}

static bool same_reason(const json_t *a, const json_t *b)
{
    return !strcmp(talk_text(a, "why", ""), talk_text(b, "why", "")) &&
           talk_number(a, "signal", 0) == talk_number(b, "signal", 0) && talk_number(a, "via", 0) == talk_number(b, "via", 0);
}

char *could_words(const json_t *m)
{
    const json_t *list = json_object_get(m, "could"), *first = json_array_get(list, 0), *last = NULL;
    size_t count = json_array_size(list), bytes;
    char *text = NULL;
    FILE *f = open_memstream(&text, &bytes);
    bool alike = true;
    if (!f)
        abort();
    for (size_t i = 1; i + 1 < count; i++)
        alike &= same_reason(first, json_array_get(list, i));
    for (size_t i = 0; i < count; i++) {
        last = json_array_get(list, i);
        put_value(f, last, i == 0);
        if (!alike && i + 1 < count)
            put_cause(f, last, "    ");
    }
    if (talk_true(m, "more"))
        fprintf(f, "… and older ones\n");
    if (count > 1 && alike)
        put_cause(f, first, "");
    if (talk_true(last, "last"))
        put_cause(f, last, count > 1 ? "nothing older: " : "nothing else: ");
    if (talk_true(m, "gaps"))
        fprintf(f, "Older writes are not all known: some were forgotten, or made by accesses of another size.\n");
    fprintf(f, "Writes that come later in this run are not listed.\n");
    fclose(f);
    return text;
}
