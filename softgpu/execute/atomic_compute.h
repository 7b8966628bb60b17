/**
 * @file atomic_compute.h
 * What atom and red compute (PTX ISA 9.7.13.5, 9.7.13.6).
 */
#ifndef SOFTGPU_EXECUTE_ATOMIC_COMPUTE_H
#define SOFTGPU_EXECUTE_ATOMIC_COMPUTE_H

#include <stdbool.h>
#include <stdint.h>

struct mem_desc;

/** What an atomic of two operands leaves, which is not a compare-and-swap; both have the element's bytes. */
uint64_t atomic_compute(const struct mem_desc *d, uint64_t a, uint64_t b, bool global);

#endif
