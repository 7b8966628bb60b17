/**
 * @file debug_sections.h
 * Private to debug/agent: the DWARF that nvcc -G leaves in the text of a module (PTX ISA 11.5), put together as bytes.
 */
#ifndef SOFTGPU_DEBUG_AGENT_DEBUG_SECTIONS_H
#define SOFTGPU_DEBUG_AGENT_DEBUG_SECTIONS_H

#include <elfutils/libdw.h>

#include "code/image.h"

/** An instruction's address in it. */
static inline uint64_t debug_address(const struct image *im, const struct insn *in)
{
    return (uint64_t)(in - im->code) * 16 + 16;
}

/** The module's DWARF, made when first asked for and kept for good; NULL: it has none, or none that can be read.
 *  Addresses in it: debug_address(), generic addresses of variables, LOCAL_WINDOW for a function's local memory. */
Dwarf *debug_sections(const struct image *im);

#endif
