// The forms of mma.sync that tensor_facts.cu runs:
//   MMA(name, instruction, registers of d, a, b, c, element types of a, b, c)
//   SPARSE(the same, selector, which metadata: H two of four, T one of two)
//   MMA64(name, instruction, registers of d, a, b, c): double precision
// Registers are 32 bits, those of MMA64 64.

/* Half precision */
MMA(m8n8k4_rr_f32f32, "mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f32", 8, 2, 2, 8, F16, F16, F32)
MMA(m8n8k4_rc_f32f32, "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", 8, 2, 2, 8, F16, F16, F32)
MMA(m8n8k4_cr_f32f32, "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32", 8, 2, 2, 8, F16, F16, F32)
MMA(m8n8k4_cc_f32f32, "mma.sync.aligned.m8n8k4.col.col.f32.f16.f16.f32", 8, 2, 2, 8, F16, F16, F32)
MMA(m8n8k4_rc_f16f16, "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16", 4, 2, 2, 4, F16, F16, F16)
MMA(m8n8k4_rc_f32f16, "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16", 8, 2, 2, 4, F16, F16, F16)
MMA(m16n8k8_f32f16, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 4, 2, 1, 4, F16, F16, F32)
MMA(m16n8k8_f16f16, "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", 2, 2, 1, 2, F16, F16, F16)
MMA(m16n8k16_f32f16, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 4, 4, 2, 4, F16, F16, F32)
MMA(m16n8k16_f16f16, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 2, 4, 2, 2, F16, F16, F16)
/* bf16, tf32 */
MMA(m16n8k8_bf16, "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 4, 2, 1, 4, BF16, BF16, F32)
MMA(m16n8k16_bf16, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 4, 4, 2, 4, BF16, BF16, F32)
MMA(m16n8k4_tf32, "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 4, 2, 1, 4, TF32, TF32, F32)
MMA(m16n8k8_tf32, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 4, 4, 2, 4, TF32, TF32, F32)
/* fp8 */
MMA(m16n8k32_e4e4, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 4, 2, 4, E4M3, E4M3, F32)
MMA(m16n8k32_e4e5, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", 4, 4, 2, 4, E4M3, E5M2, F32)
MMA(m16n8k32_e5e4, "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32", 4, 4, 2, 4, E5M2, E4M3, F32)
MMA(m16n8k32_e5e5, "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32", 4, 4, 2, 4, E5M2, E5M2, F32)
MMA(m16n8k32_e4e4_f16, "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16", 2, 4, 2, 2, E4M3, E4M3, F16)
MMA(m16n8k32_e5e5_f16, "mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e5m2.f16", 2, 4, 2, 2, E5M2, E5M2, F16)
MMA(m16n8k16_e4e4, "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32", 4, 2, 1, 4, E4M3, E4M3, F32)
MMA(m16n8k16_e5e4, "mma.sync.aligned.m16n8k16.row.col.f32.e5m2.e4m3.f32", 4, 2, 1, 4, E5M2, E4M3, F32)
MMA(m16n8k16_e4e4_f16, "mma.sync.aligned.m16n8k16.row.col.f16.e4m3.e4m3.f16", 2, 2, 1, 2, E4M3, E4M3, F16)
/* Integers */
MMA(m8n8k16_s8s8, "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", 2, 1, 1, 2, BITS, BITS, S32)
MMA(m8n8k16_u8s8, "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.s8.s32", 2, 1, 1, 2, BITS, BITS, S32)
MMA(m16n8k16_s8u8, "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32", 4, 2, 1, 4, BITS, BITS, S32)
MMA(m16n8k16_u8u8, "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.u8.u8.s32", 4, 2, 1, 4, BITS, BITS, S32)
MMA(m16n8k32_s8s8, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 4, 4, 2, 4, BITS, BITS, S32)
MMA(m16n8k32_s8s8_sat, "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", 4, 4, 2, 4, BITS, BITS, S32)
MMA(m16n8k32_u8s8, "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32", 4, 4, 2, 4, BITS, BITS, S32)
MMA(m8n8k32_s4s4, "mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32", 2, 1, 1, 2, BITS, BITS, S32)
MMA(m8n8k32_u4s4, "mma.sync.aligned.m8n8k32.row.col.satfinite.s32.u4.s4.s32", 2, 1, 1, 2, BITS, BITS, S32)
MMA(m16n8k32_s4u4, "mma.sync.aligned.m16n8k32.row.col.s32.s4.u4.s32", 4, 2, 1, 4, BITS, BITS, S32)
MMA(m16n8k64_s4s4, "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", 4, 4, 2, 4, BITS, BITS, S32)
MMA(m16n8k64_u4u4, "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.u4.u4.s32", 4, 4, 2, 4, BITS, BITS, S32)
MMA(m8n8k128_xor, "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 2, 1, 1, 2, BITS, BITS, S32)
MMA(m16n8k128_and, "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc", 4, 2, 1, 4, BITS, BITS, S32)
MMA(m16n8k256_xor, "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc", 4, 4, 2, 4, BITS, BITS, S32)
MMA(m16n8k256_and, "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", 4, 4, 2, 4, BITS, BITS, S32)
/* Double precision */
MMA64(m8n8k4_f64, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 2, 1, 1, 2)
MMA64(m16n8k4_f64, "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64", 4, 2, 1, 4)
MMA64(m16n8k8_f64, "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64", 4, 4, 2, 4)
MMA64(m16n8k16_f64, "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", 4, 8, 4, 4)
/* Sparse */
SPARSE(sp_m16n8k16_f16, "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 2, 4, F16, F16, F32, "0", H)
SPARSE(sp_m16n8k16_f16_3, "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 2, 2, 2, 2, F16, F16, F16, "3", H)
SPARSE(sp_m16n8k32_f16, "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", 4, 4, 4, 4, F16, F16, F32, "1", H)
SPARSE(sp_m16n8k16_bf16, "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 2, 4, BF16, BF16, F32, "2", H)
SPARSE(sp_m16n8k32_bf16, "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32", 4, 4, 4, 4, BF16, BF16, F32, "0", H)
SPARSE(sp_m16n8k8_tf32, "mma.sp::ordered_metadata.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 2, 4, TF32, TF32, F32, "1", T)
SPARSE(sp_m16n8k16_tf32, "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32", 4, 4, 4, 4, TF32, TF32, F32, "1", T)
SPARSE(sp_m16n8k32_s8, "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32", 4, 2, 2, 4, BITS, BITS, S32, "1", H)
SPARSE(sp_m16n8k64_s8, "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.satfinite.s32.u8.s8.s32", 4, 4, 4, 4, BITS, BITS, S32, "0", H)
SPARSE(sp_m16n8k64_s4, "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", 4, 2, 2, 4, BITS, BITS, S32, "1", H)
SPARSE(sp_m16n8k128_u4, "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.s32.u4.s4.s32", 4, 4, 4, 4, BITS, BITS, S32, "0", H)
SPARSE(sp_m16n8k64_e4, "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f32.e4m3.e5m2.f32", 4, 4, 4, 4, E4M3, E5M2, F32, "0", H)
SPARSE(sp_m16n8k64_e5, "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f32.e5m2.e4m3.f32", 4, 4, 4, 4, E5M2, E4M3, F32, "0", H)

#undef MMA
#undef MMA64
#undef SPARSE
