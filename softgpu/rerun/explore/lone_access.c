/**
 * @file lone_access.c
 * The loads, stores and atomics of a lone thread: values from the model where memory is shared, events for it.
 */
#include <string.h>

#include "analyse/paths.h"
#include "base/mix.h"
#include "code/descriptions.h"
#include "execute/dropped_loads.h"
#include "execute/engine.h"
#include "execute/lane_values.h"
#include "rerun/explore/lone_run.h"
#include "rerun/explore/place_key.h"

enum model_scope lone_scope(enum mem_scope scope)
{
    return scope == SCOPE_CTA       ? MODEL_CTA
           : scope == SCOPE_CLUSTER ? MODEL_CLUSTER
           : scope == SCOPE_GPU     ? MODEL_GPU
                                    : MODEL_SYS;
}

/** Is it in the shared memory of another block than the thread's? */
static bool is_far(const struct lone_watch *r, int location)
{
    struct lone_origin from = lone_origin(r->lone, r->thread);
    uint64_t key = r->lone->locations.data[location].key;
    return (key & PLACE_IS_SHARED) && (key & ~PLACE_IS_SHARED) >> 32 != from.thread / lone_block_threads(r->lone, from.launch);
}

/** An arrival at an mbarrier releases, a wait acquires, and of the cluster where no scope is written, which libraries rely on (check/race/mbarrier_phases.c).
 *  Whatever arrives at the object is counted: a scope says for whom an arrival releases, of another block one of scope cta for nobody. To initialise an
 *  object, or to end it, is a write like others; what may meet it unordered the checks of mbarriers tell. */
static struct model_event of_mbarrier(const struct lone_watch *r, struct model_event e, const struct insn *in, int location)
{
    const struct mbarrier_desc *x = in->extra;
    bool waits = insn_row(in) == ROW_mbar_test_wait || insn_row(in) == ROW_mbar_try_wait;
    bool arrives = insn_row(in) == ROW_mbar_arrive || insn_row(in) == ROW_mbar_arrive_drop;
    e.strong = true;
    e.acquire = waits && e.kind == EVENT_READ && !x->relaxed;
    e.release = arrives && e.kind == EVENT_WRITE && !x->relaxed && !(x->scope == SCOPE_CTA && is_far(r, location));
    e.scope = waits && x->scope == SCOPE_CTA ? MODEL_CTA : MODEL_CLUSTER;
    return e;
}

struct model_event lone_event(const struct lone_watch *r, const struct insn *in, enum event_kind kind,
                                   int location)
{
    const struct mem_desc *d = &in->mem;
    bool both = d->order == ORDER_ACQ_REL || d->order == ORDER_SC;
    struct model_event e = {
        .kind = kind,
        .location = location < 0 ? 0 : r->lone->locations.data[location].model,
        .strong = order_is_strong(d),
        .acquire = kind != EVENT_WRITE && (both || d->order == ORDER_ACQUIRE),
        .release = kind != EVENT_READ && (both || d->order == ORDER_RELEASE),
        .scope = lone_scope((enum mem_scope)order_scope(d)),
        .pair = -1,
        .depends = r->depends.control | r->depends.address,
        .told = r->depends.control | r->depends.told,
        .cookie = in->site + 1,
    };
    return insn_class(in) == INSN_MBARRIER ? of_mbarrier(r, e, in, location) : e;
}

bool lone_emit(struct lone_watch *r, const struct model_event *e)
{
    struct model_step *step = &r->node->step;
    if (r->taken < r->count)
        return true;
    if (step->count == STEP_EVENTS)
        return lone_endless(r, INCOMPLETE_EVENTS);
    step->event[step->count++] = *e;
    return true;
}

/** A write to memory that is not shared: undone after the run. */
static void note_private(struct lone_watch *r, uint8_t *host, uint32_t bytes, int location, uint64_t value)
{
    struct undo u = {.host = host, .bytes = bytes};
    struct lone_node *n = r->node;
    uint64_t old = 0;
    memcpy(&old, host, bytes);
    r->node->changes += old != (bytes < 8 ? value & ((1ull << bytes * 8) - 1) : value);
    r->depends.memory |= r->depends.data;
    if (!r->lone->locations.data[location].allocation)
        return;
    n->step.shows |= r->depends.told | r->depends.control;
    u.value = old;
    *LIST_PUSH(&r->undone) = u;
    for (int i = 0; i < n->private_writes.count; i++)
        if (n->private_writes.data[i].location == location) {
            n->private_writes.data[i].value = value;
            return;
        }
    *LIST_PUSH(&n->private_writes) = (struct private_write){location, value};
}

/** The thread needs the value of an element. It holds those of the elements before, from value `first` on, though no register does yet: at the
 *  second element of a vector it has not come back to where it was at the first. */
static bool stop_at_element(struct lone_watch *r, const struct warp *w, const struct insn *in, int element, int first)
{
    lone_stop_for_value(r, w, in, STOP_READ);
    r->node->state = mix_in(r->node->state, (uint64_t)element);
    for (int i = first; i < r->taken; i++)
        r->node->state = mix_in(r->node->state, r->values[i]);
    return false;
}

static bool lone_load(void *self, const struct warp *w, struct mem_access *a)
{
    struct lone_watch *r = self;
    int lane = __builtin_ctz(a->mask), first = r->taken;
    if (!access_is_shared(a) || r->stopped)
        return !r->stopped;
    if (load_may_be_dropped(w, a->insn) && lone_needs(r, ~(event_set)0)) /* whether it reads may rest on what was read */
        return false;
    if (a->thrown_away >> lane & 1) {
        depends_result(&r->depends, w, a->insn, 0);
        return true;
    }
    if (a->insn->mem.bytes > 8)
        return lone_cannot(r, INCOMPLETE_WIDE);
    for (int e = 0; e < a->insn->mem.count; e++) {
        int number = lone_location(r, w, a, lane, e, false);
        if (r->lone->stale || r->lone->why)
            return lone_stop(r);
        if (r->lone->locations.data[number].model < 0) {
            depends_element(&r->depends, w, a->insn, e, r->depends.memory);
            lone_note_poll(r, w, a->insn, number);
            if (r->lone->stale || r->lone->why)
                return lone_stop(r);
            continue;
        }
        if (a->insn->mem.order == ORDER_NC && !r->lone->outside)
            return lone_cannot(r, INCOMPLETE_NC);
        if (r->taken == r->count) {
            r->node->step.read = lone_event(r, a->insn, EVENT_READ, number);
            r->node->step.read.outside = a->insn->mem.order == ORDER_NC;
            return stop_at_element(r, w, a->insn, e, first);
        }
        a->value[e][lane] = r->values[r->taken];
        a->older[e] |= 1u << lane;
        depends_element(&r->depends, w, a->insn, e, event_bit(r->taken++));
    }
    return true;
}

/** A run that has stopped may still finish what it is at: its stores must not stay. */
static bool hide_all(const struct mem_access *a, uint32_t hidden[MAX_ELEMENTS])
{
    for (int e = 0; e < a->insn->mem.count; e++)
        hidden[e] = a->mask;
    return true;
}

static bool lone_store(void *self, const struct warp *w, const struct mem_access *a, uint32_t hidden[MAX_ELEMENTS])
{
    struct lone_watch *r = self;
    int lane = __builtin_ctz(a->mask);
    if (!access_is_shared(a))
        return !r->stopped;
    if (r->stopped || a->insn->mem.bytes > 8)
        return hide_all(a, hidden) && lone_cannot(r, INCOMPLETE_WIDE);
    for (int e = 0; e < a->insn->mem.count; e++) {
        int number = lone_location(r, w, a, lane, e, true);
        if (r->lone->stale || r->lone->why)
            return hide_all(a, hidden) && lone_stop(r);
        if (r->lone->locations.data[number].model < 0) {
            note_private(r, a->host[lane] + (size_t)e * a->insn->mem.bytes, a->insn->mem.bytes, number,
                         a->value[e][lane]);
            continue;
        }
        struct model_event write = lone_event(r, a->insn, EVENT_WRITE, number);
        uint64_t bits = a->insn->mem.bytes * 8;
        write.value = bits < 64 ? a->value[e][lane] & ((1ull << bits) - 1) : a->value[e][lane];
        write.depends = depends_stored(&r->depends, w, a->insn, e) | r->depends.control;
        hidden[e] |= 1u << lane;
        r->node->changes++;
        if (!lone_emit(r, &write))
            return false;
    }
    return true;
}

/** Does what an atomic returns go nowhere? nvcc leaves it to the next compiler to make a `red` of such an `atom`. */
static bool is_dropped(const struct lone *l, const struct insn *in)
{
    const struct function *f = l->configs[0]->kernel;
    return in->dst == REG_NONE || (l->launches == 1 && in >= f->entry && in + 1 < f->end && !path_reads(f, in + 1, in->dst));
}

/** A name for an operation, any two of which may change places and leave the same, but for how sums are rounded; 0: it is none. */
static uint16_t changes_places(const struct mem_desc *d)
{
    bool is_signed = d->type >= PTX_S8 && d->type <= PTX_S64;
    switch ((enum atom_op)d->atom) {
    case ATOM_ADD:
    case ATOM_XOR:
    case ATOM_AND:
    case ATOM_OR:
        return (uint16_t)(1 + d->atom);
    case ATOM_MIN:
    case ATOM_MAX:
        return (uint16_t)(1 + d->atom + (is_signed ? ATOM_CAS : 0));
    default:
        return 0;
    }
}

/** A name for the operation of a reduction that may change places with others of its name; 0: none. Sums of floating point depend on
 *  the order, which only who lists outcomes asks about: a verdict does not rest on how a sum is rounded. A thread that comes back must
 *  not have changed anything, and hold what it held: what an operation changes may depend on what was there, and so does what a
 *  register holds that nobody reads. Where loops are followed only `drops` tells, therefore, of operations that are exact. */
static void name_reduction(const struct lone *l, const struct insn *in, struct model_event *read)
{
    const struct mem_desc *d = &in->mem;
    bool rounds = d->type >= PTX_F16;
    if (d->count != 1 || !is_dropped(l, in))
        return;
    if (!rounds)
        read->drops = changes_places(d);
    if (!l->loops && (!rounds || (l->rounds_freely && d->atom == ATOM_ADD)))
        read->commutes = changes_places(d);
}

/** A name for the operation of what draws numbers from a counter; 0: it does not. */
static uint8_t counts(const struct mem_desc *d)
{
    bool steps = d->atom == ATOM_INC || d->atom == ATOM_DEC;
    return d->count == 1 && (steps || (d->atom == ATOM_ADD && d->type < PTX_F16)) ? (uint8_t)(1 + d->atom) : 0;
}

/** What a compare-and-swap compares with. */
static uint64_t expected_by(const struct warp *w, const struct insn *in, int lane)
{
    uint64_t value = reg_read(w, in->src[1], in->mem.reg_bytes, lane);
    return in->mem.bytes < 8 ? value & ((1ull << in->mem.bytes * 8) - 1) : value;
}

static bool lone_rmw_read(void *self, const struct warp *w, const struct element_of_access *which, uint64_t *value)
{
    struct lone_watch *r = self;
    const struct mem_access *a = which->access;
    const struct insn *in = a->insn;
    r->modelled = false;
    if (!access_is_shared(a) || r->stopped)
        return !r->stopped;
    if (in->mem.bytes > 8)
        return lone_cannot(r, INCOMPLETE_WIDE);
    lone_location(r, w, a, which->lane, which->element, false);
    int number = lone_location(r, w, a, which->lane, which->element, true);
    if (r->lone->stale || r->lone->why)
        return lone_stop(r);
    if (r->lone->locations.data[number].model < 0) {
        depends_element(&r->depends, w, in, which->element, r->depends.memory);
        lone_note_poll(r, w, in, number);
        return !r->lone->stale && !r->lone->why ? true : lone_stop(r);
    }
    r->modelled = true;
    if (in->mem.atom == ATOM_CAS && lone_needs(r, r->depends.data)) /* whether it writes rests on what it compares */
        return false;
    r->at = number;
    r->read = lone_event(r, in, EVENT_READ, number);
    if (insn_class(in) == INSN_ATOMIC) {
        r->read.silent = in->dst == REG_NONE && in->mem.count == 1 && !in->op->defines;
        name_reduction(r->lone, in, &r->read);
        r->read.counts = counts(&in->mem);
    }
    if (r->taken == r->count) {
        r->node->step.read = r->read;
        r->node->step.swaps = in->mem.atom == ATOM_CAS;
        r->node->step.expects = in->mem.atom == ATOM_CAS ? expected_by(w, in, which->lane) : 0;
        return stop_at_element(r, w, in, which->element, r->taken);
    }
    *value = r->values[r->taken++];
    return insn_class(in) != INSN_MBARRIER || !lone_needs(r, event_bit(r->taken - 1)); /* an object that is not known: no operation on it is */
}

static bool lone_rmw_write(void *self, const struct warp *w, const struct element_of_access *which, bool wrote,
                           uint64_t value, bool *stays)
{
    struct lone_watch *r = self;
    const struct mem_access *a = which->access;
    uint32_t bytes = a->insn->mem.bytes;
    if (r->stopped) {
        *stays = false;
        return false;
    }
    if (!r->modelled) {
        uint8_t *host = a->host[which->lane] + (size_t)which->element * bytes;
        if (access_is_shared(a) && wrote)
            note_private(r, host, bytes, lone_location(r, w, a, which->lane, which->element, true), value);
        return true;
    }
    event_set own = event_bit(r->taken - 1);
    depends_element(&r->depends, w, a->insn, which->element, own);
    if (!wrote)
        return true;
    struct model_event write = r->read;
    write.kind = EVENT_WRITE;
    write.value = bytes < 8 ? value & ((1ull << bytes * 8) - 1) : value;
    write.acquire = false;
    write.release = lone_event(r, a->insn, EVENT_WRITE, r->at).release;
    write.pair = 0;
    write.depends = depends_stored(&r->depends, w, a->insn, which->element) | r->depends.control | own;
    *stays = false;
    r->node->changes += write.value != r->values[r->taken - 1];
    return lone_emit(r, &write);
}

const struct chooser lone_chooser = {
    .name = "lone thread",
    .load = lone_load,
    .store = lone_store,
    .rmw_read = lone_rmw_read,
    .rmw_write = lone_rmw_write,
    .barrier = lone_barrier,
    .exchange = lone_exchange,
};
