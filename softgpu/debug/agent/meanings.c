/**
 * @file meanings.c
 * What a name means to a thread: variables of the source first, then what CUDA gives every thread, shared and
 * global variables, buffers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/agent/value.h"
#include "parse/module.h"
#include "report/words/words.h"

/** As far as three numbers fit a word. */
static const struct member coordinates[] = {{"x", NULL, 0}, {"y", NULL, 1}, {"z", NULL, 2}};
static const struct type dim3_type = {.kind = TYPE_STRUCT, .bytes = 12, .name = "dim3", .members = (struct member *)coordinates,
                                      .member_count = 3};

static struct value of_dim3(const uint32_t d[3])
{
    return (struct value){.type = &dim3_type, .bits = d[0] | (uint64_t)d[1] << 21 | (uint64_t)d[2] << 42};
}

static bool special(struct viewer *v, const char *name, struct value *out)
{
    const struct grid *g = agent.grid;
    uint32_t here[3] = {0};
    if (!g || !v->standing)
        return false;
    const struct warp *w = v->at.warp;
    for (int i = 0; i < 3; i++)
        here[i] = w->thread_id[i][v->at.lane];
    if (!strcmp(name, "threadIdx"))
        *out = of_dim3(here);
    else if (!strcmp(name, "blockIdx"))
        *out = of_dim3(w->block->id);
    else if (!strcmp(name, "blockDim"))
        *out = of_dim3(g->config.block);
    else if (!strcmp(name, "gridDim"))
        *out = of_dim3(g->config.grid);
    else if (!strcmp(name, "warpSize"))
        *out = (struct value){.type = type_named("int"), .bits = WARP_LANES};
    else
        return false;
    return true;
}

/** `.b8 name[256]` of alignment 4 holds numbers of 4 bytes, as nvcc writes it. */
static const struct type *element_of(const struct ptx_variable *s)
{
    if (s->type != PTX_B8)
        return type_of_ptx(s->type);
    return type_named(s->align >= 8 ? "long" : s->align == 4 ? "int" : s->align == 2 ? "short" : "unsigned char");
}

static struct value placed(const struct type *element, uint64_t address, uint64_t bytes)
{
    return (struct value){.type = bytes > element->bytes ? type_array_of(element, bytes / element->bytes) : element, .placed = true,
                          .address = address};
}

static bool in_list(const struct image_variable *all, int count, const char *name, uint64_t dynamic_bytes,
                    struct value *out)
{
    for (int i = 0; i < count; i++) {
        char plain[256];
        const struct image_variable *x = &all[i];
        put_plain(plain, sizeof plain, x->name);
        if (strcmp(x->name, name) && strcmp(plain, name))
            continue;
        uint64_t bytes = x->bytes ? x->bytes : dynamic_bytes > x->address ? dynamic_bytes - x->address : 0;
        uint64_t base = x->space == SPACE_SHARED ? SHARED_WINDOW : 0;
        *out = placed(element_of(x->source), base + x->address, bytes);
        return true;
    }
    return false;
}

/** A buffer by the name that findings give it. */
struct search {
    const char *name;
    struct value *out;
    bool found;
};

static void buffer_name(const struct allocation *a, char *out, size_t size)
{
    out[0] = '\0';
    if (a->name)
        put_plain(out, size, a->name);
    else if (a->label)
        snprintf(out, size, "%s", a->label);
    else if (a->number >= 0)
        snprintf(out, size, "alloc%d", a->number);
}

static void try_buffer(void *self, struct allocation *a)
{
    struct search *s = self;
    char name[256];
    buffer_name(a, name, sizeof name);
    if (a->freed || strcmp(name, s->name))
        return;
    s->found = true;
    *s->out = placed(type_named("int"), a->base, a->bytes);
}

bool name_find(struct viewer *v, const char *name, struct value *out)
{
    struct search s = {name, out, false};
    const struct grid *g = agent.grid;
    if (variable_find(v, name, out) || special(v, name, out))
        return true;
    if (v->error[0]) /* a variable of the source that is not kept here */
        return false;
    if (g) {
        const struct function *k = g->config.kernel;
        if (in_list(k->shared, k->shared_count, name, g->shared_bytes, out) ||
            in_list(k->image->variables, k->image->variable_count, name, g->shared_bytes, out))
            return true;
    }
    memory_each(machine_memory(agent.machine), try_buffer, &s);
    if (!s.found)
        snprintf(v->error, sizeof v->error, "there is no \"%.80s\" here%s", name,
                 v->standing ? "" : ": no thread is selected that is there");
    return s.found;
}

bool register_find(struct viewer *v, const char *name, struct value *out)
{
    const struct function *f =
        v->standing ? image_function_at(v->at.warp->block->grid->config.kernel->image, v->at.at) : NULL;
    uint32_t at = f ? (uint32_t)(v->at.at - f->entry) : 0;
    bool known = false;
    for (int i = 0; f && f->source && f->spans && i < f->source->regs.count; i++) {
        const struct register_span *r = &f->spans[i];
        const struct ptx_reg *reg = &f->source->regs.data[i];
        const char *own = reg->name[0] == '%' ? reg->name : NULL;
        if (!own || strcmp(own, name))
            continue;
        known = true;
        if (r->offset == REG_NONE || r->from >= at || r->to < at)
            continue;
        unsigned width = function_register_width(f, r->offset);
        const struct type *t = type_of_ptx(reg->type);
        uint64_t bits = warp_lane_word(v->at.warp->file + v->at.frame + r->offset, width, v->at.lane);
        if (t->kind == TYPE_SIGNED && t->bytes == 4)
            bits = (uint64_t)(int64_t)(int32_t)bits;
        *out = (struct value){.type = t, .bits = bits};
        return true;
    }
    snprintf(v->error, sizeof v->error, known ? "register %.60s holds nothing that is still needed here"
                                              : "there is no register %.60s here", name);
    return false;
}

/* ---- All of them ---- */

static void tell_buffer(void *self, struct allocation *a)
{
    static const char *const kinds[] = {[ALLOC_DEVICE] = "device", [ALLOC_VARIABLE] = "variable",
                                        [ALLOC_CONSTANT] = "constant", [ALLOC_MANAGED] = "managed", [ALLOC_HOST] = "host",
                                        [ALLOC_REGISTERED] = "host", [ALLOC_DEVICE_HEAP] = "malloc"};
    char name[256];
    buffer_name(a, name, sizeof name);
    if (!a->freed && name[0] && json_array_size(self) < 256)
        json_array_append_new(self, json_pack("{s:s,s:s,s:I,s:I}", "name", name, "kind", kinds[a->kind], "address",
                                              (json_int_t)a->base, "bytes", (json_int_t)a->bytes));
}

json_t *values_buffers(void)
{
    json_t *list = json_array();
    memory_each(machine_memory(agent.machine), tell_buffer, list);
    const struct function *k = agent.grid ? agent.grid->config.kernel : NULL;
    for (int i = 0; k && i < k->shared_count; i++) {
        char name[256];
        const struct image_variable *x = &k->shared[i];
        put_plain(name, sizeof name, x->name);
        uint64_t bytes = x->bytes ? x->bytes : agent.grid->shared_bytes - x->address;
        json_array_append_new(list, json_pack("{s:s,s:s,s:I,s:I}", "name", name, "kind", "shared", "address",
                                              (json_int_t)(SHARED_WINDOW + x->address), "bytes", (json_int_t)bytes));
    }
    return json_pack("{s:o}", "buffers", list);
}
