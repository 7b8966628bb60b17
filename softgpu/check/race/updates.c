/**
 * @file updates.c
 * See updates.h. A loop may be unrolled, so that a line's load and store stand in several copies, with registers of their own.
 */
#include "check/race/updates.h"

#include "analyse/carried.h"
#include "analyse/flow.h"
#include "analyse/looked_at.h"
#include "analyse/paths.h"
#include "analyse/varies.h"
#include "check/race/ways.h"
#include "code/operands.h"
#include "report/ptx_line.h"

/** The same offset, or that of one of the elements which the other takes at once. */
static bool same_element(const struct insn *a, const struct insn *b)
{
    const struct insn *first = a->offset <= b->offset ? a : b, *other = first == a ? b : a;
    uint64_t apart = (uint64_t)(other->offset - first->offset), bytes = first->mem.bytes;
    return !apart || (first->mem.count > 1 && apart < bytes * first->mem.count && apart % bytes == 0);
}

/** Registers share slots, so none of what stands between may write the address's. */
bool same_address(const struct image *im, const struct insn *a, const struct insn *b)
{
    if (!a || !same_element(a, b) || a->src[0] != b->src[0] || a->mem.space != b->mem.space)
        return false;
    const struct function *f = image_function_at(im, a);
    const struct insn *first = a < b ? a : b, *last = a < b ? b : a;
    if (!a->mem.address_bytes || (a->src[0] & CONST_BIT) || !f || !flow_holds(f, b))
        return true;
    for (const struct insn *in = first; in < last; in++)
        if (insn_writes(in, a->src[0]))
            return false;
    return true;
}

bool is_update(const struct image *im, const struct insn *store)
{
    const struct function *f = image_function_at(im, store);
    for (const struct insn *in = f ? f->entry : NULL; f && in < store; in++)
        if (insn_class(in) == INSN_LOAD && same_address(im, in, store))
            return true;
    return false;
}

/** Does the store put what is made of the load's value, wherever that comes from? */
static bool stores_what_it_loads(const struct insn *load, const struct insn *store)
{
    struct carried value = carried_result(load);
    for (const struct insn *in = load + 1; in < store; in++)
        carried_compute(&value, in);
    return carried_in(&value, store->src[1]);
}

/** Does the store put what is made of the load's value where that comes from? A swap does not. */
static bool makes_new_value(const struct image *im, const struct insn *load, const struct insn *store)
{
    return store > load && same_address(im, load, store) && stores_what_it_loads(load, store);
}

/** Does the load's thread put a new value there on that line, or work an atomic there, without a barrier before? */
static bool updated_on(const struct image *im, const struct insn *load, enum insn_class by, int line)
{
    static const bool same_warp = false;
    const struct function *f = image_function_at(im, load);
    for (const struct insn *in = load + 1; f && in < f->end; in++)
        if (insn_class(in) == by && insn_line_to_say(im, in) == line && way_find(f, load, in, &same_warp) == PATH_AHEAD &&
            (by == INSN_STORE ? makes_new_value(im, load, in) : same_address(im, load, in)))
            return true;
    return false;
}

static bool stores_new_value(const struct image *im, const struct insn *store)
{
    const struct function *f = image_function_at(im, store);
    for (const struct insn *in = f ? f->entry : NULL; f && in < store; in++)
        if (insn_class(in) == INSN_LOAD && makes_new_value(im, in, store))
            return true;
    return false;
}

static const struct insn *that_loads(const struct insn *a, const struct insn *b)
{
    return insn_class(a) == INSN_LOAD ? a : insn_class(b) == INSN_LOAD ? b : NULL;
}

/** Does an access of the line lead to `to`, or does `from` lead to one, of that class? */
static bool line_leads(const struct image *im, const struct function *f, int line, enum insn_class of, enum ptx_space space,
                       const struct insn *from, const struct insn *to)
{
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (insn_class(in) == of && in->mem.space == space && insn_line_to_say(im, in) == line &&
            way_find(f, from ? from : in, to ? to : in, NULL) == PATH_AHEAD)
            return true;
    return false;
}

bool is_loaded_then_stored(const struct image *im, const struct insn *a, const struct insn *b)
{
    const struct insn *load = a ? that_loads(a, b) : NULL, *store = load == a ? b : a;
    const struct function *f = load ? image_function_at(im, load) : NULL;
    if (!f || !flow_holds(f, store) || insn_class(store) != INSN_STORE)
        return false;
    return line_leads(im, f, insn_line_to_say(im, load), INSN_LOAD, load->mem.space, NULL, store) &&
           line_leads(im, f, insn_line_to_say(im, store), INSN_STORE, store->mem.space, load, NULL);
}

/** The store of the load's own thread that goes there later, on the line of the other of the two, which stores. @return NULL: there is none */
static const struct insn *store_behind(const struct image *im, const struct insn *load, const struct insn *store)
{
    const struct function *f = load ? image_function_at(im, load) : NULL;
    for (const struct insn *in = load; f && flow_holds(f, store) && insn_class(store) == INSN_STORE && in < f->end; in++)
        if (insn_class(in) == INSN_STORE && insn_line_to_say(im, in) == insn_line_to_say(im, store) && same_address(im, load, in) &&
            way_find(f, load, in, NULL) == PATH_AHEAD)
            return in;
    return NULL;
}

/** Is the thread that stores chosen by its number, of all that look? Then it is no claim of the first that comes, but one thread's task. */
static bool is_one_threads_task(const struct image *im, const struct insn *load, const struct insn *store)
{
    const struct function *f = image_function_at(im, store);
    struct carried value = carried_result(load);
    for (const struct insn *in = load + 1; in < store; in++) {
        if (insn_class(in) == INSN_BRANCH && insn_is_guarded(in) && in->target > store && !carried_in(&value, in->guard) && branch_varies(f, in))
            return true;
        carried_compute(&value, in);
    }
    return insn_is_guarded(store) && !carried_in(&value, store->guard);
}

bool is_checked_then_stored(const struct image *im, const struct insn *a, const struct insn *b)
{
    const struct insn *load = a ? that_loads(a, b) : NULL;
    const struct insn *store = store_behind(im, load, load == a ? b : a);
    return store && !is_one_threads_task(im, load, store);
}

/** Does what is stored come from memory? */
static bool stores_what_was_loaded(const struct image *im, const struct insn *store)
{
    const struct function *f = image_function_at(im, store);
    bool any = false;
    for (const struct insn *in = f ? f->entry : store; in < store && !any; in++)
        any = insn_class(in) == INSN_LOAD && stores_what_it_loads(in, store);
    return any;
}

/** Does the next branch behind the load hang on it, and go around the store, as nvcc lays out an if? */
static bool decides_about(const struct insn *load, const struct insn *store)
{
    struct carried value = carried_result(load);
    const struct insn *in = load + 1;
    for (; in < store && insn_class(in) != INSN_BRANCH; in++)
        carried_compute(&value, in);
    return in < store && insn_is_guarded(in) && carried_in(&value, in->guard) && in->target > store;
}

/** Is what was read put at some other place: do two elements change places, as in a sort? */
static bool is_put_elsewhere(const struct image *im, const struct insn *load)
{
    const struct function *f = image_function_at(im, load);
    struct carried value = carried_result(load);
    for (const struct insn *in = load + 1; in < f->end && value.count; in++) {
        if (insn_class(in) == INSN_STORE && carried_in(&value, in->src[1]))
            return true;
        carried_copy(&value, in);
    }
    return false;
}

/** Does the store put there what another load has brought: is a value moved, not made anew, nor chosen by what was there? */
static bool moves_in(const struct image *im, const struct insn *load, const struct insn *store)
{
    const struct function *f = image_function_at(im, store);
    bool moved = false;
    if (store > load && (stores_what_it_loads(load, store) || (decides_about(load, store) && !is_put_elsewhere(im, load))))
        return false;
    for (const struct insn *in = f ? f->entry : store; in < store && !moved; in++)
        moved = in != load && insn_class(in) == INSN_LOAD && stores_what_it_loads(in, store);
    return moved;
}

bool update_in_place(const struct image *im, const struct insn *a, const struct insn *b)
{
    const struct insn *load = a ? that_loads(a, b) : NULL, *store = load == a ? b : a;
    if (!a || same_address(im, a, b))
        return a && (!load || insn_class(store) != INSN_STORE || !moves_in(im, load, store));
    if (!load)
        return stores_new_value(im, a) && stores_new_value(im, b);
    return insn_class(store) == INSN_STORE && stores_new_value(im, store) && updated_on(im, load, INSN_STORE, insn_line_to_say(im, store));
}

/** Is what is stored there what the load's value was compared with, so that the better of the two stays: a maximum by hand? */
static bool is_picked(const struct image *im, const struct insn *load, const struct insn *store)
{
    struct carried value = carried_result(load);
    const struct insn *compare = NULL;
    uint32_t other = REG_NONE;
    for (const struct insn *in = load + 1; in < store && insn_class(in) != INSN_BRANCH; in++) {
        bool first = insn_class(in) == INSN_COMPUTE && carried_in(&value, in->src[0]);
        if (first != (insn_class(in) == INSN_COMPUTE && carried_in(&value, in->src[1]))) {
            compare = in;
            other = in->src[first];
        }
        carried_compute(&value, in);
    }
    return compare && other == store->src[1] && decides_about(load, store) && !is_put_elsewhere(im, load);
}

bool is_claimed(const struct image *im, const struct insn *a, const struct insn *b)
{
    const struct insn *load = a ? that_loads(a, b) : NULL, *store = store_behind(im, load, load == a ? b : a);
    return store && decides_about(load, store) && !is_one_threads_task(im, load, store) && (is_picked(im, load, store) || !stores_what_was_loaded(im, store));
}

bool looks_before_atomic(const struct image *im, const struct insn *a, const struct insn *b)
{
    const struct insn *load = a ? that_loads(a, b) : NULL, *other = load == a ? b : a;
    return load && insn_class(other) == INSN_ATOMIC && updated_on(im, load, INSN_ATOMIC, insn_line_to_say(im, other));
}

/** Is it asked behind the load, before any branch, whether that is one number, another or none? */
static bool is_asked_for(const struct function *f, const struct insn *load)
{
    struct carried value = carried_result(load);
    for (const struct insn *in = load + 1; in < f->end && insn_class(in) != INSN_BRANCH; in++) {
        enum op_row row = insn_row(in);
        if ((row == ROW_is_eq_32 || row == ROW_is_eq_64) && carried_in(&value, in->src[0]) != carried_in(&value, in->src[1]))
            return true;
        carried_copy(&value, in);
    }
    return false;
}

bool looks_behind_atomic(const struct image *im, const struct insn *load, const struct insn *atomic)
{
    static const bool same_warp = false;
    const struct function *f = image_function_at(im, load);
    bool found = false;
    for (const struct insn *in = f ? f->entry : load; in < load && !found; in++)
        found = insn_class(in) == INSN_ATOMIC && insn_line_to_say(im, in) == insn_line_to_say(im, atomic) && same_address(im, in, load) &&
                !result_is_looked_at(f, in) && way_find(f, in, load, &same_warp) == PATH_AHEAD;
    return found && is_asked_for(f, load);
}

bool stores_first(const struct image *im, const struct insn *a, const struct insn *b)
{
    const struct insn *load = a ? that_loads(a, b) : NULL, *store = load == a ? b : a;
    const struct function *f = load ? image_function_at(im, load) : NULL;
    return f && flow_holds(f, store) && way_find(f, store, load, NULL) == PATH_AHEAD &&
           !line_leads(im, f, insn_line_to_say(im, store), INSN_LOAD, store->mem.space, NULL, store);
}
