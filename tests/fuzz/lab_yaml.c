/**
 * @file lab_yaml.c
 * Feeds the spec loader damaged specs: `lab_yaml FILE BOUND [SEED]`, see bound.h. Build it
 * with -fsanitize=address,undefined; it prints how many it tried.
 *
 * Each input is FILE with lines doubled, dropped, swapped or re-indented, and bytes and words
 * replaced by what YAML and numbers find hard.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bound.h"
#include "spec/spec.h"

static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16) % below;
}

static const char *const words[] = {
    "-1", "0", "99999999999999999999", "1e999", ".nan", "~", "null", "true", "[", "]", "{", "}", "&a ",
    "*a", "!!binary x", "|", ">", "- ", ": ", "? ", "%", "@", "\"", "'", "\t", "\xff", "\xc2\x85",
    "{a: {a: {a: {a: 1}}}}", "[[[[[[[[]]]]]]]]", "<<: *a", "---", "...", "0x7fffffff", "1_000",
};

static void insert(struct text *t, size_t at, const char *s)
{
    struct text out = {0};
    text_add(&out, t->data, at);
    text_puts(&out, s);
    text_add(&out, t->data + at, t->len - at);
    text_free(t);
    *t = out;
}

static void damage(struct text *t)
{
    for (uint32_t n = 1 + draw(4); n && t->len; n--) {
        size_t at = draw((uint32_t)t->len);
        char *end = memchr(t->data + at, '\n', t->len - at);
        size_t line = end ? (size_t)(end - t->data) - at : t->len - at;
        switch (draw(6)) {
        case 0:
            t->data[at] = (char)draw(256);
            break;
        case 1:
            insert(t, at, words[draw(sizeof words / sizeof words[0])]);
            break;
        case 2: /* drop to the line's end */
            memmove(t->data + at, t->data + at + line, t->len - at - line + 1);
            t->len -= line;
            break;
        case 3: { /* double it */
            char *copy = text_format("%.*s\n", (int)line, t->data + at);
            insert(t, at, copy);
            free(copy);
            break;
        }
        case 4:
            insert(t, at, draw(2) ? "  " : "\n");
            break;
        default:
            t->len = at + 1;
            t->data[t->len] = 0;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    size_t len;
    const char *why;
    char path[] = "/tmp/fuzz_lab_yaml.XXXXXX", *whole = text_read_file(argv[1], 1 << 20, &len, &why);
    struct bound bound = bound_of(argv[2]);
    unsigned long tried = 0, taken = 0;
    state = argc > 3 ? strtoull(argv[3], NULL, 10) | 1 : 88172645463325252u;
    if (!whole || mkstemp(path) < 0)
        return 2;
    for (; bound_more(&bound, tried); tried++) {
        struct text t = {0};
        struct trouble trouble = {0};
        text_add(&t, whole, len);
        damage(&t);
        if (!text_write_file(path, t.data, t.len))
            return 2;
        struct spec *s = spec_load(path, "lab.yaml", NULL, &trouble);
        if (!s && strncmp(trouble.what, "lab.yaml", 8)) {
            printf("no place in: %s\n", trouble.what);
            return 1;
        }
        taken += s != NULL;
        spec_free(s);
        text_free(&t);
    }
    unlink(path);
    free(whole);
    printf("%lu specs tried, %lu of them valid\n", tried, taken);
    return tried == 0;
}
