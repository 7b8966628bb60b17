/**
 * @file meant.c
 * See meant.h. Names are followed from what is called, and from all that is always kept, until nothing is added.
 */
#include "build/meant.h"
#include "build/items.h"
#include "build/plain_code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct meant {
    const char *source;
    const struct spec *spec;
    struct plain_code plain;
    struct words words;
    struct tokens tokens;
    struct items items;
    bool *macros; /**< of each word: a macro has this name */
    bool *named;  /**< it stands in what is kept */
    bool *loose;  /**< of each item: a function that is kept only where its name is named */
    bool *kept;
    int words_count; /**< of which `macros` and `named` know */
};

/* What calls functions without naming them, and what libraries call by name for a class that they do not know. */
static const char by_others[] = "begin end rbegin rend cbegin cend size ssize data empty get swap iter_swap iter_move hash_value tuple_size tuple_element";

/* In a text with one of these, what a function is depends on more than its own words. */
static const char *const hiding[] = {"__LINE__", "__COUNTER__", "__FILE__", "__TIME__", "__DATE__", "__TIMESTAMP__", "__INCLUDE_LEVEL__", "source_location",
                                     "constructor", "destructor", "ifunc", "init_array", "_Pragma", "_Z"};
static const char *const hiding_directives[] = {"##", "#if", "#el", "#line", "#undef", "include_next", "#import", "#assert", "include \"", "include\""};

static bool has_any(const char *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

/** The directives with no blanks behind `#`, and one before a file's name. */
static char *tight_directives(const char *text)
{
    struct text out = {0};
    for (const char *s = text; *s; s++) {
        bool blank = *s == ' ' || *s == '\t';
        if (blank && (!out.len || strchr("# \n", out.data[out.len - 1])))
            continue;
        text_add(&out, blank ? " " : s, 1);
    }
    return out.data ? out.data : text_dup("");
}

static bool is_plain(const struct plain_code *p)
{
    char *tight = tight_directives(p->directives);
    bool plain = !has_any(p->code, hiding, sizeof hiding / sizeof *hiding) && !has_any(tight, hiding, sizeof hiding / sizeof *hiding) &&
                 !has_any(tight, hiding_directives, sizeof hiding_directives / sizeof *hiding_directives);
    free(tight);
    return plain;
}

/** Calls `each` for every name in a text that is not read as tokens: a string, a directive. */
static void each_name(struct meant *m, const char *s, const char *end, void (*each)(struct meant *, uint32_t))
{
    while (s < end) {
        const char *from = s;
        while (s < end && (isalnum((unsigned char)*s) || *s == '_'))
            s++;
        if (s > from)
            each(m, words_number(&m->words, from, (size_t)(s - from)));
        else
            s++;
    }
}

static void know(struct meant *m, uint32_t word)
{
    (void)m;
    (void)word;
}

static void name(struct meant *m, uint32_t word)
{
    if ((int)word < m->words_count)
        m->named[word] = true;
}

static void name_tokens(struct meant *m, int from, int to)
{
    for (int i = from; i < to; i++) {
        const struct token *k = &m->tokens.list[i];
        if (k->kind == TOKEN_STRING || k->kind == TOKEN_PRAGMA)
            each_name(m, m->tokens.text + k->at, m->tokens.text + k->end, name);
        else if (k->word)
            name(m, k->word);
    }
}

/** The names of macros: each word behind `#define`. */
static void find_macros(struct meant *m)
{
    const char *s = m->plain.directives;
    for (s = strchr(s, '#'); s; s = strchr(s + 1, '#')) {
        const char *word = s + 1 + strspn(s + 1, " \t");
        if (strncmp(word, "define", 6))
            continue;
        word += 6 + strspn(word + 6, " \t");
        uint32_t n = words_number(&m->words, word, strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"));
        if ((int)n < m->words_count)
            m->macros[n] = true;
    }
}

/** The brace that opens a function's body; -1: the item is no function's definition. */
static int body_of(const struct meant *m, const struct item *item)
{
    const struct token *t = m->tokens.list;
    if (item->kind != ITEM_DECLARATION || item->name < 0 || t[item->name + 1].sign != '(' || t[item->end - 1].sign != '}')
        return -1;
    int body = tokens_match(&m->tokens, item->name + 1) + 1;
    return t[body].sign == '{' && tokens_match(&m->tokens, body) == item->end - 1 ? body : -1;
}

static bool is_of_lab(const struct meant *m, const struct token *k)
{
    const char *s = m->tokens.text + k->at;
    size_t len = k->end - k->at;
    const struct spec_kernel *lists[] = {m->spec->kernels, m->spec->functions};
    const unsigned counts[] = {m->spec->kernels_count, m->spec->functions_count};
    for (int l = 0; l < 2; l++)
        for (unsigned i = 0; i < counts[l]; i++)
            if (strlen(lists[l][i].name) == len && !strncmp(lists[l][i].name, s, len))
                return true;
    return false;
}

/** May nobody call the function who does not name it? `in_c`: it stands in an `extern "C"` block. */
static bool is_loose(const struct meant *m, const struct item *item, bool in_c)
{
    const struct token *t = m->tokens.list;
    int body = body_of(m, item), depth = 0;
    if (body < 0 || item->owner || item->implied || item->names.count != 1)
        return false;
    for (int i = item->begin; i < body; i++) {
        depth += t[i].sign == '(' ? 1 : t[i].sign == ')' ? -1 : 0;
        if (t[i].word == WORD_ATTRIBUTE || t[i].word == WORD_ATTRIBUTE_SHORT || t[i].silent || (!depth && m->macros[t[i].word]))
            return false; /* a macro between parentheses names no function */
        in_c = in_c || (t[i].word == WORD_EXTERN && t[i + 1].kind == TOKEN_STRING);
    }
    return !in_c || is_of_lab(m, &t[item->name]);
}

static void find_loose(struct meant *m)
{
    const struct token *t = m->tokens.list;
    bool in_c[64] = {false};
    int depth = 0;
    for (int i = 0; i < m->items.count; i++) {
        const struct item *item = &m->items.list[i];
        if (item->kind == ITEM_OPEN && depth + 1 < 64) { /* items_read() allows no more */
            in_c[depth + 1] = in_c[depth] || t[item->begin].word == WORD_EXTERN;
            depth++;
        } else if (item->kind == ITEM_CLOSE) {
            depth--;
        }
        m->loose[i] = is_loose(m, item, in_c[depth]);
    }
}

/** `__launch_bounds__(N)` and its like as what the reader of declarations knows to be no parameters. Texts are compared by the source, so nothing is lost. */
static void know_attributes(char *code)
{
    static const char *const words[] = {"__launch_bounds__", "__cluster_dims__", "__block_size__", "__maxnreg__"};
    static const char known[] = "__asm__";
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        for (char *s = code; (s = strstr(s, words[w])) != NULL;) {
            memset(s, ' ', strlen(words[w]));
            memcpy(s, known, sizeof known - 1);
        }
}

static bool read_code(struct meant *m)
{
    if (!plain_code_read(&m->plain, m->source) || !is_plain(&m->plain))
        return false;
    know_attributes(m->plain.code);
    if (!tokens_read(&m->tokens, &m->words, m->plain.code) || !items_read(&m->items, &m->tokens))
        return false;
    each_name(m, m->plain.directives, m->plain.directives + strlen(m->plain.directives), know);
    each_name(m, by_others, by_others + sizeof by_others - 1, know);
    m->words_count = (int)m->words.count;
    m->macros = text_zalloc((size_t)m->words_count + 1, sizeof *m->macros);
    m->named = text_zalloc((size_t)m->words_count + 1, sizeof *m->named);
    m->loose = text_zalloc((size_t)m->items.count + 1, sizeof *m->loose);
    m->kept = text_zalloc((size_t)m->items.count + 1, sizeof *m->kept);
    find_macros(m);
    find_loose(m);
    return true;
}

struct meant *meant_read(const char *source, const struct spec *s)
{
    struct meant *m = text_zalloc(1, sizeof *m);
    m->source = source;
    m->spec = s;
    if (read_code(m))
        return m;
    meant_free(m);
    return NULL;
}

void meant_free(struct meant *m)
{
    if (!m)
        return;
    plain_code_free(&m->plain);
    items_free(&m->items);
    tokens_free(&m->tokens);
    words_free(&m->words);
    free(m->macros);
    free(m->named);
    free(m->loose);
    free(m->kept);
    free(m);
}

/** Keeps what those functions can come to run. False: one of them is not defined. */
static bool keep(struct meant *m, char *const *calls, unsigned count)
{
    unsigned found = 0;
    memset(m->named, 0, (size_t)m->words_count * sizeof *m->named);
    memset(m->kept, 0, (size_t)m->items.count * sizeof *m->kept);
    for (unsigned i = 0; i < count; i++) {
        uint32_t word = words_number(&m->words, calls[i], strlen(calls[i]));
        bool defined = false;
        for (int n = 0; n < m->items.count; n++)
            defined = defined || (m->loose[n] && m->tokens.list[m->items.list[n].name].word == word);
        found += defined;
        name(m, word);
    }
    each_name(m, m->plain.directives, m->plain.directives + strlen(m->plain.directives), name);
    each_name(m, by_others, by_others + sizeof by_others - 1, name);
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < m->items.count; i++) {
            const struct item *item = &m->items.list[i];
            if (m->kept[i] || (m->loose[i] && !m->named[m->tokens.list[item->name].word]))
                continue;
            m->kept[i] = more = true;
            name_tokens(m, item->begin, item->end);
        }
    }
    return found == count;
}

/** The directives up to a place in the text: which macros hold there. */
static uint64_t hash_directives(const struct meant *m, uint64_t h, size_t from, size_t to)
{
    const char *s = m->plain.directives + from, *end = m->plain.directives + to;
    while (s < end) {
        const char *line_end = memchr(s, '\n', (size_t)(end - s));
        line_end = line_end ? line_end : end;
        const char *last = line_end;
        while (s < last && isspace((unsigned char)*s))
            s++;
        while (s < last && isspace((unsigned char)last[-1]))
            last--;
        if (s < last)
            h = text_hash(text_hash(h, s, (size_t)(last - s)), "\n", 1);
        s = line_end + (line_end < end);
    }
    return h;
}

bool meant_hash(struct meant *m, char *const *calls, unsigned count, uint64_t *hash)
{
    if (!keep(m, calls, count))
        return false;
    uint64_t h = TEXT_HASH_START, directives = TEXT_HASH_START;
    size_t read = 0;
    for (int i = 0; i < m->items.count; i++) {
        const struct item *item = &m->items.list[i];
        size_t end = m->tokens.list[item->end - 1].end;
        directives = hash_directives(m, directives, read, end);
        read = end;
        for (int n = item->begin; n < item->end && m->kept[i]; n++) {
            const struct token *k = &m->tokens.list[n];
            h = text_hash(text_hash(h, m->source + k->at, k->end - k->at), " ", 1);
        }
        if (m->kept[i])
            h = text_hash(h, &directives, sizeof directives);
    }
    *hash = h;
    return true;
}

char *meant_alone(struct meant *m, char *const *calls, unsigned count)
{
    if (!keep(m, calls, count))
        return NULL;
    struct text out = {0};
    size_t written = 0;
    for (int i = 0; i < m->items.count; i++) {
        const struct item *item = &m->items.list[i];
        if (m->kept[i])
            continue;
        size_t body = m->tokens.list[body_of(m, item)].at, end = m->tokens.list[item->end - 1].end;
        text_add(&out, m->source + written, body - written);
        text_puts(&out, "{ *(volatile int *)4 = 0; }");
        written = end;
    }
    text_puts(&out, m->source + written);
    return out.data;
}
