// The forms of wmma that tensor_facts.cu runs: name, layouts of a, b, c and d, shape, what stands before .sync, element
// types, the type suffix of wmma.mma, registers of a, b, c, d, strides in elements.

/* Half precision: every layout, every shape, every accumulator */
WMMA(w16_rr_f32, "row", "row", "row", "m16n16k16", "", "f16", "f16", "f32", "f32", ".f32.f32", 8, 8, 8, 8, 16, 16, 16)
WMMA(w16_rc_f32, "row", "col", "col", "m16n16k16", "", "f16", "f16", "f32", "f32", ".f32.f32", 8, 8, 8, 8, 24, 32, 20)
WMMA(w16_cr_f32, "col", "row", "row", "m16n16k16", "", "f16", "f16", "f32", "f32", ".f32.f32", 8, 8, 8, 8, 24, 16, 24)
WMMA(w16_cc_f32, "col", "col", "col", "m16n16k16", "", "f16", "f16", "f32", "f32", ".f32.f32", 8, 8, 8, 8, 16, 16, 16)
WMMA(w16_rr_f16, "row", "row", "row", "m16n16k16", "", "f16", "f16", "f16", "f16", ".f16.f16", 8, 8, 4, 4, 16, 16, 16)
WMMA(w16_cc_f16, "col", "col", "col", "m16n16k16", "", "f16", "f16", "f16", "f16", ".f16.f16", 8, 8, 4, 4, 32, 24, 24)
WMMA(w16_rc_f32f16, "row", "col", "row", "m16n16k16", "", "f16", "f16", "f16", "f32", ".f32.f16", 8, 8, 4, 8, 16, 16, 16)
WMMA(w16_rc_f16f32, "row", "col", "row", "m16n16k16", "", "f16", "f16", "f32", "f16", ".f16.f32", 8, 8, 8, 4, 16, 16, 16)
WMMA(w8x32_rr_f32, "row", "row", "row", "m8n32k16", "", "f16", "f16", "f32", "f32", ".f32.f32", 8, 8, 8, 8, 16, 32, 32)
WMMA(w8x32_cc_f32, "col", "col", "col", "m8n32k16", "", "f16", "f16", "f32", "f32", ".f32.f32", 8, 8, 8, 8, 8, 16, 8)
WMMA(w8x32_rc_f16, "row", "col", "row", "m8n32k16", "", "f16", "f16", "f16", "f16", ".f16.f16", 8, 8, 4, 4, 16, 16, 32)
WMMA(w8x32_cr_f16, "col", "row", "col", "m8n32k16", "", "f16", "f16", "f16", "f16", ".f16.f16", 8, 8, 4, 4, 8, 32, 8)
WMMA(w32x8_rr_f32, "row", "row", "row", "m32n8k16", "", "f16", "f16", "f32", "f32", ".f32.f32", 8, 8, 8, 8, 16, 8, 8)
WMMA(w32x8_cc_f32, "col", "col", "col", "m32n8k16", "", "f16", "f16", "f32", "f32", ".f32.f32", 8, 8, 8, 8, 32, 16, 32)
WMMA(w32x8_rc_f16, "row", "col", "row", "m32n8k16", "", "f16", "f16", "f16", "f16", ".f16.f16", 8, 8, 4, 4, 16, 16, 8)
WMMA(w32x8_cr_f16, "col", "row", "col", "m32n8k16", "", "f16", "f16", "f16", "f16", ".f16.f16", 8, 8, 4, 4, 32, 8, 32)
/* bf16 */
WMMA(w16_rr_bf16, "row", "row", "row", "m16n16k16", "", "bf16", "bf16", "f32", "f32", ".f32.bf16.bf16.f32", 4, 4, 8, 8, 16, 16, 16)
WMMA(w16_cc_bf16, "col", "col", "col", "m16n16k16", "", "bf16", "bf16", "f32", "f32", ".f32.bf16.bf16.f32", 4, 4, 8, 8, 16, 16, 16)
WMMA(w8x32_rc_bf16, "row", "col", "row", "m8n32k16", "", "bf16", "bf16", "f32", "f32", ".f32.bf16.bf16.f32", 2, 8, 8, 8, 16, 16, 32)
WMMA(w8x32_cr_bf16, "col", "row", "col", "m8n32k16", "", "bf16", "bf16", "f32", "f32", ".f32.bf16.bf16.f32", 2, 8, 8, 8, 8, 32, 8)
WMMA(w32x8_rc_bf16, "row", "col", "row", "m32n8k16", "", "bf16", "bf16", "f32", "f32", ".f32.bf16.bf16.f32", 8, 2, 8, 8, 16, 16, 8)
WMMA(w32x8_cr_bf16, "col", "row", "col", "m32n8k16", "", "bf16", "bf16", "f32", "f32", ".f32.bf16.bf16.f32", 8, 2, 8, 8, 32, 8, 32)
/* tf32 */
WMMA(w16_rr_tf32, "row", "row", "row", "m16n16k8", "", "tf32", "tf32", "f32", "f32", ".f32.tf32.tf32.f32", 4, 4, 8, 8, 8, 16, 16)
WMMA(w16_rc_tf32, "row", "col", "col", "m16n16k8", "", "tf32", "tf32", "f32", "f32", ".f32.tf32.tf32.f32", 4, 4, 8, 8, 8, 8, 16)
WMMA(w16_cr_tf32, "col", "row", "row", "m16n16k8", "", "tf32", "tf32", "f32", "f32", ".f32.tf32.tf32.f32", 4, 4, 8, 8, 16, 16, 16)
/* Integers */
WMMA(w16_rr_s8, "row", "row", "row", "m16n16k16", "", "s8", "s8", "s32", "s32", ".s32.s8.s8.s32", 2, 2, 8, 8, 16, 16, 16)
WMMA(w16_cc_s8, "col", "col", "col", "m16n16k16", "", "s8", "s8", "s32", "s32", ".s32.s8.s8.s32.satfinite", 2, 2, 8, 8, 16, 16, 16)
WMMA(w16_rc_u8, "row", "col", "row", "m16n16k16", "", "u8", "u8", "s32", "s32", ".s32.u8.u8.s32", 2, 2, 8, 8, 32, 16, 16)
WMMA(w8x32_rc_s8, "row", "col", "row", "m8n32k16", "", "s8", "s8", "s32", "s32", ".s32.s8.s8.s32", 1, 4, 8, 8, 16, 16, 32)
WMMA(w8x32_cr_u8, "col", "row", "col", "m8n32k16", "", "u8", "u8", "s32", "s32", ".s32.u8.u8.s32", 1, 4, 8, 8, 16, 32, 8)
WMMA(w32x8_rc_u8, "row", "col", "row", "m32n8k16", "", "u8", "u8", "s32", "s32", ".s32.u8.u8.s32", 4, 1, 8, 8, 16, 16, 8)
WMMA(w32x8_cr_s8, "col", "row", "col", "m32n8k16", "", "s8", "s8", "s32", "s32", ".s32.s8.s8.s32", 4, 1, 8, 8, 32, 16, 32)
WMMA(w8_s4, "row", "col", "row", "m8n8k32", "", "s4", "s4", "s32", "s32", ".s32.s4.s4.s32", 1, 1, 2, 2, 32, 32, 8)
WMMA(w8_u4, "row", "col", "col", "m8n8k32", "", "u4", "u4", "s32", "s32", ".s32.u4.u4.s32.satfinite", 1, 1, 2, 2, 64, 32, 8)
WMMA(w8_b1_xor, "row", "col", "row", "m8n8k128", "xor.popc.", "b1", "b1", "s32", "s32", ".s32.b1.b1.s32", 1, 1, 2, 2, 128, 256, 8)
WMMA(w8_b1_and, "row", "col", "col", "m8n8k128", "and.popc.", "b1", "b1", "s32", "s32", ".s32.b1.b1.s32", 1, 1, 2, 2, 128, 128, 12)
/* Double precision */
WMMA64(w8_rr_f64, "row", "row", "row", 4, 8, 8)
WMMA64(w8_rc_f64, "row", "col", "col", 4, 4, 8)
WMMA64(w8_cr_f64, "col", "row", "row", 8, 8, 10)
WMMA64(w8_cc_f64, "col", "col", "col", 8, 4, 8)

#undef WMMA
#undef WMMA64
