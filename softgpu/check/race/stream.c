/**
 * @file stream.c
 * What a stream race's finding says: both operations with stream and line, and what is missing
 * between them: an event recorded too early, one that another stream waited for, or none at all.
 */
#include "check/race/stream.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/call_site.h"

#define MAX_NOTES 4096
#define MAX_ADVICE sizeof((struct finding *)0)->suggestion

void stream_note(struct race *race, const struct order_note *n)
{
    if (race->notes.count >= MAX_NOTES) {
        memmove(race->notes.data, race->notes.data + MAX_NOTES / 2,
                (size_t)(MAX_NOTES / 2) * sizeof *race->notes.data);
        race->notes.count = MAX_NOTES / 2;
    }
    *LIST_PUSH(&race->notes) = *n;
}

/** snprintf() where a cut end is welcome. */
static void say(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(out, size, format, args);
    va_end(args);
}

void stream_kernel_words(const char *name, char *out, size_t size)
{
    char *end;
    long length = strncmp(name, "_Z", 2) ? 0 : strtol(name + 2, &end, 10);
    if (length > 0 && (size_t)length <= strlen(end))
        say(out, size, "kernel %.*s", (int)length, end);
    else
        say(out, size, "kernel %s", name);
}

/* ---- what the host did to order them ---- */

static const struct order_note *note_of_record(const struct race *race, uint64_t record)
{
    for (int i = 0; record && i < race->notes.count; i++)
        if (race->notes.data[i].kind == NOTE_RECORD && race->notes.data[i].op == record)
            return &race->notes.data[i];
    return NULL;
}

/** The latest note of this kind by stream `stream` (0 = any) between two operations. */
static const struct order_note *latest(const struct race *race, int kind, uint64_t stream,
                                       uint64_t after, uint64_t before)
{
    for (int i = race->notes.count - 1; i >= 0; i--) {
        const struct order_note *n = &race->notes.data[i];
        if ((int)n->kind == kind && (!stream || n->by.stream == stream) && n->op > after &&
            n->op < before)
            return n;
    }
    return NULL;
}

/* ---- words ---- */

struct words {
    char first[40], second[40];           /**< "stream 1" */
    char first_line[200], second_line[200]; /**< "line 41"; "" if unknown */
};

static void line_of_call(const void *call, bool exact, char *out, size_t size)
{
    call_site_words(call_site(call, exact), out, size);
}

/** " (line 41)" or "". */
static void bracket(const void *call, char *out, size_t size)
{
    char line[200];
    line_of_call(call, false, line, sizeof line);
    say(out, size, line[0] ? " (%s)" : "%s", line);
}

/** Where an operation was issued: for a graph's node, where the graph was launched. */
static const void *issued_at(const struct stream_use *u)
{
    return u->by->graph && u->op ? u->by->launch : u->by->call;
}

static void add_file(const char *file, char *line, size_t size)
{
    const char *slash = strrchr(file, '/');
    size_t used = strlen(line);
    say(line + used, size - used, " of %s", slash ? slash + 1 : file);
}

/** Lines of two files are told with them. */
static void name_files(const struct call_site *first, const struct call_site *second, struct words *w)
{
    if (!first->line || !second->line || !first->file || !second->file || !strcmp(first->file, second->file))
        return;
    add_file(first->file, w->first_line, sizeof w->first_line);
    add_file(second->file, w->second_line, sizeof w->second_line);
}

/** "cudaMemcpyAsync in stream 1 (line 41)"; "kernel fill (line 20) in the graph that stream 1 runs (line 41)" */
static void name_use(const struct stream_use *u, const char *stream, const char *line, char *out,
                     size_t size)
{
    bool host = u->op == 0;
    char node[208];
    if (u->by->graph && !host) {
        bracket(u->by->call, node, sizeof node);
        say(out, size, "%s%s in the graph that %s runs%s%s%s", u->what, node, stream,
            line[0] ? " (" : "", line, line[0] ? ")" : "");
        return;
    }
    say(out, size, "%s%s%s%s%s%s", u->what, host ? "" : " in ", host ? "" : stream,
             line[0] ? " (" : "", line, line[0] ? ")" : "");
}

static bool legacy_beside_apart(const struct stream_use *a, const struct stream_use *b)
{
    return (a->by->stream == 1 && b->by->apart) || (b->by->stream == 1 && a->by->apart);
}

/** The host touched memory: which wait came closest? */
static void say_unwaited(const struct race *race, const struct stream_use *first,
                         const struct stream_use *second, const struct words *w, char *why, size_t size)
{
    const struct order_note *sync = latest(race, NOTE_SYNC, 0, first->op, UINT64_MAX);
    char at[208], recorded[208], other[40];
    bool function = second->by->function;
    say(why, size, function ? "the host function does not come after it" : "nothing has waited for it");
    if (!sync || function)
        return;
    bracket(sync->by.call, at, sizeof at);
    const struct order_note *record = note_of_record(race, sync->record);
    if (record && record->by.stream == first->by->stream && record->op < first->op) {
        bracket(record->by.call, recorded, sizeof recorded);
        say(why, size, "the event that the host waited for%s was recorded%s before it", at,
                 recorded);
    } else if (sync->by.stream != first->by->stream) {
        stream_words(sync->by.stream, other, sizeof other);
        say(why, size, "the host has waited for %s%s, not for %s", other, at, w->first);
    }
}

/** Two operations in streams: is there an event that was meant to order them? */
static void say_unordered(const struct race *race, const struct stream_use *first,
                          const struct stream_use *second, const struct words *w, char *why,
                          size_t size, char *advice)
{
    const struct order_note *wait = latest(race, NOTE_WAIT, second->by->stream, 0, second->op);
    const struct order_note *record = latest(race, NOTE_RECORD, first->by->stream, first->op,
                                             UINT64_MAX);
    const struct order_note *waited = wait ? note_of_record(race, wait->record) : NULL;
    char at[208] = "", recorded[208] = "", other[40];
    if (wait)
        bracket(wait->by.call, at, sizeof at);
    if (waited && waited->by.stream == first->by->stream && waited->op < first->op) {
        bracket(waited->by.call, recorded, sizeof recorded);
        say(why, size, "the event that %s waits for%s was recorded%s before %s", w->second, at, recorded,
            first->what);
        say(advice, MAX_ADVICE, "the cudaEventRecord after %s",
            w->first_line[0] ? w->first_line : first->what);
        return;
    }
    if (waited && waited->by.graph && waited->by.graph == first->by->graph && waited->op > first->op) {
        bracket(waited->by.call, recorded, sizeof recorded);
        say(why, size, "the node that records the event%s which %s waits for%s does not depend on it", recorded,
            w->second, at);
        say(advice, MAX_ADVICE, "cudaGraphAddDependencies to the node that records the event%s", recorded);
        return;
    }
    const struct order_note *early = latest(race, NOTE_WAIT, first->by->stream, 0, first->op);
    if ((wait && !wait->record && wait->op > first->op) || (early && !early->record && !wait)) {
        bool by_first = !wait; /* what was to come first was issued second, by another thread perhaps */
        if (by_first)
            bracket(early->by.call, at, sizeof at);
        say(why, size, "the event that %s waits for%s had not been recorded yet: such a wait "
                 "does nothing", by_first ? w->first : w->second, at);
        say(advice, MAX_ADVICE, "cudaStreamWaitEvent only after cudaEventRecord has been called; between two "
                                "threads, one has to wait for the other");
        return;
    }
    if (record) {
        bracket(record->by.call, recorded, sizeof recorded);
        say(advice, MAX_ADVICE, "cudaStreamWaitEvent in %s for the event recorded%s%s%s", w->second,
            recorded, w->second_line[0] ? ", before " : "", w->second_line);
    }
    if (record && waited && wait->op > first->op && waited->by.stream != first->by->stream) {
        stream_words(waited->by.stream, other, sizeof other);
        say(why, size, "%s waits%s for an event of %s, not for the one recorded%s in %s",
                 w->second, at, other, recorded, w->first);
        return;
    }
    for (int i = 0; record && i < race->notes.count; i++) {
        const struct order_note *n = &race->notes.data[i];
        if (n->kind != NOTE_WAIT || n->record != record->op || n->by.stream == second->by->stream)
            continue;
        stream_words(n->by.stream, other, sizeof other);
        bracket(n->by.call, at, sizeof at);
        say(why, size, "it is %s that waits%s for the event recorded%s, not %s", other, at,
                 recorded, w->second);
        return;
    }
    if (first->by->staged)
        say(why, size, "%s returns as soon as bytes of pageable memory are staged, and nothing makes %s wait "
                 "until they have arrived", first->what, w->second);
    else if (legacy_beside_apart(first, second))
        say(why, size, "the default stream and a stream made with cudaStreamNonBlocking do not "
                 "wait for each other");
    else if (record)
        say(why, size, "%s does not wait for the event recorded%s in %s", w->second, recorded,
                 w->first);
    else
        say(why, size, "no event and no synchronisation is between them");
}

/** Two nodes of one launch: what is missing is an edge, or the event that a capture makes one of. */
static void report_nodes(struct finding *f, const struct stream_use *first,
                         const struct stream_use *second)
{
    char one[208], two[208], line[2][200], stream[2][40], launch[208];
    const struct issuer *a = first->by, *b = second->by;
    bool captured = a->captured && b->captured && a->captured != b->captured;
    bracket(a->call, one, sizeof one);
    bracket(b->call, two, sizeof two);
    bracket(a->launch, launch, sizeof launch);
    line_of_call(a->call, false, line[0], sizeof line[0]);
    line_of_call(b->call, false, line[1], sizeof line[1]);
    stream_words(a->captured, stream[0], sizeof stream[0]);
    stream_words(b->captured, stream[1], sizeof stream[1]);
    if (captured) {
        say(f->message, sizeof f->message,
            "%.60s%.60s and %.60s%.60s, nodes of one graph%.60s, both use %.64s, and nothing orders them: when they "
            "were captured, %s did not wait for an event of %s between them.",
            first->what, one, second->what, two, launch, f->object[0] ? f->object : "the same memory",
            stream[1], stream[0]);
        say(f->suggestion, sizeof f->suggestion,
            "in the capture, cudaEventRecord in %s%s%s, and cudaStreamWaitEvent in %s%s%s", stream[0],
            line[0][0] ? " after " : "", line[0], stream[1], line[1][0] ? " before " : "", line[1]);
    } else {
        say(f->message, sizeof f->message,
            "%.60s%.60s and %.60s%.60s, nodes of one graph%.60s, both use %.64s, and nothing orders them: no path of "
            "dependencies leads from one to the other.",
            first->what, one, second->what, two, launch, f->object[0] ? f->object : "the same memory");
        say(f->suggestion, sizeof f->suggestion,
            "cudaGraphAddDependencies from the node%s%s to the one%s%s", line[0][0] ? " of " : "",
            line[0], line[1][0] ? " of " : "", line[1]);
    }
    say(f->rule, sizeof f->rule, "%s", "nodes of a graph are ordered by its edges only");
}

/** A host node that reads too early, in the graph of what it reads. */
static void say_edge(const struct stream_use *first, struct finding *f)
{
    char node[208];
    bracket(first->by->call, node, sizeof node);
    say(f->suggestion, sizeof f->suggestion,
        first->by->captured ? "cudaLaunchHostFunc in the stream of the call%s, after it, or an event between their streams"
                            : "cudaGraphAddDependencies from the node%s to the host function's",
        node);
}

static void say_try(const struct stream_use *first, const struct stream_use *second, const struct words *w,
                    struct finding *f)
{
    const char *before = w->second_line[0] ? " before " : "", *after = w->first_line[0] ? " after " : "";
    if (second->op == 0 && second->by->function && first->by->graph && second->by->graph == first->by->graph)
        say_edge(first, f);
    else if (second->op == 0 && second->by->function)
        say(f->suggestion, sizeof f->suggestion,
            "before the host function, cudaStreamWaitEvent in %s for an event recorded in %s%s%s", w->second,
            w->first, after, w->first_line);
    else if (second->op == 0)
        say(f->suggestion, sizeof f->suggestion, "cudaStreamSynchronize for %s%s%s", w->first,
            before[0] ? before : " before the host uses the memory", w->second_line);
    else if (!f->suggestion[0])
        say(f->suggestion, sizeof f->suggestion,
            "cudaEventRecord in %s%s%s, and cudaStreamWaitEvent in %s%s%s", w->first, after,
            w->first_line, w->second, before, w->second_line);
}

/** The lines of calls, where the finding has none. */
static void fill_call(struct finding_access *a, const struct stream_use *u)
{
    a->stream = u->op ? u->by->stream : 0;
    if (a->file || a->ptx_line)
        return;
    const struct call_site *c = call_site(u->by->call, u->op == 0);
    a->file = c->file;
    a->line = c->line;
}

static void report_it(struct race *race, struct finding *f)
{
    if (!strncmp(f->message, "kernel ", 7))
        f->message[0] = 'K';
    report_finding(machine_reporter(race->machine), f);
}

void stream_report(struct race *race, struct finding *f, const struct stream_use *a,
                   const struct stream_use *b)
{
    /* In the order of issue, which is how the programmer sees them; the host's own access is last. */
    bool swapped = a->op == 0 || (b->op && b->op < a->op);
    const struct stream_use *first = swapped ? b : a, *second = swapped ? a : b;
    struct words w;
    char one[240], two[240], why[420];
    fill_call(&f->accesses[0], a);
    fill_call(&f->accesses[1], b);
    if (swapped) {
        struct finding_access t = f->accesses[0];
        f->accesses[0] = f->accesses[1];
        f->accesses[1] = t;
    }
    f->kind = FIND_STREAM_RACE;
    f->access_count = 2;
    f->ops[0] = first->op;
    f->ops[1] = second->op;
    if (second->op && first->by->graph && first->by->graph == second->by->graph) {
        report_nodes(f, first, second);
        report_it(race, f);
        return;
    }
    stream_words(first->by->stream, w.first, sizeof w.first);
    stream_words(second->by->stream, w.second, sizeof w.second);
    line_of_call(issued_at(first), false, w.first_line, sizeof w.first_line);
    line_of_call(issued_at(second), second->op == 0, w.second_line, sizeof w.second_line);
    name_files(call_site(issued_at(first), false), call_site(issued_at(second), second->op == 0), &w);
    name_use(first, w.first, w.first_line, one, sizeof one);
    name_use(second, w.second, w.second_line, two, sizeof two);
    if (second->op == 0)
        say_unwaited(race, first, second, &w, why, sizeof why);
    else
        say_unordered(race, first, second, &w, why, sizeof why, f->suggestion);
    say(f->message, sizeof f->message, "%.160s and %.160s both use %.64s, and nothing orders "
             "them: %s.", one, two, f->object[0] ? f->object : "the same memory", why);
    say_try(first, second, &w, f);
    say(f->rule, sizeof f->rule, "%s",
             second->by->function
                 ? "a host function comes after what its stream or its graph's edges put before it, and nothing else"
             : second->op ? "operations of different streams are ordered by events and "
                          "synchronisation only"
                        : "an asynchronous operation may take effect until the host has waited for it");
    report_it(race, f);
}
