/**
 * @file tokens.c
 * See tokens.h. Line markers are taken off on the way; of a `#` at a line's begin nothing else is left by the preprocessor but pragmas.
 */
#include "build/tokens.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TEXT (64u << 20)
#define AROUND 4 /* tokens that can be looked at beyond the text's */

static const struct {
    enum word first;
    const char *names;
} known[] = {
    {WORD_ATTRIBUTE, "__attribute__ __attribute"},
    {WORD_GROUP, "alignas decltype __declspec noexcept __asm__ asm __asm throw typeof __typeof__ __typeof sizeof __decltype"},
    {WORD_TEMPLATE, "template extern __extension__ class struct union enum operator using namespace inline typedef typename static_assert for auto const"},
    {WORD_TYPE, "bool char char16_t char32_t double float int long short signed unsigned void wchar_t __int128 __restrict __restrict__ restrict _Bool __signed__"},
    {WORD_OTHER, "alignof break case catch constexpr const_cast continue default delete do dynamic_cast else explicit export false friend goto if mutable new "
                 "nullptr private protected public register reinterpret_cast return static static_cast switch this thread_local true try typeid "
                 "virtual volatile while __inline __inline__ __const __volatile__ __volatile constinit consteval __thread"},
};

static void grow(struct words *w)
{
    w->table_size = w->table_size ? 2 * w->table_size : 1u << 15;
    free(w->table);
    w->table = text_zalloc(w->table_size, sizeof *w->table);
    for (uint32_t i = 1; i < w->count; i++) {
        if (!w->names[i])
            continue;
        uint32_t at = (uint32_t)text_hash(TEXT_HASH_START, w->names[i], strlen(w->names[i]));
        while (w->table[at &= w->table_size - 1])
            at++;
        w->table[at] = i;
    }
}

static uint32_t number(struct words *w, const char *name, size_t len, uint32_t own)
{
    uint32_t at = (uint32_t)text_hash(TEXT_HASH_START, name, len);
    for (; w->table[at &= w->table_size - 1]; at++) {
        const char *other = w->names[w->table[at]];
        if (!strncmp(other, name, len) && !other[len])
            return w->table[at];
    }
    if (own >= w->size) {
        uint32_t old = w->size;
        w->size = 2 * old + 4096;
        w->names = realloc(w->names, w->size * sizeof *w->names);
        if (!w->names)
            abort();
        memset(w->names + old, 0, (w->size - old) * sizeof *w->names);
    }
    w->names[own] = text_format("%.*s", (int)len, name);
    w->count = own >= w->count ? own + 1 : w->count;
    w->table[at] = own;
    if (w->count > w->table_size / 2)
        grow(w);
    return own;
}

static void begin(struct words *w)
{
    w->count = 1;
    grow(w);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint32_t n = known[i].first;
        for (const char *s = known[i].names; *s; s += strspn(s, " ")) {
            size_t len = strcspn(s, " ");
            number(w, s, len, n++);
            s += len;
        }
    }
    w->count = WORD_OWN;
}

uint32_t words_number(struct words *w, const char *name, size_t len)
{
    if (!w->count)
        begin(w);
    return number(w, name, len, w->count);
}

void words_free(struct words *w)
{
    for (uint32_t i = 0; i < w->count; i++)
        free(w->names[i]);
    free(w->names);
    free(w->table);
    *w = (struct words){0};
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

/** Behind what stands between quotes; NULL: it does not end on its line. */
static const char *skip_quoted(const char *s)
{
    for (char quote = *s++; *s != quote; s++) {
        if (*s == '\\')
            s++;
        if (!*s || *s == '\n')
            return NULL;
    }
    return s + 1;
}

/** Behind R"…(…)…". */
static const char *skip_raw(const char *s)
{
    size_t len = strcspn(s + 1, "(");
    char *mark = text_format(")%.*s\"", (int)len, s + 1);
    const char *end = len < 17 ? strstr(s, mark) : NULL;
    end = end ? end + strlen(mark) : NULL;
    free(mark);
    return end;
}

static const char *skip_number(const char *s)
{
    for (;; s++)
        if ((*s == '+' || *s == '-') ? !strchr("eEpP", s[-1]) : !is_name(*s) && *s != '.' && !(*s == '\'' && is_name(s[1])))
            return s;
}

/** A literal's suffix has a number of its own, not that of the name. */
static uint32_t suffix_number(struct words *w, const char *name, size_t len)
{
    char *suffix = text_format("\"\"%.*s", (int)len, name);
    uint32_t n = words_number(w, suffix, strlen(suffix));
    free(suffix);
    return n;
}

/** Does a name that begins at `at` end the literal before it, or stand for such in `operator"" name`? */
static bool is_suffix(const struct tokens *t, uint32_t at)
{
    const struct token *before = t->list + t->count - 1;
    return t->count > 1 && before->kind == TOKEN_STRING && (before->end == at || before[-1].word == WORD_OPERATOR);
}

/** How long a sign is that begins here; `>` is always one of its own, for it may end a template's arguments. */
static size_t sign_length(const char *s)
{
    static const char *const signs[] = {"...", "<<=", "->*", "::", "->", "++", "--", "<<", "<=", ">=", "==", "!=", "&&",
                                        "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"};
    for (size_t i = 0; s[1] && strchr(".:<>=&|+-#", s[1]) && i < sizeof signs / sizeof signs[0]; i++)
        if (*s == *signs[i] && !strncmp(s, signs[i], strlen(signs[i])))
            return strlen(signs[i]);
    return 1;
}

/** What is told to the compiler alone: attributes' names. */
static void silence(struct tokens *t)
{
    for (int i = 0; i < t->count; i++) {
        bool gnu = (t->list[i].word == WORD_ATTRIBUTE || t->list[i].word == WORD_ATTRIBUTE_SHORT) && t->list[i + 1].sign == '(';
        bool standard = t->list[i].sign == '[' && t->list[i + 1].sign == '[';
        int end = gnu || standard ? tokens_match(t, i + gnu) : -1, depth = 0;
        for (int n = i; n < end; n++) {
            depth += t->list[n].sign == '(' ? 1 : t->list[n].sign == ')' ? -1 : 0;
            t->list[n].silent = standard || depth == 2;
        }
        i = end > 0 ? end : i;
    }
}

static const char *end_of(const char *s, struct token *k, struct words *w)
{
    const char *end = s;
    if (is_name(*s) && !isdigit((unsigned char)*s)) {
        while (is_name(*end))
            end++;
        bool prefix = end - s <= 3 && strspn(s, "LuU8R") == (size_t)(end - s);
        if (prefix && (*end == '"' || *end == '\'')) {
            k->kind = TOKEN_STRING;
            return end[-1] == 'R' && *end == '"' ? skip_raw(end) : skip_quoted(end);
        }
        k->kind = TOKEN_NAME;
        k->word = words_number(w, s, (size_t)(end - s));
        return end;
    }
    if (*s == '"' || *s == '\'') {
        k->kind = TOKEN_STRING;
        return skip_quoted(s);
    }
    if (isdigit((unsigned char)*s) || (*s == '.' && isdigit((unsigned char)s[1]))) {
        k->kind = TOKEN_NUMBER;
        end = skip_number(s + 1);
        const char *suffix = end;
        while (is_name(suffix[-1]) && !isdigit((unsigned char)suffix[-1]) && suffix - 1 > s)
            suffix--;
        k->word = suffix < end ? suffix_number(w, suffix, (size_t)(end - suffix)) : WORD_NONE;
        return end;
    }
    size_t len = sign_length(s);
    k->kind = TOKEN_SIGN;
    k->sign = len == 1 ? *s : *s == ':' ? 'S' : 0;
    return s + len;
}

bool tokens_read(struct tokens *t, struct words *w, const char *text)
{
    size_t len = strlen(text), size = len / 4 + 16;
    uint32_t line = 1, marker = UINT32_MAX;
    struct token *all = text_zalloc(size, sizeof *all), none = {.kind = TOKEN_END, .at = (uint32_t)len, .end = (uint32_t)len};
    all[0] = none;
    *t = (struct tokens){text, all + 1, 0};
    bool ok = len < MAX_TEXT, first = true;
    for (const char *s = text; ok && *s;) {
        if (*s == '\n' || isspace((unsigned char)*s)) {
            first |= *s == '\n';
            line += *s++ == '\n';
            continue;
        }
        struct token k = {.at = (uint32_t)(s - text), .line = line, .marker = marker};
        bool hash = first && *s == '#', mark = hash && s[1] == ' ' && isdigit((unsigned char)s[2]);
        const char *end = hash ? s + strcspn(s, "\n") : s;
        first = false;
        if (mark) {
            ok = memchr(s, '"', (size_t)(end - s)) != NULL && memchr(s, '"', (size_t)(end - s)) != memrchr(s, '"', (size_t)(end - s));
            line = (uint32_t)strtoul(s + 2, NULL, 10) - 1; /* of the line that comes next */
            marker = (uint32_t)(s - text);
            s = end;
            continue;
        }
        if (hash)
            k.kind = TOKEN_PRAGMA;
        else
            end = end_of(s, &k, w);
        if (k.kind == TOKEN_NAME && is_suffix(t, k.at))
            k.word = suffix_number(w, s, (size_t)(end - s));
        ok = end != NULL;
        for (; ok && s < end; s++)
            line += *s == '\n';
        k.end = (uint32_t)(s - text);
        if ((size_t)t->count + AROUND + 2 >= size && !(all = realloc(all, (size *= 2) * sizeof *all)))
            abort();
        t->list = all + 1;
        t->list[t->count++] = k;
    }
    for (int i = 0; i < AROUND; i++)
        t->list[t->count + i] = none;
    if (ok)
        silence(t);
    return ok;
}

void tokens_free(struct tokens *t)
{
    free(t->list ? t->list - 1 : NULL);
    *t = (struct tokens){0};
}

int tokens_match(const struct tokens *t, int i)
{
    for (int depth = 0; i < t->count; i++) {
        char c = t->list[i].sign;
        depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        if (!depth)
            return i;
    }
    return -1;
}

int tokens_angle(const struct tokens *t, int i)
{
    for (int depth = 0; i >= 0 && i < t->count; i++) {
        char c = t->list[i].sign;
        if (c == ';' || c == ')' || c == ']' || c == '}')
            return -1;
        if (c == '(' || c == '[' || c == '{')
            i = tokens_match(t, i);
        else if (c == '<' && (!depth || t->list[i - 1].kind == TOKEN_NAME))
            depth++;
        else if (c == '>' && !--depth)
            return i;
        if (i < 0)
            return -1;
    }
    return -1;
}
