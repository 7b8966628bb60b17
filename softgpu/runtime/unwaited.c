/**
 * @file unwaited.c
 * What the host has not waited for; see state/unwaited.h.
 *
 * cudaMemcpyAsync() with pageable memory "might be synchronous" (CUDA Runtime API, "API synchronization
 * behavior"): it is carried out when it is called, as GPUs do, and the host is held to know nothing of it. So is a graph
 * with such copies when it is launched. The source of such a copy is compared with what it was when the host does know, or before work that comes after
 * the copy may write to it.
 */
#include "runtime/state/unwaited.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/list.h"
#include "base/mix.h"
#include "execute/machine.h"
#include "host/call_site.h"
#include "host/library_code.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "runtime/memory/result_watch.h"
#include "runtime/state/execution.h"
#include "runtime/state/operation.h"
#include "runtime/state/runtime.h"

#define MAX_LENT 256
#define PIECE 65536
#define LANES 8 /* words that are hashed side by side */
#define MAX_LOOKED_AT (1ull << 30) /* bytes of registered sources, again and again */

enum unwaited_sort { UNWAITED_KERNEL, UNWAITED_COPY /**< to pageable memory */, UNWAITED_FUNCTION /**< of the host's */ };

/** The latest of its sort in its stream that the host does not know to be complete. */
struct unwaited {
    uint64_t op, stream;
    enum unwaited_sort sort;
    bool freed;                  /**< a call that frees memory has waited for it, and nothing else */
    const char *name;            /**< the call or the kernel */
    struct issuer by;
};
static LIST(struct unwaited) unwaited;
static bool freeing;             /**< it is such a call that waits, or the program's end */

/** The host's own memory that a copy has as its source: pageable, or registered. */
struct lent {
    bool pinned;                 /**< registered */
    bool looked;                 /**< it has been looked at, as a call began */
    bool read;                   /**< the copy has been done before that */
    uint64_t steps;              /**< of kernels, when it was looked at last: one that has run since may have written it */
    uint64_t op;
    struct box_copy box;
    uint64_t hash;
    const char *name;
    struct issuer by;
};
static LIST(struct lent) lent;

/* ---- Sources ---- */

/** One to one in the word and in the chain, so that a word that differs always shows. What two words differ in does not cancel out: a bit that is the
 *  last for the product to reach is turned to where the next one spreads it. */
static uint64_t take_word(uint64_t chain, uint64_t word)
{
    chain = (chain ^ word) * MIX_STEP;
    return chain << 29 | chain >> 35;
}

/** Takes a piece into a hash of LANES chains, which do not wait for one another. */
static void hash_piece(uint64_t chain[LANES], const uint8_t *piece, size_t n)
{
    uint64_t word[LANES];
    for (size_t i = 0; i < n; i += sizeof word) {
        if (n - i < sizeof word)
            memset(word, 0, sizeof word);
        memcpy(word, piece + i, n - i < sizeof word ? n - i : sizeof word);
        for (int k = 0; k < LANES; k++)
            chain[k] = take_word(chain[k], word[k]);
    }
}

/** A hash of the source, without a fault where it is gone. @return false then */
static bool hash_source(const struct box_copy *c, uint64_t *hash)
{
    static uint8_t piece[PIECE];
    uint64_t chain[LANES] = {0};
    for (size_t row = 0; row < c->height * c->depth; row++) {
        uint64_t at = c->src + row / c->height * c->src_slice + row % c->height * c->src_pitch;
        for (size_t done = 0; done < c->width;) {
            size_t n = c->width - done < PIECE ? c->width - done : PIECE;
            struct iovec to = {piece, n}, from = {(void *)(uintptr_t)(at + done), n};
            if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)n)
                return false;
            hash_piece(chain, piece, n);
            done += n;
        }
    }
    *hash = 0;
    for (int k = 0; k < LANES; k++)
        *hash = mix64(*hash + chain[k] + MIX_STEP);
    return true;
}

/** Keeps what the source holds now. */
static void lend(struct lent l)
{
    if (runtime.options.check && !runtime.host_range && lent.count < MAX_LENT && hash_source(&l.box, &l.hash))
        *LIST_PUSH(&lent) = l;
}

void unwaited_lend(const struct operation *op, const struct box_copy *box)
{
    lend((struct lent){.box = *box, .name = op->name, .by = op->by});
}

static struct stream_party party(const char *name, const struct issuer *by, bool kernel)
{
    const struct call_site *c = call_site(by->call, false);
    return (struct stream_party){.what = kernel ? PARTY_KERNEL : PARTY_CALL, .name = name, .stream = by->stream,
                                 .call = c, .issued = c};
}

static void tell(enum finding_kind kind, enum finding_cause cause, const char *name, const struct issuer *by,
                 bool kernel)
{
    const struct call_site *c = call_site(by->call, false);
    struct finding f = {.kind = kind, .cause = cause, .access_count = 1, .kernel = kernel ? name : NULL};
    if (cause == CAUSE_SOURCE_CHANGED && by->batch)
        f.level = LEVEL_ERROR; /* such a copy has been told to read its source in the stream, or when it will, not within the call */
    f.facts.stream.first = party(name, by, kernel);
    f.accesses[0] =
        (struct finding_access){.op = kernel ? "launch" : name, .file = c->file, .line = c->line, .stream = by->stream};
    report_finding(machine_reporter(runtime.machine), &f);
}

/** @return whether it was so */
static bool tell_changed(const struct lent *l)
{
    uint64_t now;
    if (!hash_source(&l->box, &now) || now == l->hash)
        return false;
    if (l->pinned)
        tell(FIND_STREAM_RACE, CAUSE_PINNED_CHANGED, l->name, &l->by, false);
    else
        tell(FIND_NOT_WAITED, CAUSE_SOURCE_CHANGED, l->name, &l->by, false);
    return true;
}

static void drop_lent(int i)
{
    memmove(&lent.data[i], &lent.data[i + 1], (size_t)(--lent.count - i) * sizeof *lent.data);
}

static uint64_t steps_now(void)
{
    return machine_steps(runtime.machine);
}

/** Looks at a registered source, if only the host can have changed it since the last time. @return whether it need not be kept */
static bool look_at(struct lent *l)
{
    static uint64_t looked_at; /* bytes, of all */
    looked_at += l->box.width * l->box.height * l->box.depth;
    if (l->steps != steps_now()) {
        l->steps = steps_now();
        return !hash_source(&l->box, &l->hash);
    }
    return tell_changed(l) || looked_at > MAX_LOOKED_AT;
}

void unwaited_lend_pinned(const struct operation *op)
{
    if (runtime.options.check)
        lend((struct lent){.pinned = true, .op = op->number, .box = op->copy, .name = op->name, .by = op->by, .read = op->state == OP_DONE,
                           .steps = steps_now()});
}

void unwaited_entered(void)
{
    result_watch_enter();
    for (int i = lent.count - 1; i >= 0; i--) {
        struct lent *l = &lent.data[i];
        l->looked = true;
        if (l->pinned && (look_at(l) || l->read))
            drop_lent(i);
    }
}

void unwaited_reads(const struct operation *op)
{
    for (int i = lent.count - 1; i >= 0; i--)
        if (lent.data[i].pinned && lent.data[i].op == op->number) {
            lent.data[i].read = true;
            if (look_at(&lent.data[i]) || lent.data[i].looked)
                drop_lent(i);
            return;
        }
    if (op->by.graph && op->copy.src_pageable && !op->copy.staged)
        lend((struct lent){.op = op->number, .box = op->copy, .name = op->name, .by = op->by});
}

void unwaited_check(void)
{
    int kept = 0;
    result_watch_known();
    for (int i = 0; i < lent.count; i++) {
        struct lent *l = &lent.data[i];
        if (l->pinned && l->steps != steps_now())
            look_at(l);
        if (l->pinned || !op_set_has(&runtime.host_done, l->op)) {
            lent.data[kept++] = *l;
            continue;
        }
        tell_changed(l);
    }
    lent.count = kept;
}

/** Where the box begins and ends. */
static uint64_t end_of(uint64_t base, size_t pitch, size_t slice, const struct box_copy *c)
{
    return base + (c->depth - 1) * slice + (c->height - 1) * pitch + c->width;
}

void unwaited_overwrites(const struct operation *op)
{
    const struct box_copy *c = &op->copy;
    int kept = 0;
    if (!c->dst_pageable || !c->depth || !c->height)
        return;
    for (int i = 0; i < lent.count; i++) {
        struct lent *l = &lent.data[i];
        bool apart = l->box.src >= end_of(c->dst, c->dst_pitch, c->dst_slice, c) ||
                     c->dst >= end_of(l->box.src, l->box.src_pitch, l->box.src_slice, &l->box);
        if (l->pinned || apart || !op_set_has(&op->before, l->op))
            lent.data[kept++] = *l;
        else
            tell_changed(l);
    }
    lent.count = kept;
}

/* ---- Kernels and results ---- */

/** Leaves those that the host does not know to be complete, or knows of by freeing memory only. */
static void drop_known(void)
{
    int kept = 0;
    for (int i = 0; i < unwaited.count; i++)
        if (unwaited.data[i].freed || !op_set_has(&runtime.host_done, unwaited.data[i].op))
            unwaited.data[kept++] = unwaited.data[i];
    unwaited.count = kept;
}

void unwaited_joined(const struct operation *op)
{
    int kept = 0;
    if (freeing)
        return;
    for (int i = 0; i < unwaited.count; i++) {
        const struct unwaited *u = &unwaited.data[i];
        bool waited = !op || u->op == op->number || op_set_has(&op->before, u->op) || op_set_has(&op->behind, u->op);
        if (!waited)
            unwaited.data[kept++] = *u;
    }
    unwaited.count = kept;
}

void unwaited_note(const struct operation *op)
{
    bool copy = op->kind == OP_COPY && op->copy.dst_pageable && !op->copy.src_pageable;
    enum unwaited_sort sort = copy ? UNWAITED_COPY : op->kind == OP_HOST ? UNWAITED_FUNCTION : UNWAITED_KERNEL;
    if (!runtime.options.check)
        return;
    for (int i = 0; i < lent.count; i++) /* it has its number, and its stream, now */
        if (!lent.data[i].op)
            lent.data[i].op = op->number, lent.data[i].by = op->by;
    if (op->kind != OP_KERNEL && op->kind != OP_HOST && !copy)
        return;
    if (copy)
        result_watch_note(op);
    drop_known();
    for (int i = 0; i < unwaited.count; i++)
        if (unwaited.data[i].sort == sort && unwaited.data[i].stream == op->by.stream)
            unwaited.data[i--] = unwaited.data[--unwaited.count];
    *LIST_PUSH(&unwaited) =
        (struct unwaited){.op = op->number, .stream = op->by.stream, .sort = sort, .by = op->by,
                          .name = sort == UNWAITED_KERNEL ? op->config.kernel->name : op->name};
}

static void tell_all(enum unwaited_sort sort, enum finding_cause cause)
{
    for (int i = 0; i < unwaited.count; i++) {
        const struct unwaited *u = &unwaited.data[i];
        if (u->sort == sort)
            tell(FIND_NOT_WAITED, cause, u->name, &u->by, sort == UNWAITED_KERNEL);
    }
}

/** A function that has begun may have told the program so, by means that are not seen. */
static void drop_begun(void)
{
    int kept = 0;
    for (int i = 0; i < unwaited.count; i++) {
        const struct operation *op = runtime.queue_head;
        while (unwaited.data[i].sort == UNWAITED_FUNCTION && op && op->number != unwaited.data[i].op)
            op = op->next;
        if (unwaited.data[i].sort != UNWAITED_FUNCTION || (op && op->state == OP_QUEUED))
            unwaited.data[kept++] = unwaited.data[i];
    }
    unwaited.count = kept;
}

/** Where the program itself was: the toolkit's and the system's headers are not its own. */
static const struct call_site *line_of(const struct early_touch *t)
{
    for (int i = 0; i < t->count; i++) {
        const struct call_site *c = call_site((const void *)(uintptr_t)t->frames[i], true);
        if (c->line && !library_file(c->file))
            return c;
    }
    return call_site(t->count ? (const void *)(uintptr_t)t->frames[0] : NULL, true);
}

void unwaited_touched(const struct early_touch *t)
{
    const struct call_site *copy = call_site(t->by.call, false), *use = line_of(t);
    static const enum finding_cause cause[] = {CAUSE_RESULT_READ, CAUSE_RESULT_WRITTEN, CAUSE_RESULT_FREED};
    static const char *const op[] = {"load", "store", "free"};
    struct finding f = {.kind = FIND_NOT_WAITED, .cause = cause[t->what], .access_count = 2};
    f.facts.stream.first = party(t->name, &t->by, false);
    f.accesses[0] = (struct finding_access){.op = t->name, .file = copy->file, .line = copy->line, .stream = t->by.stream};
    f.accesses[1] = (struct finding_access){.op = op[t->what], .file = use->file, .line = use->line};
    report_finding(machine_reporter(runtime.machine), &f);
    for (int i = unwaited.count - 1; i >= 0; i--)
        if (unwaited.data[i].op == t->op)
            unwaited.data[i] = unwaited.data[--unwaited.count];
}

cudaError_t unwaited_free(const char *call)
{
    drop_known();
    for (int i = 0; i < unwaited.count; i++)
        unwaited.data[i].freed |= unwaited.data[i].sort == UNWAITED_COPY;
    freeing = true;
    cudaError_t e = device_wait(call);
    freeing = false;
    return e;
}

/** Does it come after a function of the program's that has not ended, or is it one? `held`: those before it in the queue that do. */
static bool is_held_up(const struct operation *op, struct operation *const *held, int count)
{
    bool is = op->kind == OP_HOST;
    for (int i = 0; i < op->deps.count && !is; i++)
        for (int k = count - 1; k >= 0 && !is; k--)
            is = held[k] == op->deps.data[i];
    return is;
}

/** Not what functions of the program's would have to run for; and not for ever. */
static void run_outstanding(void)
{
    LIST(struct operation *) all = {0}, held = {0};
    for (struct operation *op = runtime.queue_head; op; op = op->next) {
        if (runtime.host_functions && is_held_up(op, held.data, held.count)) {
            *LIST_PUSH(&held) = op;
            continue;
        }
        operation_ref(op);
        *LIST_PUSH(&all) = op;
    }
    LIST_FREE(&held);
    freeing = runtime.ending = true;
    for (int i = 0; i < all.count; i++) {
        engine_execute(all.data[i], GIVE_UP_WAITING);
        if (all.data[i]->state == OP_DONE)
            host_joins(all.data[i]);
        operation_unref(all.data[i]);
    }
    LIST_FREE(&all);
}

void unwaited_end(void)
{
    bool kernels = !runtime.host_visible || runtime.queued; /* who shares memory with one may have its signal */
    if (!runtime.options.check || runtime.sticky)
        return;
    drop_known();
    drop_begun();
    run_outstanding();
    unwaited_check();
    if (kernels && runtime.sticky != cudaErrorLaunchTimeout) /* one that has failed just now, too: the program does not hear of it. Not one that never ends */
        tell_all(UNWAITED_KERNEL, CAUSE_KERNEL_NOT_WAITED);
    if (!runtime.sticky)
        tell_all(UNWAITED_COPY, CAUSE_COPY_NOT_WAITED);
    if (runtime.sticky != cudaErrorLaunchTimeout)
        tell_all(UNWAITED_FUNCTION, CAUSE_FUNCTION_NOT_WAITED);
}
