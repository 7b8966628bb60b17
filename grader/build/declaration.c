/**
 * @file declaration.c
 * See declaration.h. This is no parser: what a name means is not known here. Where a declaration's names cannot be told, all names in it count as its own.
 */
#include "build/declaration.h"

#include <stdlib.h>

/** What is known of a declaration while it is read. */
struct reading {
    struct items *s;
    const struct token *t; /**< all tokens */
    struct item *item;
    int head;       /**< behind `template <…>` */
    int key;        /**< `class`, `struct`, `union` or `enum`; -1: there is none */
    int parameters; /**< the parenthesis that opens them; -1: there are none */
    int end;
    bool full;      /**< `template <>` */
    bool function;
};

static bool is_group(const struct token *k)
{
    return k->kind == TOKEN_NAME && k->word < WORD_KEYWORD;
}

static bool is_keyword(const struct token *k)
{
    return k->kind == TOKEN_NAME && k->word < WORD_OWN;
}

/** A name that may be somebody's. */
static bool is_own(const struct token *k)
{
    return k->kind == TOKEN_NAME && k->word >= WORD_OWN && !k->silent;
}

static bool is_key(const struct token *k)
{
    return k->word >= WORD_CLASS && k->word <= WORD_ENUM;
}

static int match(const struct reading *r, int i)
{
    return tokens_match(r->s->tokens, i);
}

static int angle(const struct reading *r, int i)
{
    return tokens_angle(r->s->tokens, i);
}

static void add_word(struct items *s, struct word_list *l, uint32_t word)
{
    if (s->words_count == s->words_size && !(s->words = realloc(s->words, (size_t)(s->words_size = 2 * s->words_size + 4096) * sizeof *s->words)))
        abort();
    if (!l->count)
        l->first = s->words_count;
    s->words[s->words_count++] = word;
    l->count++;
}

static void add_all(struct reading *r, struct word_list *l, int from, int to)
{
    for (int i = from; i < to; i++)
        if (is_own(&r->t[i]))
            add_word(r->s, l, r->t[i].word);
}

/** Behind attributes and the like at `i`; -1: they do not end. */
static int skip_groups(const struct reading *r, int i)
{
    for (;;) {
        bool standard = r->t[i].sign == '[' && r->t[i + 1].sign == '[', group = is_group(&r->t[i]) && r->t[i + 1].sign == '(';
        if (!standard && !group)
            return i;
        i = match(r, i + group) + 1;
        if (!i)
            return -1;
    }
}

/** Reads `template <…>` and what stands before it. */
static bool read_head(struct reading *r, int i)
{
    while (r->t[i].word == WORD_EXTENSION)
        i++;
    if (r->t[i].word == WORD_EXTERN && r->t[i + 1].kind == TOKEN_STRING)
        i += 2;
    while (r->t[i].word == WORD_TEMPLATE || (r->t[i].word == WORD_EXTERN && r->t[i + 1].word == WORD_TEMPLATE)) {
        i += r->t[i].word == WORD_EXTERN;
        if (r->t[++i].sign != '<')
            break;
        int end = angle(r, i);
        if (end < 0)
            return false;
        r->full = end == i + 1;
        i = end + 1;
    }
    r->head = i;
    r->key = -1;
    for (; i >= 0 && r->t[i].kind != TOKEN_END; i++) {
        int behind = skip_groups(r, i);
        if (behind != i) {
            i = behind - 1;
            if (behind < 0)
                return false;
            continue;
        }
        if (is_key(&r->t[i]))
            r->key = i;
        if (r->key >= 0 || !is_keyword(&r->t[i]) || r->t[i].word == WORD_OPERATOR || r->t[i].word == WORD_STATIC_ASSERT || r->t[i].word == WORD_USING)
            return true;
    }
    return false;
}

/** Behind `operator` and its sign. */
static int skip_operator(const struct reading *r, int i)
{
    if (r->t[++i].sign == '(' && r->t[i + 1].sign == ')')
        return i + 2;
    while (r->t[i].sign != '(' && r->t[i].sign != ';' && r->t[i].kind != TOKEN_END)
        i++;
    return i;
}

/** Finds where the declaration ends: at its `;`, or with a function's body. */
static bool read_extent(struct reading *r)
{
    bool value = false, colon = false, is_using = r->t[r->head].word == WORD_USING;
    r->parameters = -1;
    for (int i = r->head; i >= 0 && r->t[i].kind != TOKEN_END; i++) {
        char c = r->t[i].sign;
        bool function = r->parameters >= 0 && !value && !is_using;
        if (r->t[i].word == WORD_OPERATOR && !value && r->parameters < 0) {
            i = skip_operator(r, i) - 1;
            continue;
        }
        if (c == ';') {
            r->end = i + 1;
            r->function = function && r->t[r->head].word != WORD_TYPEDEF;
            return true;
        }
        if (c == ':')
            colon |= r->parameters >= 0 || r->key >= 0;
        else if (c == '=')
            value |= r->parameters < 0;
        else if (c == '<' && !value && r->t[i - 1].kind == TOKEN_NAME) {
            int end = angle(r, i);
            i = end >= 0 ? end : i;
        } else if (c == '(' || c == '[') {
            if (c == '(' && !is_group(&r->t[i - 1]) && r->parameters < 0 && !value && !colon)
                r->parameters = i;
            i = match(r, i);
        } else if (c == '{') {
            bool member = colon && ((r->t[i - 1].kind == TOKEN_NAME && !is_keyword(&r->t[i - 1])) || r->t[i - 1].sign == '>');
            i = match(r, i);
            r->end = i + 1;
            r->function = true;
            if (function && !member)
                return i >= 0;
        } else if (c == '}' || c == ')' || c == ']')
            return false;
        if (i < 0)
            return false;
    }
    return false;
}

/** Before the `<` that the `>` at `i` ends. */
static int before_angle(const struct reading *r, int i)
{
    for (int depth = 0; i > r->head; i--) {
        depth += r->t[i].sign == '>' ? 1 : r->t[i].sign == '<' ? -1 : 0;
        if (!depth)
            return i - 1;
    }
    return r->head;
}

/** The class of which the name at `i` is a member, as `Class<…>::name` says; 0: none. */
static uint32_t class_of(const struct reading *r, int i)
{
    i -= r->t[i - 1].sign == '~';
    if (i - 2 < r->head || r->t[i - 1].sign != 'S')
        return 0;
    i -= 2;
    if (r->t[i].sign == '>')
        i = before_angle(r, i);
    return is_own(&r->t[i]) ? r->t[i].word : 0;
}

/** The types, as far as they are plain names, of those parameters that have no value if nothing is given: no template's arguments, no `typename`, no members. */
static void read_types(struct reading *r)
{
    struct word_list *types = &r->item->types;
    int end = match(r, r->parameters), others = 0; /* words of the parameters before */
    bool value = false;
    for (int i = r->parameters + 1; i < end; i++) {
        const struct token *k = &r->t[i], *before = k - 1;
        if (k->sign == ',') {
            others = types->count;
            value = false;
        } else if (k->sign == '=') {
            value = true;
            r->s->words_count -= types->count - others;
            types->count = others;
        }
        while (before->word == WORD_CONST && is_own(before - 1))
            before--;
        if (k->sign == '<' && before->kind == TOKEN_NAME) {
            int last = angle(r, i);
            i = last >= 0 ? last : i;
        } else if (k->sign == '(' || k->sign == '[' || k->sign == '{')
            i = match(r, i);
        else if (k->word == WORD_TYPENAME)
            while (r->t[i + 1].kind == TOKEN_NAME || r->t[i + 1].sign == 'S' || r->t[i + 1].sign == '<') {
                int last = r->t[i + 1].sign == '<' ? angle(r, i + 1) : i + 1;
                if (last < 0)
                    break;
                i = last;
            }
        else if (is_own(k)) {
            bool type = before->word >= WORD_TYPE && before->word < WORD_OTHER; /* a parameter's name is behind its type */
            bool name = is_own(before) || type || before->sign == '*' || before->sign == '&' || before->sign == '>' || (before->kind == TOKEN_SIGN && !before->sign);
            if (!name && !value && k[1].sign != 'S' && before->sign != 'S')
                add_word(r->s, types, k->word);
        }
    }
}

static void name_function(struct reading *r)
{
    struct item *item = r->item;
    int p = r->parameters, op = -1;
    for (int i = r->head; i < p; i++)
        op = r->t[i].word == WORD_OPERATOR ? i : op;
    int at = op >= 0 ? op : p - 1;
    item->owner = op >= 0 || is_own(&r->t[at]) ? class_of(r, at) : 0;
    if (op >= 0 && r->t[op + 1].kind == TOKEN_STRING) /* `operator""suffix` */
        add_all(r, &item->names, op, p);
    else if (op >= 0)
        item->implied = true;
    else if (is_own(&r->t[at]))
        add_word(r->s, &item->names, r->t[item->name = at].word);
    else
        add_all(r, &item->names, item->begin, r->end);
    if (!item->owner && (op >= 0 || is_own(&r->t[at])))
        read_types(r);
}

/** A class or an enumeration, and what else is declared with it. */
static bool name_type(struct reading *r)
{
    struct item *item = r->item;
    int i = r->key + 1, first, last = -1, body = -1;
    i += is_key(&r->t[i]); /* enum class */
    first = i = skip_groups(r, i);
    if (i < 0)
        return false;
    for (i += r->t[i].sign == 'S'; is_own(&r->t[i]); i += 2) {
        item->owner = last >= 0 ? r->t[last].word : 0;
        last = i;
        if (r->t[i + 1].sign != 'S') {
            i++;
            break;
        }
    }
    for (int n = i; n < r->end; n++)
        body = r->t[n].sign == '}' ? n : body;
    item->type = last >= 0 ? r->t[last].word : 0;
    item->name = body >= 0 ? last : -1;
    bool enumeration = r->t[r->key].word == WORD_ENUM && body >= 0, is_typedef = r->t[r->head].word == WORD_TYPEDEF;
    if (enumeration || (last < 0 && !is_typedef)) {
        add_all(r, &item->names, item->begin, r->end);
        return true;
    }
    int angles = r->t[i].sign == '<' ? angle(r, i) : -1;
    if (angles >= 0 && r->full)
        add_all(r, &item->arguments, i, angles);
    add_all(r, &item->names, first, i);
    add_all(r, &item->names, body >= 0 ? body : angles >= 0 ? angles : i, r->end);
    return true;
}

/** A variable or another name of a type: the last name before what ends a declarator. */
static void name_other(struct reading *r)
{
    struct item *item = r->item;
    int i = r->head, last = -1;
    bool clear = true;
    for (; i < r->end && clear; i++) {
        int behind = skip_groups(r, i);
        char c = r->t[i].sign;
        if (behind != i)
            i = behind - 1;
        else if (c == '=' || c == ';' || c == '{' || c == '[')
            break;
        else if (c == '<' && r->t[i - 1].kind == TOKEN_NAME && angle(r, i) >= 0)
            i = angle(r, i);
        else if (is_own(&r->t[i]))
            last = i;
        clear = i >= 0 && c != ',' && c != '(';
    }
    for (int n = i; n < r->end && clear; n++) { /* another declarator behind a value */
        int end = r->t[n].sign == '<' && r->t[n - 1].kind == TOKEN_NAME ? angle(r, n) : -1;
        clear = r->t[n].sign != ',';
        if (r->t[n].sign == '(' || r->t[n].sign == '[' || r->t[n].sign == '{')
            end = match(r, n);
        n = end >= 0 ? end : n;
    }
    if (!clear || last < 0 || (r->t[r->head].word == WORD_TYPEDEF && (r->t[i].sign == '{' || r->t[i].sign == '='))) {
        add_all(r, &item->names, item->begin, r->end);
        return;
    }
    item->owner = class_of(r, last);
    add_word(r->s, &item->names, r->t[item->name = last].word);
    int angles = r->full && r->t[last + 1].sign == '<' ? angle(r, last + 1) : -1;
    if (angles >= 0)
        add_all(r, &item->arguments, last + 1, angles);
}

static void name_using(struct reading *r)
{
    const struct token *k = &r->t[r->head + 1];
    if (is_own(k) && (k[1].sign == '=' || is_group(k + 1) || k[1].sign == '['))
        add_word(r->s, &r->item->names, k->word);
    else
        add_all(r, &r->item->names, r->head, r->end);
}

int declaration_read(struct items *s, struct item *item, int i)
{
    struct reading r = {.s = s, .t = s->tokens->list, .item = item};
    item->kind = ITEM_DECLARATION;
    if (!read_head(&r, i) || !read_extent(&r))
        return -1;
    uint32_t word = r.t[r.head].word;
    if (word == WORD_USING)
        name_using(&r);
    else if (r.function && word != WORD_STATIC_ASSERT)
        name_function(&r);
    else if (word == WORD_STATIC_ASSERT)
        ;
    else if (r.key < 0)
        name_other(&r);
    else if (!name_type(&r))
        return -1;
    return r.end;
}
