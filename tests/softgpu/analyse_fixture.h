/**
 * @file analyse_fixture.h
 * Decoded functions for the tests of softgpu/analyse.
 */
#ifndef TESTS_ANALYSE_FIXTURE_H
#define TESTS_ANALYSE_FIXTURE_H

#include <string.h>

#include "base/diag.h"
#include "decode/decode.h"
#include "unit.h"

#define HEADER ".version 8.8\n.target sm_100\n.address_size 64\n"
#define KERNEL(body)                                                                               \
    ".visible .entry k(.param .u64 p) { .reg .b16 %h<9>; .reg .b32 %r<90>; .reg .b64 %l<9>;\n"          \
    ".reg .pred %p<9>;\n" body "}\n"

static uint64_t place(void *self, const char *name, enum ptx_space space, uint64_t bytes,
                      unsigned align, bool managed)
{
    (void)self, (void)name, (void)space, (void)bytes, (void)align, (void)managed;
    return 4096;
}

static void fill(void *self, uint64_t address, const void *bytes, uint64_t count)
{
    (void)self, (void)address, (void)bytes, (void)count;
}

/** A module whose every instruction can run. */
static struct image *decode(const char *text)
{
    static const struct variable_placer placer = {place, fill, NULL};
    static char whole[1 << 17];
    struct diag d = {0};
    snprintf(whole, sizeof whole, "%s%s", HEADER, text);
    struct ptx_module *m = module_parse("test", whole, strlen(whole), &d);
    struct image *im = m ? image_decode(m, &placer, &d) : NULL;
    if (!im)
        fprintf(stderr, "line %d: %s\n", d.line, d.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(im);
    for (uint32_t i = 0; i < im->code_count; i++)
        CU_ASSERT_NOT_EQUAL_FATAL(insn_class(&im->code[i]), INSN_UNSUPPORTED);
    return im;
}

static const struct function *kernel(const struct image *im)
{
    const struct function *f = image_function(im, "k");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    return f;
}

/** The n-th instruction of a class, from 0. */
static inline const struct insn *nth(const struct function *f, enum insn_class class, int n)
{
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (insn_class(in) == class && n-- == 0)
            return in;
    CU_FAIL_FATAL("no such instruction");
    return NULL;
}

#endif
