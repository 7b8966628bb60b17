/**
 * @file entries.c
 * The kernels of a student's PTX beside the reference's: each there, and with parameters of the same sizes
 * and kinds, since the harness passes what the reference takes. See build.h.
 *
 * A text may hold ".entry NAME(" more than once (assembly can write anything): then all must agree.
 */
#include <stdlib.h>
#include <string.h>

#include "build/entries.h"

#define MAX_PARAMETERS 64

/** A parameter: how many bytes, and whether they are a floating-point number. */
struct parameter {
    unsigned bytes;
    bool real;
};

struct parameters {
    struct parameter list[MAX_PARAMETERS];
    int count;
};

/** The bytes of ".u64" or ".b8"; 0 if it is no type. */
static unsigned type_bytes(const char *word)
{
    unsigned bits = word[0] == '.' && strchr("usbf", word[1]) && word[1] ? (unsigned)atoi(word + 2) : 0;
    return bits % 8 || bits > 128 ? 0 : bits / 8;
}

/** One declaration: ".param .u64 .ptr .global .align 1 k_param_0", ".param .align 8 .b8 k_param_1[16]". */
static struct parameter read_parameter(const char *text, size_t len)
{
    struct parameter p = {0};
    char *copy = text_format("%.*s", (int)len, text), *save = NULL;
    const char *array = strchr(copy, '[');
    unsigned long elements = array ? strtoul(array + 1, NULL, 10) : 1;
    for (char *word = strtok_r(copy, " \t\r\n", &save); word && !p.bytes; word = strtok_r(NULL, " \t\r\n", &save)) {
        p.bytes = type_bytes(word);
        p.real = p.bytes && word[1] == 'f';
    }
    p.bytes *= (unsigned)(elements < 1u << 20 ? elements : 1u << 20);
    free(copy);
    return p;
}

/** The parameters of the entry whose list starts at `text`, behind its "(". */
static struct parameters read_parameters(const char *text)
{
    struct parameters all = {.count = 0};
    const char *end = text + strcspn(text, ")");
    while (text < end && all.count < MAX_PARAMETERS) {
        size_t len = strcspn(text, ",)");
        struct parameter p = read_parameter(text, len);
        if (p.bytes)
            all.list[all.count++] = p;
        text += len + 1;
    }
    return all;
}

static const char *words_of(const struct parameter *p, char *buffer, size_t size)
{
    if (p->real)
        return p->bytes == 8 ? "a double" : p->bytes == 4 ? "a float" : "a half";
    struct text t = {0};
    text_printf(&t, "%u byte%s", p->bytes, p->bytes == 1 ? "" : "s");
    if (p->bytes == 8)
        text_puts(&t, " (a pointer, or a 64-bit integer)");
    strncpy(buffer, t.data, size - 1);
    buffer[size - 1] = 0;
    text_free(&t);
    return buffer;
}

/** What is not as the harness passes it, after "kernel NAME "; NULL if all is. */
static char *differ(const struct parameters *got, const struct parameters *want)
{
    char a[64], b[64];
    if (got->count != want->count)
        return text_format("has %d parameter%s, the harness passes %d", got->count,
                           got->count == 1 ? "" : "s", want->count);
    for (int i = 0; i < got->count; i++) {
        const struct parameter *g = &got->list[i], *w = &want->list[i];
        if (g->bytes != w->bytes || g->real != w->real)
            return text_format("takes %s as parameter %d, the harness passes %s", words_of(g, a, sizeof a),
                               i + 1, words_of(w, b, sizeof b));
    }
    return NULL;
}

/** The text behind the next ".entry NAME(", with any blanks there; NULL if there is none. */
static const char *next_entry(const char *ptx, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = ptx; (at = strstr(at, ".entry")) != NULL;) {
        at += strlen(".entry");
        const char *p = at + strspn(at, " \t\r\n");
        if (p == at || strncmp(p, name, len))
            continue;
        p += len + strspn(p + len, " \t\r\n");
        if (*p == '(')
            return p + 1;
    }
    return NULL;
}

static char *check_entry(const char *ptx, const char *reference, const char *name)
{
    const char *at = next_entry(ptx, name), *own = reference ? next_entry(reference, name) : NULL;
    if (!at)
        return text_format("defines no kernel %s", name);
    struct parameters want = own ? read_parameters(own) : (struct parameters){0};
    for (; at && own; at = next_entry(at, name)) {
        struct parameters got = read_parameters(at);
        char *what = differ(&got, &want);
        if (!what)
            continue;
        char *message = text_format("kernel %s %s", name, what);
        free(what);
        return message;
    }
    return NULL;
}

char *entries_check(const struct spec *s, const char *ptx, const char *reference, const char *shown)
{
    for (unsigned i = 0; i < s->kernels_count; i++) {
        char *what = check_entry(ptx, reference, s->kernels[i].name);
        if (!what)
            continue;
        char *message = text_format("%s: %s; it must have\n    extern \"C\" __global__ %s", shown, what,
                                    s->kernels[i].signature);
        free(what);
        return message;
    }
    return NULL;
}
