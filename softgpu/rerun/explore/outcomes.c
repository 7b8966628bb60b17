/**
 * @file outcomes.c
 * See outcomes.h.
 */
#include "rerun/explore/outcomes.h"
#include "execute/machine.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "report/reporter.h"
#include "report/words/words.h"

#define TABLE_COLUMNS 8

#ifdef __SANITIZE_ADDRESS__
#define EXHAUSTIVE_SECONDS 60.0
#else
#define EXHAUSTIVE_SECONDS 10.0
#endif

double exhaustive_seconds(void)
{
    const char *said = getenv("SOFTGPU_EXHAUSTIVE_SECONDS");
    double seconds = said ? strtod(said, NULL) : 0;
    return seconds > 0 ? seconds : EXHAUSTIVE_SECONDS;
}

/** Who has more of them has millions, mostly: that shows early, by their number and not by a clock. */
static int most_outcomes(void)
{
    double most = USUAL_OUTCOMES * exhaustive_seconds() / EXHAUSTIVE_SECONDS;
    return most < MAX_OUTCOMES ? (int)most : MAX_OUTCOMES;
}

/* ---- Objects ---- */

static uint64_t words_of(uint64_t bytes)
{
    return (bytes + 3) / 4;
}

static void add_object(void *self, struct allocation *a)
{
    struct outcomes *o = self;
    bool named = a->number >= 0 || a->name;
    if (a->freed || !named || a->kind == ALLOC_CONSTANT || a->kind == ALLOC_DEVICE_HEAP)
        return;
    uint64_t words = words_of(a->bytes);
    *LIST_PUSH(&o->objects) = (struct outcome_object){
        .allocation = a, .words = words < OBJECT_WORDS ? (uint32_t)words : OBJECT_WORDS};
    o->total_words += o->objects.data[o->objects.count - 1].words;
}

void outcomes_open(struct outcomes *o, struct machine *m)
{
    *o = (struct outcomes){.machine = m, .most = most_outcomes()};
    memory_each(machine_memory(m), add_object, o);
}

void outcomes_drop(struct outcomes *o)
{
    for (int i = 0; i < o->records.count; i++) {
        free(o->records.data[i].words);
        json_decref(o->records.data[i].events);
        free(o->records.data[i].odd);
    }
    o->records.count = 0;
    free(o->index);
    o->index = NULL;
    o->index_size = 0;
    o->executions = 0;
    o->full = false;
}

void outcomes_close(struct outcomes *o)
{
    outcomes_drop(o);
    LIST_FREE(&o->records);
    LIST_FREE(&o->objects);
}

void outcomes_note_written(struct outcomes *o, const struct allocation *a, uint64_t offset, uint64_t bytes)
{
    for (int i = 0; i < o->objects.count; i++) {
        struct outcome_object *object = &o->objects.data[i];
        if (object->allocation != a)
            continue;
        object->written = true;
        if (object->high < words_of(offset + bytes))
            object->high = words_of(offset + bytes);
    }
}

bool outcomes_grow(struct outcomes *o)
{
    bool grew = false;
    for (int i = 0; i < o->objects.count; i++) {
        struct outcome_object *object = &o->objects.data[i];
        uint32_t words = object->high < OBJECT_MOST ? (uint32_t)object->high : OBJECT_MOST;
        if (words <= object->words)
            continue;
        o->total_words += words - object->words;
        object->words = words;
        grew = true;
    }
    return grew;
}

bool outcomes_miss(const struct outcomes *o)
{
    for (int i = 0; i < o->objects.count; i++)
        if (o->objects.data[i].high > o->objects.data[i].words)
            return true;
    return false;
}

uint32_t *outcomes_contents(const struct outcomes *o)
{
    uint32_t *words = calloc(o->total_words ? o->total_words : 1, sizeof *words), at = 0;
    assert(words);
    for (int i = 0; i < o->objects.count; i++) {
        const struct outcome_object *object = &o->objects.data[i];
        uint64_t bytes = 4ull * object->words, has = object->allocation->bytes;
        memcpy(words + at, allocation_bytes(object->allocation), bytes < has ? bytes : has);
        at += object->words;
    }
    return words;
}

uint8_t *outcomes_place(const struct outcomes *o, uint32_t *words, const struct allocation *a, uint64_t offset, uint32_t bytes)
{
    for (int i = 0; i < o->objects.count; i++) {
        const struct outcome_object *object = &o->objects.data[i];
        if (object->allocation == a)
            return offset + bytes <= 4ull * object->words ? (uint8_t *)words + offset : NULL;
        words += object->words;
    }
    return NULL;
}

/* ---- Outcomes ---- */

/** Where the number of the outcome stands, plus one, or would stand. */
static int *find(const struct outcomes *o, const uint32_t *words, bool hangs)
{
    size_t bytes = (size_t)o->total_words * 4;
    uint64_t at = hangs;
    for (uint32_t i = 0; i < o->total_words; i++)
        at = mix_in(at, words[i]);
    for (;; at++) {
        int *place = &o->index[at % (uint64_t)o->index_size];
        const struct outcome_record *r = *place ? &o->records.data[*place - 1] : NULL;
        if (!r || (r->hangs == hangs && memcmp(r->words, words, bytes) == 0))
            return place;
    }
}

static void grow_index(struct outcomes *o)
{
    free(o->index);
    o->index_size = o->index_size ? 2 * o->index_size : 256;
    o->index = calloc((size_t)o->index_size, sizeof *o->index);
    assert(o->index);
    for (int i = 0; i < o->records.count; i++)
        *find(o, o->records.data[i].words, o->records.data[i].hangs) = i + 1;
}

static bool is_full(const struct outcomes *o)
{
    return o->records.count >= o->most || 4ull * o->total_words * (uint64_t)o->records.count >= MAX_OUTCOME_BYTES;
}

struct outcome_record *outcomes_add(struct outcomes *o, const uint32_t *words, bool hangs, uint64_t serial)
{
    size_t bytes = (size_t)o->total_words * 4;
    if (2 * o->records.count >= o->index_size)
        grow_index(o);
    int *place = find(o, words, hangs);
    if (!*place && is_full(o)) {
        o->full = true;
        return NULL;
    }
    if (!*place) {
        struct outcome_record *r = LIST_PUSH(&o->records);
        *r = (struct outcome_record){.words = malloc(bytes ? bytes : 1), .hangs = hangs};
        assert(r->words);
        memcpy(r->words, words, bytes);
        *place = o->records.count;
    }
    struct outcome_record *r = &o->records.data[*place - 1];
    if (r->latest != serial || !r->executions) {
        r->executions++;
        o->executions++;
    }
    r->latest = serial;
    return r;
}

/* ---- Telling ---- */

static void object_name(const struct allocation *a, char *out, size_t size)
{
    if (a->name)
        snprintf(out, size, "%s", a->name);
    else
        snprintf(out, size, "alloc%d", a->number);
}

static void report_outcome(struct outcomes *x, const char *kernel, const struct outcome_record *r)
{
    json_t *memory = json_object();
    uint32_t at = 0;
    for (int i = 0; i < x->objects.count; i++) {
        const struct outcome_object *o = &x->objects.data[i];
        if (o->written) {
            json_t *list = json_array();
            char name[128];
            for (uint32_t w = 0; w < o->words; w++)
                json_array_append_new(list, json_integer(r->words[at + w]));
            object_name(o->allocation, name, sizeof name);
            json_object_set_new(memory, name, list);
        }
        at += o->words;
    }
    json_t *line = json_pack("{s:s, s:s, s:s}", "kind", "outcome", "level", "info", "kernel", kernel);
    if (!x->uncounted)
        json_object_set_new(line, "executions", json_integer((json_int_t)r->executions));
    if (r->hangs)
        json_object_set_new(line, "hangs", json_true());
    if (r->events)
        json_object_set(line, "events", r->events);
    json_object_set_new(line, "memory", memory);
    char *text = json_dumps(line, JSON_COMPACT);
    if (text)
        report_line(machine_reporter(x->machine), text);
    free(text);
    json_decref(line);
}

/** The words that differ between outcomes, at most TABLE_COLUMNS, as indices into `words`. */
static int varying_words(const struct outcomes *x, uint32_t *columns)
{
    int n = 0;
    for (uint32_t w = 0; w < x->total_words && n < TABLE_COLUMNS; w++)
        for (int i = 1; i < x->records.count; i++)
            if (x->records.data[i].words[w] != x->records.data[0].words[w]) {
                columns[n++] = w;
                break;
            }
    return n;
}

static void column_name(const struct outcomes *x, uint32_t word, char *out, size_t size)
{
    char name[64];
    for (int i = 0; i < x->objects.count; i++) {
        const struct outcome_object *o = &x->objects.data[i];
        if (word < o->words) {
            object_name(o->allocation, name, sizeof name);
            snprintf(out, size, "%s[%u]", name, word);
            return;
        }
        word -= o->words;
    }
}

static int shown(const struct outcomes *x)
{
    return x->records.count < SHOWN_OUTCOMES ? x->records.count : SHOWN_OUTCOMES;
}

static void print_table(const struct outcomes *x, const char *kernel, FILE *out)
{
    uint32_t columns[TABLE_COLUMNS];
    int n = varying_words(x, columns);
    fprintf(out, "%s: %d outcome%s in ", kernel, x->records.count, x->records.count == 1 ? "" : "s");
    if (x->uncounted)
        fprintf(out, "more executions than are counted\n ");
    else
        fprintf(out, "%" PRIu64 " executions\n  %10s", x->executions, "executions");
    for (int c = 0; c < n; c++) {
        char name[96] = "";
        column_name(x, columns[c], name, sizeof name);
        fprintf(out, "  %10s", name);
    }
    fputc('\n', out);
    for (int i = 0; i < shown(x); i++) {
        const struct outcome_record *r = &x->records.data[i];
        if (x->uncounted)
            fputs(" ", out);
        else
            fprintf(out, "  %10" PRIu64, r->executions);
        for (int c = 0; c < n; c++)
            fprintf(out, "  %10d", (int)r->words[columns[c]]);
        fputs(r->hangs ? "  never ends\n" : "\n", out);
    }
    if (shown(x) < x->records.count)
        fprintf(out, "  and %d more, which a file of findings (--json) has\n", x->records.count - shown(x));
}

static void tell_incomplete(const struct outcomes *x, enum incomplete_cause why, FILE *out)
{
    if (!why)
        return;
    report_incomplete(machine_reporter(x->machine), why);
    fprintf(out, "  not everything was tried: %s\n", incomplete_words(why));
}

/** "kernel, outcome 2 of 3 (4 executions)", "alloc0[0] = 1, alloc0[1] = 0" */
static void draw(const struct outcomes *x, const char *kernel, int number, struct drawing *d)
{
    const struct outcome_record *r = &x->records.data[number];
    uint32_t columns[TABLE_COLUMNS];
    int n = varying_words(x, columns);
    char title[320], left[1024] = "";
    int used = 0;
    used = snprintf(title, sizeof title, "%.200s, outcome %d of %d", kernel, number + 1, x->records.count);
    if (!x->uncounted)
        used += snprintf(title + used, sizeof title - (size_t)used, " (%" PRIu64 " execution%s)", r->executions, r->executions == 1 ? "" : "s");
    snprintf(title + used, sizeof title - (size_t)used, "%s", r->hangs ? ": never ends" : "");
    used = 0;
    for (int c = 0; c < n; c++) {
        char name[96] = "";
        column_name(x, columns[c], name, sizeof name);
        used += snprintf(left + used, sizeof left - (size_t)used, "%s%s = %d", c ? ", " : "", name,
                         (int)r->words[columns[c]]);
    }
    drawing_outcome(d, title, left, r->events);
}

static int by_executions(const void *a, const void *b)
{
    const struct outcome_record *x = a, *y = b;
    return x->executions < y->executions ? 1 : x->executions > y->executions ? -1 : 0;
}

/** Those with an execution first, of which the table and the drawing have as many. */
static int by_contents(const void *a, const void *b, void *self)
{
    const struct outcomes *o = self;
    const struct outcome_record *x = a, *y = b;
    if (!x->events != !y->events)
        return !x->events - !y->events;
    for (uint32_t w = 0; w < o->total_words; w++)
        if (x->words[w] != y->words[w])
            return x->words[w] < y->words[w] ? -1 : 1;
    return x->hangs - y->hangs;
}

void outcomes_tell(struct outcomes *x, const char *kernel, enum incomplete_cause first, enum incomplete_cause second,
                   const struct outcomes_out *out)
{
    if (x->full && !first)
        first = INCOMPLETE_OUTCOMES;
    if (outcomes_miss(x) && !first)
        first = INCOMPLETE_FAR;
    if (x->records.count && x->uncounted)
        qsort_r(x->records.data, (size_t)x->records.count, sizeof *x->records.data, by_contents, x);
    else if (x->records.count)
        qsort(x->records.data, (size_t)x->records.count, sizeof *x->records.data, by_executions);
    for (int i = 0; i < x->records.count; i++)
        report_outcome(x, kernel, &x->records.data[i]);
    print_table(x, kernel, out->table);
    tell_incomplete(x, first, out->table);
    tell_incomplete(x, second == first ? INCOMPLETE_NOT : second, out->table);
    for (int i = 0; i < x->records.count; i++)
        if (out->drawing && out->drawing->out && x->records.data[i].events)
            draw(x, kernel, i, out->drawing);
}
