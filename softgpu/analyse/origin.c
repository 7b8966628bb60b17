/**
 * @file origin.c
 * See origin.h.
 */
#include "analyse/origin.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/carried.h"
#include "analyse/flow.h"
#include "analyse/uses.h"
#include "code/operands.h"

#define SHARED_ADDRESS_BYTES 4   /* of addresses of the shared space */
#define MAX_LINKS 16

/** The last of these writers, which stand in the order of the text, that writes the register from `first` on and before `in`; NULL: none does. Many are the
 *  writers of a slot where many registers live there. */
static const struct insn *last_writer(const struct function *f, struct insn_list writers, const struct insn *first, const struct insn *in, uint32_t reg)
{
    int behind = writers.count, before = 0; /* so many of them stand before `in` */
    while (before < behind) {
        int half = before + (behind - before) / 2;
        if (f->entry + writers.at[half] < in)
            before = half + 1;
        else
            behind = half;
    }
    while (before-- > 0 && f->entry + writers.at[before] >= first)
        if (insn_writes(f->entry + writers.at[before], reg))
            return f->entry + writers.at[before];
    return NULL;
}

const struct insn *register_writer(const struct function *f, const struct insn *at, uint32_t reg)
{
    const struct blocks *b = &flow_of(f)->blocks;
    const struct insn_list writers = register_writers(f, reg);
    int count = 0, block = b->of[at - f->entry];
    const struct insn *found = last_writer(f, writers, f->entry + b->first[block], at, reg);
    if (found)
        return insn_is_guarded(found) ? NULL : found;
    bool *entered = calloc((size_t)b->count, sizeof *entered), one = true;
    int *before = calloc((size_t)b->count + 1, sizeof *before);
    if (!entered || !before)
        abort();
    for (const struct insn *in = at; one;) {
        const struct insn *writer = last_writer(f, writers, f->entry + b->first[block], in, reg);
        if (writer)
            one = !insn_is_guarded(writer) && (!found || found == writer);
        else
            one = block > 0;
        found = writer ? writer : found;
        for (int e = b->before_from[block]; !writer && e < b->before_from[block + 1]; e++)
            if (!entered[b->before[e]]) {
                entered[b->before[e]] = true;
                before[count++] = b->before[e];
            }
        if (!count)
            break;
        block = before[--count];
        in = f->entry + b->first[block + 1];
    }
    free(entered);
    free(before);
    return one ? found : NULL;
}

/** What a sum of this size adds a constant to; REG_NONE: it is no such sum. *side: the constant's. */
static uint32_t added_to(const struct insn *in, enum op_row sum, int *side)
{
    *side = in->src[1] & CONST_BIT ? 1 : 0;
    return insn_row(in) == sum && in->src[*side] & CONST_BIT && !(in->src[!*side] & CONST_BIT) ? in->src[!*side] : REG_NONE;
}

/** Is it a sum with a constant? *from: what it is added to. */
static bool adds_constant(const struct function *f, const struct insn *in, uint32_t *from, int64_t *constant)
{
    int side;
    uint32_t reg = added_to(in, ROW_add_64, &side);
    if (reg == REG_NONE)
        return false;
    *from = reg;
    memcpy(constant, f->image->constants + (in->src[side] & ~CONST_BIT), sizeof *constant);
    return true;
}

uint32_t insn_adds_to(const struct insn *in)
{
    int side;
    uint32_t copied = insn_copies(in), narrow = added_to(in, ROW_add_32, &side);
    if (copied != REG_NONE || insn_is_guarded(in))
        return copied;
    return narrow != REG_NONE ? narrow : added_to(in, ROW_add_64, &side);
}

/** Where a value comes from: an instruction and the register that it makes the value in. */
struct source {
    const struct insn *made;
    uint32_t reg;
};

/** Is it a move of a number that the text says? */
static bool moves_constant(const struct insn *in)
{
    return (insn_row(in) == ROW_mov_32 || insn_row(in) == ROW_mov_64) && in->src[0] & CONST_BIT;
}

/** Of what `reg` holds before `at`: copies are followed. @return false where several instructions may have made it */
static bool source_of(const struct function *f, const struct insn *at, uint32_t reg, struct source *out)
{
    for (int links = 0; links < MAX_LINKS && !(reg & CONST_BIT); links++) {
        at = register_writer(f, at, reg);
        if (!at)
            return false;
        if (insn_copies(at) == REG_NONE) {
            *out = (struct source){at, reg};
            return true;
        }
        reg = insn_copies(at);
    }
    return false;
}

/** The sources of what a sum adds, neither of which is made between it and `until`. */
static bool sources_of_sum(const struct function *f, const struct insn *sum, const struct insn *until, struct source out[2])
{
    for (int i = 0; i < 2; i++)
        if (!source_of(f, sum, sum->src[i], &out[i]) || (out[i].made >= sum && out[i].made < until))
            return false;
    return true;
}

static bool are_one(struct source a, struct source b)
{
    return a.made == b.made && a.reg == b.reg;
}

const struct insn *first_such_sum(const struct function *f, const struct insn *sum)
{
    const struct blocks *b = &flow_of(f)->blocks;
    struct source mine[2], theirs[2];
    if (insn_row(sum) != ROW_add_64 || insn_is_guarded(sum) || !sources_of_sum(f, sum, sum, mine))
        return sum;
    for (const struct insn *in = f->entry + b->first[b->of[sum - f->entry]]; in < sum; in++)
        if (insn_row(in) == ROW_add_64 && !insn_is_guarded(in) && sources_of_sum(f, in, sum, theirs) &&
            ((are_one(mine[0], theirs[0]) && are_one(mine[1], theirs[1])) || (are_one(mine[0], theirs[1]) && are_one(mine[1], theirs[0]))))
            return in;
    return sum;
}

bool origin_number(const struct function *f, const struct insn *at, uint32_t reg, size_t bytes, uint64_t *number)
{
    struct source s;
    *number = 0;
    if (reg == REG_NONE)
        return false;
    if (!(reg & CONST_BIT)) {
        if (!source_of(f, at, reg, &s) || !moves_constant(s.made))
            return false;
        reg = s.made->src[0];
    }
    memcpy(number, f->image->constants + (reg & ~CONST_BIT), bytes);
    return true;
}

/** The generic address of a variable in shared memory, made anew for each access: the first that is made of the same one; NULL: it is none. */
static const struct insn *first_such_window(const struct function *f, const struct insn *made)
{
    uint64_t mine, theirs;
    if (insn_row(made) != ROW_cvta_shared || !origin_number(f, made, made->src[0], SHARED_ADDRESS_BYTES, &mine))
        return NULL;
    for (const struct insn *in = f->entry; in < made; in++)
        if (insn_row(in) == ROW_cvta_shared && origin_number(f, in, in->src[0], SHARED_ADDRESS_BYTES, &theirs) && theirs == mine)
            return in;
    return made;
}

/** Of what the register holds when the thread comes to `at`. */
static bool origin_from(const struct function *f, const struct insn *at, uint32_t reg, size_t bytes, struct origin *out)
{
    for (int links = 0; links < MAX_LINKS && !(reg & CONST_BIT); links++) {
        int64_t constant = 0;
        at = register_writer(f, at, reg);
        if (!at)
            return false;
        if (insn_copies(at) != REG_NONE) {
            reg = insn_copies(at);
        } else if (moves_constant(at)) {
            memcpy(&constant, f->image->constants + (at->src[0] & ~CONST_BIT), bytes);
            out->offset = (int64_t)((uint64_t)out->offset + (uint64_t)constant);
            return true;
        } else if (adds_constant(f, at, &reg, &constant)) {
            out->offset = (int64_t)((uint64_t)out->offset + (uint64_t)constant);
        } else {
            const struct insn *window = first_such_window(f, at);
            out->made = window ? window : first_such_sum(f, at);
            out->reg = out->made == at ? reg : out->made->dst;
            return true;
        }
    }
    return false;
}

bool origin_of(const struct function *f, const struct insn *access, struct origin *out)
{
    *out = (struct origin){NULL, REG_NONE, access->offset};
    return !access->mem.address_bytes || origin_from(f, access, access->src[0], access->mem.address_bytes, out);
}

bool origins_agree(const struct function *f, const struct insn *access, const struct insn *other)
{
    struct origin a, b;
    return access->mem.bytes == other->mem.bytes && origin_of(f, access, &a) && origin_of(f, other, &b) && a.made == b.made &&
           a.offset == b.offset &&
           (a.made ? access->mem.address_bytes == other->mem.address_bytes : access->mem.space == other->mem.space);
}

void pieces_note(struct pieces *p, const struct insn *in)
{
    struct piece *last = p->count && p->count <= MOST_PIECES ? &p->piece[p->count - 1] : NULL;
    if (last && last->to == in)
        last->to = in + 1;
    else if (p->count++ < MOST_PIECES)
        p->piece[p->count - 1] = (struct piece){in, in + 1};
}

/** The last of them before the first `*count` pieces' end, or in the last one before `before`, that writes the register. NULL: none does */
static const struct insn *last_on_way(const struct pieces *way, int *count, const struct insn *before, uint32_t reg)
{
    for (; *count > 0; before = --*count ? way->piece[*count - 1].to : NULL)
        for (const struct insn *in = before; in > way->piece[*count - 1].from; in--)
            if (insn_writes(in - 1, reg))
                return in - 1;
    return NULL;
}

bool origins_agree_on_way(const struct function *f, const struct insn *access, const struct pieces *way, const struct insn *other)
{
    struct origin a, b = {NULL, REG_NONE, other->offset};
    uint32_t reg = other->src[0];
    int count = way->count;
    const struct insn *at = count && count <= MOST_PIECES ? way->piece[count - 1].to : NULL;
    if (!at || access->mem.bytes != other->mem.bytes || access->mem.address_bytes != other->mem.address_bytes || !other->mem.address_bytes || reg & CONST_BIT)
        return false;
    while ((at = last_on_way(way, &count, at, reg))) {
        int64_t constant = 0;
        uint32_t copied = insn_copies(at);
        if (copied == REG_NONE && (insn_is_guarded(at) || !adds_constant(f, at, &copied, &constant)))
            return false;
        if (copied & CONST_BIT)
            return false;
        reg = copied;
        b.offset = (int64_t)((uint64_t)b.offset + (uint64_t)constant);
    }
    return !insn_writes(access, reg) && origin_of(f, access, &a) && origin_from(f, access, reg, other->mem.address_bytes, &b) && a.made == b.made && a.made && a.offset == b.offset;
}

/** source_of(), past sums with constants, too; *sum: of those. */
static bool source_of_sums(const struct function *f, const struct insn *at, uint32_t reg, struct source *out, uint64_t *sum)
{
    *sum = 0;
    for (int links = 0, side; links < MAX_LINKS && source_of(f, at, reg, out); links++) {
        bool narrow = added_to(out->made, ROW_add_32, &side) != REG_NONE;
        uint64_t constant = 0;
        if (!narrow && added_to(out->made, ROW_add_64, &side) == REG_NONE)
            return true;
        at = out->made;
        reg = at->src[!side];
        memcpy(&constant, f->image->constants + (at->src[side] & ~CONST_BIT), narrow ? 4 : 8);
        *sum += constant;
    }
    return false;
}

/** Does the thread itself write there, as far as its addresses say? */
static bool is_written_here(const struct function *f, const struct insn *load)
{
    for (const struct insn *in = f->entry; in < f->end; in++) {
        enum insn_class c = insn_class(in);
        if ((c == INSN_STORE || c == INSN_ATOMIC) && insn_is_memory(in) && origins_agree(f, load, in))
            return true;
    }
    return false;
}

/** Are both plain loads of one location that the thread does not write? Behind an atomic nvcc loads anew what it has: without a race it is the same. */
static bool are_loaded_alike(const struct function *f, struct source a, struct source b)
{
    const struct insn *loads[] = {a.made, b.made};
    for (int i = 0; i < 2; i++)
        if (insn_class(loads[i]) != INSN_LOAD || loads[i]->mem.count != 1 || order_is_strong(&loads[i]->mem) || loads[i]->mem.space == SPACE_LOCAL)
            return false;
    return a.made->mem.space == b.made->mem.space && origins_agree(f, a.made, b.made) && !is_written_here(f, a.made);
}

bool origins_differ_by(const struct function *f, const struct insn *at, uint32_t reg, const struct insn *other_at, uint32_t other_reg, uint64_t *number)
{
    struct source a, b;
    uint64_t more, less;
    if (reg == REG_NONE || other_reg == REG_NONE || !source_of_sums(f, at, reg, &a, &more) || !source_of_sums(f, other_at, other_reg, &b, &less))
        return false;
    *number = more - less;
    return are_one(a, b) || are_loaded_alike(f, a, b);
}
