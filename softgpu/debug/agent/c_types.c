/**
 * @file c_types.c
 * C's types, and numbers out of memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/agent/value.h"

static const struct type numbers[] = {
    {.kind = TYPE_SIGNED, .bytes = 4, .name = "int"},        {.kind = TYPE_UNSIGNED, .bytes = 4, .name = "unsigned int"},
    {.kind = TYPE_UNSIGNED, .bytes = 4, .name = "unsigned"}, {.kind = TYPE_SIGNED, .bytes = 8, .name = "long"},
    {.kind = TYPE_UNSIGNED, .bytes = 8, .name = "unsigned long"},
    {.kind = TYPE_SIGNED, .bytes = 8, .name = "long long"},  {.kind = TYPE_UNSIGNED, .bytes = 8, .name = "unsigned long long"},
    {.kind = TYPE_UNSIGNED, .bytes = 8, .name = "size_t"},   {.kind = TYPE_SIGNED, .bytes = 2, .name = "short"},
    {.kind = TYPE_UNSIGNED, .bytes = 2, .name = "unsigned short"},
    {.kind = TYPE_SIGNED, .bytes = 1, .name = "char"},       {.kind = TYPE_UNSIGNED, .bytes = 1, .name = "unsigned char"},
    {.kind = TYPE_SIGNED, .bytes = 1, .name = "signed char"}, {.kind = TYPE_BOOL, .bytes = 1, .name = "bool"},
    {.kind = TYPE_FLOAT, .bytes = 4, .name = "float"},       {.kind = TYPE_FLOAT, .bytes = 8, .name = "double"},
    {.kind = TYPE_UNSIGNED, .bytes = 1, .name = "uint8_t"},  {.kind = TYPE_UNSIGNED, .bytes = 2, .name = "uint16_t"},
    {.kind = TYPE_UNSIGNED, .bytes = 4, .name = "uint32_t"}, {.kind = TYPE_UNSIGNED, .bytes = 8, .name = "uint64_t"},
    {.kind = TYPE_SIGNED, .bytes = 4, .name = "int32_t"},    {.kind = TYPE_SIGNED, .bytes = 8, .name = "int64_t"},
};

const struct type *type_named(const char *name)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!strcmp(numbers[i].name, name))
            return &numbers[i];
    return NULL;
}

/** Kept for good: there are few, and the process is a debugger's. */
const struct type *type_pointer_to(const struct type *of)
{
    static LIST(struct type *) made;
    for (int i = 0; i < made.count; i++)
        if (made.data[i]->of == of)
            return made.data[i];
    struct type *t = calloc(1, sizeof *t);
    if (!t)
        abort();
    *t = (struct type){.kind = TYPE_POINTER, .bytes = 8, .of = of};
    *LIST_PUSH(&made) = t;
    return t;
}

const struct type *type_array_of(const struct type *of, uint64_t count)
{
    static LIST(struct type *) made;
    for (int i = 0; i < made.count; i++)
        if (made.data[i]->of == of && made.data[i]->count == count)
            return made.data[i];
    struct type *t = calloc(1, sizeof *t);
    if (!t)
        abort();
    *t = (struct type){.kind = TYPE_ARRAY, .bytes = count * of->bytes, .of = of, .count = count};
    *LIST_PUSH(&made) = t;
    return t;
}

const struct type *type_of_ptx(enum ptx_type type)
{
    switch (type) {
    case PTX_F32:
        return type_named("float");
    case PTX_F64:
        return type_named("double");
    case PTX_PRED:
        return type_named("bool");
    case PTX_S8:
        return type_named("char");
    case PTX_S16:
        return type_named("short");
    case PTX_B8:
    case PTX_U8:
        return type_named("unsigned char");
    case PTX_B16:
    case PTX_U16:
    case PTX_F16:
    case PTX_BF16:
        return type_named("unsigned short");
    case PTX_S64:
        return type_named("long");
    case PTX_B64:
    case PTX_U64:
        return type_named("unsigned long");
    case PTX_U32:
        return type_named("unsigned int");
    default:
        return type_named("int");
    }
}

const uint8_t *viewer_bytes(const struct viewer *v, uint64_t address, uint64_t bytes)
{
    uint64_t at = address;
    enum ptx_space space = generic_resolve(&at);
    const struct warp *w = v->at.warp;
    if (space == SPACE_GLOBAL)
        return memory_translate(machine_memory(agent.machine), at, bytes);
    if (!v->standing)
        return NULL;
    if (space == SPACE_SHARED)
        return at + bytes <= w->block->shared_bytes ? w->block->shared + at : NULL;
    if (space == SPACE_PARAM)
        return at + bytes <= agent.grid->config.kernel->param_bytes ? agent.grid->params + at : NULL;
    return at + bytes <= w->local_stride ? w->local + (uint64_t)v->at.lane * w->local_stride + at : NULL;
}

bool value_load(struct viewer *v, struct value *x)
{
    const struct type *t = x->type;
    if (!x->placed)
        return true;
    uint64_t bits = 0;
    const uint8_t *from = t->bytes <= 8 ? viewer_bytes(v, x->address, t->bytes) : NULL;
    if (!from) {
        snprintf(v->error, sizeof v->error, "there is no memory of %llu bytes at 0x%llx", (unsigned long long)t->bytes,
                 (unsigned long long)x->address);
        return false;
    }
    memcpy(&bits, from, t->bytes);
    if (t->kind == TYPE_SIGNED && t->bytes < 8) {
        unsigned shift = 64 - 8 * (unsigned)t->bytes;
        bits = (uint64_t)((int64_t)(bits << shift) >> shift);
    }
    *x = (struct value){.type = t, .bits = bits, .address = x->address};
    return true;
}
