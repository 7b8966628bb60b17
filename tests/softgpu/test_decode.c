/**
 * @file test_decode.c
 * The decoder: layout of parameters, local and shared memory, register sharing, source places,
 * refusals, and the operation table's document.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "code/frame.h"
#include "decode/decode.h"
#include "decode/find_row.h"
#include "memory/memory.h"
#include "unit.h"

#define HEADER ".version 8.8\n.target sm_100a\n.address_size 64\n"

/* Module variables go to addresses from 4096 upwards; the bytes filled in are kept. */
static uint64_t next_address;
static uint8_t filled[256];

static uint64_t place(void *self, const char *name, enum ptx_space space, uint64_t bytes,
                      unsigned align, bool managed)
{
    (void)self, (void)name, (void)space, (void)managed;
    uint64_t at = (next_address + align - 1) / align * align;
    next_address = at + bytes;
    return bytes < 1 << 20 ? at : 0;
}

static void fill(void *self, uint64_t address, const void *bytes, uint64_t count)
{
    (void)self;
    if (address - 4096 + count <= sizeof filled)
        memcpy(filled + (address - 4096), bytes, count);
}

static struct image *decode(const char *body, struct diag *d)
{
    static const struct variable_placer placer = {place, fill, NULL};
    static char text[1 << 16];

    next_address = 4096;
    memset(filled, 0, sizeof filled);
    memset(d, 0, sizeof *d);
    snprintf(text, sizeof text, "%s%s", HEADER, body);
    struct ptx_module *m = module_parse("test", text, strlen(text), d);
    if (!m)
        fprintf(stderr, "line %d: %s\n", d->line, d->message);
    return m ? image_decode(m, &placer, d) : NULL;
}

static struct image *decode_good(const char *body)
{
    struct diag d;
    struct image *im = decode(body, &d);
    CU_ASSERT_PTR_NOT_NULL_FATAL(im);
    return im;
}

/** The first instruction that cannot run; NULL if all can. */
static const char *refusal(const struct image *im)
{
    for (uint32_t i = 0; i < im->code_count; i++)
        if (insn_class(&im->code[i]) == INSN_UNSUPPORTED)
            return im->code[i].extra;
    return NULL;
}

static void test_params(void)
{
    struct image *im = decode_good(".visible .entry k(.param .u8 a, .param .u64 b, .param .b32 c[3],"
                                   " .param .align 16 .b8 d[20]) .maxntid 64, 2 .minnctapersm 3\n"
                                   "{ .reg .b32 %r<3>; ld.param.u32 %r1, [c+4]; ret; }\n");
    const struct function *f = image_function(im, "k");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(f->param_count, 4);
    CU_ASSERT_EQUAL(f->params[1].offset, 8);
    CU_ASSERT_EQUAL(f->params[2].offset, 16);
    CU_ASSERT_EQUAL(f->params[3].offset, 32);
    CU_ASSERT_EQUAL(f->param_bytes, 52);
    CU_ASSERT_EQUAL(f->max_threads[0], 64);
    CU_ASSERT_EQUAL(f->max_threads[1], 2);
    CU_ASSERT_EQUAL(f->min_blocks, 3);
    CU_ASSERT_EQUAL(f->entry->offset, 20);
    CU_ASSERT_EQUAL(f->entry->mem.space, SPACE_PARAM);
    image_free(im);
}

static void test_initialisers(void)
{
    struct image *im = decode_good(".func f() { ret; }\n.global .align 4 .u32 a = 7;\n"
                                   ".global .align 8 .u64 p[2] = {a+4, generic(f)};\n"
                                   ".const .align 2 .b8 c[4] = {1, 2, 3};\n");
    uint64_t p[2];
    const struct function *f = image_function(im, "f");
    CU_ASSERT_EQUAL(image_variable(im, "a")->address, 4096);
    CU_ASSERT_EQUAL(filled[0], 7);
    memcpy(p, filled + (image_variable(im, "p")->address - 4096), sizeof p);
    CU_ASSERT_EQUAL(p[0], 4100);
    CU_ASSERT_EQUAL(p[1], f->code_address);
    CU_ASSERT_EQUAL(memcmp(filled + (image_variable(im, "c")->address - 4096), "\1\2\3\0", 4), 0);
    image_free(im);
}

static void test_shared_layout(void)
{
    struct image *im = decode_good(
        ".shared .align 4 .b8 m[20];\n.extern .shared .align 16 .b8 dyn[];\n"
        ".func f() { .reg .b32 %r<3>; .shared .align 4 .b32 mine[8]; mov.u32 %r1, mine; ret; }\n"
        ".visible .entry big() { .reg .b32 %r<3>; .shared .align 4 .b8 t[40000];\n"
        "  mov.u32 %r1, t; mov.u32 %r2, m; ret; }\n"
        ".visible .entry calls() { .reg .b32 %r<3>; .shared .align 4 .b8 t[40000];\n"
        "  mov.u32 %r1, t; call f; ret; }\n"
        ".visible .entry dynamic() { .reg .b32 %r<3>; mov.u32 %r1, dyn; mov.u32 %r2, m; ret; }\n"
        ".visible .entry none() { ret; }\n");
    CU_ASSERT_EQUAL(image_function(im, "big")->shared_bytes, 40020);
    CU_ASSERT_EQUAL(image_function(im, "calls")->shared_bytes, 40032);
    CU_ASSERT_EQUAL(image_function(im, "dynamic")->shared_bytes, 32);
    CU_ASSERT_EQUAL(image_function(im, "none")->shared_bytes, 0);
    uint32_t slot = image_function(im, "dynamic")->entry->src[0];
    CU_ASSERT_EQUAL(*(uint32_t *)(im->constants + (slot & ~CONST_BIT)), 32);
    image_free(im);
}

/** However many kernels a module has, each pays for its own arrays only. */
static void test_shared_many(void)
{
    static char body[1 << 16];
    body[0] = 0;
    for (int i = 0; i < 400; i++)
        snprintf(body + strlen(body), sizeof body - strlen(body),
                 ".visible .entry k%d() { .reg .b32 %%r<3>; .shared .align 4 .b8 t[40000];\n"
                 "mov.u32 %%r1, t; ret; }\n", i);
    struct image *im = decode_good(body);
    CU_ASSERT_EQUAL(image_function(im, "k0")->shared_bytes, 40000);
    CU_ASSERT_EQUAL(image_function(im, "k399")->shared_bytes, 40000);
    image_free(im);
}

/** Kernels that share a function with a dynamic array must agree on where it starts. */
static void test_shared_dynamic_common(void)
{
    struct image *im = decode_good(
        ".extern .shared .align 16 .b8 dyn[];\n.extern .shared .align 16 .b8 own[];\n"
        ".func f() { .reg .b32 %r<3>; mov.u32 %r1, dyn; ret; }\n"
        ".visible .entry a() { .reg .b32 %r<3>; .shared .b8 t[100]; mov.u32 %r1, t; call f; ret; }\n"
        ".visible .entry b() { call f; ret; }\n.visible .entry c() { .reg .b32 %r<3>; mov.u32 %r1, own; ret; }\n");
    CU_ASSERT_EQUAL(image_function(im, "a")->shared_bytes, 112);
    CU_ASSERT_EQUAL(image_function(im, "b")->shared_bytes, 112);
    CU_ASSERT_STRING_EQUAL(image_function(im, "b")->dynamic_shared, "dyn");
    CU_ASSERT_STRING_EQUAL(image_function(im, "c")->dynamic_shared, "own");
    image_free(im);
}

static void test_locals(void)
{
    struct image *im = decode_good(
        ".func (.param .b32 r) f(.param .b64 x) { .reg .b64 %d<3>; .reg .b32 %r<3>;\n"
        "  .local .align 16 .b8 depot[24]; ld.param.u64 %d1, [x]; st.param.b32 [r], %r1; ret; }\n"
        ".visible .entry k() { .reg .b32 %r<4>; .reg .b64 %d<3>;\n"
        "  { .param .b64 p; st.param.b64 [p], %d1; .param .b32 q; call (q), f, (p);\n"
        "    ld.param.b32 %r1, [q]; }\n"
        "  { .param .b64 p; st.param.b64 [p], %d1; .param .b32 q; call (q), f, (p);\n"
        "    ld.param.b32 %r2, [q]; }\n"
        "  add.s32 %r3, %r1, %r2; ret; }\n");
    const struct function *f = image_function(im, "f"), *k = image_function(im, "k");
    CU_ASSERT_EQUAL(f->params[0].offset, LOCAL_GAP + 24 + LOCAL_GAP);
    CU_ASSERT_EQUAL(f->result.offset, LOCAL_GAP + 24 + LOCAL_GAP + 8);
    CU_ASSERT_EQUAL(f->result.bytes, 4);
    CU_ASSERT(f->entry->mem.frame_relative);
    CU_ASSERT_EQUAL(f->entry->mem.space, SPACE_LOCAL);
    /* Both calls use the same storage. */
    CU_ASSERT_EQUAL(k->entry[0].offset, k->entry[3].offset);
    CU_ASSERT_EQUAL(k->call_bytes, 12);
    const struct call_desc *c = k->entry[1].extra;
    CU_ASSERT_PTR_EQUAL(c->callee, f);
    CU_ASSERT_EQUAL(c->arg_count, 1);
    CU_ASSERT_EQUAL(c->args[0].bytes, 8);
    CU_ASSERT_EQUAL(c->result.offset, 8);
    image_free(im);
}

static void test_register_sharing(void)
{
    char body[8192] = ".visible .entry k() { .reg .b32 %r<400>;\n mov.u32 %r0, %tid.x;\n";
    for (int i = 1; i < 200; i++)
        snprintf(body + strlen(body), sizeof body - strlen(body), "add.s32 %%r%d, %%r%d, 1;\n", i,
                 i - 1);
    strcat(body, "ret; }\n");
    struct image *im = decode_good(body);
    CU_ASSERT(image_function(im, "k")->frame_bytes <= sizeof(struct frame_header) + 2 * 128);
    image_free(im);
}

/** The estimate keeps within what a block of the declared size may have. */
static void test_register_estimate(void)
{
    static char body[1 << 15];
    strcpy(body, ".visible .entry k() .maxntid 1024 { .reg .b32 %r<400>;\n");
    for (int i = 0; i < 200; i++)
        snprintf(body + strlen(body), sizeof body - strlen(body), "mov.u32 %%r%d, %%tid.x;\n", i);
    for (int i = 0; i < 200; i++)
        snprintf(body + strlen(body), sizeof body - strlen(body), "add.s32 %%r300, %%r%d, 1;\n", i);
    strcat(body, "ret; }\n.visible .entry small() { ret; }\n");
    struct image *im = decode_good(body);
    CU_ASSERT_EQUAL(image_function(im, "k")->registers, 64);
    CU_ASSERT_EQUAL(image_function(im, "small")->registers, 16);
    image_free(im);
}

/** A value that a loop carries must keep its slot to the loop's end, wherever its last use stands. */
static void test_liveness_over_loop(void)
{
    struct image *im = decode_good(".visible .entry k() { .reg .b32 %r<9>; .reg .pred %p<2>;\n"
                                   "mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n"
                                   "L: add.s32 %r2, %r2, %r1;\n"
                                   "mul.lo.s32 %r3, %r2, 3; add.s32 %r4, %r3, 1;\n"
                                   "setp.lt.s32 %p1, %r4, 100; @%p1 bra L; ret; }\n");
    const struct insn *in = im->code;
    uint32_t carried = in[0].dst;
    for (int i = 1; i < 5; i++)
        CU_ASSERT_NOT_EQUAL(in[i].dst, carried);
    CU_ASSERT_NOT_EQUAL(in[3].dst, in[2].dst);
    CU_ASSERT_NOT_EQUAL(in[4].dst, in[2].dst);
    image_free(im);
}

/** A guarded write leaves the other lanes' value: it must not take over a slot that lives before it. */
static void test_liveness_guarded(void)
{
    struct image *im = decode_good(".visible .entry k() { .reg .b32 %r<9>; .reg .pred %p<2>;\n"
                                   "mov.u32 %r1, 5; setp.eq.u32 %p1, %r1, 5;\n"
                                   "mov.u32 %r2, 7; add.u32 %r3, %r2, 1;\n"
                                   "@%p1 mov.u32 %r1, 6; add.u32 %r4, %r1, %r3; ret; }\n");
    const struct insn *in = im->code;
    CU_ASSERT_EQUAL(in[4].dst, in[0].dst);
    CU_ASSERT(insn_is_guarded(&in[4]) && insn_row(&in[4]) == ROW_mov_32);
    CU_ASSERT_NOT_EQUAL(in[2].dst, in[0].dst);
    CU_ASSERT_NOT_EQUAL(in[3].dst, in[0].dst);
    image_free(im);
}

static void test_sites(void)
{
    struct image *im = decode_good(
        ".visible .entry k() { .reg .b32 %r<3>;\n"
        ".loc 1 10 3\nmov.u32 %r1, 1;\n"
        ".loc 1 12 5\n.loc 2 99 1, function_name info, inlined_at 1 12 5\nmov.u32 %r1, 2;\n"
        ".loc 1 0 0\nmov.u32 %r1, 3;\nret; }\n"
        ".file 1 \"/home/me/a.cu\"\n"
        ".file 2 \"/usr/local/cuda/bin/../targets/x86_64-linux/include/x.hpp\"\n"
        ".section .debug_str { info: .b8 107, 0 }\n");
    CU_ASSERT_EQUAL(insn_site(im, &im->code[0])->line, 10);
    CU_ASSERT_STRING_EQUAL(insn_site(im, &im->code[1])->file, "/home/me/a.cu");
    CU_ASSERT_EQUAL(insn_site(im, &im->code[1])->line, 12);
    CU_ASSERT_EQUAL(insn_site(im, &im->code[2])->line, 12);
    CU_ASSERT_STRING_EQUAL(insn_site(im, &im->code[2])->function, "k");
    image_free(im);
}

/** Each is refused where it stands, with a reason, and the module loads. */
static void test_refusals(void)
{
    static const struct {
        const char *insn, *reason;
    } cases[] = {
        {"add.s32 %r1, %d1, %r2", "register %d1 has 64 bits"},
        {"add.s32 %d1, %r1, %r2", "register %d1 has 64 bits"},
        {"add.s32 %r1, %p1, %r2", "a predicate"},
        {"add.s32 %r1, %r2", "operands"},
        {"add.s32 %r1, %r2, %r3, %r4", "operands"},
        {"add.s32 _, %r2, %r3", "destination"},
        {"add.rn.s32 %r1, %r2, %r3", "form of add"},
        {"add.f32 %r1, %r2, 1", "integer literal"},
        {"add.f64 %r1, %r2, %r3", "32 bits"},
        {"add.s32 %r1, %tid.x, %r3", "%tid.x"},
        {"setp.eq.s32 _|_, %r1, %r2", "form of setp"},
        {"setp.lo.s32 %p1, %r1, %r2", "comparison"},
        {"setp.lt.b32 %p1, %r1, %r2", "comparison"},
        {"setp.hs.f32 %p1, %r1, %r2", "integers"},
        {"setp.lt.u32 %r1, %r1, %r2", "predicate"},
        {"mov.u32 %r1, %nosuch", "%nosuch"},
        {"mov.u32 %r1, nosuch", "nosuch"},
        {"mov.b64 %d1, {%r1, %r2, %r3}", "vector of 3"},
        {"ld.global.u32 %h1, [%d1]", "%h1"},
        {"ld.relaxed.global.u32 %r1, [%d1]", "scope"},
        {"ld.gpu.global.u32 %r1, [%d1]", "scope"},
        {"ld.release.gpu.global.u32 %r1, [%d1]", "form of ld"},
        {"ld.global.v2.u32 %r1, [%d1]", "2 elements"},
        {"ld.global.u32 %r1, [%r2]", "register %r2 has 32"},
        {"ld.shared.u32 %r1, [g]", "state space"},
        {"st.const.u32 [%d1], %r1", "form of st"},
        {"atom.global.add.b32 %r1, [%d1], %r2", "form of atom"},
        {"atom.global.inc.s32 %r1, [%d1], %r2", "form of atom"},
        {"red.global.cas.b32 [%d1], %r2, %r3", "form of red"},
        {"atom.local.add.u32 %r1, [%d1], %r2", "global and shared"},
        {"cvt.s32.f32 %r1, %r2", "rounding"},
        {"cvt.u64.u32 %r1, %r2", "%r1"},
        {"bra nowhere", "nowhere"},
        {"call nosuch", "nosuch"},
        {"call declared", "declared"},
        {"fence.proxy.tensormap::generic.acquire.gpu [%d1], 64", "128 bytes"},
        {"fence.proxy.tensormap::generic.acq_rel.gpu", "form of fence"},
        {"tensormap.replace.tile.swizzle_atomicity.global.b1024.b32 [%d1], 1", "form of tensormap"},
        {"tensormap.replace.tile.global_stride.global.b1024.b64 [%d1], 4, %d1", "4 strides"},
        {"tensormap.replace.tile.rank.global.b1024.b64 [%d1], %d1", "form of tensormap"},
        {"mov.v2.u32 {%r1, %r2}, %r3", "first element only"},
        {"multimem.ld_reduce.relaxed.sys.global.add.u32 %r1, [%d1]", "cuMulticastCreate"},
        {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 %r1, %r2", "mma"},
        {"txq.array_size.b32 %r1, [%d1]", "array_size"},
        {"suq.memory_layout.b32 %r1, [%d1]", "memory_layout"},
        {"tex.2dms.v4.f32.s32 {%r1, %r2, %r3, %r4}, [%d1, {%r1, %r2, %r3, %r4}]", "tex"},
        {"tex.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%d1, %d2, {%r1, %r2}]", "sampler of its own"},
        {"tex.3d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%d1, {%r1, %r2, %r3, %r4}], %r1", "depth"},
        {"tld4.r.3d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%d1, {%r1, %r2, %r3, %r3}]", "tld4"},
        {"sured.b.xor.2d.b32.trap [%d1, {%r1, %r2}], %r3", "sured"},
        {"bar.sync", "operands"},
        {"shfl.sync.down.b32 %r1, %r2, %r3, %r4", "operands"},
        {"lop3.b32 %r1, %r2, %r3, %r4, %r1", "literal"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char body[512];
        snprintf(body, sizeof body,
                 ".global .b32 g;\n.extern .func declared();\n"
                 ".visible .entry k() { .reg .b16 %%h<5>; .reg .b32 %%r<5>; .reg .b64 %%d<5>;\n"
                 ".reg .pred %%p<5>;\n%s;\nret; }\n", cases[i].insn);
        struct diag d;
        struct image *im = decode(body, &d);
        if (!im) {
            CU_ASSERT_EQUAL(d.kind, DIAG_SYNTAX);
            CU_ASSERT(d.message[0] != 0);
            continue;
        }
        const char *why = refusal(im);
        if (!why || !strstr(why, cases[i].reason))
            fprintf(stderr, "%s: %s\n", cases[i].insn, why ? why : "accepted");
        CU_ASSERT(why && strstr(why, cases[i].reason));
        image_free(im);
    }
}

static void test_full_device(void)
{
    struct diag d;
    CU_ASSERT_PTR_NULL(decode(".global .align 4 .b8 huge[4000000];\n", &d));
    CU_ASSERT_EQUAL(d.kind, DIAG_LIMIT);
    CU_ASSERT_EQUAL(d.line, 4);
}

static void test_patterns(void)
{
    const char *add[] = {"rn", "ftz", "f32"}, *bad[] = {"ftz", "rn", "f32"};
    uint64_t mode;
    CU_ASSERT(op_matches("rn|rz? ftz? sat? f32", add, 3, &mode));
    CU_ASSERT_EQUAL(mode & MODE_FTZ, MODE_FTZ);
    CU_ASSERT(!op_matches("rn|rz? ftz? sat? f32", bad, 3, &mode));
    CU_ASSERT(!op_matches("rn ftz", add, 3, &mode));
    CU_ASSERT(!op_matches("rn ftz f32 sat", add, 3, &mode));
    CU_ASSERT(op_matches("", add, 0, &mode));
}

/** The document is that of the table: `softgpu --instructions > docs/ptx_support.md` makes it so. */
static void test_document(void)
{
    char *made = NULL;
    size_t made_size = 0, size;
    FILE *out = open_memstream(&made, &made_size), *f = fopen("docs/ptx_support.md", "r");
    ops_document(out);
    fclose(out);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    char *kept = calloc(1, made_size + 2);
    size = fread(kept, 1, made_size + 1, f);
    fclose(f);
    CU_ASSERT(size == made_size && memcmp(kept, made, size) == 0);
    free(kept);
    free(made);
}

static void test_rows_name_tests(void)
{
    for (int i = 0; i < ROW_COUNT; i++)
        if (access(op_table[i].test, R_OK) != 0) {
            fprintf(stderr, "row %d: no file %s\n", i, op_table[i].test);
            CU_FAIL("a row names a test that does not exist");
        }
}

UNIT_MAIN("decode", {"parameters", test_params}, {"initialisers", test_initialisers},
          {"shared memory", test_shared_layout}, {"shared memory of many kernels", test_shared_many},
          {"dynamic shared", test_shared_dynamic_common},
          {"local memory", test_locals}, {"registers share slots", test_register_sharing},
          {"register estimate", test_register_estimate},
          {"liveness over a loop", test_liveness_over_loop},
          {"liveness of guarded writes", test_liveness_guarded}, {"source places", test_sites},
          {"refusals", test_refusals}, {"full device", test_full_device},
          {"patterns", test_patterns}, {"document", test_document},
          {"rows name tests", test_rows_name_tests})
