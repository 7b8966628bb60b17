/**
 * @file handlers.h
 * Private to execute/: the handlers of every operation that is not plain arithmetic, and the operand
 * conventions that decode/ keeps for them. Only bind.c chooses among them.
 *
 * Arithmetic handlers are stamped from the rows of code/ops.def and live in execute/alu/.
 */
#ifndef SOFTGPU_EXECUTE_HANDLERS_H
#define SOFTGPU_EXECUTE_HANDLERS_H
#include "code/image.h"

/*
 * Control. A conditional branch keeps its guard (guard, guard_negated) and tests it itself:
 *   op_bra        target
 *   op_brx, op_call, op_ret, op_exit, op_trap, op_brkpt
 *   op_unsupported  extra = const char * message; ends the grid with GRID_UNSUPPORTED and a finding
 * Any other guarded instruction runs op_guarded (its `body` under a narrower mask) or, where lanes
 * may stop or go elsewhere (insn_may_split()), op_guarded_split (lanes that fail the guard go on as a
 * group of their own).
 */
const struct insn *op_guarded(struct warp *w, const struct insn *in);
const struct insn *op_guarded_split(struct warp *w, const struct insn *in);
const struct insn *op_bra(struct warp *w, const struct insn *in);
const struct insn *op_brx(struct warp *w, const struct insn *in);
const struct insn *op_call(struct warp *w, const struct insn *in);
const struct insn *op_ret(struct warp *w, const struct insn *in);
const struct insn *op_exit(struct warp *w, const struct insn *in);
const struct insn *op_trap(struct warp *w, const struct insn *in);
const struct insn *op_brkpt(struct warp *w, const struct insn *in);
const struct insn *op_nop(struct warp *w, const struct insn *in);
const struct insn *op_cp_async(struct warp *w, const struct insn *in);
const struct insn *op_cp_commit(struct warp *w, const struct insn *in);
const struct insn *op_cp_wait(struct warp *w, const struct insn *in);
const struct insn *op_cp_bulk(struct warp *w, const struct insn *in);
const struct insn *op_st_async(struct warp *w, const struct insn *in);     /**< extra: a struct copy_desc */
const struct insn *op_cp_tensor(struct warp *w, const struct insn *in);
const struct insn *op_cp_bulk_commit(struct warp *w, const struct insn *in);
const struct insn *op_cp_bulk_wait(struct warp *w, const struct insn *in);
const struct insn *op_fence_proxy(struct warp *w, const struct insn *in);
const struct insn *op_discard(struct warp *w, const struct insn *in);
const struct insn *op_st_bulk(struct warp *w, const struct insn *in);      /**< src[1]: bytes */
/** clusterlaunchcontrol.try_cancel: extra is a struct copy_desc with `to` and `barrier`; `grouped`: to all blocks of the cluster */
const struct insn *op_cancel(struct warp *w, const struct insn *in);
const struct insn *op_cancel_asked(struct warp *w, const struct insn *in);
const struct insn *op_cancel_first(struct warp *w, const struct insn *in); /**< imm: which dimension */
const struct insn *op_map_replace(struct warp *w, const struct insn *in);
const struct insn *op_map_fence(struct warp *w, const struct insn *in);
const struct insn *op_mbarrier(struct warp *w, const struct insn *in);
const struct insn *op_mbar_pending(struct warp *w, const struct insn *in);
const struct insn *op_cluster_arrive(struct warp *w, const struct insn *in);   /**< imm: 1 aligned; mem.order */
const struct insn *op_cluster_wait(struct warp *w, const struct insn *in);
/** mapa, getctarank: dst, src[0] an address of mem.bytes bytes, imm more than in shared memory; src[1] the rank */
const struct insn *op_mapa(struct warp *w, const struct insn *in);
const struct insn *op_getctarank(struct warp *w, const struct insn *in);
const struct insn *op_griddep_wait(struct warp *w, const struct insn *in);
const struct insn *op_griddep_launch(struct warp *w, const struct insn *in);
/** Textures and surfaces: extra is a struct image_desc. */
const struct insn *op_tex(struct warp *w, const struct insn *in);
const struct insn *op_suld(struct warp *w, const struct insn *in);
const struct insn *op_sust(struct warp *w, const struct insn *in);
const struct insn *op_sured(struct warp *w, const struct insn *in);
/** txq, suq: dst := an extent (imm) of the object src[0], of its level src[1] if that is a register. */
const struct insn *op_query(struct warp *w, const struct insn *in);
/** istypep: dst := whether the bits of src[0] are those of a reference; of an object they are not. */
const struct insn *op_istypep(struct warp *w, const struct insn *in);
const struct insn *op_unsupported(struct warp *w, const struct insn *in);
const struct insn *op_nanosleep(struct warp *w, const struct insn *in);   /**< src[0] ns */
const struct insn *op_alloca(struct warp *w, const struct insn *in);      /**< dst, src[0] bytes, imm align */
const struct insn *op_stacksave(struct warp *w, const struct insn *in);   /**< dst */
const struct insn *op_stackrestore(struct warp *w, const struct insn *in);/**< src[0] */

/** dst (mem.reg_bytes 4 or 8) = local_base of the activation + imm: the address of a .local variable
 *  or of a call's .param storage. In a kernel local_base is 0 and a plain constant does as well. */
const struct insn *op_local_address(struct warp *w, const struct insn *in);
/** cvta.local and cvta.shared, with imm cvta.to: a generic address says whose it is (windows.h). */
const struct insn *op_cvta_local(struct warp *w, const struct insn *in);
const struct insn *op_cvta_shared(struct warp *w, const struct insn *in);

/*
 * Memory. `in->mem` says what; the address is register src[0] (mem.address_bytes 4 or 8, or 0 for
 * none) plus in->offset; a symbol's address is folded into `offset` at decode time.
 *   load     element e goes to register dst (count 1) or ((const uint32_t *)extra)[e]; REG_NONE = sink
 *   store    element e comes from src[1] (count 1) or ((const uint32_t *)extra)[e]
 *   atomic   dst (REG_NONE for red), operand src[1], cas: compare src[1], new value src[2];
 *            f16x2/bf16x2 add as their types; vector atom: extra as for loads, extra[count + e]
 *            for the operands
 * The selector looks at the whole instruction and returns the best handler.
 */
handler_fn select_load(const struct insn *in, bool checked);
handler_fn select_store(const struct insn *in, bool checked);
handler_fn select_atomic(const struct insn *in, bool checked);
/** fence, membar: mem.order ORDER_SC, _ACQ_REL, _ACQUIRE, _RELEASE and mem.scope */
const struct insn *op_fence(struct warp *w, const struct insn *in);

/*
 * Barriers. src[0] barrier number, src[1] thread count or REG_NONE; imm bit 0: aligned.
 *   op_bar_red   imm >> 8: 0 popc (dst 32-bit), 1 and, 2 or (dst predicate); src[2] predicate,
 *                imm bit 1: src[2] negated
 *   op_bar_warp_sync  src[0] member mask
 */
const struct insn *op_bar_sync(struct warp *w, const struct insn *in);
const struct insn *op_bar_arrive(struct warp *w, const struct insn *in);
const struct insn *op_bar_red(struct warp *w, const struct insn *in);
const struct insn *op_bar_warp_sync(struct warp *w, const struct insn *in);

/*
 * Within a warp. Member mask in src[3]; REG_NONE for the old forms without .sync.
 *   op_shfl       imm 0 up, 1 down, 2 bfly, 3 idx; dst, dst2 predicate or REG_NONE; src a, b, c
 *   op_vote       imm & 7: 0 all, 1 any, 2 uni, 3 ballot; imm bit 3: src[0] negated; dst; src[0]
 *   op_match      imm 0 any, 1 all; mem.bytes 4 or 8; dst mask; dst2 predicate or REG_NONE; src[0]
 *   op_redux      mem.atom (enum atom_op: add min max and or xor), mem.type (u32, s32, b32, f32),
 *                 imm bit 0 .abs, bit 1 .NaN; dst; src[0]
 *   op_activemask dst;   op_elect: dst (lane) or REG_NONE, dst2 predicate, src[3]
 */
const struct insn *op_shfl(struct warp *w, const struct insn *in);
const struct insn *op_vote(struct warp *w, const struct insn *in);
const struct insn *op_match(struct warp *w, const struct insn *in);
const struct insn *op_redux(struct warp *w, const struct insn *in);
const struct insn *op_activemask(struct warp *w, const struct insn *in);
const struct insn *op_elect(struct warp *w, const struct insn *in);

/** Whatever is of class TENSOR: brings the warp together, then one of those below. */
const struct insn *op_tensor(struct warp *w, const struct insn *in);
const struct insn *tensor_mma(struct warp *w, const struct insn *in);
const struct insn *tensor_wmma_load(struct warp *w, const struct insn *in);
const struct insn *tensor_wmma_store(struct warp *w, const struct insn *in);
const struct insn *tensor_ldmatrix(struct warp *w, const struct insn *in);
const struct insn *tensor_stmatrix(struct warp *w, const struct insn *in);
const struct insn *tensor_movmatrix(struct warp *w, const struct insn *in);
const struct insn *tensor_wgmma(struct warp *w, const struct insn *in);
const struct insn *tensor_wgmma_group(struct warp *w, const struct insn *in);
const struct insn *tensor_setmaxnreg(struct warp *w, const struct insn *in);
const struct insn *tensor_map_copied(struct warp *w, const struct insn *in);

/** The handler of a mov from a special register: rows special, special_ordered and envreg. */
handler_fn select_special(const struct insn *in);

/* ---- arithmetic beyond expressions (alu/): operands as code/descriptions.h says */
const struct insn *op_logic_pred(struct warp *w, const struct insn *in);
const struct insn *op_set(struct warp *w, const struct insn *in);
const struct insn *op_setp_half(struct warp *w, const struct insn *in);
const struct insn *op_set_half_pair(struct warp *w, const struct insn *in);
const struct insn *op_lop3_pred(struct warp *w, const struct insn *in);
const struct insn *op_video(struct warp *w, const struct insn *in);
const struct insn *op_carry(struct warp *w, const struct insn *in);
const struct insn *op_pack(struct warp *w, const struct insn *in);    /**< dst := {…} */
const struct insn *op_unpack(struct warp *w, const struct insn *in);  /**< {…} := src[0] */
const struct insn *op_mov_128(struct warp *w, const struct insn *in);
const struct insn *op_cvt(struct warp *w, const struct insn *in);
const struct insn *op_cvt_special(struct warp *w, const struct insn *in);
const struct insn *op_isspacep(struct warp *w, const struct insn *in);

#endif
