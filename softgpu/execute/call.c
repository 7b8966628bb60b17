/**
 * @file call.c
 * Calls, returns and the stacks behind them: registers in the warp's file, and lane-local storage.
 *
 * An activation occupies a part of the register file for some lanes. Lanes that call the same
 * function from different places may share one (they can then run together); a different function
 * gets room above everything in use, since layouts must not overlap in another lane's registers.
 * Lane-local storage is a stack of its own per lane, from local_base up to warp->local_top.
 */
#include "execute/call.h"

#include <stdlib.h>
#include <string.h>

#include "code/frame.h"
#include "execute/block.h"
#include "execute/builtin.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/handlers.h"
#include "execute/recursion.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

#define LOCAL_ALIGN 16u

static struct frame_header *header_of(const struct warp *w)
{
    return (struct frame_header *)w->frame;
}

static uint8_t *local_byte(const struct warp *w, int lane, uint32_t offset)
{
    return w->local + (size_t)lane * w->local_stride + offset;
}

/** Copies an argument or result slot of the frame at `frame` out (`to_slot` false) or in. */
static void copy_slot(const struct warp *w, uint8_t *frame, const struct call_slot *s, int lane,
                      void *bytes, uint32_t count, bool to_slot)
{
    uint32_t n = count < s->bytes ? count : s->bytes;
    if (!s->is_register) {
        uint32_t base = ((struct frame_header *)frame)->local_base[lane];
        uint8_t *local = local_byte(w, lane, base + s->offset);
        if (to_slot)
            memcpy(local, bytes, n);
        else
            memcpy(bytes, local, n);
        return;
    }
    uint8_t *r = s->offset & CONST_BIT ? w->constants + (s->offset & ~CONST_BIT)
                                       : frame + s->offset;
    unsigned width = s->bytes <= 2 ? 2 : s->bytes <= 4 ? 4 : 8;
    for (uint32_t done = 0; done < n; done += width, r += width * WARP_LANES) {
        uint32_t part = n - done < width ? n - done : width;
        if (to_slot)
            memcpy(r + (size_t)lane * width, (uint8_t *)bytes + done, part);
        else
            memcpy((uint8_t *)bytes + done, r + (size_t)lane * width, part);
    }
}

/** Tells of bytes that have been copied between a slot and the callee's `at`. */
static void tell_passed(const struct warp *w, enum passed_how how, int lane, const struct call_slot *s, uint32_t caller_frame,
                        uint32_t at, uint32_t bytes, uint32_t gone_from)
{
    uint32_t base = ((const struct frame_header *)(w->file + caller_frame))->local_base[lane];
    struct lane_passed p = {.how = how, .lane = lane, .slot = s, .caller_frame = caller_frame, .slot_at = s ? base + s->offset : 0,
                            .at = at, .bytes = !s ? 0 : bytes < s->bytes ? bytes : s->bytes, .gone_from = gone_from};
    OBSERVE(machine_observers(warp_machine(w)), passed, w, &p);
}

uint64_t call_argument(const struct warp *w, const struct call_desc *d, int lane, int i)
{
    uint64_t value = 0;
    if (i < d->arg_count)
        copy_slot(w, w->frame, &d->args[i], lane, &value, sizeof value, false);
    return value;
}

/** The function at a code address, NULL if there is none. */
static const struct function *function_at(const struct warp *w, uint64_t address)
{
    const struct image *im = w->block->grid->config.kernel->image;
    for (int i = 0; i < im->function_count; i++)
        if (im->functions[i]->code_address == address)
            return im->functions[i];
    return NULL;
}

void call_argument_bytes(const struct warp *w, const struct call_desc *d, int lane, int i, void *to, uint32_t bytes)
{
    memset(to, 0, bytes);
    if (i < d->arg_count)
        copy_slot(w, w->frame, &d->args[i], lane, to, bytes, false);
}

const struct function *call_function_at(const struct warp *w, uint64_t address)
{
    return function_at(w, address);
}

void call_set_result(struct warp *w, const struct call_desc *d, int lane, uint64_t value)
{
    if (!d->result.bytes)
        return;
    copy_slot(w, w->frame, &d->result, lane, &value, sizeof value, true);
    if (*w->closely)
        tell_passed(w, PASSED_MADE, lane, &d->result, w->frame_offset, 0, sizeof value, 0);
}

void call_forget_lanes(struct warp *w, uint32_t lanes)
{
    for (int i = 0; i < w->activation_count; i++)
        w->activations[i].lanes &= ~lanes;
    while (w->activation_count > 1 && !w->activations[w->activation_count - 1].lanes)
        w->activation_count--;
}

/** The activation that the running lanes enter: offsets grow along the list. */
static struct activation *activation_for(struct warp *w, const struct function *callee)
{
    for (int i = w->activation_count - 1; i >= 0; i--) {
        struct activation *a = &w->activations[i];
        if (a->offset <= w->frame_offset)
            break;
        if (a->function == callee && !(a->lanes & w->mask))
            return a;
    }
    if (w->activation_count == w->activation_capacity) {
        w->activation_capacity *= 2;
        w->activations = realloc(w->activations, (size_t)w->activation_capacity *
                                                     sizeof *w->activations);
        if (!w->activations)
            abort();
    }
    const struct activation *top = &w->activations[w->activation_count - 1];
    uint32_t offset = (top->offset + top->bytes + 63) & ~63u;
    struct activation *a = &w->activations[w->activation_count];
    *a = (struct activation){callee, offset, callee->frame_bytes, 0};
    if (!warp_grow_file(w, (uint64_t)offset + callee->frame_bytes))
        return NULL;
    w->activation_count++;
    return a;
}

/** Opens local storage for the callee above each lane's own. @return false at the bound */
static bool open_local(struct warp *w, const struct function *callee)
{
    uint64_t most = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (w->mask >> lane & 1 && w->local_top[lane] > most)
            most = w->local_top[lane];
    return warp_grow_local(w, most + LOCAL_ALIGN + callee->local_bytes);
}

static const struct insn *overflow(struct warp *w, const struct insn *in)
{
    return fault_plain(w, in, __builtin_ctz(w->mask), CAUSE_STACK);
}

static void pass_arguments(struct warp *w, const struct call_desc *d, const struct function *callee,
                           uint32_t caller_frame, const struct frame_header *h)
{
    for (int i = 0; i < d->arg_count && i < callee->param_count; i++) {
        const struct param_slot *p = &callee->params[i];
        for (int lane = 0; lane < WARP_LANES; lane++) {
            uint32_t at = h->local_base[lane] + p->offset;
            if (!(w->mask >> lane & 1))
                continue;
            copy_slot(w, w->file + caller_frame, &d->args[i], lane, local_byte(w, lane, at), p->bytes, false);
            if (*w->closely)
                tell_passed(w, PASSED_IN, lane, &d->args[i], caller_frame, at, p->bytes, 0);
        }
    }
}

/** Continues at `next` in the present frame: at once, or after the scheduler has looked. */
static const struct insn *go_on(struct warp *w, const struct insn *in, const struct insn *next)
{
    if (w->group_count > 1)
        return warp_stop(w, in, next, GROUP_READY);
    warp_count(w, in, next);
    w->limit = (const struct insn *)UINTPTR_MAX;
    return next;
}

/** Into the callee. A call burns fuel as a backward branch does: functions that call each other twice run for
 *  ever without one. */
static const struct insn *go_in(struct warp *w, const struct insn *in, const struct insn *entry)
{
    if (--w->fuel > 0)
        return go_on(w, in, entry);
    w->yielded_lanes |= w->mask;
    return warp_stop(w, in, entry, GROUP_READY);
}

static const struct insn *enter(struct warp *w, const struct insn *in, const struct function *callee)
{
    const struct call_desc *d = in->extra;
    struct fault too_deep;
    int lane_of_it;
    if (w->frame_offset && !recursion_fits(w, callee, &lane_of_it, &too_deep))
        return fault_at(w, in, lane_of_it, &too_deep);
    struct activation *a = activation_for(w, callee);
    if (!a || !open_local(w, callee))
        return overflow(w, in);
    a->lanes |= w->mask;
    struct frame_header *h = (struct frame_header *)(w->file + a->offset);
    w->local_top_moved = true;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!(w->mask >> lane & 1))
            continue;
        h->return_pc[lane] = in + 1;
        h->caller_frame[lane] = w->frame_offset;
        h->local_base[lane] = (w->local_top[lane] + LOCAL_ALIGN - 1) & ~(LOCAL_ALIGN - 1);
        w->local_top[lane] = h->local_base[lane] + callee->local_bytes;
    }
    pass_arguments(w, d, callee, w->frame_offset, h);
    w->frame = (uint8_t *)h;
    w->frame_offset = a->offset;
    return go_in(w, in, callee->entry);
}

/** Lanes that call something else than the first lane does stay behind as a group. */
static const struct function *indirect_callee(struct warp *w, const struct insn *in)
{
    const uint64_t *address = warp_reg(w, in->src[0]);
    int first = __builtin_ctz(w->mask);
    uint32_t different = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (w->mask >> lane & 1 && address[lane] != address[first])
            different |= 1u << lane;
    const struct function *callee = function_at(w, address[first]);
    if (!callee) {
        fault_at(w, in, first, &(struct fault){.cause = CAUSE_NO_FUNCTION, .facts.address = address[first]});
        return NULL;
    }
    if (different)
        warp_split(w, in, different, in);
    return callee;
}

const struct insn *op_call(struct warp *w, const struct insn *in)
{
    const struct call_desc *d = in->extra;
    const struct function *callee = d->callee ? d->callee : indirect_callee(w, in);
    if (!callee)
        return NULL;
    return callee->entry ? enter(w, in, callee) : builtin_call(w, in, d, callee->name);
}

/** Has the activation that ends variables of its own, or room that it has asked for? */
static bool has_own(const struct warp *w, const struct frame_header *h, int lane, const struct function *callee)
{
    return callee->local_gaps || w->local_top[lane] != h->local_base[lane] + callee->local_bytes;
}

/** Hands the result over and frees the callee's storage for the lanes of `mask`. */
static void leave(struct warp *w, uint32_t mask, const struct function *callee)
{
    struct frame_header *h = header_of(w);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        const struct call_desc *d = (h->return_pc[lane] - 1)->extra;
        uint32_t at = h->local_base[lane] + callee->result.offset;
        bool wanted = d->result.bytes && callee->result.bytes;
        if (wanted)
            copy_slot(w, w->file + h->caller_frame[lane], &d->result, lane, local_byte(w, lane, at), callee->result.bytes, true);
        if (*w->closely || has_own(w, h, lane, callee))
            tell_passed(w, PASSED_BACK, lane, wanted ? &d->result : NULL, h->caller_frame[lane], at, callee->result.bytes,
                        h->local_base[lane]);
        w->local_top[lane] = h->local_base[lane];
    }
}

static struct activation *current_activation(struct warp *w)
{
    for (int i = w->activation_count - 1; i > 0; i--)
        if (w->activations[i].offset == w->frame_offset)
            return &w->activations[i];
    return &w->activations[0];
}

/** Lanes with the first lane's return address and frame. */
static uint32_t same_return(const struct frame_header *h, uint32_t mask)
{
    int first = __builtin_ctz(mask);
    uint32_t same = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (mask >> lane & 1 && h->return_pc[lane] == h->return_pc[first] &&
            h->caller_frame[lane] == h->caller_frame[first])
            same |= 1u << lane;
    return same;
}

const struct insn *op_ret(struct warp *w, const struct insn *in)
{
    if (w->frame_offset == 0)
        return op_exit(w, in);
    struct frame_header *h = header_of(w);
    struct activation *a = current_activation(w);
    uint32_t all = w->mask, same = same_return(h, all);
    leave(w, all, a->function);
    a->lanes &= ~all;
    call_forget_lanes(w, 0);
    int first = __builtin_ctz(all);
    if (same == all) {
        const struct insn *next = h->return_pc[first];
        w->frame_offset = h->caller_frame[first];
        w->frame = w->file + w->frame_offset;
        return go_on(w, in, next);
    }
    warp_stop_removed(w, in);
    for (uint32_t rest = all; rest; rest &= ~same) {
        same = same_return(h, rest);
        first = __builtin_ctz(rest);
        warp_add_group(w, h->return_pc[first], h->caller_frame[first], same);
    }
    return NULL;
}

const struct insn *op_local_address(struct warp *w, const struct insn *in)
{
    const struct frame_header *h = header_of(w);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!w->lane_mask[lane])
            continue;
        uint64_t address = h->local_base[lane] + in->imm;
        if (in->mem.reg_bytes == 8)
            ((uint64_t *)warp_reg(w, in->dst))[lane] = address;
        else
            ((uint32_t *)warp_reg(w, in->dst))[lane] = (uint32_t)address;
    }
    return in + 1;
}

/** Local memory on the stack of the running activation (PTX ISA 9.7.15). */
const struct insn *op_alloca(struct warp *w, const struct insn *in)
{
    uint32_t align = in->imm ? (uint32_t)in->imm : 8;
    unsigned width = in->mem.reg_bytes == 4 ? 4 : 8;
    w->local_top_moved = true;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!(w->mask >> lane & 1))
            continue;
        uint64_t bytes = width == 8 ? ((const uint64_t *)warp_reg(w, in->src[0]))[lane]
                                    : ((const uint32_t *)warp_reg(w, in->src[0]))[lane];
        uint64_t base = ((uint64_t)w->local_top[lane] + align - 1) / align * align;
        if (bytes > MAX_LOCAL_BYTES || !warp_grow_local(w, base + bytes))
            return overflow(w, in);
        w->local_top[lane] = (uint32_t)(base + bytes);
        if (width == 8)
            ((uint64_t *)warp_reg(w, in->dst))[lane] = base;
        else
            ((uint32_t *)warp_reg(w, in->dst))[lane] = (uint32_t)base;
    }
    return in + 1;
}

const struct insn *op_stacksave(struct warp *w, const struct insn *in)
{
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!w->lane_mask[lane])
            continue;
        if (in->mem.reg_bytes == 4)
            ((uint32_t *)warp_reg(w, in->dst))[lane] = w->local_top[lane];
        else
            ((uint64_t *)warp_reg(w, in->dst))[lane] = w->local_top[lane];
    }
    return in + 1;
}

const struct insn *op_stackrestore(struct warp *w, const struct insn *in)
{
    w->local_top_moved = true;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!w->lane_mask[lane])
            continue;
        uint64_t top = in->mem.reg_bytes == 4 ? ((const uint32_t *)warp_reg(w, in->src[0]))[lane]
                                              : ((const uint64_t *)warp_reg(w, in->src[0]))[lane];
        if (top > w->local_top[lane])
            return overflow(w, in);
        w->local_top[lane] = (uint32_t)top;
    }
    return in + 1;
}
