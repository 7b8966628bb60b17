/**
 * @file finding_place.c
 * See finding_place.h.
 */
#include "execute/finding_place.h"

#include <stdio.h>
#include <string.h>

#include "execute/engine.h"
#include "execute/reserved.h"
#include "host/call_site.h"
#include "report/words/words.h"

_Static_assert(FINDING_CALLERS == MAX_CALLERS, "a finding has all callers of its site");

/** Splits a thread's number in its block into coordinates, x fastest. */
static void thread_coordinates(const struct grid *g, uint32_t thread, uint32_t out[3])
{
    out[0] = thread % g->config.block[0];
    out[1] = thread / g->config.block[0] % g->config.block[1];
    out[2] = thread / g->config.block[0] / g->config.block[1];
}

void finding_access_fill(struct finding_access *a, const struct warp *w, int lane,
                         const struct insn *in, const char *op)
{
    const struct grid *g = w->block->grid;
    finding_access_at(a, g, w->block->index, (uint32_t)(w->index * WARP_LANES + lane), in, op);
}

void finding_access_at(struct finding_access *a, const struct grid *g, uint64_t block,
                       uint32_t thread, const struct insn *in, const char *op)
{
    finding_access_site(a, g, block, thread, in->site, op);
    a->type = in->mem.type;
}

void finding_access_site(struct finding_access *a, const struct grid *g, uint64_t block,
                         uint32_t thread, uint32_t site_index, const char *op)
{
    const struct image *image = g->config.kernel->image;
    const struct site *site = &image->sites[site_index];
    const struct insn *in = image_site_insn(image, site_index);
    memset(a, 0, sizeof *a);
    a->op = op;
    a->type = in ? in->mem.type : PTX_NONE;
    a->file = site->file;
    a->line = site->line;
    a->ptx_line = site->ptx_line;
    for (; a->caller_count < site->caller_count; a->caller_count++) {
        a->callers[a->caller_count].file = site->callers[a->caller_count].file;
        a->callers[a->caller_count].line = site->callers[a->caller_count].line;
    }
    a->inside = (struct finding_source){site->inside.file, site->inside.line};
    if (site->in_library && g->machine->checked) { /* in fast mode several threads run */
        const struct call_site *c = call_site(g->config.by.call, false);
        a->launched = (struct finding_source){c->file, c->line};
    }
    a->has_thread = true;
    a->block[0] = (uint32_t)(block % g->config.grid[0]);
    a->block[1] = (uint32_t)(block / g->config.grid[0] % g->config.grid[1]);
    a->block[2] = (uint32_t)(block / g->config.grid[0] / g->config.grid[1]);
    thread_coordinates(g, thread, a->thread);
    a->row_of_blocks = g->config.grid[1] == 1 && g->config.grid[2] == 1;
    a->row_of_threads = g->config.block[1] == 1 && g->config.block[2] == 1;
}

/** A decorated name that is too long loses its decoration rather than its end, where the variable's own name is. */
static void put_name(struct finding *f, const char *name)
{
    if (strlen(name) < sizeof f->object)
        memcpy(f->object, name, strlen(name) + 1);
    else
        put_plain(f->object, sizeof f->object, name);
}

/** Dynamic arrays begin where the kernel's static part ends; of a module's, the one that the kernel names. @return true if `offset` is known to lie in one of them */
static bool place_in(struct finding *f, const struct function *kernel, const struct image_variable *all, int count, uint64_t offset)
{
    for (int i = 0; i < count; i++) {
        const struct image_variable *v = &all[i];
        bool dynamic = v->bytes == 0;
        uint64_t begin = dynamic ? kernel->shared_bytes : v->address;
        if (dynamic && kernel->dynamic_shared && v->name != kernel->dynamic_shared)
            continue;
        if (v->space != SPACE_SHARED || offset < begin || (!dynamic && offset >= begin + v->bytes))
            continue;
        put_name(f, v->name);
        f->offset = offset - begin;
        f->object_bytes = v->bytes;
        f->named = true;
        if (!dynamic)
            return true;
    }
    return false;
}

/** A shared variable is named by its place in the block's area: the kernel's own, or one at module scope;
 *  past the static ones: dynamic. */
static void place_shared(struct finding *f, const struct block *b, uint64_t offset)
{
    f->space = "shared";
    f->offset = offset;
    if (b && offset >= reserved_begin(b->grid->shared_bytes)) {
        snprintf(f->object, sizeof f->object, "reserved_smem");
        f->offset -= reserved_begin(b->grid->shared_bytes);
        f->object_bytes = RESERVED_BYTES;
        f->named = true;
        return;
    }
    const struct function *kernel = b ? b->grid->config.kernel : NULL;
    if (kernel && !place_in(f, kernel, kernel->shared, kernel->shared_count, offset))
        place_in(f, kernel, kernel->image->variables, kernel->image->variable_count, offset);
}

/** Where the program allocated it; NULL if that is not known. A typed cudaMalloc() is a template of the
 *  toolkit's header, which says nothing about the program. */
static const struct call_site *made_at(const struct allocation *a)
{
    const struct call_site *c = a->made_by ? call_site(a->made_by, false) : NULL;
    const char *base = c && c->file ? strrchr(c->file, '/') : NULL;
    return base && !strcmp(base, "/cuda_runtime.h") ? NULL : c;
}

void finding_place(struct finding *f, struct machine *m, const struct block *b,
                   enum ptx_space space, uint64_t address)
{
    f->object[0] = 0;
    f->part[0] = 0;
    f->object_bytes = 0;
    f->named = false;
    if (space == SPACE_SHARED) {
        place_shared(f, b, address);
        return;
    }
    if (space == SPACE_LOCAL) {
        f->space = "local";
        f->offset = address;
        return;
    }
    f->space = "global";
    f->offset = address;
    const struct allocation *a = memory_find(machine_memory(m), address);
    if (!a)
        a = memory_nearest(machine_memory(m), address);
    if (!a)
        return;
    if (a->kind == ALLOC_HOST || a->kind == ALLOC_REGISTERED)
        f->space = "host";
    if (a->name)
        put_name(f, a->name);
    else if (a->label)
        snprintf(f->object, sizeof f->object, "%s", a->label);
    else if (a->number >= 0)
        snprintf(f->object, sizeof f->object, "alloc%d", a->number);
    f->named = a->name || a->label;
    f->object_bytes = a->bytes;
    memory_part(a, address - a->base, f->part, sizeof f->part);
    f->made = m->checked ? made_at(a) : NULL; /* in fast mode several threads run */
    f->offset = address - a->base;
}
