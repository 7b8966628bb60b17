/**
 * @file explore.c
 * The walk over decisions, the states seen, the outcomes.
 */
#include "rerun/explore/explore.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "execute/chooser.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "report/words/words.h"

#define MAX_RUNS 400000
#define MAX_STATES (8u << 20)
#define MAX_OUTCOMES 4096
#define TABLE_COLUMNS 8

/* ---- States ---- */

static void grow_seen(struct explorer *x)
{
    uint64_t *old = x->seen;
    uint32_t n = old ? x->seen_mask + 1 : 0;
    x->seen_mask = n ? n * 2 - 1 : 4095;
    x->seen = calloc((size_t)x->seen_mask + 1, sizeof *x->seen);
    assert(x->seen);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t h = (uint32_t)(old[i] >> 20) & x->seen_mask;
        while (old[i] && x->seen[h])
            h = (h + 1) & x->seen_mask;
        if (old[i])
            x->seen[h] = old[i];
    }
    free(old);
}

/** @return true if the state is new */
static bool note_state(struct explorer *x, uint64_t hash)
{
    hash |= 1;
    if (x->seen_count * 2 >= x->seen_mask)
        grow_seen(x);
    uint32_t h = (uint32_t)(hash >> 20) & x->seen_mask;
    for (; x->seen[h]; h = (h + 1) & x->seen_mask)
        if (x->seen[h] == hash)
            return false;
    x->seen[h] = hash;
    x->seen_count++;
    return true;
}

/* ---- Decisions ---- */

int explore_choose(struct explorer *x, int count)
{
    assert(count > 0);
    if (count == 1)
        return 0;
    if (x->depth == x->path.count)
        *LIST_PUSH(&x->path) = (struct decision){.count = count};
    return x->path.data[x->depth++].chosen;
}

int explore_schedule(struct explorer *x, int count)
{
    if (count > 1 && x->depth == x->path.count && !note_state(x, graph_hash(&x->graph) * 2)) {
        x->pruned = true;
        return -1;
    }
    return explore_choose(x, count);
}

/** Moves on to the next path; false when all have been walked. */
static bool backtrack(struct explorer *x)
{
    while (x->path.count) {
        struct decision *last = &x->path.data[x->path.count - 1];
        if (++last->chosen < last->count)
            return true;
        x->path.count--;
    }
    return false;
}

/* ---- Outcomes ---- */

static void add_object(void *self, struct allocation *a)
{
    struct explorer *x = self;
    bool named = a->number >= 0 || a->name;
    if (a->freed || !named || a->kind == ALLOC_CONSTANT || a->kind == ALLOC_DEVICE_HEAP)
        return;
    uint64_t words = a->bytes / 4;
    *LIST_PUSH(&x->objects) = (struct outcome_object){
        .allocation = a, .words = words < OBJECT_WORDS ? (uint32_t)words : OBJECT_WORDS};
    x->total_words += x->objects.data[x->objects.count - 1].words;
}

static void record_outcome(struct explorer *x)
{
    uint32_t *words = calloc(x->total_words ? x->total_words : 1, sizeof *words), at = 0;
    assert(words);
    for (int i = 0; i < x->objects.count; i++) {
        const struct outcome_object *o = &x->objects.data[i];
        memcpy(words + at, o->allocation->host, (size_t)o->words * 4);
        at += o->words;
    }
    x->executions++;
    for (int i = 0; i < x->outcomes.count; i++) {
        struct outcome_record *r = &x->outcomes.data[i];
        if (memcmp(r->words, words, (size_t)x->total_words * 4) == 0) {
            r->executions++;
            free(words);
            return;
        }
    }
    if (x->outcomes.count == MAX_OUTCOMES) {
        x->incomplete = INCOMPLETE_OUTCOMES;
        free(words);
        return;
    }
    *LIST_PUSH(&x->outcomes) = (struct outcome_record){.executions = 1, .words = words};
}

static void drop_outcomes(struct explorer *x)
{
    for (int i = 0; i < x->outcomes.count; i++)
        free(x->outcomes.data[i].words);
    x->outcomes.count = 0;
    x->executions = 0;
}

/* ---- The walk ---- */

struct explorer *explore_begin(struct machine *m)
{
    struct explorer *x = calloc(1, sizeof *x);
    assert(x);
    x->machine = m;
    memory_each(machine_memory(m), add_object, x);
    machine_set_chooser(m, &explore_chooser, x);
    observers_add(machine_observers(m), &explore_observer, x);
    machine_set_schedule(m, SCHEDULE_CHOSEN, 0);
    return x;
}

static void begin_again(struct explorer *x)
{
    drop_outcomes(x);
    x->path.count = 0;
    x->seen_count = 0;
    if (x->seen)
        memset(x->seen, 0, ((size_t)x->seen_mask + 1) * sizeof *x->seen);
    x->restart = false;
}

bool explore_next(struct explorer *x)
{
    bool whole = !x->pruned && !x->restart && !x->graph.overflow;
    x->runs++;
    if (x->graph.overflow)
        x->incomplete = x->graph.overflow;
    if (whole && note_state(x, graph_hash(&x->graph) * 2 + 2))
        record_outcome(x);
    bool again = x->restart;
    if (x->restart)
        begin_again(x);
    else
        again = backtrack(x);
    if (again && (x->runs >= MAX_RUNS || x->seen_count >= MAX_STATES)) {
        x->incomplete = INCOMPLETE_EXECUTIONS;
        again = false;
    }
    if (x->graph.overflow)
        again = false;
    x->depth = 0;
    x->pruned = false;
    x->parties.count = 0;
    graph_reset(&x->graph);
    return again;
}

/* ---- Telling ---- */

static void object_name(const struct allocation *a, char *out, size_t size)
{
    if (a->name)
        snprintf(out, size, "%s", a->name);
    else
        snprintf(out, size, "alloc%d", a->number);
}

static void report_outcome(struct explorer *x, const char *kernel, const struct outcome_record *r)
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
    json_t *line = json_pack("{s:s, s:s, s:s, s:I, s:o}", "kind", finding_line_name(LINE_OUTCOME), "level", "info",
                             "kernel", kernel, "executions", (json_int_t)r->executions, "memory",
                             memory);
    char *text = json_dumps(line, JSON_COMPACT);
    if (text)
        report_line(machine_reporter(x->machine), text);
    free(text);
    json_decref(line);
}

/** The words that differ between outcomes, at most TABLE_COLUMNS, as indices into `words`. */
static int varying_words(const struct explorer *x, uint32_t *columns)
{
    int n = 0;
    for (uint32_t w = 0; w < x->total_words && n < TABLE_COLUMNS; w++)
        for (int i = 1; i < x->outcomes.count; i++)
            if (x->outcomes.data[i].words[w] != x->outcomes.data[0].words[w]) {
                columns[n++] = w;
                break;
            }
    return n;
}

static void column_name(const struct explorer *x, uint32_t word, char *out, size_t size)
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

static void print_table(const struct explorer *x, const char *kernel, FILE *out)
{
    uint32_t columns[TABLE_COLUMNS];
    int n = varying_words(x, columns);
    fprintf(out, "%s: %d outcome%s in %" PRIu64 " executions\n", kernel, x->outcomes.count,
            x->outcomes.count == 1 ? "" : "s", x->executions);
    fprintf(out, "  %10s", "executions");
    for (int c = 0; c < n; c++) {
        char name[96] = "";
        column_name(x, columns[c], name, sizeof name);
        fprintf(out, "  %10s", name);
    }
    fputc('\n', out);
    for (int i = 0; i < x->outcomes.count; i++) {
        const struct outcome_record *r = &x->outcomes.data[i];
        fprintf(out, "  %10" PRIu64, r->executions);
        for (int c = 0; c < n; c++)
            fprintf(out, "  %10d", (int)r->words[columns[c]]);
        fputc('\n', out);
    }
    if (x->incomplete)
        fprintf(out, "  not everything was tried: %s\n", incomplete_words(x->incomplete));
}

static int by_contents(const void *a, const void *b)
{
    const struct outcome_record *x = a, *y = b;
    return x->executions < y->executions ? 1 : x->executions > y->executions ? -1 : 0;
}

void explore_end(struct explorer *x, const char *kernel, FILE *out)
{
    if (x->outcomes.count)
        qsort(x->outcomes.data, (size_t)x->outcomes.count, sizeof *x->outcomes.data, by_contents);
    for (int i = 0; i < x->outcomes.count; i++)
        report_outcome(x, kernel, &x->outcomes.data[i]);
    if (x->incomplete)
        report_incomplete(machine_reporter(x->machine), x->incomplete);
    print_table(x, kernel, out);
    observers_remove(machine_observers(x->machine));
    machine_set_chooser(x->machine, NULL, NULL);
    machine_set_schedule(x->machine, SCHEDULE_NATURAL, 0);
    drop_outcomes(x);
    LIST_FREE(&x->outcomes);
    LIST_FREE(&x->objects);
    LIST_FREE(&x->path);
    LIST_FREE(&x->known);
    LIST_FREE(&x->parties);
    free(x->seen);
    free(x);
}
