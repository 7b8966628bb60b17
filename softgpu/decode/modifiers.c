/**
 * @file modifiers.c
 * Reading an instruction's modifiers from left to right, and small tables of names.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/decode_operands.h"
#include "decode/decoder.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"

bool modifier_take(struct modifiers *m, const char *name)
{
    if (m->at >= m->pi->modifier_count || strcmp(m->pi->modifiers[m->at], name) != 0)
        return false;
    m->at++;
    return true;
}

int word_index(const char *name, const char *list)
{
    size_t length = strlen(name);
    for (int i = 0; *list; i++) {
        size_t n = strcspn(list, " ");
        if (n == length && memcmp(list, name, n) == 0)
            return i;
        list += n;
        list += *list == ' ';
    }
    return -1;
}

int modifier_of(struct modifiers *m, const char *list)
{
    int i = m->at < m->pi->modifier_count ? word_index(m->pi->modifiers[m->at], list) : -1;
    m->at += i >= 0;
    return i;
}

enum ptx_space modifier_space(struct modifiers *m)
{
    static const enum ptx_space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_SHARED, SPACE_SHARED,
                                            SPACE_LOCAL, SPACE_CONST, SPACE_PARAM, SPACE_PARAM};
    int i = modifier_of(m, "global shared shared::cta shared::cluster local const param "
                           "param::entry");
    return i < 0 ? SPACE_GENERIC : spaces[i];
}

enum ptx_type modifier_type(struct modifiers *m)
{
    if (m->at >= m->pi->modifier_count)
        return PTX_NONE;
    enum ptx_type t = ptx_type_of(m->pi->modifiers[m->at]);
    m->at += t != PTX_NONE;
    return t;
}

bool decode_fail_form(struct decoder *d, const struct ptx_instr *pi)
{
    return decode_fail(d, "this form of %.40s is not supported", pi->mnemonic);
}

bool modifiers_end(struct decoder *d, struct modifiers *m)
{
    if (m->at == m->pi->modifier_count)
        return true;
    return decode_fail(d, "modifier .%.40s of %.40s is not supported here",
                       m->pi->modifiers[m->at], m->pi->mnemonic);
}

static int by_name(const void *x, const void *y)
{
    const struct name_entry *a = x, *b = y;
    int order = strcmp(a->name, b->name);
    return order ? order : a->index - b->index;
}

void name_table_sort(struct name_table *t)
{
    if (t->count)
        qsort(t->entries, (size_t)t->count, sizeof t->entries[0], by_name);
}

int name_table_find(const struct name_table *t, const char *name)
{
    int low = 0, high = t->count;

    while (low < high) {
        int middle = (low + high) / 2;
        if (strcmp(t->entries[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->count && strcmp(t->entries[low].name, name) == 0 ? t->entries[low].index : -1;
}

/** Is the word, or are its parts one behind the other, among the modifiers? */
static bool has_word(const struct ptx_instr *pi, const char *word, size_t length)
{
    for (int i = 0; i < pi->modifier_count; i++) {
        const char *at = word, *end = word + length;
        for (int k = i; k < pi->modifier_count; k++) {
            size_t n = strlen(pi->modifiers[k]);
            if ((size_t)(end - at) < n || memcmp(at, pi->modifiers[k], n) != 0)
                break;
            at += n;
            if (at == end)
                return true;
            if (*at++ != '.')
                break;
        }
    }
    return false;
}

const char *modifiers_one_of(const struct ptx_instr *pi, const char *list, int *length)
{
    for (; *list; list += strspn(list, " ")) {
        size_t n = strcspn(list, " ");
        if (has_word(pi, list, n)) {
            if (length)
                *length = (int)n;
            return list;
        }
        list += n;
    }
    return NULL;
}
