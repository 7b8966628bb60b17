// The forms of wgmma.mma_async that wgmma_facts.cu runs:
//   FORM(name, shape and types, registers of d, what follows scale-d, element types of a, b, d, layouts)
//   REGISTERS(the same: a comes from registers)
// Layouts: ALONG_K both along k, with every swizzle; ALONG_M both along m and n, or what does not come from registers; ONE is
// enough (the results are what matters).
FORM(n8_f16, "m64n8k16.f32.f16.f16", 4, ", 1, 1, 0, 0", F16, F16, F32, ONE)
FORM(n8_f16_minus, "m64n8k16.f32.f16.f16", 4, ", -1, 1, 0, 0", F16, F16, F32, ONE)
FORM(n8_f16_f16, "m64n8k16.f16.f16.f16", 2, ", 1, -1, 0, 0", F16, F16, F16, ONE)
FORM(n8_bf16, "m64n8k16.f32.bf16.bf16", 4, ", -1, -1, 0, 0", BF16, BF16, F32, ONE)
FORM(n8_tf32, "m64n8k8.f32.tf32.tf32", 4, ", 1, 1", TF32, TF32, F32, ONE)
FORM(n8_e4e4, "m64n8k32.f32.e4m3.e4m3", 4, ", 1, 1", E4M3, E4M3, F32, ONE)
FORM(n8_e5e4, "m64n8k32.f32.e5m2.e4m3", 4, ", 1, 1", E5M2, E4M3, F32, ONE)
FORM(n8_e4e5, "m64n8k32.f32.e4m3.e5m2", 4, ", 1, -1", E4M3, E5M2, F32, ONE)
FORM(n8_e5e5_f16, "m64n8k32.f16.e5m2.e5m2", 2, ", 1, 1", E5M2, E5M2, F16, ONE)
FORM(n8_e4e4_f16, "m64n8k32.f16.e4m3.e4m3", 2, ", 1, 1", E4M3, E4M3, F16, ONE)
FORM(n8_s8u8, "m64n8k32.s32.s8.u8", 4, "", BITS, BITS, S32, ONE)
FORM(n8_u8s8, "m64n8k32.s32.u8.s8.satfinite", 4, "", BITS, BITS, S32, ONE)
FORM(n8_b1, "m64n8k256.s32.b1.b1.and.popc", 4, "", BITS, BITS, S32, ONE)
FORM(n32_f16, "m64n32k16.f32.f16.f16", 16, ", 1, 1, 0, 0", F16, F16, F32, ALONG_K)
FORM(n32_f16_t, "m64n32k16.f32.f16.f16", 16, ", 1, 1, 1, 1", F16, F16, F32, ALONG_M)
FORM(n32_bf16_tb, "m64n32k16.f32.bf16.bf16", 16, ", 1, 1, 0, 1", BF16, BF16, F32, ALONG_M)
FORM(n32_tf32, "m64n32k8.f32.tf32.tf32", 16, ", 1, 1", TF32, TF32, F32, ALONG_K)
FORM(n32_s8, "m64n32k32.s32.s8.s8", 16, "", BITS, BITS, S32, ALONG_K)
FORM(n32_e4, "m64n32k32.f32.e4m3.e4m3", 16, ", 1, 1", E4M3, E4M3, F32, ALONG_K)
FORM(n24_f16_f16, "m64n24k16.f16.f16.f16", 6, ", 1, 1, 0, 0", F16, F16, F16, ALONG_K)
FORM(n256_f16, "m64n256k16.f32.f16.f16", 128, ", 1, 1, 0, 0", F16, F16, F32, ONE)
REGISTERS(r8_f16, "m64n8k16.f32.f16.f16", 4, ", 1, 1, 0", F16, F16, F32, ONE)
REGISTERS(r32_bf16_t, "m64n32k16.f32.bf16.bf16", 16, ", 1, 1, 1", BF16, BF16, F32, ALONG_M)
REGISTERS(r8_tf32, "m64n8k8.f32.tf32.tf32", 4, ", 1, -1", TF32, TF32, F32, ONE)
REGISTERS(r32_s8, "m64n32k32.s32.u8.u8", 16, "", BITS, BITS, S32, ALONG_K)
REGISTERS(r8_e4, "m64n8k32.f32.e4m3.e5m2", 4, ", 1, 1", E4M3, E5M2, F32, ONE)

#undef FORM
#undef REGISTERS
