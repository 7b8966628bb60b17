/**
 * @file load.c
 * Modules of a machine: loaded with their variables, found, and unloaded.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"
#include "decode/flow_layout.h"
#include "decode/inline.h"
#include "decode/small_objects.h"
#include "execute/bind.h"
#include "execute/engine.h"
#include "execute/machine.h"
#include "execute/occupancy.h"
#include "report/reporter.h"

static uint64_t place_variable(void *self, const char *name, enum ptx_space space, uint64_t bytes,
                               unsigned align, bool managed)
{
    struct machine *m = self;
    enum alloc_kind kind = managed               ? ALLOC_MANAGED
                           : space == SPACE_CONST ? ALLOC_CONSTANT
                                                  : ALLOC_VARIABLE;
    const struct image_variable *same = managed && m->first ? image_variable(m->first, name) : NULL;
    if (same)
        return same->address;
    struct allocation *a = memory_alloc(m->memory, bytes, align, kind, name);
    if (a && managed)
        memset(allocation_bytes(a), 0, bytes);
    return a ? a->base : 0;
}

static void fill_variable(void *self, uint64_t address, const void *bytes, uint64_t count)
{
    struct machine *m = self;
    void *host = memory_translate(m->memory, address, count);
    assert(host);
    for (int i = 0; m->first && i < m->first->variable_count; i++)
        if (m->first->variables[i].address == address)
            return; /* managed: it has a value already */
    memcpy(host, bytes, count);
}

/** It runs, but nowhere else. */
static void tell_lacking(const struct machine *m, const struct image *im)
{
    char what[256];
    if (!m->checked || !im->lacking)
        return;
    snprintf(what, sizeof what, "%.*s", (int)strcspn(im->lacking, "\n"), im->lacking);
    report_incomplete_with(m->reporter, INCOMPLETE_TARGET, what);
}

void machine_debugged(struct machine *m)
{
    m->debugged = true;
}

struct image *machine_load(struct machine *m, const char *name, const char *ptx, size_t len,
                           struct diag *d)
{
    struct ptx_module *module = module_parse(name, ptx, len, d);
    if (!module)
        return NULL;
    calls_inline(module, m->debugged);
    if (m->checked && !m->debugged) {
        looks_inline(module);
        layout_by_flow(module);
    }
    if (m->checked)
        small_objects_take(module);
    struct variable_placer placer = {place_variable, fill_variable, m};
    struct image *im = image_decode(module, &placer, d);
    if (!im)
        return NULL;
    image_bind(im, m->checked);
    tell_lacking(m, im);
    occupancy_keep_bounds(m->options.device, im);
    struct loaded_image *l = LIST_PUSH(&m->images);
    l->image = im;
    m->loads++;
    size_t bytes = (im->constant_bytes + 127) & ~(size_t)63;
    l->constants = aligned_alloc(64, bytes);
    if (!l->constants)
        abort();
    memset(l->constants, 0, bytes);
    if (im->constant_bytes)
        memcpy(l->constants, im->constants, im->constant_bytes);
    return im;
}

struct image *machine_load_again(struct machine *m, const char *name, const char *ptx, size_t len,
                                 const struct image *first, struct diag *d)
{
    m->first = first;
    struct image *im = machine_load(m, name, ptx, len, d);
    m->first = NULL;
    return im;
}

struct loaded_image *machine_loaded(struct machine *m, const struct image *im)
{
    for (int i = 0; i < m->images.count; i++)
        if (m->images.data[i].image == im)
            return &m->images.data[i];
    return NULL;
}

/** Is it a managed variable that the module has on another device, too? */
static bool is_shared_variable(const struct machine *m, const struct image *im, const struct image_variable *v)
{
    for (int i = 0; v->managed && i < m->images.count; i++) {
        const struct image *other = m->images.data[i].image;
        for (int k = 0; other != im && k < other->variable_count; k++)
            if (other->variables[k].managed && other->variables[k].address == v->address)
                return true;
    }
    return false;
}

void machine_unload(struct machine *m, struct image *im)
{
    struct loaded_image *l = machine_loaded(m, im);
    assert(l);
    for (int i = 0; i < im->variable_count; i++)
        if (im->variables[i].space != SPACE_SHARED && !is_shared_variable(m, im, &im->variables[i]))
            memory_free(m->memory, im->variables[i].address);
    free(l->constants);
    if (m->compiler)
        m->compiler->forget(im);
    image_free(im);
    *l = m->images.data[--m->images.count];
}

const struct image *machine_image(const struct machine *m, int i)
{
    return i < m->images.count ? m->images.data[i].image : NULL;
}

uint64_t machine_loads(const struct machine *m)
{
    return m->loads;
}
