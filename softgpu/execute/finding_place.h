/**
 * @file finding_place.h
 * Fills the parts of a finding that say where: thread, source line, object and offset.
 */
#ifndef SOFTGPU_EXECUTE_FINDING_PLACE_H
#define SOFTGPU_EXECUTE_FINDING_PLACE_H

#include "report/finding.h"

struct machine;
struct grid;
struct block;
struct warp;
struct insn;

/** Fills `a` for one lane of a warp at an instruction. */
void finding_access_fill(struct finding_access *a, const struct warp *w, int lane,
                         const struct insn *in, const char *op);
/** The same for a thread known by its block's linear index and its number in the block. */
void finding_access_at(struct finding_access *a, const struct grid *g, uint64_t block,
                       uint32_t thread, const struct insn *in, const char *op);
/** As finding_access_at() for an instruction known by its site in the grid's image. */
void finding_access_site(struct finding_access *a, const struct grid *g, uint64_t block,
                         uint32_t thread, uint32_t site, const char *op);
/** Fills space, object and offset from a global device address or a shared offset. `b` may be NULL for global
 *  addresses. */
void finding_place(struct finding *f, struct machine *m, const struct block *b,
                   enum ptx_space space, uint64_t address);

#endif
