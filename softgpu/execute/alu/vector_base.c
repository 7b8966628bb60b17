/**
 * @file vector_base.c
 * Vector arithmetic for any host: what the compiler makes of the loops by default.
 */
#define ALU_TABLE alu_vector_base
#include "execute/alu/vector.h"
