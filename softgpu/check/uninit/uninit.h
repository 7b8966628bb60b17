/**
 * @file uninit.h
 * Between the parts of the checker of uninitialised reads.
 *
 *   uninit.c  what memory holds nothing, and how that gets into registers and back
 *   whole_words.c  the same for words, many at a time
 *   taint.h  what is undefined in a warp's registers
 *   definedness.c  how it passes from register to register (bit_rules.h)
 *   computed.c  undefined results in shared memory
 *   uninit_findings.c  findings
 *   held.c  findings of a launch that others of its time may write to
 *   unset.c  registers that a thread has not written (unset.h)
 *   bits.c  fields of a few bits, of which some are undefined
 *   leaving.c  undefined values that reach the host
 *   passed.c  arguments and results of calls
 */
#ifndef SOFTGPU_CHECK_UNINIT_UNINIT_H
#define SOFTGPU_CHECK_UNINIT_UNINIT_H

#include <string.h>

#include "check/checkers.h"
#include "check/uninit/shared_bits.h"
#include "check/uninit/taint.h"
#include "execute/grid.h"
#include "execute/reserved.h"
#include "memory/memory.h"
#include "report/finding.h"

/** A finding that holds unless the read turns out to race with the write that it missed. */
struct pending {
    struct code_site load;
    uint32_t use;            /**< its site */
    struct finding finding;
};

/** Where a kernel has stored what it had loaded undefined: all that one pair of instructions did to one
 *  allocation. */
struct undefined_store {
    const struct allocation *allocation;
    uint64_t first, end;         /**< device addresses between which it did */
    struct code_site load;
    uint32_t store;              /**< its site */
    struct finding_access at;    /**< the load */
    int stored_line;
    const char *kernel;
    uint64_t block;
    int reader;
};

/** A table of the bytes of memory of which some bits hold something (bits.c). */
struct parts {
    struct part *at;
    uint64_t size, count;
};

struct uninit {
    struct machine *machine;
    uint64_t blocks;         /**< that have begun */
    struct parts parts;
    int slot;
    bool told_too_large;
    LIST(uint64_t) told;     /**< pairs of sites already reported */
    LIST(struct pending) pending;    /**< findings of the launch that runs */
    struct held *held;       /**< held.h; NULL: none yet */
    LIST(struct pending) deferred;   /**< of results in shared memory, which nobody may use (computed.c) */
    uint64_t running;        /**< blocks, whose shared memory and registers name them */
    LIST(struct undefined_store) origins;
    LIST(struct finding) unwritten;  /**< that a copy has taken along */
    struct { struct warp_taint *of; int count; } spare; /**< taints_end(); NULL: none */
};

/* ---- Bits ---- */

static inline bool bit_get(const uint8_t *bits, uint64_t i)
{
    return bits[i / 8] >> (i % 8) & 1;
}

static inline void bit_put(uint8_t *bits, uint64_t i, bool on)
{
    uint8_t bit = (uint8_t)(1u << i % 8);
    bits[i / 8] = (uint8_t)(on ? bits[i / 8] | bit : bits[i / 8] & ~bit);
}

/** Of `count` bytes from `from` on, does one hold something? */
static inline bool bits_any(const uint8_t *bits, uint64_t from, uint64_t count)
{
    if (from % 8 + count <= 8)
        return bits[from / 8] >> from % 8 & ((1u << count) - 1);
    for (; count && from % 8; from++, count--)
        if (bit_get(bits, from))
            return true;
    for (; count >= 8; from += 8, count -= 8)
        if (bits[from / 8])
            return true;
    for (; count; from++, count--)
        if (bit_get(bits, from))
            return true;
    return false;
}

/** Do all of them? */
static inline bool bits_all(const uint8_t *bits, uint64_t from, uint64_t count)
{
    if (from % 8 + count <= 8)
        return !(~((unsigned)bits[from / 8] >> from % 8) & ((1u << count) - 1));
    for (; count && from % 8; from++, count--)
        if (!bit_get(bits, from))
            return false;
    for (; count >= 64; from += 64, count -= 64) {
        uint64_t word;
        memcpy(&word, bits + from / 8, sizeof word);
        if (~word)
            return false;
    }
    for (; count >= 8; from += 8, count -= 8)
        if (bits[from / 8] != 0xff)
            return false;
    for (; count; from++, count--)
        if (!bit_get(bits, from))
            return false;
    return true;
}

static inline void bits_put(uint8_t *bits, uint64_t from, uint64_t count, bool on)
{
    for (; count && from % 8; from++, count--)
        bit_put(bits, from, on);
    memset(bits + from / 8, on ? 0xff : 0, count / 8);
    for (from += count / 8 * 8, count %= 8; count; from++, count--)
        bit_put(bits, from, on);
}

static inline void bits_set(uint8_t *bits, uint64_t from, uint64_t count)
{
    if (count == 4 && from % 4 == 0) {
        bits[from / 8] |= (uint8_t)(0x0fu << from % 8);
        return;
    }
    bits_put(bits, from, count, true);
}

/* ---- leaving.c ----
 *
 * allocation->initialised: a bit a byte that holds something; behind these, as many for bytes into which a
 * kernel has stored an undefined value; behind those, in one byte, how wide the widest store was. */

/** Makes them, all bytes as `defined` says. @return false where there is no memory */
bool cells_open(struct allocation *a, bool defined);
/** The cells of memory that always holds something, a variable's say, for undefined values that a kernel stores there, or that a copy takes
 *  there, all the same. Of what host and device share only as far as the host's accesses can be watched. @return false: it has none */
bool open_defined(struct allocation *a);
/** Lanes that store nothing but undefined bytes. What is undefined in part may be a structure's padding, and so may
 *  what comes from beside something defined. */
uint32_t leaving_lanes(const struct warp *w, const struct warp_taint *t, const struct mem_access *a);
/** A lane stores nothing but undefined bytes, which `t` came by. */
void leaving_note(struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, const struct taint *t);
/** What is taken along of some bytes. */
struct taken {
    uint64_t nothing;           /**< bytes that hold nothing */
    uint64_t stored;            /**< offset of the first of an undefined value that a kernel has stored */
    uint64_t unwritten;         /**< offset of the first piece that nobody has written */
    bool any_stored, any_unwritten;
};
/** Offsets [from, end) of an allocation, a piece at a time. */
struct taken look_through(const struct allocation *a, uint64_t from, uint64_t end);
/** A finding about them, of `bytes`. It waits until the program ends: where something is wrong, what nobody has written may follow from that. */
void keep_unwritten(struct uninit *u, const struct allocation *a, const struct taken *t, uint64_t bytes,
                    struct finding_access by);
/** The program has ended: warns of what copies took along. */
void leaving_end(struct uninit *u);
/** The allocation is no more. */
void leaving_forget(struct uninit *u, const struct allocation *a);
/** Hooks of the observer. */
void uninit_host_op(void *self, const struct host_op *op);
bool uninit_host_touch(void *self, const struct host_touch *t);
bool uninit_host_look(void *self, const struct host_touch *t);
bool uninit_written(void *self, struct allocation *a, uint64_t from, uint64_t bytes);

static inline struct warp_taint *taint_of(const struct uninit *u, const struct warp *w)
{
    return w->check[u->slot];
}

/* ---- bits.c ---- */

/** Of the undefined `bytes` that a lane accesses, `from` bytes behind its address: the bits that hold nothing. */
uint64_t bits_missing(const struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, unsigned from, uint8_t bytes);
/** The lane stores these undefined bytes, of which these bits hold nothing. */
void bits_store(struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, unsigned from, uint8_t bytes, uint64_t missing);
/* ---- definedness.c ---- */

/** Hooks of the observer. */
void uninit_issue(void *self, const struct warp *w, const struct insn *in);
void uninit_exchange(void *self, const struct warp *w, const struct warp_exchange *x);

/* ---- passed.c ---- */

/** Lanes store arguments or results of calls, or load them: accesses with `call_slot`. */
void passed_store(const struct uninit *u, const struct warp *w, const struct mem_access *a);
void passed_load(const struct uninit *u, const struct warp *w, const struct mem_access *a);
/** Hook of the observer. */
void uninit_passed(void *self, const struct warp *w, const struct lane_passed *p);
/** The warp, which has had some (t->passed), has ended. */
void passed_end(struct warp_taint *t);

/* ---- flight.c: registers between wgmma and its wait ---- */

void uninit_flight(struct uninit *u, const struct warp *w, struct warp_taint *t, const struct insn *in);

/* ---- computed.c ---- */

/** Does what a lane stores there only count when somebody uses it? Local memory keeps no account of where it came from. */
static inline bool is_result_in_shared(const struct mem_access *a, const struct taint *from, int lane)
{
    return a->space == SPACE_SHARED && (from->derived >> lane & 1);
}
/** The lane stores undefined bytes, `at` bytes behind its address, computed ones or others: kept where that is in shared memory. */
void computed_store(struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, unsigned at, unsigned bytes,
                    const struct taint *from);
/** An asynchronous copy takes an undefined byte along: in shared memory it stays what it was; what goes to global memory is used. */
void computed_copied(struct uninit *u, const struct warp *w, const struct copy_side *to, const struct copy_side *from, int lane, uint32_t byte);
/** The `site` of undefined bytes that a lane accesses, DEFERRED where they were computed, else the access's own. */
uint32_t computed_site(const struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, unsigned at, uint8_t missing);
/** Somebody uses such a value. */
void computed_told(struct uninit *u, uint32_t site);
/** A block has begun, or ended. */
void computed_block(struct uninit *u, const struct block *b, bool begins);

/* ---- uninit_findings.c ---- */

/** What is to be told of a value that came to `t` and a use of it. */
struct pending uninit_finding(const struct warp *w, int lane, const struct taint *t, const struct insn *use, const char *how);
/** Tells it at the launch's end, unless it has been told. */
void uninit_report(struct uninit *u, const struct pending *p);

/* ---- fragments.c: matrices in the registers of a warp ---- */

/** wgmma reads pieces of a matrix in shared memory. */
void uninit_matrix(struct uninit *u, const struct warp *w, const struct async_event *e);

void uninit_tensor(void *self, const struct warp *w, const struct insn *in);
void uninit_received(void *self, const struct warp *w, const struct mem_access *a, uint32_t reg, unsigned at);
void uninit_sent(void *self, const struct warp *w, const struct mem_access *a, uint32_t reg, unsigned at);

/* ---- uninit.c ---- */

/** Has everything been written that the lanes read? Elements lie one after another, aligned as a whole. */
bool all_is_defined(const struct uninit *u, const struct warp *w, const struct mem_access *a);
/** Which of up to 8 bytes that a lane accesses hold nothing, a bit each; `beside` something that is defined? */
uint8_t uninit_missing(const struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, bool *beside);
/** Of the bytes that a lane accesses, those in `missing` hold nothing (any more). */
void uninit_undefine(const struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, uint8_t missing);

/* ---- host_written.c ---- */

/** Is it memory that the host may write, unseen? */
bool host_may_write(const struct allocation *a);
/** … and that holds nothing yet? */
bool host_is_to_write(const struct allocation *a);
/** Of these bytes, those that the host has written count as written from now on. */
void host_written(struct allocation *a, uint64_t from, uint64_t bytes);
/** The same by their address; NULL: there is none. */
void host_written_at(struct allocation *a, uint64_t address, uint64_t bytes);
/** The same of what lanes read. @return may the host have written any of it? */
bool host_written_by_lanes(const struct mem_access *a);
/** The same of a word that an atomic has found there, and changed by now. */
bool host_wrote(const struct allocation *a, uint64_t found);

/* ---- whole_words.c: accesses of one word a lane, in shared or global memory ---- */

/** Has everything been written that the lanes read? In shared memory they may read 8 or 16 bytes each, too. */
bool words_are_defined(const struct uninit *u, const struct warp *w, const struct mem_access *a);
/** Lanes store. @return false where undefined values may be among them, or it is no such access: look closer; nothing has changed then */
bool words_store(const struct uninit *u, const struct warp *w, const struct mem_access *a);

/** Hooks of the observer. */
void uninit_plain_load(void *self, const struct warp *w, struct plain_access *p);
void uninit_plain_store(void *self, const struct warp *w, struct plain_access *p);
void uninit_plain_atomic(void *self, const struct warp *w, struct plain_access *p);
/** Does all of the allocation hold something? */
bool uninit_quiet_global(void *self, const struct grid *g, const struct allocation *a);
bool uninit_plain_idle(void *self, const struct warp *w, const struct plain_access *p);
uint32_t uninit_quiet_shared(void *self, const struct block *b);
/** A barrier object holds something from its initialisation on. */
void uninit_mbarrier(void *self, const struct warp *w, const struct mbarrier_event *e);

/* ---- uninit_findings.c ---- */

/** `use` needs what is not there in these lanes. `how`: "branch", "address", "store". */
void uninit_tell(struct uninit *u, const struct warp *w, const struct taint *t, uint32_t lanes,
                 const struct insn *use, const char *how);
void uninit_grid_end(void *self, const struct grid *g);

#endif
