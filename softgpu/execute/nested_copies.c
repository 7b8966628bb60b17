/**
 * @file nested_copies.c
 * Copies and fills by device code and by the nodes of graphs that kernels launch: kernels, as in NVIDIA's device runtime, so
 * that all that is judged of kernels is judged of them. And the kernel that begins a graph's nodes.
 */
#include <string.h>

#include "code/builtins.h"
#include "execute/device_graph.h"
#include "execute/nested.h"

#define BLOCK 256u

/* Thread a1 of so many bytes stands for byte a3 of row a4 in slice a5. */
#define HEAD                                                                                                       \
    ".reg .pred %p; .reg .b32 %r<5>; .reg .b64 %a<12>;\n"                                                          \
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mul.wide.u32 %a1, %r1, %r2;\n"              \
    "cvt.u64.u32 %a2, %r3; add.u64 %a1, %a1, %a2; ld.param.u64 %a6, [width]; ld.param.u64 %a7, [height];\n"        \
    "ld.param.u64 %a8, [depth]; mul.lo.u64 %a2, %a6, %a7; mul.lo.u64 %a2, %a2, %a8; setp.ge.u64 %p, %a1, %a2;\n"   \
    "@%p ret; rem.u64 %a3, %a1, %a6; div.u64 %a4, %a1, %a6; div.u64 %a5, %a4, %a7; rem.u64 %a4, %a4, %a7;\n"
#define PLACE(register, base, pitch, slice)                                                                        \
    "ld.param.u64 %a9, [" base "]; ld.param.u64 %a10, [" pitch "]; ld.param.u64 %a11, [" slice "];\n"              \
    "mad.lo.u64 %a9, %a4, %a10, %a9; mad.lo.u64 %a9, %a5, %a11, %a9; add.u64 " register ", %a9, %a3;\n"
#define PARAMETERS                                                                                                 \
    "(.param .u64 to, .param .u64 from, .param .u64 to_pitch, .param .u64 from_pitch, .param .u64 to_slice,\n"     \
    " .param .u64 from_slice, .param .u64 width, .param .u64 height, .param .u64 depth, .param .u64 element) {\n"
#define COPY(name)                                                                                                 \
    ".visible .entry " name PARAMETERS HEAD PLACE("%a1", "from", "from_pitch", "from_slice")                       \
    PLACE("%a2", "to", "to_pitch", "to_slice") "ld.u8 %r4, [%a1]; st.u8 [%a2], %r4; ret;\n}\n"
#define SET(name)                                                                                                  \
    ".visible .entry " name PARAMETERS HEAD PLACE("%a2", "to", "to_pitch", "to_slice")                             \
    "ld.param.u64 %a1, [from]; ld.param.u64 %a9, [element]; rem.u64 %a3, %a3, %a9; cvt.u32.u64 %r4, %a3;\n"        \
    "shl.b32 %r4, %r4, 3; shr.u64 %a1, %a1, %r4; st.u8 [%a2], %a1; ret;\n}\n"

static const char text[] =
    ".version 7.0\n.target sm_50\n.address_size 64\n.extern .func " GRAPH_NODES_NAME ";\n"
    ".visible .entry graph() {\ncall " GRAPH_NODES_NAME "; ret;\n}\n"
    ".visible .entry nothing() {\nret;\n}\n"
    COPY("cudaMemcpyAsync") COPY("memcpy_node") SET("cudaMemsetAsync") SET("memset_node");

static struct function *kernel(struct machine *m, const char *name)
{
    struct diag d = {0};
    if (!m->copies)
        m->copies = machine_load(m, "device runtime", text, sizeof text - 1, &d);
    struct function *f = m->copies ? image_function(m->copies, name) : NULL;
    if (!f)
        abort();
    return f;
}

static struct grid_config config_of(struct machine *m, const char *name, const struct device_box *box)
{
    uint64_t bytes = box ? box->width * box->height * box->depth : 1, blocks = (bytes + BLOCK - 1) / BLOCK;
    struct grid_config c = {.kernel = kernel(m, name), .grid = {(uint32_t)blocks, 1, 1}, .block = {box ? BLOCK : 1, 1, 1}};
    void *params = box ? malloc(sizeof *box) : NULL;
    if (box && !params)
        abort();
    c.params = box ? memcpy(params, box, sizeof *box) : NULL;
    return c;
}

void device_work_config(struct machine *m, enum device_work what, const struct device_box *box, struct grid_config *out)
{
    static const char *const names[] = {"memcpy_node", "memset_node", "nothing"};
    *out = config_of(m, names[what], what == DEVICE_NOTHING ? NULL : box);
}

void device_graph_config(struct machine *m, struct device_graph *g, struct grid_config *out)
{
    *out = config_of(m, "graph", NULL);
    out->graph = g;
}

static struct nested_launch *launch_of(struct machine *m, struct grid_run *parent, const char *name, const struct device_box *box)
{
    if (!box->width)
        return NULL;
    const struct grid_config *like = &parent->grid.config;
    struct grid_config c = config_of(m, name, box);
    c.device = like->device;
    c.op = like->op;
    c.by = like->by;
    c.before = &parent->grid.before;
    return nested_new(parent, &c);
}

struct nested_launch *nested_copy(struct machine *m, struct grid_run *parent, uint64_t to, uint64_t from, uint64_t bytes)
{
    struct device_box box = {.to = to, .from = from, .width = bytes, .height = 1, .depth = 1, .element = 1};
    return launch_of(m, parent, "cudaMemcpyAsync", &box);
}

struct nested_launch *nested_set(struct machine *m, struct grid_run *parent, uint64_t to, int value, uint64_t bytes)
{
    struct device_box box = {.to = to, .from = (uint32_t)value, .width = bytes, .height = 1, .depth = 1, .element = 1};
    return launch_of(m, parent, "cudaMemsetAsync", &box);
}
