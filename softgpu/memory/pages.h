/**
 * @file pages.h
 * Private to memory/: a copy of a range of bytes that is kept from launch to launch, and which pieces of the range have been written since.
 *
 * A piece that has not changed from one keeping to the next, and to the next again, is closed: whoever writes there faults, and memory_opens() lets it.
 * So who writes does not matter, be it a kernel, machine code, a checker or a copy, and a keeping costs what is open. A range begins open.
 */
#ifndef SOFTGPU_MEMORY_PAGES_H
#define SOFTGPU_MEMORY_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/** Smaller ranges are copied as a whole. */
#define PAGES_LEAST (128ull << 10)

struct pages;

/** Follows a range of whole pages from `live` on. @return NULL where there is no room for it, or there are too many */
struct pages *pages_new(uint8_t *live, uint64_t bytes);
void pages_free(struct pages *p);
/** Does it follow those bytes? NULL follows nothing. */
bool pages_are(const struct pages *p, const uint8_t *live, uint64_t bytes);
/** The range is about to be unmapped: the copy stays. */
void pages_lost(struct pages *p);
/** Other bytes, all open, have come in place of those that were lost. */
void pages_found(struct pages *p, uint8_t *live);

/** The copy becomes what the range holds now. */
void pages_keep(struct pages *p);
/** What the range holds now where it may differ from the copy. The caller's, for pages_changes_free(). */
struct pages_changes *pages_changes(const struct pages *p);
void pages_changes_free(struct pages_changes *c);
/** The range holds what the copy does again, but for those changes; NULL: but for none. */
void pages_return(struct pages *p, const struct pages_changes *c);
/** Does whoever has set memory_guard() follow the calling thread's faults? */
bool pages_may_be_closed(void);
/** Stores to `bytes` from `offset` on do not fault. */
void pages_open(struct pages *p, uint64_t offset, uint64_t bytes);

#endif
