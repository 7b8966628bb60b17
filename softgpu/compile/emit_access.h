/**
 * @file emit_access.h
 * Private to compile/: a load or a store on its way into the text. What is usual is written out: one address for all lanes, lanes
 * one after another, lanes anywhere in one allocation. All else (another allocation that is not found at once, an
 * address outside, a misaligned one) is the interpreter's handler's, which explains faults.
 *
 * Labels of access ID: oID the lanes lie one after another, sID they do not, gID the place %hID is found, xID the handler does it,
 * dID it is done.
 */
#ifndef SOFTGPU_COMPILE_EMIT_ACCESS_H
#define SOFTGPU_COMPILE_EMIT_ACCESS_H

#include "compile/emit.h"
#include "compile/form.h"

#define CACHE_LINE_BYTES 64 /* of the processor's */

/** An address: `base`, most likely the same in all lanes, and an index times a power of two. */
struct indexed {
    struct value base;
    int base_web;              /**< whose that is; -1: a literal */
    struct value index;        /**< of 32 bits, one for each lane */
    struct form form;          /**< … */
    unsigned shift;
    bool is_signed;            /**< the index */
};

/** One access on its way. */
struct access {
    const struct insn *in;
    int id;                    /**< of its labels */
    unsigned bytes, bits;      /**< of one element */
    unsigned count;            /**< elements of each lane, side by side */
    bool load;
    struct value address;      /**< with the offset in it */
    unsigned address_bits;
    struct value shape;        /**< by what it is told how the lanes lie: the address register without the offset, the same for all accesses
                                    by it, so that LLVM asks once; or the index */
    unsigned shape_bits, step; /**< of that; what it grows by from one element to the next */
    struct form form;          /**< … and of what form it is */
    struct indexed *x;         /**< the shape is this one's index; NULL: the register */
    struct value begin, same;  /**< … and its base in lane 0, and whether that is all lanes' */
    struct value active;
    struct value stored;       /**< a store's value */
    long long offset;          /**< the instruction's, from there on: */
    struct value memory, room; /**< shared memory, and how many bytes it has: all of it, or what emit_quiet_shared.c takes of it */
    bool counted;              /**< global: traffic */
    bool gathered;             /**< access_gather() has come before */
    bool quiet;                /**< under the checks: from memory that is known to be quiet, else on to label xID */
};

/** Reads the operands of `in`. */
struct access access_of(struct emit *e, const struct insn *in);
/** Loads or stores at `%hID`, for all lanes or those that run. */
void access_vector(struct emit *e, struct access *a, bool all);
/** The same lane by lane, at the addresses `ptrs`. */
void access_lanes(struct emit *e, struct access *a, struct value ptrs);
/** Where all lanes run and each half of them touches elements one after another, or all the same one, that is done, up to label dID;
 *  behind it stands what else there is. `addresses`: from `base` on, Labels: qaID, qrID, qbID, qoID, qsID. */
void access_halves(struct emit *e, struct access *a, const char *addresses, unsigned bits, const char *base);
/** The address of lane 0 or 16, 64 bits, by its shape. (emit_shape.c) */
struct value access_first(struct emit *e, const struct access *a, int lane);
/** Both are true. */
struct value access_and(struct emit *e, struct value one, struct value other);
/** Of an index as the shape: do indices from `first` on for so many lanes not wrap, and is the base the same? (emit_shape.c) */
struct value access_goes_on(struct emit *e, const struct access *a, struct value first, int lanes);
/** Is something known of how the lanes lie from the text alone, where the warp is rows of its block? With AVX-512: that they are one row, if it is. */
static inline bool access_is_even(const struct emit *e, const struct access *a)
{
    return a->form.kind == FORM_EVEN && (!e->wide || (a->form.step == a->step && a->shape_bits == 64));
}
/** Where the warp is rows of its block, all lanes run, and each half of them touches, by the form, elements one after another (in two rows of the
 *  block), the same one, or some that far apart in shared memory, and that is within bounds, it is done, up to label dID; behind it, at qsID, stands
 *  what else there is. (emit_shape.c) @return whether the form says such a thing, else nothing is written */
bool access_known_tile(struct emit *e, struct access *a);
/** Without AVX-512, of accesses that are not checked yet: where all lanes run and each half of them touches elements one after another, or all
 *  the same one, and that is within bounds, it is done, up to label dID; behind it, at qsID, stands what else there is. (emit_shape.c) */
void access_tile(struct emit *e, struct access *a);
/** What the halves load or store at two places of the host: rows of 16 elements, or one for each. (emit_halves.c) */
void access_two_rows(struct emit *e, const struct access *a, const struct value at[2]);
void access_two_words(struct emit *e, const struct access *a, const struct value at[2]);
/** Fetches the line of a place of the host, to be read or to be written. (emit_fetch.c) */
void access_fetch(struct emit *e, const char *place, bool store);
/** A load at %hID of all lanes, in a loop: the row that a later turn will most likely read is fetched, as far on as this lies from the last turn's. (emit_fetch.c) */
void access_fetch_turns_ahead(struct emit *e, const struct access *a);
/** Two rows, in no loop: the same warp of the next block will most likely access what lies as far on as this lies from what it accessed last: that is fetched. (emit_fetch.c) */
void access_fetch_next_block(struct emit *e, const struct access *a, const struct value at[2]);
/** Branches to label `yes`ID where two neighbours lie as in a row or at the same place, else to qsID. */
void access_split_by_two(struct emit *e, const struct access *a, const char *addresses, unsigned bits, unsigned step);
/** Without AVX-512: each lane that runs loads or stores, %plID (vector of 32 bits) bytes from the host's place `host`, up to label dID; lanes
 *  that do not run have places there, too. (emit_lanes.c) */
void access_each(struct emit *e, struct access *a, const char *host);
/** The functions that do so for all lanes, as far as they are called: each_loadBITS(host, places), each_storeBITS(host, places, values). (emit_lanes.c) */
void access_functions(struct emit *e);
/** Calls the first: a word of each lane, `places` (vector of 32 bits) bytes from the host's place `host`. */
struct value access_load_all(struct emit *e, const struct access *a, const char *host, const char *places);
/** The addresses, of lanes that do not run `otherwise`. */
struct value access_safe(struct emit *e, const struct access *a, struct value addresses, unsigned bits, struct value otherwise);
/** Is the address of that form? (emit_gather.c) */
bool access_indexed(const struct emit *e, const struct insn *in, struct indexed *x);
/** The base of lane 0, and whether it is that of all lanes: its register may differ among them elsewhere. (emit_shape.c) */
struct value access_one_base(struct emit *e, struct value base, struct value *same);
/** Takes the index of such an address as the shape. (emit_shape.c) */
void access_by_index(struct emit *e, struct access *a, struct indexed *x);
/** Where all lanes run, neither one after another nor all at one word, and all lie in the allocation found last, that is done, up to label dID;
 *  behind it stands what else there is. Labels: ExiID, ExjID, ExgkID, ExglID, ExgmID, ExaID, ExzID. */
void access_gather(struct emit *e, struct access *a, const struct indexed *x);
/** Under the checks: a load of quiet memory, up to label dID; behind it, at xID, stands what else there is. And counts one that is such. (emit_quiet_global.c) */
void emit_quiet_global(struct emit *e, struct access *a);
void emit_quiet_count(struct emit *e, const struct access *a);
/** The ways of a load or a store of global memory, written out: each ends at label dID, what else there is at xID. (emit_global.c) */
void access_global(struct emit *e, struct access *a);
/** The number under which a worker keeps the allocation that a global access found last. (emit_global.c) */
unsigned access_recent(const struct emit *e, const struct insn *in);
/** … which is that: its base, its size, where it lies on the host. */
void access_recent_range(struct emit *e, const struct access *a, struct value *base, struct value *size, struct value *host);
/** Counts an access of so many sectors (64 bits), where such are counted. */
void access_count_traffic(struct emit *e, const struct access *a, const char *sectors);
/** How many sectors that touches (64 bits). */
struct value access_sectors(struct emit *e, const char *places);
/** The same where the places are counted in units of which a sector has 2^`bits`. */
struct value access_sectors_of(struct emit *e, const char *units, unsigned bits);
/** The same of the lanes that run, with AVX-512. */
struct value access_running_sectors(struct emit *e, const char *places, struct value active);
/** With AVX-512: %`low`ID, the lower halves of the 32 numbers %`of`ID; %`bits`ID: all their bits, of each eight by themselves. LLVM would take the halves out of each vector alone. */
void access_low_words(struct emit *e, int id, const char *of, const char *low, const char *bits);
/** Has none of eight numbers %`numbers`ID any of these bits? */
struct value access_have_none(struct emit *e, int id, const char *numbers, long long bits);
/** With AVX-512, of `places` (vector of 32 bits) of lanes of which some run: do two neighbours lie otherwise than at one place or `step` on, or are there no neighbours? */
struct value access_lie_apart(struct emit *e, const char *places, struct value active, unsigned step);
/** Counts a global access of all lanes, `places` bytes (vector of 32 bits) behind the beginning of some sector. (emit_global.c) */
void access_count_sectors(struct emit *e, const struct access *a, const char *places);
/** Lanes' numbers of 32 bits, one after another: taken from memory where they have been put down, for a processor takes but one a cycle out of
 *  its vectors. Volatile, or LLVM would take them from there all the same. */
void access_put_down(struct emit *e, const char *places);
struct value access_take_up(struct emit *e, int lane);
/** Those of an even lane and the next one, as 64 bits, by one number of 64 bits that LLVM must not look into, or it would take each by itself. Where that is
 *  sooner: without AVX-512. (emit_lanes.c) */
void access_take_two(struct emit *e, const char *places, int lane, struct value out[2]);
/** One address for all lanes; the highest lane's value stays. */
void access_one(struct emit *e, struct access *a);
/** The lanes' addresses (vector) are %fID + lane * bytes for those that run: to label oID, else to sID. */
void access_split_by_order(struct emit *e, const struct access *a);
/** Goes to label `yes`ID where all lanes run, else to `no`ID. */
void access_split_by_mask(struct emit *e, const struct access *a, const char *yes, const char *no);
/** What is usual of a load or store of shared memory is done, up to label dID; else it goes to xID. (emit_shared.c) */
void access_shared(struct emit *e, struct access *a);
/** A load of shared memory that may be quiet (execute/quiet_shared.h): where it is, it is done without telling anybody, and what follows is written behind it; else it goes
 *  to label xID. (emit_quiet_shared.c) @return false: it may not, and nothing is written */
bool emit_quiet_shared(struct emit *e, const struct access *a);
/** Label xID: the handler does it; ends at label dID. */
void access_otherwise(struct emit *e, const struct access *a);
/** Nobody accesses anything where the guard lets no lane. */
void access_skip_if_none(struct emit *e, const struct access *a);

#endif
