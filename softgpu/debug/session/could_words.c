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

static void put_later_value(FILE *f, const json_t *r)
{
    fprintf(f, "%s  later in this run, by block %lld thread %lld, line %lld\n", talk_text(r, "value", ""), talk_number(r, "block", 0),
            talk_number(r, "thread", 0), talk_number(r, "line", 0));
}

/** What is written from here on. */
static void put_later(FILE *f, const json_t *m)
{
    const json_t *ahead = json_object_get(m, "ahead"), *list = json_object_get(ahead, "later");
    size_t count = json_array_size(list);
    long long behind = talk_number(ahead, "behind", 0);
    if (!ahead) {
        fprintf(f, "Writes that come later in this run are not listed: %s.\n", talk_text(m, "unseen", ""));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *r = json_array_get(list, i), *next = json_array_get(list, i + 1);
        put_later_value(f, r);
        if (!next || !same_reason(r, next))
            put_cause(f, r, "    allowed: ");
    }
    if (talk_true(ahead, "more"))
        fprintf(f, "… and later ones\n");
    if (talk_true(ahead, "gaps"))
        fprintf(f, "Later writes by accesses of another size are not listed.\n");
    if (behind)
        fprintf(f, "%lld later write%s come%s after this load, and cannot be read.\n", behind, behind == 1 ? "" : "s",
                behind == 1 ? "s" : "");
    if (!talk_true(ahead, "whole"))
        fprintf(f, "Looked ahead over %lld warp instructions: what is written behind those is not listed.\n",
                talk_number(ahead, "looked", 0));
    else if (!count && !behind && !talk_true(ahead, "gaps"))
        fprintf(f, "Nothing writes it later in this run.\n");
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
    put_later(f, m);
    fclose(f);
    return text;
}
