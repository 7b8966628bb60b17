/**
 * @file variables.c
 * Addresses and initial bytes of variables in global and constant memory (PTX ISA 5.1.4, 5.1.3, 5.4.4).
 */
#include <stdlib.h>
#include <string.h>

#include "decode/decoder.h"
#include "decode/stages.h"

static uint64_t symbol_value(struct decoder *d, const char *name)
{
    int v = name_table_find(&d->variables, name);
    if (v >= 0)
        return d->im->variables[v].address;
    int f = name_table_find(&d->functions, name);
    if (f >= 0) {
        d->address_taken[f] = true;
        return d->im->functions[f]->code_address;
    }
    return 0;
}

/** The variable's initial bytes, as far as the text gives them. */
static void fill(struct decoder *d, uint64_t address, const struct ptx_variable *v)
{
    uint64_t total = 0, at = 0;

    for (int i = 0; i < v->init.count; i++)
        total += v->init.data[i].bytes;
    total = total < v->bytes ? total : v->bytes;
    if (!total)
        return;
    uint8_t *bytes = calloc(1, total);
    if (!bytes)
        abort();
    for (int i = 0; i < v->init.count && at < total; i++) {
        const struct ptx_init *e = &v->init.data[i];
        uint64_t value = e->bits;
        if (e->symbol)
            value = (symbol_value(d, e->symbol) + e->bits) >> (e->mask_shift & 63);
        for (unsigned b = 0; b < e->bytes && at < total; b++, at++)
            bytes[at] = b < 8 ? (uint8_t)(value >> 8 * b) : 0;
    }
    d->placer->fill(d->placer->self, address, bytes, total);
    free(bytes);
}

static bool place_in_memory(struct decoder *d, const struct ptx_variable *v, uint64_t *address)
{
    *address = d->placer->place(d->placer->self, v->name, v->space, v->bytes ? v->bytes : 1,
                                v->align ? v->align : 1, v->managed);
    if (*address)
        return true;
    diag_line(d->diag, DIAG_LIMIT, v->line, "no device memory for variable %.80s (%llu bytes)",
              v->name, (unsigned long long)v->bytes);
    return false;
}

static bool in_memory(const struct ptx_variable *v)
{
    return (v->space == SPACE_GLOBAL || v->space == SPACE_CONST) && !v->external;
}

static void add_name(struct name_table *t, const char *name, int index)
{
    t->entries[t->count++] = (struct name_entry){name, index};
}

bool variables_place(struct decoder *d)
{
    const struct ptx_module *m = d->m;
    struct image *im = d->im;

    im->variables = decoder_alloc(d, (size_t)m->variables.count, sizeof *im->variables);
    d->variables.entries =
        decoder_alloc(d, (size_t)m->variables.count, sizeof *d->variables.entries);
    for (int i = 0; i < m->variables.count; i++) {
        const struct ptx_variable *v = &m->variables.data[i];
        if (!in_memory(v) && v->space != SPACE_SHARED)
            continue;
        struct image_variable *iv = &im->variables[im->variable_count];
        *iv = (struct image_variable){.name = v->name, .space = v->space, .bytes = v->bytes,
                                      .align = v->align, .managed = v->managed, .source = v};
        if (v->space != SPACE_SHARED && !place_in_memory(d, v, &iv->address))
            return false;
        add_name(&d->variables, v->name, im->variable_count++);
    }
    name_table_sort(&d->variables);
    for (int f = 0; f < im->function_count; f++) {
        const struct ptx_function *pf = d->infos[f].source;
        d->infos[f].variables =
            decoder_alloc(d, (size_t)pf->variables.count, sizeof(struct place));
        for (int i = 0; i < pf->variables.count; i++) {
            struct place *p = &d->infos[f].variables[i];
            p->space = pf->variables.data[i].space;
            if (in_memory(&pf->variables.data[i]) &&
                !place_in_memory(d, &pf->variables.data[i], &p->offset))
                return false;
        }
    }
    for (int i = 0; i < im->variable_count; i++)
        if (im->variables[i].space != SPACE_SHARED)
            fill(d, im->variables[i].address, im->variables[i].source);
    for (int f = 0; f < im->function_count; f++)
        for (int i = 0; i < d->infos[f].source->variables.count; i++)
            if (in_memory(&d->infos[f].source->variables.data[i]))
                fill(d, d->infos[f].variables[i].offset, &d->infos[f].source->variables.data[i]);
    return true;
}
