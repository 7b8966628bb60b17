/**
 * @file items.c
 * See items.h.
 */
#include "build/items.h"
#include "build/declaration.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 64

/** Where the token with this sign is, before any `;`; -1: there is none. */
static int find(const struct token *t, int i, char sign)
{
    for (; t[i].kind != TOKEN_END; i++)
        if (t[i].sign == sign)
            return i;
        else if (t[i].sign == ';')
            return -1;
    return -1;
}

/** Belongs to the declaration behind it. */
static bool is_of_next(const struct items *s, const struct token *k)
{
    const char *text = s->tokens->text + k->at;
    size_t len = k->end - k->at;
    return memmem(text, len, "exec_check_disable", 18) || memmem(text, len, "hd_warning_disable", 18);
}

/** @return behind the item at `i`; -1: it is not understood */
static int read_item(struct items *s, struct item *item, int i)
{
    const struct token *t = s->tokens->list;
    int end, name = i + (t[i].word == WORD_INLINE);
    if (t[i].kind == TOKEN_PRAGMA) {
        item->kind = ITEM_STAYS;
        return is_of_next(s, &t[i]) ? declaration_read(s, item, i + 1) : i + 1;
    }
    if (t[i].sign == '}') {
        item->kind = ITEM_CLOSE;
        return i + 1;
    }
    if (t[i].word == WORD_EXTERN && t[i + 1].kind == TOKEN_STRING && t[i + 2].sign == '{') {
        item->kind = ITEM_OPEN;
        return i + 3;
    }
    if (t[name].word == WORD_NAMESPACE && (end = find(t, name, '{')) >= 0) {
        item->kind = ITEM_OPEN;
        return end + 1;
    }
    if (t[name].word == WORD_NAMESPACE || (t[i].word == WORD_USING && t[i + 1].word == WORD_NAMESPACE)) {
        item->kind = ITEM_STAYS;
        while (t[i].kind != TOKEN_END && t[i].sign != ';')
            i++;
        return t[i].kind == TOKEN_END ? -1 : i + 1;
    }
    return declaration_read(s, item, i);
}

bool items_read(struct items *s, const struct tokens *t)
{
    s->tokens = t;
    int depth = 0, spaces[MAX_DEPTH] = {0}; /* how many of the scopes so far are namespaces */
    for (int i = 0; i < t->count && depth >= 0 && depth < MAX_DEPTH;) {
        if (t->list[i].sign == ';') {
            i++;
            continue;
        }
        if (s->count == s->size && !(s->list = realloc(s->list, (size_t)(s->size = 2 * s->size + 1024) * sizeof *s->list)))
            abort();
        struct item *item = &s->list[s->count++];
        *item = (struct item){.begin = i, .name = -1};
        i = item->end = read_item(s, item, i);
        if (i < 0)
            return false;
        item->global = depth >= 0 && !spaces[depth] && !item->owner;
        if (item->kind == ITEM_OPEN && depth + 1 < MAX_DEPTH)
            spaces[depth + 1] = spaces[depth] + (t->list[item->begin].word != WORD_EXTERN);
        depth += item->kind == ITEM_OPEN ? 1 : item->kind == ITEM_CLOSE ? -1 : 0;
    }
    return depth == 0;
}

void items_free(struct items *s)
{
    free(s->list);
    free(s->words);
    *s = (struct items){0};
}
