/**
 * @file device_printf.c
 * printf in device code: C's format language over CUDA's argument buffer.
 *
 * The buffer holds the promoted arguments one after another, each aligned to its size: 4 bytes for
 * int and narrower, 8 for long, double and pointers (CUDA C++ Programming Guide, "Formatted
 * output"). Format and buffer come from the program under test: every read is checked, widths are
 * clamped, and a conversion that is not understood is printed as it stands.
 */
#include "execute/builtin.h"

#include <stdio.h>
#include <string.h>

#include "execute/access.h"
#include "execute/engine.h"
#include "execute/worker.h"
#include "execute/owner.h"
#include "memory/memory.h"
#include "report/reporter.h"

#define MAX_FIELD 4096
#define MAX_FORMAT 4096
#define MAX_STRING 65536

/** Host bytes that one lane sees at a generic address, and how many are readable from there on. */
static const uint8_t *readable(struct warp *w, int lane, uint64_t address, uint64_t *count)
{
    enum ptx_space space = generic_resolve(&address);
    if (space == SPACE_SHARED)
        address = owner_without_rank(w->block, address);
    if (space == SPACE_SHARED && address < w->block->shared_bytes) {
        *count = w->block->shared_bytes - address;
        return w->block->shared + address;
    }
    if (space == SPACE_LOCAL && address < w->local_top[lane]) {
        *count = w->local_top[lane] - address;
        return w->local + (size_t)lane * w->local_stride + address;
    }
    if (space != SPACE_GLOBAL)
        return NULL;
    struct allocation *a = memory_find(warp_machine(w)->memory, address);
    if (!a || a->freed)
        return NULL;
    *count = a->bytes - (address - a->base);
    return allocation_bytes(a) + (address - a->base);
}

bool device_string(struct warp *w, int lane, uint64_t address, char *out, size_t size)
{
    uint64_t count = 0;
    const uint8_t *from = readable(w, lane, address, &count);
    size_t n = 0;
    while (from && n < count && n + 1 < size && from[n]) {
        out[n] = (char)from[n];
        n++;
    }
    out[n] = 0;
    return from && (n + 1 >= size || (n < count && !from[n]));
}

/** The argument buffer and how far it has been read. */
struct arguments {
    struct warp *w;
    int lane;
    uint64_t base, offset;
    int taken;
    bool ok;
};

static uint64_t next_argument(struct arguments *a, unsigned bytes)
{
    uint64_t count = 0, value = 0;
    a->offset = (a->offset + bytes - 1) & ~(uint64_t)(bytes - 1);
    const uint8_t *from = readable(a->w, a->lane, a->base + a->offset, &count);
    a->offset += bytes;
    a->taken++;
    if (from && count >= bytes)
        memcpy(&value, from, bytes);
    else
        a->ok = false;
    return value;
}

/** One conversion specification: `%[flags][width][.precision][length]conversion`. */
struct spec {
    char flags[8];
    int width, precision;   /**< -1: none */
    char length[3];
    char conversion;
    bool foreign;           /**< C's, and none of device code's: behind it a GPU takes the wrong arguments */
};

static int clamp_field(int64_t n)
{
    return n > MAX_FIELD ? MAX_FIELD : (int)n;
}

/** A number or `*`; -1 if there is none. */
static int parse_number(const char **at, struct arguments *a)
{
    if (**at == '*') {
        (*at)++;
        return clamp_field((int32_t)next_argument(a, 4));
    }
    if (**at < '0' || **at > '9')
        return -1;
    int64_t n = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++)
        n = n > MAX_FIELD ? n : n * 10 + (**at - '0');
    return clamp_field(n);
}

/** Sizes are h, l and ll (CUDA C++ Programming Guide, "Formatted output"): with hh, z or t a GPU reads what follows from the wrong place, with ll
 *  for a double this one, too. */
static bool is_foreign_length(const struct spec *s)
{
    if (!strcmp(s->length, "ll"))
        return !strchr("diouxX", s->conversion);
    if (!strcmp(s->length, "l"))
        return s->conversion == 'c' || s->conversion == 's';
    return s->length[0] && strcmp(s->length, "h");
}

/** Reads what follows the `%`. @return false if it is no conversion */
static bool parse_spec(const char **at, struct arguments *a, struct spec *s)
{
    size_t n = 0;
    memset(s, 0, sizeof *s);
    for (; **at && strchr("-+ #0", **at); (*at)++)
        if (n + 1 < sizeof s->flags - 1 && !strchr(s->flags, **at))
            s->flags[n++] = **at;
    bool star = **at == '*';
    s->width = parse_number(at, a);
    if (star && s->width < 0) { /* a negative `*` width means left-justified */
        if (!strchr(s->flags, '-'))
            s->flags[n] = '-';
        s->width = s->width < -MAX_FIELD ? MAX_FIELD : -s->width;
    }
    s->precision = -1;
    if (**at == '.') {
        (*at)++;
        s->foreign = **at == '*';
        s->precision = (**at >= '0' && **at <= '9') || **at == '*' ? parse_number(at, a) : 0;
    }
    for (n = 0; **at && strchr("hlLqjzt", **at) && n < 2; (*at)++)
        s->length[n++] = **at;
    s->conversion = **at;
    if (!s->conversion || !strchr("diouxXcspaAeEfFgG%", s->conversion))
        return false;
    s->foreign |= is_foreign_length(s);
    (*at)++;
    return true;
}

static bool is_long(const struct spec *s)
{
    return strchr("lqjzt", s->length[0]) && s->length[0];
}

/** An integer as its length modifier narrows it, for printing as long long. */
static long long integer(const struct spec *s, uint64_t value)
{
    bool is_signed = s->conversion == 'd' || s->conversion == 'i';
    if (is_long(s))
        return (long long)value;
    if (s->length[0] == 'h' && s->length[1] == 'h')
        return is_signed ? (int8_t)value : (uint8_t)value;
    if (s->length[0] == 'h')
        return is_signed ? (int16_t)value : (uint16_t)value;
    return is_signed ? (int32_t)value : (long long)(uint32_t)value;
}

/** The specification in the host's words, with the length that the host call uses. */
static void host_format(const struct spec *s, const char *length, char out[48])
{
    char width[12] = "", precision[12] = "";
    if (s->width >= 0)
        snprintf(width, sizeof width, "%d", s->width);
    if (s->precision >= 0)
        snprintf(precision, sizeof precision, ".%d", s->precision);
    snprintf(out, 48, "%%%s%s%s%s%c", s->flags, width, precision, length, s->conversion);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void print_string(FILE *out, const struct spec *s, struct arguments *a)
{
    static __thread char text[MAX_STRING];
    char format[48];
    uint64_t address = next_argument(a, 8);
    host_format(s, "", format);
    if (!address)
        snprintf(text, sizeof text, "(null)");
    else if (!device_string(a->w, a->lane, address, text, sizeof text))
        a->ok = false;
    fprintf(out, format, text);
}

static void print_spec(FILE *out, const struct spec *s, struct arguments *a)
{
    char format[48];
    uint64_t bits;
    double real;
    switch (s->conversion) {
    case '%':
        fputc('%', out);
        break;
    case 's':
        print_string(out, s, a);
        break;
    case 'c':
        host_format(s, "", format);
        fprintf(out, format, (int)next_argument(a, 4));
        break;
    case 'p':
        host_format(s, "", format);
        fprintf(out, format, (void *)(uintptr_t)next_argument(a, 8));
        break;
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X':
        host_format(s, "ll", format);
        fprintf(out, format, integer(s, next_argument(a, is_long(s) ? 8 : 4)));
        break;
    default:
        bits = next_argument(a, 8);
        memcpy(&real, &bits, sizeof real);
        host_format(s, "", format);
        fprintf(out, format, real);
    }
}

#pragma GCC diagnostic pop

int device_printf(struct warp *w, int lane, uint64_t format, uint64_t args)
{
    char text[MAX_FORMAT];
    FILE *out = warp_machine(w)->options.out;
    struct arguments a = {.w = w, .lane = lane, .base = args, .ok = true};
    if (!device_string(w, lane, format, text, sizeof text))
        return -1;
    for (const char *at = text; *at;) {
        const char *start = at;
        struct spec s;
        at += strcspn(at, "%");
        fwrite(start, 1, (size_t)(at - start), out);
        if (!*at)
            break;
        start = at++;
        if (*at == '%') {
            fputc('%', out);
            at++;
        } else if (parse_spec(&at, &a, &s)) {
            print_spec(out, &s, &a);
            if (s.foreign && warp_machine(w)->checked)
                report_incomplete_once(machine_reporter(warp_machine(w)), INCOMPLETE_PRINTED);
        } else {
            fwrite(start, 1, (size_t)(at - start), out);
        }
        if (!a.ok)
            return -1;
    }
    return a.taken;
}
