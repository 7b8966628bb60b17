/**
 * @file places.c
 * Letters of lines, as findings have them and as a student says them; see places.h.
 */
#include "score/places.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "run/findings.h"

#define ORIGINAL "original.cu"

char places_label(const char *source, int line)
{
    const char *s = source;
    for (int i = 1; i < line && s; i++) {
        s = strchr(s, '\n');
        s = s ? s + 1 : NULL;
    }
    if (!s || line < 1)
        return 0;
    const char *end = s + strcspn(s, "\r\n");
    for (const char *at = s; at + 5 < end; at++)
        if (!strncmp(at, "// (", 4) && islower((unsigned char)at[4]) && at[5] == ')')
            return at[4];
    return 0;
}

static struct places in_order(char a, char b)
{
    return a < b ? (struct places){{a, b}} : (struct places){{b, a}};
}

/** The one or two letters that follow; false if something else does. */
static bool read_letters(const char *s, struct places *said)
{
    char letter[2] = {0};
    int count = 0;
    for (; *s && *s != '\n' && strncmp(s, "*/", 2); s++) {
        bool word = isalnum((unsigned char)s[0]) && isalnum((unsigned char)s[1]);
        if (word && !strncmp(s, "and", 3) && !isalnum((unsigned char)s[3])) {
            s += 2;
        } else if (isalpha((unsigned char)*s) && !word && count < 2) {
            letter[count++] = (char)tolower((unsigned char)*s);
        } else if (*s == '?' || isalnum((unsigned char)*s)) {
            return false;
        }
    }
    if (count)
        *said = in_order(letter[0], letter[count - 1]);
    return count > 0;
}

/** What follows the last "places NAME:", NULL if there is none. */
static const char *answer(const char *source, const char *name)
{
    char *key = text_format("places %s:", name);
    const char *last = NULL;
    for (const char *s = source; (s = strstr(s, key)) != NULL;)
        last = s += strlen(key);
    free(key);
    return last;
}

bool places_said(const char *source, const char *name, struct places *said)
{
    const char *s = answer(source, name);
    return s && read_letters(s, said);
}

/** What is to be told where no two letters stand: that something else does, or that nothing was said yet. The caller frees. */
static char *not_said(const char *source, const char *name)
{
    const char *s = answer(source, name);
    int len = s ? (int)strcspn(s += strspn(s, " \t"), "\r\n") : 0;
    for (int i = 0; i < len && i < 40; i++)
        if (isalnum((unsigned char)s[i]))
            return text_format("\"places %s:\" wants the letters of two lines, as in \"b d\", and has \"%.*s\"", name,
                               len < 40 ? len : 40, s);
    return text_dup("no answer yet: the letters of two lines, in place of \"? ?\" behind \"places\"");
}

/** A finding's letters; false where a line of it is not in the original or has none. */
static bool letters_of(const struct record_finding *f, const char *source, struct places *places)
{
    char letter[2] = {0};
    for (int i = 0; i < f->accesses_count; i++) {
        const struct record_access *a = &f->accesses[i];
        letter[i] = a->file && !strcmp(a->file, ORIGINAL) ? places_label(source, a->line) : 0;
        if (!letter[i])
            return false;
    }
    *places = in_order(letter[0], letter[f->accesses_count > 1]);
    return f->accesses_count > 0;
}

/** Whether the letters are a finding's; `any`: whether a finding has letters at all. */
static bool is_found(const struct findings *f, const char *source, const struct places *said, bool *any)
{
    bool found = false;
    for (int i = 0; i < f->count; i++) {
        struct places places;
        if (f->list[i].level != RECORD_ERROR || !letters_of(&f->list[i], source, &places))
            continue;
        *any = true;
        found |= !memcmp(&places, said, sizeof places);
    }
    return found;
}

static bool closed(struct record_case *c, enum record_state state, char *message)
{
    c->state = state;
    c->kit_fault = state == STATE_UNJUDGED;
    c->verdict = state == STATE_FAIL ? VERDICT_WRONG_RESULT : VERDICT_NONE;
    free(c->message);
    c->message = message;
    return false;
}

bool places_judge(const struct judge *j, const struct run_pair *p)
{
    struct record_case *c = p->record;
    const char *name = p->spec->places;
    struct findings f;
    struct trouble t = {0};
    struct places said = {{0}};
    bool any = false;
    bool told = places_said(j->build->source, name, &said);
    bool readable = findings_read(&f, p->student_files->findings, j->spec, "", ORIGINAL, &t);
    bool found = readable && is_found(&f, j->build->original_source, &said, &any);
    c->seconds = p->student->seconds > c->seconds ? p->student->seconds : c->seconds;
    for (int i = 0; i < f.count; i++)
        record_finding_free(&f.list[i]);
    findings_free(&f);
    if (!any)
        return closed(c, STATE_UNJUDGED,
                      text_format("softgpu finds nothing with two lettered lines in the lab's %s%s%s (%s:%zu, "
                                  "case %s)", ORIGINAL, readable ? "" : ": ", readable ? "" : t.what,
                                  j->spec->shown, p->spec->line, p->spec->name));
    if (!told)
        return closed(c, STATE_FAIL, not_said(j->build->source, name));
    if (!found)
        return closed(c, STATE_FAIL, text_format("lines (%c) and (%c) of %s are not the two",
                                                 said.letter[0], said.letter[1], ORIGINAL));
    c->runs_passed++;
    return true;
}
