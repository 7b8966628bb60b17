/**
 * @file emit_directed.c
 * Other roundings than to nearest. AVX-512 has instructions with one of their own, on 16 lanes, 8 of double precision, which is the
 * handler's without. Else the exact value of single precision is found in double
 * precision, as a sum of two: what it is near, $15, and what is missing there, $20 (Knuth's sum of two numbers; a product of two floats is
 * exact). That rounded to a float, $21, lies at most one step from the float which is wanted: on which side of the exact value says $21 - $15, which is
 * exact, beside $20.
 */
#include "compile/emit.h"

#include "code/descriptions.h"
#include "compile/way.h"
#include "execute/engine.h"
#include "execute/numerics/modes.h"

#define REALS "$1 = bitcast #32 $a to #f ; $2 = bitcast #32 $b to #f ; "
#define FACTORS REALS "$11 = fpext #f $1 to #d ; $12 = fpext #f $2 to #d ; "
#define SUM                                                                                                            \
    "$15 = fadd #d $14, $13 ; $16 = fsub #d $15, $14 ; $17 = fsub #d $15, $16 ; $18 = fsub #d $14, $17 ; $19 = fsub #d $13, $16 ; "      \
    "$20 = fadd #d $18, $19 ; "
#define NEAR                                                                                                           \
    "$21 = fptrunc #d $15 to #f ; $22 = fpext #f $21 to #d ; $23 = fsub #d $22, $15 ; $25 = bitcast #f $21 to #32 ; $26 = ashr #32 $25, {32:31} ; "  \
    "$27 = or #32 $26, {32:1} ; $28 = fcmp ogt #d $23, $20 ; $29 = fcmp olt #d $23, $20 ; "
#define DOWN "$30 = sub #32 $25, $27 ; $31 = select #1 $28, #32 $30, #32 $25 ; "
#define UP "$30 = add #32 $25, $27 ; $31 = select #1 $29, #32 $30, #32 $25 ; "
#define TO_ZERO                                                                                                        \
    "$32 = icmp slt #32 $25, {32:0} ; $33 = select #1 $32, #1 $29, #1 $28 ; $30 = sub #32 $25, {32:1} ; $31 = select #1 $33, #32 $30, #32 $25 ; "
/* A sum that is 0 is -0 where one of both is negative. */
#define NOTHING_DOWN                                                                                                   \
    "$40 = bitcast #d $14 to #64 ; $41 = bitcast #d $13 to #64 ; $42 = or #64 $40, $41 ; $43 = lshr #64 $42, {64:32} ; $44 = trunc #64 $43 to #32 ; "  \
    "$45 = and #32 $44, {32:2147483648} ; $46 = bitcast #64 {64:0} to #d ; $47 = fcmp oeq #d $15, $46 ; $34 = select #1 $47, #32 $45, #32 $31 ; "
#define END(n) "$7 = fcmp uno #f $21, $21 ; $r = select #1 $7, #32 {32:2147483647}, #32 $" #n
#define ADD REALS "$14 = fpext #f $1 to #d ; $13 = fpext #f $2 to #d ; " SUM NEAR
#define SUBTRACT REALS "$14 = fpext #f $1 to #d ; $12 = fpext #f $2 to #d ; $13 = fneg #d $12 ; " SUM NEAR
#define MULTIPLY FACTORS "$15 = fmul #d $11, $12 ; $20 = bitcast #64 {64:0} to #d ; " NEAR
#define MULTIPLY_ADD                                                                                                   \
    FACTORS "$3 = bitcast #32 $c to #f ; $14 = fmul #d $11, $12 ; $13 = fpext #f $3 to #d ; " SUM NEAR
#define EACH(text, nothing, n) {[ROUND_RM] = text DOWN nothing END(n), [ROUND_RP] = text UP END(31), [ROUND_RZ] = text TO_ZERO END(31)}
#define MODES (ROUND_RP + 1)

const char *emit_directed_text(const struct insn *in)
{
    static const char *const add[MODES] = EACH(ADD, NOTHING_DOWN, 34), *const subtract[MODES] = EACH(SUBTRACT, NOTHING_DOWN, 34),
                            *const multiply[MODES] = EACH(MULTIPLY, "", 31),
                            *const multiply_add[MODES] = EACH(MULTIPLY_ADD, NOTHING_DOWN, 34);
    switch ((int)insn_row(in)) {
    case ROW_add_f32_any: return add[in->imm & MODE_ROUND];
    case ROW_sub_f32_any: return subtract[in->imm & MODE_ROUND];
    case ROW_mul_f32_any: return multiply[in->imm & MODE_ROUND];
    case ROW_fma_f32_any: case ROW_mad_f32_any: return multiply_add[in->imm & MODE_ROUND];
    default: return NULL;
    }
}

/** By enum numeric_rounding: what AVX-512's intrinsics call it, with no exceptions. */
static const int modes[] = {[ROUND_RM] = 9, [ROUND_RP] = 10, [ROUND_RZ] = 11};

/** The vector of `lanes` numbers from `first` on, as indices of a shuffle. */
static void put_indices(struct emit *e, int first, int lanes)
{
    T(e, "<%d x i32> <", lanes);
    for (int lane = 0; lane < lanes; lane++)
        T(e, "%si32 %d", lane ? ", " : "", first + lane);
    T(e, ">\n");
}

struct value emit_directed_double(struct emit *e, const struct insn *in, const struct value *real, int sources, bool vector)
{
    struct value part[WARP_LANES / 8], half[2], result = emit_new(e, vector);
    int parts = vector ? WARP_LANES / 8 : 1;
    for (int p = 0; p < parts; p++) {
        struct value of[3];
        for (int i = 0; i < sources; i++) {
            of[i] = emit_new(e, true);
            if (vector) {
                T(e, "  %s = shufflevector <32 x double> %s, <32 x double> poison, ", of[i].text, real[i].text);
                put_indices(e, 8 * p, 8);
            } else
                T(e, "  %s = insertelement <8 x double> splat (double 1.0), double %s, i64 0\n", of[i].text, real[i].text);
        }
        part[p] = emit_new(e, true);
        T(e, "  %s = call <8 x double> @llvm.x86.avx512.%s.pd.512(", part[p].text, way_directed(in));
        for (int i = 0; i < sources; i++)
            T(e, "<8 x double> %s, ", of[i].text);
        T(e, "i32 %d)\n", modes[in->imm & MODE_ROUND]);
    }
    if (!vector) {
        T(e, "  %s = extractelement <8 x double> %s, i64 0\n", result.text, part[0].text);
        return result;
    }
    for (int h = 0; h < 2; h++) {
        half[h] = emit_new(e, true);
        T(e, "  %s = shufflevector <8 x double> %s, <8 x double> %s, ", half[h].text, part[2 * h].text, part[2 * h + 1].text);
        put_indices(e, 0, 16);
    }
    T(e, "  %s = shufflevector <16 x double> %s, <16 x double> %s, ", result.text, half[0].text, half[1].text);
    put_indices(e, 0, WARP_LANES);
    return result;
}

void emit_directed(struct emit *e, const struct insn *in, int sources)
{
    const char *name = way_directed(in);
    struct value half[2], part[3][2], both = emit_new(e, true), wrong = emit_new(e, true), bits = emit_new(e, true),
                 result = emit_new(e, true);
    for (int i = 0; i < sources; i++) {
        struct value v = emit_spread(e, emit_use_as(e, in->src[i], 32), 32), real = emit_new(e, true);
        T(e, "  %s = bitcast <32 x i32> %s to <32 x float>\n", real.text, v.text);
        for (int h = 0; h < 2; h++) {
            part[i][h] = emit_new(e, true);
            T(e, "  %s = shufflevector <32 x float> %s, <32 x float> poison, ", part[i][h].text, real.text);
            put_indices(e, 16 * h, 16);
        }
    }
    for (int h = 0; h < 2; h++) {
        half[h] = emit_new(e, true);
        T(e, "  %s = call <16 x float> @llvm.x86.avx512.%s.ps.512(", half[h].text, name);
        for (int i = 0; i < sources; i++)
            T(e, "<16 x float> %s, ", part[i][h].text);
        T(e, "i32 %d)\n", modes[in->imm & MODE_ROUND]);
    }
    T(e, "  %s = shufflevector <16 x float> %s, <16 x float> %s, ", both.text, half[0].text, half[1].text);
    put_indices(e, 0, WARP_LANES);
    T(e, "  %s = fcmp uno <32 x float> %s, %s\n  %s = bitcast <32 x float> %s to <32 x i32>\n", wrong.text, both.text, both.text,
      bits.text, both.text);
    T(e, "  %s = select <32 x i1> %s, <32 x i32> splat (i32 2147483647), <32 x i32> %s\n", result.text, wrong.text, bits.text);
    if (!emit_varies(e, in->dst)) {
        struct value one = emit_new(e, false);
        T(e, "  %s = extractelement <32 x i32> %s, i64 0\n", one.text, result.text);
        result = one;
    }
    emit_define(e, in, in->dst, result);
}
