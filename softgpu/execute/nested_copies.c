/**
 * @file nested_copies.c
 * cudaMemcpyAsync and cudaMemsetAsync of device code: kernels, as in NVIDIA's device runtime, so that all that is judged
 * of kernels is judged of them.
 */
#include <string.h>

#include "execute/nested.h"

#define BLOCK 256u

static const char text[] =
    ".version 7.0\n.target sm_50\n.address_size 64\n"
#define HEAD                                                                                                       \
    ".reg .pred %p; .reg .b32 %r<5>; .reg .b64 %a<6>;\n"                                                           \
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.wide.u32 %a1, %r1, %r2, 0;\n"           \
    "cvt.u64.u32 %a2, %r3; add.u64 %a1, %a1, %a2; ld.param.u64 %a2, [bytes]; setp.ge.u64 %p, %a1, %a2; @%p ret;\n" \
    "ld.param.u64 %a3, [to]; add.u64 %a3, %a3, %a1;\n"
    ".visible .entry cudaMemcpyAsync(.param .u64 to, .param .u64 from, .param .u64 bytes) {\n" HEAD
    "ld.param.u64 %a4, [from]; add.u64 %a4, %a4, %a1; ld.u8 %r4, [%a4]; st.u8 [%a3], %r4; ret;\n}\n"
    ".visible .entry cudaMemsetAsync(.param .u64 to, .param .u64 value, .param .u64 bytes) {\n" HEAD
    "ld.param.u32 %r4, [value]; st.u8 [%a3], %r4; ret;\n}\n";

static struct nested_launch *launch_of(struct machine *m, struct grid_run *parent, const char *name, const uint64_t arguments[3])
{
    struct diag d = {0};
    if (!m->copies)
        m->copies = machine_load(m, "device runtime", text, sizeof text - 1, &d);
    struct function *f = m->copies ? image_function(m->copies, name) : NULL;
    uint64_t bytes = arguments[2], blocks = (bytes + BLOCK - 1) / BLOCK;
    if (!f)
        abort();
    if (!bytes)
        return NULL;
    const struct grid_config *like = &parent->grid.config;
    struct grid_config c = {.kernel = f, .grid = {(uint32_t)blocks, 1, 1}, .block = {BLOCK, 1, 1}, .device = like->device,
                            .op = like->op, .by = like->by, .before = &parent->grid.before};
    struct nested_launch *l = nested_new(parent, &c);
    void *params = malloc(3 * sizeof *arguments);
    if (!params)
        abort();
    l->config.params = memcpy(params, arguments, 3 * sizeof *arguments);
    return l;
}

struct nested_launch *nested_copy(struct machine *m, struct grid_run *parent, uint64_t to, uint64_t from, uint64_t bytes)
{
    return launch_of(m, parent, "cudaMemcpyAsync", (const uint64_t[]){to, from, bytes});
}

struct nested_launch *nested_set(struct machine *m, struct grid_run *parent, uint64_t to, int value, uint64_t bytes)
{
    return launch_of(m, parent, "cudaMemsetAsync", (const uint64_t[]){to, (uint32_t)value, bytes});
}
