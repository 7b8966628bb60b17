/**
 * @file lean.c
 * See lean.h. Names are followed from the file's own text through what they mean until nothing is added.
 */
#include "build/lean.h"
#include "build/items.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 64

/** What the compilers look for without its name in the text. */
static const char implied[] = "initializer_list type_info bad_alloc align_val_t nothrow_t size_t ptrdiff_t dim3 uint3 cudaStream_t threadIdx blockIdx blockDim "
                              "gridDim warpSize cudaConfigureCall __cudaPushCallConfiguration __cudaPopCallConfiguration cudaLaunch cudaLaunchKernel "
                              "cudaLaunchKernelExC cudaSetupArgument cudaGetParameterBuffer cudaGetParameterBufferV2 cudaLaunchDevice cudaLaunchDeviceV2 "
                              "cudaError cudaError_t __nv_hdl_wrapper_t __nv_dl_wrapper_t __nv_hdl_create_wrapper_t printf abort";

/** Who declares a name: a list. */
struct meaning {
    int item, next;
};

struct lean {
    struct words words;
    struct tokens head, rest;
    struct items items;
    bool *needed, *plainly;  /**< of each word: it is needed, and that not as `X::word` alone */
    bool *types, *spaces;    /**< it is a class's or an enumeration's name, a namespace's */
    int *first;              /**< of each word: its first meaning; -1: none */
    struct meaning *meanings;
    int meanings_count;
    bool *kept;              /**< of each item */
    int *later, later_count; /**< named, but what else it needs is not kept so far */
    uint32_t *work;
    int work_count;
    bool any_types; /**< braces may make an object of a class that is not named */
};

static void want(struct lean *l, uint32_t word, bool plainly)
{
    if (word < WORD_OWN || (l->needed[word] && (l->plainly[word] || !plainly)))
        return;
    l->needed[word] = true;
    l->plainly[word] |= plainly;
    l->work[l->work_count++] = word;
}

static void want_names(struct lean *l, const char *names)
{
    for (const char *s = names; *s; s += strspn(s, " ")) {
        size_t len = strcspn(s, " ");
        want(l, words_number(&l->words, s, len), true);
        s += len;
    }
}

/** Is it a loop over a range? */
static bool is_range(const struct tokens *t, int i)
{
    int end = t->list[i].word == WORD_FOR && t->list[i + 1].sign == '(' ? tokens_match(t, i + 1) : -1;
    for (int n = i + 2; n < end; n++)
        if (t->list[n].sign == ':')
            return true;
    return false;
}

/** Are several names bound to parts of something? */
static bool is_binding(const struct tokens *t, int i)
{
    if (t->list[i].word != WORD_AUTO)
        return false;
    const char *text = t->text + t->list[i].end;
    return text[strspn(text, " \t\n&")] == '[';
}

/** Does it stand behind `X::` or `X<…>::`? */
static bool is_qualified(const struct tokens *t, int i, int from)
{
    if (i - 2 < from || t->list[i - 1].sign != 'S')
        return false;
    const struct token *before = &t->list[i - 2];
    return before->sign == '>' || (before->kind == TOKEN_NAME && before->word >= WORD_OWN);
}

/** All that a part of a text names. @param declared  the token that is a name of its own */
static void want_tokens(struct lean *l, const struct tokens *t, int from, int to, int declared)
{
    for (int i = from; i < to; i++) {
        if (t->list[i].word && !t->list[i].silent)
            want(l, t->list[i].word, i != declared && !is_qualified(t, i, from));
        if (is_range(t, i))
            want_names(l, "begin end");
        if (is_binding(t, i))
            want_names(l, "tuple_size tuple_element get");
    }
}

/** Whether all classes among these words are needed. */
static bool has_types(const struct lean *l, const struct word_list *w)
{
    for (int i = w->first; i < w->first + w->count; i++) {
        uint32_t word = l->items.words[i];
        if (l->types[word] && !l->needed[word])
            return false;
    }
    return true;
}

/** @return whether it is kept now */
static bool keep(struct lean *l, int i)
{
    const struct item *item = &l->items.list[i];
    if (l->kept[i])
        return true;
    if ((!l->any_types && !has_types(l, &item->types)) || !has_types(l, &item->arguments))
        return false;
    l->kept[i] = true;
    want_tokens(l, &l->head, item->begin, item->end, item->name);
    return true;
}

static void follow(struct lean *l)
{
    for (bool more = true; more;) {
        while (l->work_count) {
            uint32_t word = l->work[--l->work_count];
            for (int m = l->first[word]; m >= 0; m = l->meanings[m].next)
                if ((l->plainly[word] || !l->items.list[l->meanings[m].item].global) && !keep(l, l->meanings[m].item))
                    l->later[l->later_count++] = l->meanings[m].item;
        }
        more = false;
        int waiting = 0;
        for (int i = 0; i < l->later_count; i++)
            if (!keep(l, l->later[i]))
                l->later[waiting++] = l->later[i];
        l->later_count = waiting;
        more = l->work_count > 0;
    }
}

/** Whether some call has braces among its arguments, or there may be one. */
static bool has_braces(const struct tokens *t)
{
    for (int i = 1; i < t->count; i++)
        if (t->list[i].sign == '{' && (t->list[i - 1].sign == '(' || t->list[i - 1].sign == ','))
            return true;
    return false;
}

static void add_meaning(struct lean *l, uint32_t word, int item)
{
    l->meanings[l->meanings_count] = (struct meaning){item, l->first[word]};
    l->first[word] = l->meanings_count++;
}

/** Who means what: a class's member is kept with its class, an operator by itself, all else by any of its names. */
static void add_meanings(struct lean *l, int i)
{
    const struct item *item = &l->items.list[i];
    const struct word_list *names = &item->names;
    if (item->owner && !l->spaces[item->owner]) {
        add_meaning(l, item->owner, i);
        return;
    }
    if (item->implied)
        l->later[l->later_count++] = i;
    for (int n = names->first; n < names->first + names->count; n++)
        if (!l->spaces[l->items.words[n]] || names->count == 1)
            add_meaning(l, l->items.words[n], i);
}

static void index_names(struct lean *l)
{
    uint32_t words = l->words.count;
    const struct items *s = &l->items;
    size_t most = (size_t)s->words_count + (size_t)s->count + 1;
    l->needed = text_zalloc(words, sizeof *l->needed);
    l->types = text_zalloc(words, sizeof *l->types);
    l->spaces = text_zalloc(words, sizeof *l->spaces);
    l->first = text_zalloc(words, sizeof *l->first);
    l->plainly = text_zalloc(words, sizeof *l->plainly);
    l->work = text_zalloc(2 * (size_t)words, sizeof *l->work);
    l->kept = text_zalloc((size_t)s->count + 1, sizeof *l->kept);
    l->meanings = text_zalloc(most, sizeof *l->meanings);
    l->later = text_zalloc(2 * most, sizeof *l->later);
    memset(l->first, -1, words * sizeof *l->first);
    for (const struct item *item = s->list; item < s->list + s->count; item++) {
        l->types[item->type] |= item->type != 0;
        for (int i = item->begin; i < item->end && item->kind == ITEM_OPEN; i++)
            l->spaces[l->head.list[i].word] = true;
    }
    for (int i = 0; i < s->count; i++)
        add_meanings(l, i);
}

/** What is written so far. */
struct writing {
    const struct lean *lean;
    struct text text;
    uint32_t last;        /**< the head's text is written up to here; 0: not yet */
    int scopes[MAX_DEPTH]; /**< the items that open them */
    uint64_t paths[MAX_DEPTH];
    int depth, written;   /**< of the scopes so many are */
};

/** What stands before it on its line, as blanks: a debugger is told columns, too. */
static void write_indent(struct writing *w, uint32_t at)
{
    const char *text = w->lean->head.text;
    uint32_t begin = at;
    while (begin && text[begin - 1] != '\n')
        begin--;
    for (; begin < at; begin++)
        text_add(&w->text, text[begin] == '\t' ? "\t" : " ", 1);
}

static void write_item(struct writing *w, const struct item *item)
{
    const struct tokens *t = &w->lean->head;
    const struct token *first = &t->list[item->begin];
    uint32_t end = t->list[item->end - 1].end;
    const char *gap = t->text + w->last;
    if (w->last && strspn(gap, " \t\n") >= first->at - w->last) {
        text_add(&w->text, gap, first->at - w->last);
    } else if (first->marker == UINT32_MAX) {
        text_puts(&w->text, "\n");
    } else { /* `# LINE "FILE" FLAGS`, without those that say how the file was come to */
        const char *marker = t->text + first->marker, *name = strchr(marker, '"'), *flags = strchr(name + 1, '"') + 1;
        text_printf(&w->text, "\n# %u %.*s", first->line, (int)(flags - name), name);
        for (; *flags && *flags != '\n'; flags++)
            if (*flags == '3' || *flags == '4')
                text_printf(&w->text, " %c", *flags);
        text_puts(&w->text, "\n");
        write_indent(w, first->at);
    }
    text_add(&w->text, t->text + first->at, end - first->at);
    w->last = end;
}

static void write_scopes(struct writing *w)
{
    for (; w->written < w->depth; w->written++)
        write_item(w, &w->lean->items.list[w->scopes[w->written]]);
}

/** A namespace is there from where it is first opened, though nothing in it may be kept. */
static void open_scope(struct writing *w, int i, struct text *seen)
{
    const struct tokens *t = &w->lean->head;
    const struct item *item = &w->lean->items.list[i];
    uint64_t path = w->depth ? w->paths[w->depth - 1] : TEXT_HASH_START;
    for (int n = item->begin; n < item->end; n++)
        path = text_hash(path, t->text + t->list[n].at, t->list[n].end - t->list[n].at);
    w->paths[w->depth] = path;
    w->scopes[w->depth++] = i;
    const uint64_t *paths = (const uint64_t *)seen->data;
    for (size_t n = 0; n < seen->len / sizeof path; n++)
        if (paths[n] == path)
            return;
    text_add(seen, (const char *)&path, sizeof path);
    write_scopes(w);
}

static char *write_all(const struct lean *l)
{
    struct writing w = {.lean = l};
    struct text seen = {0};
    for (int i = 0; i < l->items.count; i++) {
        const struct item *item = &l->items.list[i];
        if (item->kind == ITEM_OPEN) {
            open_scope(&w, i, &seen);
        } else if (item->kind == ITEM_CLOSE) {
            if (w.written == w.depth) {
                write_item(&w, item);
                w.written--;
            }
            w.depth--;
        } else if (item->kind == ITEM_STAYS || l->kept[i]) {
            write_scopes(&w);
            write_item(&w, item);
        }
    }
    text_puts(&w.text, "\n");
    text_free(&seen);
    return w.text.data;
}

static void lean_free(struct lean *l)
{
    void *all[] = {l->needed, l->plainly, l->types, l->spaces, l->first, l->meanings, l->kept, l->later, l->work};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    items_free(&l->items);
    tokens_free(&l->head);
    tokens_free(&l->rest);
    words_free(&l->words);
}

/** Words must all be known before they are counted. */
static void know_implied(struct words *w)
{
    static const char *const lists[] = {implied, "begin end", "tuple_size tuple_element get"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (const char *s = lists[i]; *s; s += strspn(s, " ")) {
            size_t len = strcspn(s, " ");
            words_number(w, s, len);
            s += len;
        }
}

char *lean_head(const char *head, const char *rest)
{
    struct lean l = {0};
    char *text = NULL;
    if (tokens_read(&l.head, &l.words, head) && tokens_read(&l.rest, &l.words, rest) && items_read(&l.items, &l.head)) {
        know_implied(&l.words);
        index_names(&l);
        l.any_types = has_braces(&l.rest);
        want_tokens(&l, &l.rest, 0, l.rest.count, -1);
        want_names(&l, implied);
        follow(&l);
        text = write_all(&l);
    }
    lean_free(&l);
    return text;
}
