/**
 * @file property.c
 * A property's bounds and value in words; see record.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

/** Whole numbers in groups of three digits, others with three significant ones. */
static void put_number(struct text *t, double v)
{
    if (v != floor(v) || fabs(v) >= 1e15) {
        text_printf(t, "%.3g", v);
        return;
    }
    char *digits = text_format("%.0f", v);
    size_t len = strlen(digits);
    for (size_t i = 0; i < len; i++)
        text_printf(t, "%s%c", i && (len - i) % 3 == 0 && digits[i - 1] != '-' ? "," : "", digits[i]);
    free(digits);
}

char *record_property_words(const struct record_property *p)
{
    struct text t = {0};
    const char *unit = p->unit ? p->unit : p->counter;
    if (p->has_value)
        put_number(&t, p->value);
    else
        text_puts(&t, "no");
    text_printf(&t, " %s", unit);
    /* A ratio to a whole number of things is told as the last whole number that it allows. */
    bool whole = p->has_reference && p->reference == floor(p->reference);
    if (p->has_max) {
        text_puts(&t, ", allowed: at most ");
        put_number(&t, whole ? floor(p->max) : p->max);
    }
    if (p->has_min) {
        text_puts(&t, ", needed: at least ");
        put_number(&t, whole ? ceil(p->min) : p->min);
    }
    if (p->has_reference) {
        text_puts(&t, "; the reference has ");
        put_number(&t, p->reference);
    }
    return t.data;
}
