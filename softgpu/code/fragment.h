/**
 * @file fragment.h
 * Matrices that the lanes of a warp hold together: which element of which matrix lies in which register of which
 * lane, for wmma, mma.sync, mma.sp (PTX ISA 9.7.14). What the ISA leaves open, the fragments of wmma, is as an H200
 * has it (tests/runtime/tensor_facts.gpu.txt).
 */
#ifndef SOFTGPU_CODE_FRAGMENT_H
#define SOFTGPU_CODE_FRAGMENT_H

#include "code/insn.h"

enum tensor_type {
    TENSOR_F16, TENSOR_BF16, TENSOR_TF32, TENSOR_F32, TENSOR_F64, TENSOR_E4M3, TENSOR_E5M2,
    TENSOR_S8, TENSOR_U8, TENSOR_S4, TENSOR_U4,
    TENSOR_B1,      /**< 32 bits are one element */
    TENSOR_S32,
};

/** d := a b + c */
enum tensor_part { PART_D, PART_A, PART_B, PART_C, TENSOR_PARTS };


/** imm of setmaxnreg: REGISTERS_MORE where it is .inc, and how many. */
#define REGISTERS_MORE 0x1000u
#define REGISTERS_COUNT 0xfffu

/** extra of class TENSOR (EXTRA_TENSOR). Registers are 8 bytes for f64, else 4. */
struct tensor_desc {
    uint8_t m;
    uint16_t n;
    uint16_t k;                  /**< of b: a sparse a holds half as many */
    uint8_t type[TENSOR_PARTS];  /**< enum tensor_type */
    uint8_t count[TENSOR_PARTS]; /**< registers of a lane; 0: takes no part */
    uint8_t width;               /**< bytes of a register */
    uint8_t rounding;            /**< of f64: enum numeric_rounding */
    uint8_t step;                /**< so many k are summed at once; 0: all */
    bool quads;                  /**< m8n8k4 of halves: four products, each of eight lanes */
    bool a_by_column, b_by_column;   /**< with quads: fragments differ by it */
    bool satfinite, conjunction; /**< integers; bits: `and`, not `xor` */
    bool sparse;
    uint8_t selector;            /**< of the lanes that hold metadata */
    const uint32_t *reg;         /**< those that are written, then those that are read */
    uint8_t written, read;
    const uint16_t *cell[TENSOR_PARTS];   /**< of a product's parts in registers: fragment_cells() */

    /* wgmma.mma_async: src[0] and src[1] are a's and b's descriptors (src[0] REG_NONE: registers), src[2] the predicate
     * scale-d; m is a warp's part, and d is read as well */
    bool group;
    bool minus_a, minus_b;       /**< the elements are negated */
    bool across_a, across_b;     /**< stored along m or n, not along k */

    /* wmma.load, wmma.store: insn->src[0] the address, src[1] the stride in elements (REG_NONE: `stride`) */
    uint8_t part;                /**< enum tensor_part */
    bool by_column;              /**< as it lies in memory */
    uint32_t stride;
    const struct memory_cell *lies;   /**< fragment_lies(), as the next two: */
    uint8_t distinct;            /**< registers that hold different elements: fragments of halves hold theirs several times */
    bool whole;                  /**< a register's elements are neighbours in memory */
    /* ldmatrix, stmatrix: src[0] each lane's row; movmatrix: `transposed` */
    uint8_t matrices;
    bool transposed;
    struct insn *piece;          /**< what the lanes do to memory, as loads or stores of theirs */
};

/** An element's place in its matrix: of a and c the row, of b the column; how far along k, of c the column. */
struct cell {
    uint16_t line, along;
};

static inline unsigned tensor_type_bits(enum tensor_type t)
{
    static const uint8_t bits[] = {16, 16, 32, 32, 64, 8, 8, 8, 8, 4, 4, 32, 32};
    return bits[t];
}

static inline bool tensor_is_fp8(uint8_t type)
{
    return type == TENSOR_E4M3 || type == TENSOR_E5M2;
}

/** Elements of a part in one register. */
static inline unsigned tensor_packed(const struct tensor_desc *t, enum tensor_part p)
{
    return t->width * 8u / tensor_type_bits((enum tensor_type)t->type[p]);
}

/** How many elements of a (or b) there are along k: what is not stored does not count, and of bits a word does. */
static inline unsigned tensor_length(const struct tensor_desc *t, enum tensor_part p)
{
    unsigned k = t->type[p] == TENSOR_B1 ? t->k / 32u : t->k;
    return p == PART_A && t->sparse ? k / 2 : k;
}

/** A part's registers. */
static inline const uint32_t *tensor_registers(const struct tensor_desc *t, enum tensor_part p)
{
    const uint32_t *r = t->reg;
    for (enum tensor_part before = PART_D; before < p; before++)
        r += t->count[before];
    return r;
}

/** The place of a lane's element, counted through the part's registers; more than once where fragments repeat. */
struct cell fragment_cell(const struct tensor_desc *t, enum tensor_part p, int lane, unsigned element);

/** Where each lane's elements stand in the matrix, lines one after another: [element][lane], for all of a part's registers. */
void fragment_cells(const struct tensor_desc *t, enum tensor_part p, uint16_t *cell);

/** Where an element lies in memory: so many strides, and so many bits, behind the matrix's first one. */
struct memory_cell {
    uint16_t strides, bits;
};

/** Of wmma.load and wmma.store, for any stride: the last element that there is; the first of lane 1 and of lane 4, which say where lanes lie beside
 *  lane 0, four neighbours in a line and eight lines, of every register; and all elements of lane 0, its registers one after another. */
enum { LIES_LAST, LIES_NEXT, LIES_LINE, LIES_ELEMENTS };
void fragment_lies(struct tensor_desc *t, struct memory_cell *lies);
/** Bits from the matrix's first element on. */
static inline uint64_t memory_cell_bits(const struct tensor_desc *t, struct memory_cell c, uint32_t stride)
{
    enum tensor_type type = (enum tensor_type)t->type[t->part];
    return (uint64_t)c.strides * stride * (type == TENSOR_B1 ? 1 : tensor_type_bits(type)) + c.bits;   /* strides of bits count bits */
}

/** Lines of a (rows) and of b (columns), all quads' one after another. */
unsigned fragment_lines(const struct tensor_desc *t, enum tensor_part p);

/** How many pairs of elements (of tf32: elements, of four bits: pairs of pairs) a sparse row stores; four bits of metadata
 *  each, in as many lanes' registers as a quarter of them. */
unsigned sparse_pairs(const struct tensor_desc *t);

/** Where wgmma finds a matrix in shared memory: a descriptor, taken apart (PTX ISA 9.7.15.5.1.2.2). */
struct shared_matrix {
    uint32_t start, leading, stride;   /**< bytes */
    uint8_t swizzle;                   /**< 0 none, 1 128 bytes, 2 64, 3 32 */
    uint8_t base;
};

struct shared_matrix shared_matrix_of(uint64_t descriptor);

/** Elements lie in pieces of 16 bytes: in how many a (of one warp) or b lies, where in the block's shared memory the
 *  first byte of one is, and which one, from which byte on, holds an element. `first`: a's first line. */
#define MATRIX_PIECE 16
unsigned matrix_pieces(const struct tensor_desc *t, enum tensor_part p);
uint32_t matrix_piece_address(const struct tensor_desc *t, enum tensor_part p, const struct shared_matrix *m, unsigned first,
                              unsigned piece);
struct cell matrix_piece_of(const struct tensor_desc *t, enum tensor_part p, unsigned line, unsigned along);
/** Lines that have elements in a piece: from `*line` on. @return how many */
unsigned matrix_piece_lines(const struct tensor_desc *t, enum tensor_part p, unsigned piece, unsigned *line);

/** Four bits of metadata a pair, which say where it stands among four units: two bytes or half a tf32 each, four bits' pairs one. */
uint64_t sparse_row(const struct tensor_desc *t, const uint32_t metadata[WARP_LANES], unsigned row);

/** Where a sparse a's stored element `s` of a row stands along k, by the lanes' metadata. */
unsigned sparse_place(const struct tensor_desc *t, const uint32_t metadata[WARP_LANES], unsigned row, unsigned s);

/** ldmatrix and stmatrix: the row, and the 16-bit element in it, of half `half` of a lane's register. */
struct cell matrix_cell(bool transposed, int lane, unsigned half);

#endif
