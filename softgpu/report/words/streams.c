/**
 * @file streams.c
 * Two operations that nothing orders: both with stream and line, and what is missing between them: an event
 * recorded too early, one that another stream waited for, or none at all.
 */
#include <stdio.h>
#include <string.h>

#include "base/issuer.h"
#include "host/call_site.h"
#include "report/finding.h"
#include "report/words/words.h"

/** One of the two, in pieces. */
struct party {
    const struct stream_party *p;
    char what[160];              /**< "cudaMemcpyAsync", "kernel fill", "a read by the host" */
    char stream[40];             /**< "stream 1" */
    char line[200];              /**< "line 41", with its file where the two differ; "" if unknown */
};

/** The host itself, by an access or by a call that is in no stream: cudaFree of a pool's memory. */
static bool is_host(const struct stream_party *p)
{
    return p->what == PARTY_HOST_READ || p->what == PARTY_HOST_WRITE || !p->stream;
}

static void put_what(char *out, size_t size, const struct stream_party *p)
{
    switch (p->what) {
    case PARTY_CALL:
        put(out, size, "%s", p->name);
        break;
    case PARTY_KERNEL:
        put_kernel(out, size, p->name);
        break;
    case PARTY_HOST_READ:
        put(out, size, "a read by %s", p->function ? "a host function" : "the host");
        break;
    case PARTY_HOST_WRITE:
        put(out, size, "a write by %s", p->function ? "a host function" : "the host");
        break;
    }
}

static void take(struct party *out, const struct stream_party *p)
{
    out->p = p;
    put_what(out->what, sizeof out->what, p);
    stream_words(p->stream, out->stream, sizeof out->stream);
    out->line[0] = '\0';
    call_site_words(p->issued, out->line, sizeof out->line);
}

static void add_file(const char *file, char *line, size_t size)
{
    const char *slash = strrchr(file, '/');
    size_t used = strlen(line);
    put(line + used, size - used, " of %s", slash ? slash + 1 : file);
}

/** Lines of two files are told with them. */
static void name_files(struct party *a, struct party *b)
{
    const struct call_site *first = a->p->issued, *second = b->p->issued;
    if (!first->line || !second->line || !first->file || !second->file || !strcmp(first->file, second->file))
        return;
    add_file(first->file, a->line, sizeof a->line);
    add_file(second->file, b->line, sizeof b->line);
}

/** "cudaMemcpyAsync in stream 1 (line 41)"; "kernel fill (line 20) in the graph that stream 1 runs (line 41)" */
static void put_use(char *out, size_t size, const struct party *a)
{
    bool host = is_host(a->p);
    const char *open = a->line[0] ? " (" : "", *close = a->line[0] ? ")" : "";
    char node[208];
    if (a->p->node) {
        put_site(node, sizeof node, a->p->call);
        put(out, size, "%s%s in the graph that %s runs%s%s%s", a->what, node, a->stream, open, a->line, close);
        return;
    }
    put(out, size, "%s%s%s%s%s%s", a->what, host ? "" : " in ", host ? "" : a->stream, open, a->line, close);
}

/* ---- What does not order them ---- */

static void put_gap(char *out, size_t size, const struct stream_facts *s, const struct party *a,
                    const struct party *b)
{
    char waited[208], recorded[208], other[40];
    put_site(waited, sizeof waited, s->waited);
    put_site(recorded, sizeof recorded, s->recorded);
    stream_words(s->other, other, sizeof other);
    switch (s->gap) {
    case GAP_NOTHING:
        put(out, size, "no event and no synchronisation is between them");
        break;
    case GAP_NOT_WAITED:
        put(out, size, b->p->what == PARTY_CALL ? "nothing has waited for it, and %s does not where cudaMallocAsync has made the memory"
                                                : "nothing has waited for it", b->what);
        break;
    case GAP_FUNCTION:
        put(out, size, "the host function does not come after it");
        break;
    case GAP_EARLY_EVENT_HOST:
        put(out, size, "the event that the host waited for%s was recorded%s before it", waited, recorded);
        break;
    case GAP_OTHER_STREAM_HOST:
        put(out, size, "the host has waited for %s%s, not for %s", other, waited, a->stream);
        break;
    case GAP_EARLY_EVENT:
        put(out, size, "the event that %s waits for%s was recorded%s before %s", b->stream, waited, recorded, a->what);
        break;
    case GAP_EARLY_NODE:
        put(out, size, "the node that records the event%s which %s waits for%s does not depend on it", recorded,
            b->stream, waited);
        break;
    case GAP_NO_EVENT_YET:
        put(out, size, "the event that %s waits for%s had not been recorded yet: such a wait does nothing",
            s->second_waits ? b->stream : a->stream, waited);
        break;
    case GAP_OTHER_EVENT:
        put(out, size, "%s waits%s for an event of %s, not for the one recorded%s in %s", b->stream, waited, other,
            recorded, a->stream);
        break;
    case GAP_OTHER_WAITS:
        put(out, size, "it is %s that waits%s for the event recorded%s, not %s", other, waited, recorded, b->stream);
        break;
    case GAP_STAGED:
        put(out, size, "%s returns as soon as bytes of pageable memory are staged, and nothing makes %s wait "
                       "until they have arrived", a->what, b->stream);
        break;
    case GAP_DEFAULT_APART:
        put(out, size, "the default stream and a stream made with cudaStreamNonBlocking do not wait for each other");
        break;
    case GAP_NO_WAIT:
        put(out, size, "%s does not wait for the event recorded%s in %s", b->stream, recorded, a->stream);
        break;
    case GAP_TRIGGER:
    case GAP_BEGUN:
        put(out, size, "what %s waits for%s is complete when all blocks of %s have %s%s", is_host(b->p) ? "the host" : b->stream,
            waited, a->what, s->gap == GAP_TRIGGER ? "triggered it, not when they have ended" : "begun, and not when they have ended",
            s->advice == TRY_GRID_WAIT ? "; nothing before this access waits for that" : "");
        break;
    case GAP_BATCH:
        put(out, size, "the copies of one batch are made in any order");
        break;
    case GAP_SOURCE_AHEAD:
        put(out, size, "by its cudaMemcpySrcAccessOrder the copy may read its source before what is before it in %s has ended", b->stream);
        break;
    case GAP_PROGRAMMATIC:
        put(out, size, "%s is a programmatic dependent launch, which begins when all blocks of %s have triggered it, and "
                       "nothing in it before this access waits for the end of %s", b->what, a->what, a->what);
        break;
    case GAP_PROGRAMMATIC_CHAIN:
        put(out, size, "they are programmatic dependent launches, and what %s can wait for is the end of the one right before it, which "
                       "has not waited for the end of %s", b->what, a->what);
        break;
    case GAP_PROGRAMMATIC_EARLY:
        put(out, size, "%s is a programmatic dependent launch, which begins when all blocks of the kernel right before it have triggered it; that one "
                       "waits for the end of %s, but need not have done so by then, and nothing before this access waits", b->what, a->what);
        break;
    }
}

/* ---- What to try ---- */

static void advise(struct finding *f, const struct party *a, const struct party *b)
{
    const struct stream_facts *s = &f->facts.stream;
    const char *before = b->line[0] ? " before " : "", *after = a->line[0] ? " after " : "";
    char recorded[208], node[208];
    put_site(recorded, sizeof recorded, s->recorded);
    put_site(node, sizeof node, a->p->call);
    switch (s->advice) {
    case TRY_RECORD_AND_WAIT:
        say_try(f, "cudaEventRecord in %s%s%s, and cudaStreamWaitEvent in %s%s%s", a->stream, after, a->line, b->stream,
                before, b->line);
        break;
    case TRY_RECORD_LATER:
        say_try(f, "the cudaEventRecord after %s", a->line[0] ? a->line : a->what);
        break;
    case TRY_DEPENDENCY:
        say_try(f, "cudaGraphAddDependencies to the node that records the event%s", recorded);
        break;
    case TRY_WAIT_LATER:
        say_try(f, "cudaStreamWaitEvent only after cudaEventRecord has been called; between two "
                   "threads, one has to wait for the other");
        break;
    case TRY_WAIT_FOR_EVENT:
        say_try(f, "cudaStreamWaitEvent in %s for the event recorded%s%s%s", b->stream, recorded,
                b->line[0] ? ", before " : "", b->line);
        break;
    case TRY_SYNCHRONIZE:
        say_try(f, "cudaStreamSynchronize for %s%s%s", a->stream,
                before[0] ? before : " before the host uses the memory", b->line);
        break;
    case TRY_FLAG_OR_SYNCHRONIZE:
        say_try(f, "let the kernel raise a flag by a volatile store behind __threadfence_system(), and the host wait for that%s%s; "
                   "cudaStreamSynchronize for %s only if the kernel does not wait for the host", before[0] ? before : " first", b->line,
                a->stream);
        break;
    case TRY_WRITE_BEFORE_FLAG:
        say_try(f, "let the host come to %s before it sets what the kernel waits for on line %d; or, where the kernel is to read what was there, let it say so by a volatile store behind "
                   "__threadfence_system(), and the host wait for that", b->line[0] ? b->line : "that", s->wait_line);
        break;
    case TRY_WAIT_BEFORE_FUNCTION:
        say_try(f, "before the host function, cudaStreamWaitEvent in %s for an event recorded in %s%s%s", b->stream,
                a->stream, after, a->line);
        break;
    case TRY_GRID_WAIT_BETWEEN:
        say_try(f, "cudaGridDependencySynchronize() in each kernel between %s and %s, too, in all its blocks", a->what, b->what);
        break;
    case TRY_GRID_WAIT:
        say_try(f, "cudaGridDependencySynchronize() in %s before the access; a trigger in %s orders nothing", b->what,
                a->what);
        break;
    case TRY_TWO_BATCHES:
        say_try(f, "a call for each of the two%s%s: one batch of a stream comes after the other", b->line[0] ? ", instead of the one on " : "", b->line);
        break;
    case TRY_STREAM_ORDER:
        say_try(f, "cudaMemcpySrcAccessOrderStream for this copy%s%s", b->line[0] ? " on " : "", b->line);
        break;
    case TRY_FUNCTION_IN_GRAPH:
        if (a->p->captured)
            say_try(f, "cudaLaunchHostFunc in the stream of the call%s, after it, or an event between their streams",
                    node);
        else
            say_try(f, "cudaGraphAddDependencies from the node%s to the host function's", node);
        break;
    }
}

/* ---- Sentences ---- */

/** What both use; what copies meet in may be the host's own memory, which has no name here. */
static void put_memory(char *out, size_t size, const struct finding *f)
{
    if (f->object[0])
        put_plain(out, size, f->object);
    else
        snprintf(out, size, "the same %smemory", f->space && !strcmp(f->space, "host") ? "host " : "");
}

/** Two nodes of one launch: what is missing is an edge, or the event that a capture makes one of. */
static void say_nodes(struct finding *f, const struct stream_party *a, const struct stream_party *b)
{
    const struct stream_facts *s = &f->facts.stream;
    char what[2][160], at[2][208], line[2][200] = {"", ""}, stream[2][40], launch[208];
    char object[sizeof f->object];
    put_memory(object, sizeof object, f);
    const struct stream_party *both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        put_what(what[i], sizeof what[i], both[i]);
        put_site(at[i], sizeof at[i], both[i]->call);
        call_site_words(both[i]->call, line[i], sizeof line[i]);
        stream_words(both[i]->captured, stream[i], sizeof stream[i]);
    }
    put_site(launch, sizeof launch, a->issued);
    say(f, "%.60s%.60s and %.60s%.60s, nodes of one graph%.60s, both use %.64s, and nothing orders them: ", what[0],
        at[0], what[1], at[1], launch, object);
    if ((s->gap == GAP_TRIGGER || s->gap == GAP_BEGUN) && s->advice == TRY_RECORD_AND_WAIT) {
        say_on(f, "no path of dependencies leads from the first one's end to the other.");
        say_try(f, "cudaGridDependencySynchronize() in a kernel between them, or edges of the default type");
    } else if (s->gap == GAP_TRIGGER || s->gap == GAP_BEGUN) {
        say_on(f, "the edge between them lets the second begin when all blocks of the first have %s%s.",
               s->gap == GAP_TRIGGER ? "triggered it" : "begun",
               s->advice == TRY_GRID_WAIT ? ", and nothing before this access waits for the first one's end" : "");
        if (s->advice == TRY_GRID_WAIT)
            say_try(f, "cudaGridDependencySynchronize() in %s before the access, or an edge of the default type", what[1]);
        else
            say_try(f, "an edge of the default type, from cudaGraphKernelNodePortDefault, between the two");
    } else if (a->captured && b->captured && a->captured != b->captured) {
        say_on(f, "when they were captured, %s did not wait for an event of %s between them.", stream[1], stream[0]);
        say_try(f, "in the capture, cudaEventRecord in %s%s%s, and cudaStreamWaitEvent in %s%s%s", stream[0],
                line[0][0] ? " after " : "", line[0], stream[1], line[1][0] ? " before " : "", line[1]);
    } else {
        say_on(f, "no path of dependencies leads from one to the other.");
        say_try(f, "cudaGraphAddDependencies from the node%s%s to the one%s%s", line[0][0] ? " of " : "", line[0],
                line[1][0] ? " of " : "", line[1]);
    }
    say_rule(f, s->gap == GAP_TRIGGER || s->gap == GAP_BEGUN ? "only the end of a kernel, waited for, orders others after what it writes and reads"
                                                             : "nodes of a graph are ordered by its edges only");
}

static void say_operations(struct finding *f)
{
    const struct stream_facts *s = &f->facts.stream;
    struct party a, b;
    char first[240], second[240], gap[420], object[sizeof f->object];
    put_memory(object, sizeof object, f);
    take(&a, &s->first);
    take(&b, &s->second);
    name_files(&a, &b);
    put_use(first, sizeof first, &a);
    put_use(second, sizeof second, &b);
    put_gap(gap, sizeof gap, s, &a, &b);
    say(f, "%.160s and %.160s both use %.64s, and nothing orders them: %s.", first, second, object, gap);
    if (s->gap == GAP_PROGRAMMATIC || s->advice == TRY_GRID_WAIT)
        say_rule(f, "only griddepcontrol.wait orders a dependent grid after what its prerequisite writes and reads "
                    "(PTX ISA 9.7.13.13)");
    else if (s->gap == GAP_TRIGGER || s->gap == GAP_BEGUN)
        say_rule(f, "an event that a launch records at its blocks' triggers or beginnings says nothing of what they store");
    else if (s->second.function)
        say_rule(f, "a host function comes after what its stream or its graph's edges put before it, and nothing else");
    else if (f->cause == CAUSE_HOST_EARLY)
        say_rule(f, "an asynchronous operation may take effect until the host has waited for it");
    advise(f, &a, &b);
}

void words_stream(struct finding *f)
{
    const struct stream_facts *s = &f->facts.stream;
    if (f->cause == CAUSE_NODES)
        say_nodes(f, &s->first, &s->second);
    else
        say_operations(f);
    if (s->first.what == PARTY_KERNEL)
        say_capital(f);
}
