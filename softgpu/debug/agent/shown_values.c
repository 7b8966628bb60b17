/**
 * @file shown_values.c
 * The debugger's questions about values: evaluates, and writes what comes out as C would.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/agent/value.h"
#include "debug/talk.h"

#define MAX_SHOWN 16      /* elements of an array in one line */
#define LEAST_REPEATS 10  /* of one value that are written once, as gdb does it */
#define MAX_READ 65536    /* elements that one line looks at */
#define MAX_CHILDREN 1024 /* that one answer lists */

static struct viewer view(struct thread_at t, int frame)
{
    struct viewer v = {.thread = t};
    v.standing = where_frame(t, frame, &v.at);
    return v;
}

static void add(char *out, size_t size, const char *text)
{
    size_t n = strlen(out);
    snprintf(out + n, size - n, "%s", text);
}

/** In binary, without zeros in front. */
static void write_bits(uint64_t bits, char *out, size_t size)
{
    int top = bits ? 63 - __builtin_clzll(bits) : 0;
    for (int i = top; i >= 0 && size > 1; i--, size--)
        *out++ = bits >> i & 1 ? '1' : '0';
    *out = '\0';
}

/** An enumeration's name for it; NULL: it has none. */
static const char *enumerator(const struct value *x)
{
    const struct type *t = x->type;
    for (int i = 0; (t->kind == TYPE_SIGNED || t->kind == TYPE_UNSIGNED) && i < t->member_count; i++)
        if ((uint32_t)t->members[i].offset == (uint32_t)x->bits)
            return t->members[i].name;
    return NULL;
}

/** One number, in a format of gdb's: x, d, u, f, c, t, o, s: with a character's own picture; 0: as its type has it. */
static void write_number(const struct value *x, char format, char *out, size_t size)
{
    const struct type *t = x->type;
    uint64_t bits = t->bytes >= 8 ? x->bits : x->bits & ((1ull << 8 * t->bytes) - 1);
    float f;
    double d;
    uint32_t low = (uint32_t)bits;
    memcpy(&f, &low, sizeof f);
    memcpy(&d, &x->bits, sizeof d);
    if (format == 'x' || (!format && t->kind == TYPE_POINTER))
        snprintf(out, size, "0x%llx", (unsigned long long)bits);
    else if (format == 'f' || (!format && t->kind == TYPE_FLOAT))
        snprintf(out, size, "%.*g", t->bytes == 8 ? 17 : 9, t->bytes == 8 ? d : (double)f);
    else if (format == 't')
        write_bits(bits, out, size);
    else if (format == 'o')
        snprintf(out, size, "0%llo", (unsigned long long)bits);
    else if ((!format || format == 's') && enumerator(x))
        snprintf(out, size, "%s", enumerator(x));
    else if (format == 's' && t->bytes == 1 && t->name && strstr(t->name, "char") && isprint((int)bits))
        snprintf(out, size, t->kind == TYPE_SIGNED ? "%d '%c'" : "%u '%c'", (unsigned)bits, (int)bits);
    else if (format == 's')
        write_number(x, 0, out, size);
    else if (format == 'c' && isprint((int)(bits & 0xff)))
        snprintf(out, size, "%d '%c'", (int)(bits & 0xff), (int)(bits & 0xff));
    else if (!format && t->kind == TYPE_BOOL)
        snprintf(out, size, bits ? "true" : "false");
    else if (format == 'u' || (!format && t->kind == TYPE_UNSIGNED))
        snprintf(out, size, "%llu", (unsigned long long)bits);
    else
        snprintf(out, size, "%lld", (long long)(int64_t)(t->bytes == 4 ? (uint64_t)(int64_t)(int32_t)bits : bits));
}

void value_write(const struct value *x, char *out, size_t size)
{
    write_number(x, 0, out, size);
}

static void write_value(struct viewer *v, struct value x, char format, char *out, size_t size, int depth);

static bool has_room(const char *out, size_t size)
{
    return strlen(out) + 80 < size;
}

/** An array's elements; many of one kind in a row once. */
static void write_elements(struct viewer *v, const struct value *x, char format, char *out, size_t size, int depth)
{
    const struct type *of = x->type->of;
    uint64_t n = x->type->count, alike;
    int shown = 0;
    for (uint64_t i = 0; i < n; i += alike, shown++) {
        char text[512] = "", next[512], times[48];
        struct value part = {.placed = true, .type = of, .address = x->address + i * of->bytes};
        if (shown == MAX_SHOWN || i >= MAX_READ || depth >= 3 || !has_room(out, size)) {
            add(out, size, shown ? ", …" : "…");
            return;
        }
        write_value(v, part, format, text, sizeof text, depth + 1);
        for (alike = 1; i + alike < n && alike < MAX_READ; alike++) {
            next[0] = '\0';
            part.address += of->bytes;
            write_value(v, part, format, next, sizeof next, depth + 1);
            if (strcmp(text, next))
                break;
        }
        if (alike < LEAST_REPEATS)
            alike = 1;
        add(out, size, shown ? ", " : "");
        add(out, size, text);
        snprintf(times, sizeof times, " <repeats %llu times>", (unsigned long long)alike);
        add(out, size, alike > 1 ? times : "");
    }
}

static void write_value(struct viewer *v, struct value x, char format, char *out, size_t size, int depth)
{
    char one[64];
    const struct type *t = x.type;
    if (t->kind == TYPE_STRUCT && !x.placed) {
        snprintf(out, size, "{x = %u, y = %u, z = %u}", (unsigned)(x.bits & 0x1fffff), (unsigned)(x.bits >> 21 & 0x1fffff),
                 (unsigned)(x.bits >> 42 & 0x1fffff));
        return;
    }
    if (t->kind != TYPE_ARRAY && t->kind != TYPE_STRUCT) {
        if (value_load(v, &x)) {
            write_number(&x, format, one, sizeof one);
            add(out, size, one);
        } else {
            add(out, size, "?");
        }
        return;
    }
    add(out, size, "{");
    if (t->kind == TYPE_ARRAY)
        write_elements(v, &x, format, out, size, depth);
    for (int i = 0; t->kind == TYPE_STRUCT && i < t->member_count; i++) {
        struct value part = {.placed = true, .type = t->members[i].type, .address = x.address + t->members[i].offset};
        if (i == MAX_SHOWN || !has_room(out, size)) {
            add(out, size, ", …");
            break;
        }
        add(out, size, i ? ", " : "");
        add(out, size, t->members[i].name);
        add(out, size, " = ");
        write_value(v, part, format, out, size, depth + 1);
    }
    add(out, size, "}");
}

static void write_type(const struct type *t, char *out, size_t size)
{
    char count[32];
    if (t->kind == TYPE_POINTER) {
        write_type(t->of, out, size);
        add(out, size, " *");
    } else if (t->kind == TYPE_ARRAY) {
        write_type(t->of, out, size);
        snprintf(count, sizeof count, "[%llu]", (unsigned long long)t->count);
        add(out, size, count);
    } else {
        add(out, size, t->name ? t->name : "struct");
    }
}

static json_t *describe(struct viewer *v, const struct value *x, char format)
{
    char text[1200] = "", type[160] = "";
    write_value(v, *x, format ? format : 's', text, sizeof text, 0);
    write_type(x->type, type, sizeof type);
    json_t *m = json_pack("{s:s,s:s,s:I,s:I}", "value", text, "type", type, "bytes", (json_int_t)x->type->bytes, "count",
                          (json_int_t)(x->type->kind == TYPE_ARRAY     ? x->type->count
                                       : x->type->kind == TYPE_STRUCT ? (uint64_t)x->type->member_count
                                                                      : 0));
    if (x->placed || x->type->kind == TYPE_POINTER)
        json_object_set_new(m, "address", json_integer((json_int_t)(x->placed ? x->address : x->bits)));
    json_object_set_new(m, "placed", json_boolean(x->placed));
    return m;
}

/** The elements or members, each with the expression that leads to it. */
static json_t *children(struct viewer *v, const struct value *x, const char *text, char format)
{
    json_t *list = json_array();
    const struct type *t = x->type;
    uint64_t n = t->kind == TYPE_ARRAY ? t->count : t->kind == TYPE_STRUCT && x->placed ? (uint64_t)t->member_count : 0;
    for (uint64_t i = 0; i < n && i < MAX_CHILDREN; i++) {
        char name[300];
        struct value part = {.placed = true, .type = t->kind == TYPE_ARRAY ? t->of : t->members[i].type,
                             .address = x->address + (t->kind == TYPE_ARRAY ? i * t->of->bytes : t->members[i].offset)};
        json_t *m = describe(v, &part, format);
        if (t->kind == TYPE_ARRAY)
            snprintf(name, sizeof name, "[%llu]", (unsigned long long)i);
        else
            snprintf(name, sizeof name, "%s", t->members[i].name);
        json_object_set_new(m, "name", json_string(name));
        char whole[640];
        snprintf(whole, sizeof whole, t->kind == TYPE_ARRAY ? "(%s)%s" : "(%s).%s", text, name);
        json_object_set_new(m, "expression", json_string(whole));
        json_array_append_new(list, m);
    }
    return list;
}

struct listing {
    struct viewer *v;
    json_t *list;
};

static void tell_variable(void *self, const char *name, const struct value *x, bool there, bool parameter)
{
    struct listing *l = self;
    json_t *m = there ? describe(l->v, x, 0) : json_pack("{s:s,s:s}", "value", "<not kept here>", "type", "");
    json_object_set_new(m, "name", json_string(name));
    json_object_set_new(m, "parameter", json_boolean(parameter));
    json_array_append_new(l->list, m);
}

/** "" lists the variables that are seen. */
static json_t *list_variables(struct viewer *v)
{
    struct listing l = {v, json_array()};
    variable_each(v, tell_variable, &l);
    return json_pack("{s:o}", "children", l.list);
}

json_t *values_evaluate(struct thread_at t, int frame, const char *text, const char *format)
{
    struct viewer v = view(t, frame);
    struct value x;
    if (!*text)
        return list_variables(&v);
    if (!expression_value(&v, text, &x))
        return json_pack("{s:s}", "error", v.error);
    json_t *m = describe(&v, &x, format[0]);
    if (strchr(format, '+'))
        json_object_set_new(m, "children", children(&v, &x, text, 0));
    return m;
}

bool values_hold(struct thread_at t, const char *text)
{
    struct viewer v = view(t, 0);
    struct value x;
    if (!expression_value(&v, text, &x) || !value_load(&v, &x))
        return true;
    return x.bits != 0;
}

json_t *values_memory(const json_t *order)
{
    struct thread_at t = {(uint64_t)talk_number(order, "block", 0), (uint32_t)talk_number(order, "thread", 0)};
    struct viewer v = view(t, 0);
    uint64_t address = (uint64_t)talk_number(order, "address", 0), bytes = (uint64_t)talk_number(order, "bytes", 0);
    json_t *list = json_array();
    for (uint64_t i = 0; i < bytes && i < 65536; i++) {
        const uint8_t *at = viewer_bytes(&v, address + i, 1);
        if (!at)
            break;
        json_array_append_new(list, json_integer(*at));
    }
    return json_pack("{s:o}", "data", list);
}
