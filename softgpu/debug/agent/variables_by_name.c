/**
 * @file variables_by_name.c
 * Variables by their names, where the kernel was compiled with -G: where each lies at an instruction, and its type.
 *
 * nvcc names registers in DWARF by their PTX names, packed into the number of DW_OP_regx, the first character highest.
 */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/frame.h"
#include "debug/agent/debug_sections.h"
#include "debug/agent/value.h"

/** Types within types, and scopes within scopes. */
#define MAX_DEPTH 32

/* ---- Types ---- */

static const struct type *type_of(Dwarf_Die *die, int depth);

static const struct type *type_behind(Dwarf_Die *die, int depth)
{
    Dwarf_Attribute attribute;
    Dwarf_Die of;
    if (!dwarf_attr_integrate(die, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, &of))
        return NULL;
    return type_of(&of, depth + 1);
}

static struct type *keep(struct type t)
{
    struct type *kept = malloc(sizeof *kept); /* for good, with the DWARF that its names lie in */
    if (!kept)
        abort();
    *kept = t;
    return kept;
}

/** The names of an enumeration's values: they stand as its members, at their values. */
static void name_values(Dwarf_Die *die, struct type *t)
{
    LIST(struct member) members = {0};
    Dwarf_Attribute attribute;
    Dwarf_Die child;
    Dwarf_Sword n;
    for (int more = dwarf_child(die, &child); more == 0; more = dwarf_siblingof(&child, &child))
        if (dwarf_tag(&child) == DW_TAG_enumerator && dwarf_diename(&child) && dwarf_attr(&child, DW_AT_const_value, &attribute) &&
            dwarf_formsdata(&attribute, &n) == 0)
            *LIST_PUSH(&members) = (struct member){dwarf_diename(&child), NULL, (uint64_t)n};
    t->members = members.data;
    t->member_count = members.count;
}

static const struct type *number_type(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Word encoding = DW_ATE_signed;
    int bytes = dwarf_bytesize(die);
    if (dwarf_attr(die, DW_AT_encoding, &attribute))
        dwarf_formudata(&attribute, &encoding);
    enum type_kind kind = encoding == DW_ATE_float                                           ? TYPE_FLOAT
                          : encoding == DW_ATE_boolean                                       ? TYPE_BOOL
                          : encoding == DW_ATE_unsigned || encoding == DW_ATE_unsigned_char ? TYPE_UNSIGNED
                                                                                             : TYPE_SIGNED;
    if (bytes < 1 || bytes > 8)
        return NULL;
    struct type *t = keep((struct type){.kind = kind, .bytes = (uint64_t)bytes, .name = dwarf_diename(die)});
    if (dwarf_tag(die) == DW_TAG_enumeration_type)
        name_values(die, t);
    return t;
}

/** Arrays of arrays have a subrange each. */
static const struct type *array_type(const struct type *of, Dwarf_Die *range)
{
    Dwarf_Attribute attribute;
    Dwarf_Word n = 0;
    Dwarf_Die next;
    if (dwarf_siblingof(range, &next) == 0)
        of = array_type(of, &next);
    if (!of)
        return NULL;
    if (dwarf_attr(range, DW_AT_upper_bound, &attribute) && dwarf_formudata(&attribute, &n) == 0)
        n++;
    else if (dwarf_attr(range, DW_AT_count, &attribute))
        dwarf_formudata(&attribute, &n);
    return keep((struct type){.kind = TYPE_ARRAY, .bytes = n * of->bytes, .of = of, .count = n});
}

static const struct type *struct_type(Dwarf_Die *die, int depth)
{
    struct type t = {.kind = TYPE_STRUCT, .bytes = (uint64_t)(dwarf_bytesize(die) < 0 ? 0 : dwarf_bytesize(die)),
                     .name = dwarf_diename(die)};
    LIST(struct member) members = {0};
    Dwarf_Die child;
    for (int more = dwarf_child(die, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        Dwarf_Attribute attribute;
        Dwarf_Word offset = 0;
        Dwarf_Op *op;
        size_t n;
        const struct type *of = dwarf_tag(&child) == DW_TAG_member ? type_behind(&child, depth) : NULL;
        if (!of || !dwarf_diename(&child))
            continue;
        if (dwarf_attr(&child, DW_AT_data_member_location, &attribute) && dwarf_formudata(&attribute, &offset) != 0 &&
            dwarf_getlocation(&attribute, &op, &n) == 0 && n == 1)
            offset = op->number; /* DW_OP_plus_uconst */
        *LIST_PUSH(&members) = (struct member){dwarf_diename(&child), of, offset};
    }
    t.members = members.data;
    t.member_count = members.count;
    return keep(t);
}

static const struct type *make_type(Dwarf_Die *die, int depth)
{
    Dwarf_Die child;
    const struct type *of;
    switch (dwarf_tag(die)) {
    case DW_TAG_base_type:
    case DW_TAG_enumeration_type:
        return number_type(die);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
        of = depth < MAX_DEPTH / 4 ? type_behind(die, depth) : NULL; /* a list's elements point to each other */
        return type_pointer_to(of ? of : type_named("unsigned char"));
    case DW_TAG_array_type:
        of = type_behind(die, depth);
        return of && dwarf_child(die, &child) == 0 ? array_type(of, &child) : NULL;
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
        return struct_type(die, depth);
    default: /* typedef, const, volatile */
        return type_behind(die, depth);
    }
}

static const struct type *type_of(Dwarf_Die *die, int depth)
{
    static LIST(struct seen { void *die; int depth; const struct type *type; }) seen;
    for (int i = 0; i < seen.count; i++)
        if (seen.data[i].die == die->addr && seen.data[i].depth <= depth)
            return seen.data[i].type;
    const struct type *t = depth < MAX_DEPTH ? make_type(die, depth) : NULL;
    *LIST_PUSH(&seen) = (struct seen){die->addr, depth, t};
    return t;
}

/* ---- Places ---- */

/** "%r1" out of 0x257231. */
static void register_name(uint64_t packed, char out[9])
{
    int n = 0;
    for (int shift = 56; shift >= 0; shift -= 8)
        if (packed >> shift & 0xff)
            out[n++] = (char)(packed >> shift & 0xff);
    out[n] = '\0';
}

static bool in_register(struct viewer *v, uint64_t packed, const struct type *t, struct value *out)
{
    char name[9];
    register_name(packed, name);
    if (!register_find(v, name, out))
        return false;
    uint64_t bits = out->bits;
    if (t->bytes < 8 && t->kind == TYPE_SIGNED) {
        unsigned shift = 64 - 8 * (unsigned)t->bytes;
        bits = (uint64_t)((int64_t)(bits << shift) >> shift);
    } else if (t->bytes < 8) {
        bits &= (1ull << 8 * t->bytes) - 1;
    }
    *out = (struct value){.type = t, .bits = bits};
    return t->kind != TYPE_STRUCT && t->kind != TYPE_ARRAY;
}

/** A function's local memory lies where its frame says. */
static uint64_t own_address(const struct viewer *v, uint64_t address)
{
    const struct frame_header *h = (const struct frame_header *)(v->at.warp->file + v->at.frame);
    uint64_t within = address;
    return generic_resolve(&within) == SPACE_LOCAL ? address + h->local_base[v->at.lane] : address;
}

/** Where the variable is at `pc`. @return false: nowhere */
static bool locate(struct viewer *v, Dwarf_Die *die, uint64_t pc, struct value *out)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *op;
    size_t n;
    const struct type *t = type_behind(die, 0);
    if (!t || !dwarf_attr_integrate(die, DW_AT_location, &attribute) || dwarf_getlocation_addr(&attribute, pc, &op, &n, 1) != 1 ||
        n < 1)
        return false;
    if (op[0].atom == DW_OP_regx)
        return in_register(v, op[0].number, t, out);
    if (op[0].atom != DW_OP_addr)
        return false;
    uint64_t address = op[0].number;
    for (size_t i = 1; i < n; i++)
        if (op[i].atom == DW_OP_plus_uconst)
            address += op[i].number;
    *out = (struct value){.type = t, .placed = true, .address = own_address(v, address)};
    return true;
}

/* ---- Scopes ---- */

struct walk {
    struct viewer *v;
    uint64_t pc;
    const char *wanted;                /**< NULL: all */
    struct value *found;
    bool there;
    void (*each)(void *self, const char *name, const struct value *x, bool there, bool parameter);
    void *self;
};

/** The variables of one scope. @return true: the wanted one is among them */
static bool look_in(struct walk *w, Dwarf_Die *scope)
{
    Dwarf_Die child;
    for (int more = dwarf_child(scope, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        struct value x = {.type = type_named("int")};
        int tag = dwarf_tag(&child);
        const char *name = dwarf_diename(&child);
        if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) || !name || (w->wanted && strcmp(name, w->wanted)))
            continue;
        bool there = locate(w->v, &child, w->pc, &x);
        if (!w->wanted) {
            w->each(w->self, name, &x, there, tag == DW_TAG_formal_parameter);
            continue;
        }
        *w->found = x;
        w->there = there;
        return true;
    }
    return false;
}

/** All scopes around the place, the innermost first; for a list not the whole program's. */
static bool walk(struct walk *w)
{
    const struct image *im = w->v->standing ? w->v->at.warp->block->grid->config.kernel->image : NULL;
    Dwarf *dwarf = im ? debug_sections(im) : NULL;
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, *scopes;
    if (!dwarf)
        return false;
    w->pc = debug_address(im, w->v->at.at);
    while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        int n = dwarf_getscopes(&die, w->pc, &scopes);
        bool found = false;
        for (int i = 0; i < n && !found; i++)
            if (w->wanted || dwarf_tag(&scopes[i]) != DW_TAG_compile_unit)
                found = look_in(w, &scopes[i]);
        if (n > 0)
            free(scopes);
        if (found)
            return true;
    }
    return false;
}

bool variable_find(struct viewer *v, const char *name, struct value *out)
{
    struct walk w = {.v = v, .wanted = name, .found = out};
    if (!walk(&w) || w.there)
        return w.there;
    snprintf(v->error, sizeof v->error, "\"%.60s\" is not kept here: the compiler has dropped it, or it begins or ends elsewhere", name);
    return false;
}

void variable_each(struct viewer *v,
                   void (*each)(void *self, const char *name, const struct value *x, bool there, bool parameter), void *self)
{
    struct walk w = {.v = v, .each = each, .self = self};
    walk(&w);
}
