/**
 * @file flow_layout.h
 * Before decoding: a function's blocks are put in the order of its flow, whatever compiler has laid them out.
 */
#ifndef SOFTGPU_DECODE_FLOW_LAYOUT_H
#define SOFTGPU_DECODE_FLOW_LAYOUT_H

#include "parse/module.h"

/**
 * Lays out each function so that a block comes behind all that lead to it but by a loop's way back, and a loop's blocks stand in one
 * piece that begins where the loop is come into. What stands so already, as most of nvcc's code does, is left as it is. Where two ways
 * lead into a loop, its blocks stand in one piece, too; which of them comes first is the text's order.
 */
void layout_by_flow(struct ptx_module *m);

#endif
