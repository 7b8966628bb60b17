/**
 * @file device_library.c
 * A grid's group by the device runtime's functions: cudaCGGetIntrinsicHandle and what takes its handle. cooperative_groups.h has
 * done without them since CUDA 9; Numba's kernels call them. The handle is the workspace of a cooperative launch, whose word
 * at +4 is the barrier's, as in that header: each block adds one, the first so much that the top bit turns with the last.
 * Results are an H200's (tests/runtime/cg_calls_facts.gpu.txt): cudaErrorUnknown (999) without a handle; there is one grid, whose rank is 1.
 */
#include "parse/device_library.h"

#include <string.h>

#define PREFIX "cudaCG"

#define NAMES ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<6>;\n"

/** %rd1: the workspace, 0 where the launch is not cooperative. */
#define WORKSPACE "mov.b32 %r1, %envreg1; mov.b32 %r2, %envreg2; mov.b64 %rd1, {%r2, %r1};\n"

/** Returns 999 unless `handle` is the workspace. */
#define HANDLE(parameter)                                                                                                  \
    WORKSPACE "ld.param.b64 %rd2, [" parameter "]; setp.eq.s64 %p1, %rd2, 0; setp.ne.or.s64 %p1, %rd1, %rd2, %p1;\n"

#define SYNCHRONIZE(name)                                                                                                  \
    ".weak .func (.param .b32 result) " name "(.param .b64 handle, .param .b32 flags)\n{\n" NAMES HANDLE("handle")       \
    "mov.u32 %r3, 999; @%p1 bra RETURN;\n"                                                                                 \
    "barrier.sync 0;\n"                                                                                                    \
    "mov.u32 %r4, %tid.x; mov.u32 %r5, %tid.y; or.b32 %r4, %r4, %r5; mov.u32 %r5, %tid.z; or.b32 %r4, %r4, %r5;\n"         \
    "setp.ne.u32 %p2, %r4, 0; @%p2 bra OTHERS;\n"                                                                          \
    "mov.u32 %r5, %nctaid.x; mov.u32 %r6, %nctaid.y; mul.lo.u32 %r5, %r5, %r6; mov.u32 %r6, %nctaid.z; mul.lo.u32 %r5, %r5, %r6;\n" \
    "mov.u32 %r6, %ctaid.x; mov.u32 %r7, %ctaid.y; or.b32 %r6, %r6, %r7; mov.u32 %r7, %ctaid.z; or.b32 %r6, %r6, %r7;\n"   \
    "sub.u32 %r5, 0x80000001, %r5; setp.eq.u32 %p2, %r6, 0; selp.u32 %r5, %r5, 1, %p2;\n"                                  \
    "fence.acq_rel.gpu; atom.add.release.gpu.u32 %r6, [%rd1+4], %r5;\n"                                                    \
    "WAIT: ld.acquire.gpu.u32 %r7, [%rd1+4]; xor.b32 %r7, %r7, %r6; setp.ge.s32 %p2, %r7, 0; @%p2 bra WAIT;\n"             \
    "OTHERS: barrier.sync 0; mov.u32 %r3, 0;\n"                                                                            \
    "RETURN: st.param.b32 [result], %r3; ret;\n}\n"

/** Two numbers by pointers: 0 and 0 without a handle, else what `code` leaves in %r4, and 1. */
#define TELL(name, code)                                                                                                   \
    ".weak .func (.param .b32 result) " name "(.param .b64 first, .param .b64 second, .param .b64 handle)\n{\n" NAMES    \
    HANDLE("handle") "ld.param.b64 %rd3, [first]; ld.param.b64 %rd4, [second];\n" code                                     \
    "selp.u32 %r4, 0, %r4, %p1; selp.u32 %r5, 0, 1, %p1; st.u32 [%rd3], %r4; st.u32 [%rd4], %r5;\n"                        \
    "selp.u32 %r3, 999, 0, %p1; st.param.b32 [result], %r3; ret;\n}\n"

/** %r4 of the threads of a block, of blocks. */
#define BLOCK_THREADS "mov.u32 %r6, %ntid.x; mov.u32 %r7, %ntid.y; mov.u32 %r8, %ntid.z;\n"
#define BLOCKS "mov.u32 %r9, %nctaid.x; mov.u32 %r10, %nctaid.y; mov.u32 %r11, %nctaid.z;\n"

const char device_library[] =
    "\n.version 7.0\n.target sm_70\n.address_size 64\n"
    ".weak .func (.param .b64 result) cudaCGGetIntrinsicHandle(.param .b32 scope)\n{\n" NAMES WORKSPACE
    "ld.param.b32 %r3, [scope]; setp.eq.u32 %p1, %r3, 1; selp.b64 %rd1, %rd1, 0, %p1; st.param.b64 [result], %rd1; ret;\n}\n"
    SYNCHRONIZE("cudaCGSynchronize") SYNCHRONIZE("cudaCGSynchronizeGrid")
    TELL("cudaCGGetSize", BLOCK_THREADS BLOCKS
         "mul.lo.u32 %r4, %r6, %r7; mul.lo.u32 %r4, %r4, %r8; mul.lo.u32 %r4, %r4, %r9; mul.lo.u32 %r4, %r4, %r10; mul.lo.u32 %r4, %r4, %r11;\n")
    TELL("cudaCGGetRank", BLOCK_THREADS BLOCKS
         "mov.u32 %r4, %ctaid.z; mov.u32 %r5, %ctaid.y; mad.lo.u32 %r4, %r4, %r10, %r5; mov.u32 %r5, %ctaid.x; mad.lo.u32 %r4, %r4, %r9, %r5;\n"
         "mov.u32 %r5, %tid.z; mad.lo.u32 %r4, %r4, %r8, %r5; mov.u32 %r5, %tid.y; mad.lo.u32 %r4, %r4, %r7, %r5;\n"
         "mov.u32 %r5, %tid.x; mad.lo.u32 %r4, %r4, %r6, %r5;\n");

bool device_library_needed(const char *text, size_t len)
{
    return memmem(text, len, PREFIX, sizeof PREFIX - 1) != NULL;
}
