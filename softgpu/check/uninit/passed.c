/**
 * @file passed.c
 * Undefined values that go through a call. Arguments and results of functions stand in lane-local storage (PTX ISA 7.1, `.param`): what is
 * undefined there is kept byte by byte, with all that is known of it in a register, so that passing a value is what copying it is:
 * nothing is told before somebody uses it, and then the load where it began.
 *
 * What a call itself has filled counts as defined but for these bytes: most programs have none, and pay nothing. A lane's stack only grows
 * upward, so its bytes stand in the order of their addresses, and those of an activation that ends are the last.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check/uninit/settled.h"
#include "code/operands.h"

/** One undefined byte in a lane's local memory. */
struct passed_byte {
    uint32_t at;          /**< its address there */
    uint32_t site;        /**< as of struct taint, like the rest */
    uint8_t bits, origin;
    bool derived, beside, shuffled;
};

struct passed {
    LIST(struct passed_byte) of[WARP_LANES]; /**< by address */
};

void passed_end(struct warp_taint *t)
{
    for (int l = 0; l < WARP_LANES; l++)
        LIST_FREE(&t->passed->of[l]);
    free(t->passed);
}

bool passed_any(const struct warp_taint *t)
{
    int count = 0;
    for (int l = 0; t->passed && l < WARP_LANES; l++)
        count |= t->passed->of[l].count;
    return count > 0;
}

/** The first of a lane's bytes that is not below an address. */
static int first_from(const struct passed *p, int lane, uint64_t at)
{
    int low = 0, high = p->of[lane].count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (p->of[lane].data[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/** What is undefined of a lane's `bytes` bytes from `at` on is, from now on, `now`: so many, in order. */
static void put(struct warp_taint *t, int lane, uint32_t at, uint32_t bytes, const struct passed_byte *now, int count)
{
    if (!t->passed && count)
        t->passed = calloc(1, sizeof *t->passed);
    assert(t->passed || !count);
    if (!t->passed)
        return;
    int first = first_from(t->passed, lane, at), end = first_from(t->passed, lane, (uint64_t)at + bytes);
    int behind = t->passed->of[lane].count - end;
    for (int i = end - first; i < count; i++)
        (void)LIST_PUSH(&t->passed->of[lane]);
    struct passed_byte *all = t->passed->of[lane].data;
    if (behind)
        memmove(all + first + count, all + end, (size_t)behind * sizeof *all);
    if (count)
        memcpy(all + first, now, (size_t)count * sizeof *all);
    t->passed->of[lane].count = first + count + behind;
}

/* ---- Registers ---- */

/** A lane's undefined bytes of a register, up to 8, as what stands from `at` on. @return how many */
static int bytes_of(const struct taint *from, int lane, uint32_t at, unsigned bytes, struct passed_byte to[8])
{
    int count = 0;
    uint64_t bits = from && from->lanes >> lane & 1 && bytes <= 8 ? taint_bits(from, lane) : 0;
    for (unsigned b = 0; b < bytes && b < 8; b++)
        if (bits >> 8 * b & 0xff)
            to[count++] = (struct passed_byte){
                .at = at + b, .site = from->site, .bits = (uint8_t)(bits >> 8 * b), .origin = from->origin[lane],
                .derived = from->derived >> lane & 1, .beside = from->beside >> lane & 1, .shuffled = from->shuffled};
    return count;
}

/** Is any of a lane's bytes undefined? */
static bool any_passed(const struct warp_taint *t, int lane, uint32_t at, unsigned bytes)
{
    if (!t->passed)
        return false;
    int i = first_from(t->passed, lane, at);
    return i < t->passed->of[lane].count && t->passed->of[lane].data[i].at < at + bytes;
}

/** A register, of which nothing undefined is known, takes up to 8 of a lane's bytes. */
static void take(const struct warp_taint *t, struct taint *to, int lane, uint32_t at, unsigned bytes)
{
    uint64_t bits = 0;
    int end = t->passed->of[lane].count;
    for (int i = first_from(t->passed, lane, at); i < end && t->passed->of[lane].data[i].at < at + bytes; i++) {
        const struct passed_byte *b = &t->passed->of[lane].data[i];
        bits |= (uint64_t)b->bits << 8 * (b->at - at);
        to->derived |= (uint32_t)b->derived << lane;
        to->beside |= (uint32_t)b->beside << lane;
        to->site = b->site;
        to->shuffled = b->shuffled;
        to->origin[lane] = b->origin;
    }
    to->lanes |= 1u << lane;
    taint_set_bits(to, lane, bits);
}

void passed_store(const struct uninit *u, const struct warp *w, const struct mem_access *a)
{
    struct warp_taint *t = taint_of(u, w);
    const struct mem_desc *mem = &a->insn->mem;
    for (int e = 0; t->any && e < mem->count; e++) {
        const struct taint *from = reg_taint(w, t, element_stored(a->insn, (unsigned)e));
        for (uint32_t m = a->mask; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            uint32_t at = (uint32_t)a->address[l] + (uint32_t)e * mem->bytes;
            struct passed_byte now[8];
            put(t, l, at, mem->bytes, now, bytes_of(from, l, at, mem->bytes, now));
        }
    }
}

void passed_load(const struct uninit *u, const struct warp *w, const struct mem_access *a)
{
    struct warp_taint *t = taint_of(u, w);
    const struct mem_desc *mem = &a->insn->mem;
    for (int e = 0; t->passed && mem->bytes <= 8 && e < mem->count; e++) {
        uint32_t reg = element_target(a->insn, (unsigned)e);
        for (uint32_t m = reg == REG_NONE ? 0 : a->mask; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            uint32_t at = (uint32_t)a->address[l] + (uint32_t)e * mem->bytes;
            if (any_passed(t, l, at, mem->bytes))
                take(t, reg_taint_open(w, t, reg), l, at, mem->bytes);
        }
    }
}

/* ---- Calls and returns ---- */

/** Bytes of a register that an argument or a result of so many has; one that is larger has several of 8. */
static uint32_t register_bytes(const struct call_slot *s)
{
    return s->bytes <= 2 ? 2 : s->bytes <= 4 ? 4 : 8;
}

/** The taint of the caller's register that holds byte `done` of a slot; NULL for constants. */
static struct taint *register_at(const struct warp_taint *t, const struct lane_passed *p, uint32_t done)
{
    uint32_t reg = p->slot->offset & CONST_BIT ? REG_NONE : p->slot->offset + done * WARP_LANES;
    return frame_taint(t, p->caller_frame, reg);
}

/** An argument in registers. */
static void from_registers(struct warp_taint *t, const struct lane_passed *p)
{
    uint32_t width = register_bytes(p->slot);
    for (uint32_t done = 0; done < p->bytes; done += width) {
        uint32_t part = p->bytes - done < width ? p->bytes - done : width;
        struct passed_byte now[8];
        put(t, p->lane, p->at + done, part, now, bytes_of(register_at(t, p, done), p->lane, p->at + done, part, now));
    }
}

/** A result for registers. */
static void to_registers(const struct warp *w, struct warp_taint *t, const struct lane_passed *p)
{
    uint32_t width = register_bytes(p->slot);
    uninit_open(w, t);
    for (uint32_t done = 0; done < p->bytes; done += width) {
        uint32_t part = p->bytes - done < width ? p->bytes - done : width;
        struct taint *to = register_at(t, p, done);
        taint_clear(to, 1u << p->lane);
        if (to && p->how == PASSED_BACK && any_passed(t, p->lane, p->at + done, part))
            take(t, to, p->lane, p->at + done, part);
    }
}

/** From a place in the lane's local memory to another. */
static void move(struct warp_taint *t, const struct lane_passed *p, uint32_t from, uint32_t to)
{
    if (!t->passed)
        return;
    int first = first_from(t->passed, p->lane, from), count = first_from(t->passed, p->lane, (uint64_t)from + p->bytes) - first;
    struct passed_byte *copy = count ? malloc((size_t)count * sizeof *copy) : NULL;
    assert(copy || !count);
    for (int i = 0; i < count; i++) {
        copy[i] = t->passed->of[p->lane].data[first + i];
        copy[i].at += to - from;
    }
    put(t, p->lane, to, p->bytes, copy, count);
    free(copy);
}

/** A lane's variables from an address on are no more: what comes to stand there begins with nothing. */
static void forget_variables(struct warp_taint *t, const struct lane_passed *p)
{
    if (t->local[p->lane] && p->gone_from < t->local_bytes)
        bits_put(t->local[p->lane], p->gone_from, t->local_bytes - p->gone_from, false);
}

void uninit_passed(void *self, const struct warp *w, const struct lane_passed *p)
{
    struct warp_taint *t = taint_of(self, w);
    bool in_register = p->bytes && p->slot->is_register;
    if (t && p->how == PASSED_BACK)
        forget_variables(t, p);
    if (!t || !t->any)
        return;
    if (in_register && p->how == PASSED_IN)
        from_registers(t, p);
    else if (in_register)
        to_registers(w, t, p);
    else if (p->how == PASSED_IN)
        move(t, p, p->slot_at, p->at);
    else if (p->how == PASSED_BACK)
        move(t, p, p->at, p->slot_at);
    else
        put(t, p->lane, p->slot_at, p->bytes, NULL, 0);
    if (p->how == PASSED_BACK)
        put(t, p->lane, p->gone_from, UINT32_MAX - p->gone_from, NULL, 0);
}
