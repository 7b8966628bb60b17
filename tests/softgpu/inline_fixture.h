/**
 * @file inline_fixture.h
 * A module with a kernel whose calls are inlined, and what is asked of what becomes of it.
 */
#ifndef TESTS_SOFTGPU_INLINE_FIXTURE_H
#define TESTS_SOFTGPU_INLINE_FIXTURE_H

#include <string.h>

#include "decode/inline.h"
#include "unit.h"

#define FILES ".file 1 \"/home/me/kernel.cu\"\n.file 2 \"/usr/local/cuda/include/device_atomic_functions.hpp\"\n"

/* A kernel that adds by a function of the library, which calls one without a line, and by one of its own. */
static const char inlined_program[] =
    ".func (.param .b32 r) bare(.param .b64 a)\n"
    "{\n.reg .b32 %r<2>; .reg .b64 %d<2>;\n"
    "ld.param.b64 %d1, [a]; atom.add.u32 %r1, [%d1], 1; st.param.b32 [r+0], %r1; ret;\n}\n"
    ".func (.param .b32 r) library(.param .b64 a)\n"
    "{\n.reg .b32 %r<2>; .reg .b64 %d<2>;\n.loc 2 105 0\n"
    "ld.param.b64 %d1, [a];\n"
    "{ .param .b64 p; st.param.b64 [p], %d1; .param .b32 q; call.uni (q), bare, (p); ld.param.b32 %r1, [q]; }\n"
    "st.param.b32 [r+0], %r1; ret;\n}\n"
    ".func mine(.param .b64 a)\n"
    "{\n.reg .b32 %r<2>; .reg .b64 %d<2>;\n.loc 1 3 0\n"
    "ld.param.b64 %d1, [a]; atom.add.u32 %r1, [%d1], 2; ret;\n}\n"
    ".visible .entry k(.param .u64 out)\n"
    "{\n.reg .b32 %r<2>; .reg .b64 %d<2>;\n.loc 1 8 0\n"
    "ld.param.u64 %d1, [out];\n.loc 1 9 0\n"
    "{ .param .b64 p; st.param.b64 [p], %d1; .param .b32 q; call.uni (q), library, (p); ld.param.b32 %r1, [q]; }\n"
    ".loc 1 10 0\n"
    "{ .param .b64 p; st.param.b64 [p], %d1; call.uni mine, (p); }\n"
    "ret;\n}\n" FILES;

static inline struct ptx_module *parsed_with(const char *target, const char *before)
{
    char text[4096];
    struct diag d = {0};
    snprintf(text, sizeof text, ".version 8.0\n.target %s\n.address_size 64\n%s%s", target, before, inlined_program);
    struct ptx_module *m = module_parse("test", text, strlen(text), &d);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    return m;
}

static inline int first_of(const struct ptx_function *h, const char *mnemonic)
{
    for (int i = 0; i < h->instrs.count; i++)
        if (!strcmp(h->instrs.data[i].mnemonic, mnemonic))
            return i;
    return -1;
}

static inline int count(const struct ptx_function *f, const char *mnemonic)
{
    int n = 0;
    for (int i = 0; i < f->instrs.count; i++)
        n += !strcmp(f->instrs.data[i].mnemonic, mnemonic);
    return n;
}

#endif
