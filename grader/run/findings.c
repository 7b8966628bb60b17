/**
 * @file findings.c
 * JSON lines → record_finding; see findings.h. Levels are the spec's where it has a say.
 */
#include "run/findings.h"
#include "run/advised.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_BYTES (8u << 20)
#define MAX_FINDINGS 256
#define MAX_STEPS 64

/** The name in a mangled one: "shared" of "_ZZ9block_sumxE6shared" (a variable of a
 *  function), "table" of "_ZL5table" (static), "fill" of "_Z4fillPi" (a function). NULL for other forms; then it is left as it is. */
static const char *plain_name(const char *mangled, size_t len, size_t *plain)
{
    const char *at = mangled + (mangled[2] == 'Z' || mangled[2] == 'L' ? 3
                                : isdigit((unsigned char)mangled[2])   ? 2 : len);
    for (const char *e = mangled + 3; mangled[2] == 'Z' && e + 1 < mangled + len; e++)
        if (*e == 'E' && isdigit((unsigned char)e[1]))
            at = e + 1;
    char *name;
    unsigned long n = at < mangled + len && isdigit((unsigned char)*at) ? strtoul(at, &name, 10) : 0;
    if (!n || n > (size_t)(mangled + len - name))
        return NULL;
    *plain = n;
    return name;
}

/** Puts plain names for mangled ones, in place. */
static void put_plain_names(char *s)
{
    for (char *p = strstr(s, "_Z"); p; p = strstr(p + 1, "_Z")) {
        size_t len = 2, n;
        while (isalnum((unsigned char)p[len]) || p[len] == '_')
            len++;
        const char *name = plain_name(p, len, &n);
        if (!name)
            continue;
        if (!strncmp(p + len, "$_", 2)) /* nvcc has taken a struct apart: "next_$_0" */
            len += 2 + strspn(p + len + 2, "0123456789");
        memmove(p, name, n);
        memmove(p + n, p + len, strlen(p + len) + 1);
    }
}

static char *dup_string(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    char *copy = s ? text_dup(s) : NULL;
    if (copy) {
        text_clean(copy);
        put_plain_names(copy);
    }
    return copy;
}

static char *dup_value(const json_t *object, const char *key)
{
    const json_t *v = json_object_get(object, key);
    if (json_is_integer(v))
        return text_format("%" JSON_INTEGER_FORMAT, json_integer_value(v));
    if (json_is_real(v))
        return text_format("%.9g", json_real_value(v));
    return dup_string(object, key);
}

static bool read_triple(const json_t *object, const char *key, int out[3])
{
    const json_t *a = json_object_get(object, key);
    for (size_t i = 0; i < 3; i++)
        out[i] = (int)json_integer_value(json_array_get(a, i));
    return json_array_size(a) == 3;
}

/** The text of a line without its indentation, cut to what a report can show. */
static char *source_line(const char *source, int line)
{
    const char *p = source;
    for (int i = 1; i < line && p; i++) {
        p = strchr(p, '\n');
        p = p ? p + 1 : NULL;
    }
    if (!p || line < 1)
        return NULL;
    p += strspn(p, " \t");
    size_t len = strcspn(p, "\r\n");
    while (len > 160 || (len == 160 && ((unsigned char)p[len] & 0xc0) == 0x80))
        len = len > 160 ? 160 : len - 1; /* not in the middle of a character */
    char *text = text_format("%.*s", (int)len, p);
    text_clean(text);
    for (char *c = text; *c; c++)
        *c = *c == '\t' ? ' ' : *c;
    return text;
}

/** "line 12" of the student's file, "helper.cuh:3" of another; the caller frees. NULL: not known. */
static char *line_words(const json_t *place)
{
    const char *file = json_string_value(json_object_get(place, "file"));
    int line = (int)json_integer_value(json_object_get(place, "line"));
    const char *base = file && strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    if (!base || line <= 0)
        return NULL;
    char *words = !strcmp(base, "kernel.cu") ? text_format("line %d", line) : text_format("%s:%d", base, line);
    text_clean(words);
    return words;
}

/** The chain of calls that led to code that the compiler inlined; NULL if there is none. */
static char *callers(const json_t *list)
{
    struct text all = {0};
    for (size_t i = 0; i < json_array_size(list) && i < 8; i++) {
        char *one = line_words(json_array_get(list, i));
        if (one)
            text_printf(&all, "%s%s", all.len ? ", from " : "", one);
        free(one);
    }
    char *words = all.len ? text_dup(text_str(&all)) : NULL;
    text_free(&all);
    return words;
}

/** "block_scan.cuh:12": where in a library's header an access is that the student's line leads to; NULL: it is none. */
static char *header_words(const json_t *j, bool launched)
{
    char *inside = line_words(json_object_get(j, "inside")), *kernel = launched ? line_words(j) : NULL;
    if (!kernel || !inside)
        return kernel ? kernel : inside;
    char *both = text_format("%s, %s", kernel, inside);
    free(kernel);
    free(inside);
    return both;
}

/** A file's name, the student's own as it is shown, and whether it is that. */
static const char *name_of_file(const char *file, const char *shown, bool *own)
{
    const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    *own = !strcmp(base, "kernel.cu");
    return *own ? shown : base;
}

static void read_access(struct record_access *a, const json_t *j, const char *source,
                        const char *shown)
{
    const json_t *launched = json_object_get(j, "launched"); /* of a library's own kernel the student's line is that */
    bool by_library = json_integer_value(json_object_get(launched, "line")) > 0;
    const json_t *at = by_library ? launched : j;
    const char *file = json_string_value(json_object_get(at, "file"));
    a->op = dup_string(j, "op");
    a->op = a->op ? a->op : text_dup("access");
    a->line = (int)json_integer_value(json_object_get(at, "line"));
    if (file) {
        bool own;
        a->file = text_dup(name_of_file(file, shown, &own));
        text_clean(a->file);
        a->source = own ? source_line(source, a->line) : NULL;
    }
    a->has_thread = read_triple(j, "block", a->block) & read_triple(j, "thread", a->thread);
    a->value = dup_value(j, "value");
    a->missed = dup_value(j, "missed");
    a->called_from = callers(json_object_get(j, "called_from"));
    a->within = header_words(j, by_library);
    a->element = (int)json_integer_value(json_object_get(j, "element_bytes"));
}

/** The steps of the run that the finding shows; a longer list is cut. */
static void read_interleaving(struct record_finding *r, const json_t *list, const char *source,
                              const char *shown)
{
    size_t count = json_array_size(list);
    count = count < MAX_STEPS ? count : MAX_STEPS;
    r->interleaving = text_zalloc(count, sizeof *r->interleaving);
    for (size_t i = 0; i < count; i++) {
        const json_t *j = json_array_get(list, i);
        struct record_access *a = &r->interleaving[r->interleaving_count++];
        read_access(a, j, source, shown);
        a->object = dup_string(j, "object");
        a->offset = json_integer_value(json_object_get(j, "offset"));
        a->old = dup_value(j, "old");
        a->order = dup_string(j, "order");
        a->times = (int)json_integer_value(json_object_get(j, "times"));
    }
}

/** What the spec makes of softgpu's own level; 0: not shown. */
static int final_level(const struct spec *s, enum verdict kind, const char *reported)
{
    switch (s->checks.level[kind]) {
    case SPEC_LEVEL_IGNORE:
        return 0;
    case SPEC_LEVEL_WARNING:
        return RECORD_WARNING;
    case SPEC_LEVEL_ERROR:
        return RECORD_ERROR;
    case SPEC_LEVEL_AS_REPORTED:
        return !strcmp(reported, "error") ? RECORD_ERROR : RECORD_WARNING;
    }
    return 0;
}

/** What is no finding: outcomes of --exhaustive, what was not judged, and the closing record. */
static void read_note(struct findings *f, const char *kind, const json_t *j, int lines)
{
    f->complete = !strcmp(kind, "end") && json_integer_value(json_object_get(j, "lines")) == lines;
    if (!strcmp(kind, "incomplete") && !f->incomplete)
        f->incomplete = dup_string(j, "message");
}

/** Room for one more; where the list is full, an error takes the last warning's. NULL: none. */
static struct record_finding *room(struct findings *f, int level)
{
    if (f->count < MAX_FINDINGS)
        return &f->list[f->count++];
    for (int i = f->count - 1; i >= 0; i--)
        if ((int)f->list[i].level < level) {
            record_finding_free(&f->list[i]);
            return &f->list[i];
        }
    return NULL;
}

/** In a kernel lab: a copy of the harness took memory that the kernel has left as it was. The comparison says which
 *  elements that are, and a line of the harness's is nothing that a student could mend. */
static bool harness_copied(const struct spec *s, enum verdict kind, int final, const json_t *j)
{
    const json_t *accesses = json_object_get(j, "accesses"), *first = json_array_get(accesses, 0);
    return s->code != SPEC_HOST && kind == VERDICT_UNINITIALIZED_READ && final == RECORD_WARNING &&
           json_array_size(accesses) == 1 && !json_object_get(first, "thread");
}

/** What softgpu does not know, and where that stands. */
static char *unsupported_words(const json_t *j, const char *shown)
{
    const json_t *at = json_array_get(json_object_get(j, "accesses"), 0);
    const char *message = json_string_value(json_object_get(j, "message")), *file = json_string_value(json_object_get(at, "file"));
    int line = (int)json_integer_value(json_object_get(at, "line")), ptx = (int)json_integer_value(json_object_get(at, "ptx_line"));
    bool own;
    char *place = file && line > 0 ? text_format("%.200s:%d: ", name_of_file(file, shown, &own), line) : text_dup("");
    char *in_ptx = ptx > 0 ? text_format(" (line %d of its PTX)", ptx) : text_dup("");
    char *words = text_format("%s%s%s", place, message ? message : "an instruction", in_ptx);
    text_clean(words);
    free(place);
    free(in_ptx);
    return words;
}

/** @param lines  how many came before */
static bool read_line(struct findings *f, const json_t *j, int lines, const struct spec *s,
                      const char *source, const char *shown, struct trouble *t)
{
    const char *kind_name = json_string_value(json_object_get(j, "kind"));
    const char *level = json_string_value(json_object_get(j, "level"));
    enum verdict kind = kind_name ? verdict_from_name(kind_name) : VERDICT_NONE;
    f->complete = false; /* the closing record is the last */
    if (!kind_name || !level)
        return trouble_set(t, "softgpu's findings file has a line without kind or level");
    if (!strcmp(level, "info")) {
        read_note(f, kind_name, j, lines);
        return true;
    }
    if (kind == VERDICT_UNSUPPORTED) {
        if (!f->unsupported)
            f->unsupported = unsupported_words(j, shown);
        return true;
    }
    if (kind == VERDICT_NONE || kind >= VERDICT_FINDING_COUNT)
        return trouble_set(t, "softgpu reports \"%.60s\", a kind that the grader does not know",
                           kind_name);
    int final = final_level(s, kind, level);
    if (harness_copied(s, kind, final, j))
        return true;
    struct record_finding *r = final ? room(f, final) : NULL;
    f->errors += final == RECORD_ERROR;
    if (!r)
        return true;
    *r = (struct record_finding){.kind = kind, .level = (enum record_level)final};
    r->kernel = dup_string(j, "kernel");
    r->space = dup_string(j, "space");
    r->object = dup_string(j, "object");
    r->offset = json_integer_value(json_object_get(j, "offset"));
    r->element = (int)json_integer_value(json_object_get(j, "element_bytes"));
    r->part = dup_string(j, "part");
    r->object_bytes = json_integer_value(json_object_get(j, "object_bytes"));
    /* What the harness has made has a name, and nothing to look up. */
    if (r->object && !strncmp(r->object, "alloc", 5) && isdigit((unsigned char)r->object[5]))
        r->allocated = line_words(json_object_get(j, "allocated"));
    r->message = dup_string(j, "message");
    r->message = r->message ? r->message : text_dup(kind_name);
    r->rule = dup_string(j, "rule");
    r->suggestion = dup_string(j, "try");
    r->advised = r->suggestion ? advised_calls(r->suggestion, source) : -1;
    r->count = json_integer_value(json_object_get(j, "count"));
    r->seed = (uint64_t)json_integer_value(json_object_get(j, "seed"));
    const json_t *accesses = json_object_get(j, "accesses");
    for (size_t i = 0; i < json_array_size(accesses) && i < 2; i++)
        read_access(&r->accesses[r->accesses_count++], json_array_get(accesses, i), source, shown);
    read_interleaving(r, json_object_get(j, "interleaving"), source, shown);
    return true;
}

static bool share_a_line(const struct record_finding *a, const struct record_finding *b)
{
    for (int i = 0; i < a->accesses_count; i++)
        for (int j = 0; j < b->accesses_count; j++)
            if (a->accesses[i].line > 0 && a->accesses[i].line == b->accesses[j].line)
                return true;
    return false;
}

/** Is `cause` why there is `r`? What a stream race makes come too late has often not been written at all, and what a race has
 *  read leads anywhere. A value that nobody has set does so too, and may be read too early itself; but then the two have a line in common. */
static bool is_why(const struct record_finding *cause, const struct record_finding *r)
{
    bool by_line = cause->kind != VERDICT_STREAM_RACE && (cause->kind == VERDICT_UNINITIALIZED_READ || r->kind == VERDICT_UNINITIALIZED_READ);
    return cause->level == r->level && verdict_may_cause(cause->kind, r->kind) && (!by_line || share_a_line(cause, r));
}

static bool comes_last(const struct findings *f, const struct record_finding *r)
{
    bool caused = false;
    for (int i = 0; i < f->count; i++)
        caused |= is_why(&f->list[i], r);
    return caused;
}

/** Errors before warnings, causes before effects; else as softgpu wrote them. */
static void errors_first(struct findings *f)
{
    struct record_finding *sorted = text_zalloc((size_t)f->count, sizeof *sorted);
    int n = 0;
    for (int level = RECORD_ERROR; level >= RECORD_WARNING; level--)
        for (int last = 0; last < 2; last++)
            for (int i = 0; i < f->count; i++)
                if ((int)f->list[i].level == level && comes_last(f, &f->list[i]) == (last == 1))
                    sorted[n++] = f->list[i];
    free(f->list);
    f->list = sorted;
}

bool findings_read(struct findings *f, const char *path, const struct spec *s, const char *source,
                   const char *shown, struct trouble *t)
{
    *f = (struct findings){.list = text_zalloc(MAX_FINDINGS, sizeof *f->list)};
    if (access(path, F_OK) != 0)
        return true;
    const char *why;
    size_t len;
    char *text = text_read_file(path, MAX_BYTES, &len, &why);
    if (!text)
        return trouble_set(t, "softgpu's findings file %s", why);
    bool ok = true;
    int lines = 0;
    for (const char *line = text; ok && *line;) {
        size_t n = strcspn(line, "\n");
        json_error_t e;
        json_t *j = n ? json_loadb(line, n, 0, &e) : NULL;
        /* A run that was killed may leave half a last line. */
        if (n && !j && line[n])
            ok = trouble_set(t, "softgpu's findings file is damaged: %s", e.text);
        else if (j)
            ok = read_line(f, j, lines++, s, source, shown, t);
        f->complete &= j || !n;
        json_decref(j);
        line += n + (line[n] == '\n');
    }
    free(text);
    errors_first(f);
    return ok;
}

void findings_free(struct findings *f)
{
    free(f->list);
    free(f->unsupported);
    free(f->incomplete);
    *f = (struct findings){0};
}
