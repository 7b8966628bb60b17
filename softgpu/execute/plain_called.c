/**
 * @file plain_called.c
 * Plain accesses in checked mode (plain_access.h), called by compiled code, whose registers are not in the frame: observed_plain.c, with all
 * steps in one function for each kind where vectors help.
 */
#include "execute/plain_called.h"

#include <string.h>

#include "execute/access.h"
#include "execute/plain_steps.h"
#include "execute/plain_vectors.h"
#include "memory/memory.h"

/** Do the observers want nothing of the warp but the access? */
static inline __attribute__((always_inline)) bool are_ready(const struct plain_list *list, const struct warp *w, const struct plain_access *p)
{
    if (list->others || (list->untold && !*list->untold))
        return false;
    for (int i = 0; i < list->asks; i++)
        if (!list->ask[i].idle(list->ask[i].self, w, p))
            return false;
    return true;
}

static inline __attribute__((always_inline)) void tell(const struct plain_list *list, const struct warp *w, struct plain_access *p)
{
    for (int i = 0; i < list->tells; i++)
        list->tell[i].tell(list->tell[i].self, w, p);
    if (list->untold)
        --*list->untold;
}

/* ---- On any processor ---- */

static bool load_any(struct warp *w, const struct insn *in)
{
    struct machine *m = warp_machine(w);
    struct plain_access *p = &w->worker->plain;
    if (!is_usual(m) || !plain_place(w, in, w->worker->places, 0, p) || !are_ready(&m->observers.plain_loads, w, p))
        return false;
    fetch_ahead(w, p);
    plain_fetch(p);
    note_plain(w, p, true);
    tell(&m->observers.plain_loads, w, p);
    return true;
}

static bool store_any(struct warp *w, const struct insn *in)
{
    struct machine *m = warp_machine(w);
    struct plain_access *p = &w->worker->plain;
    if (!is_usual(m) || !plain_place(w, in, w->worker->places, 0, p) || !are_ready(&m->observers.plain_stores, w, p))
        return false;
    note_plain(w, p, false);
    tell(&m->observers.plain_stores, w, p);
    plain_write(p);
    return true;
}

/* ---- By vectors ---- */

#ifdef __x86_64__
AVX512 INLINE __m512i word_at(const struct plain_access *p, uint32_t at)
{
    int v;
    memcpy(&v, p->host + at, sizeof v);
    return _mm512_set1_epi32(v);
}

/** plain_fetch() */
AVX512 INLINE struct halves values_at(const struct plain_access *p, struct halves at)
{
    __mmask16 low = (__mmask16)p->mask, high = (__mmask16)(p->mask >> HALF);
    const __m512i none = _mm512_setzero_si512();
    const uint8_t *row = plain_row_in(p, p->host);
    __m512i one;
    switch (p->shape) {
    case PLAIN_ROW:
        return (struct halves){_mm512_maskz_loadu_epi32(low, row), _mm512_maskz_loadu_epi32(high, row + 4 * HALF)};
    case PLAIN_PAIRS:
        one = _mm512_loadu_si512(p->host + p->at[0]);
        return (struct halves){one, one};
    case PLAIN_ROWS:
        return (struct halves){_mm512_loadu_si512(p->host + p->at[0]), _mm512_loadu_si512(p->host + p->at[HALF])};
    case PLAIN_HALVES:
        return (struct halves){word_at(p, p->at[0]), word_at(p, p->at[HALF])};
    case PLAIN_ONE:
        one = word_at(p, p->at[__builtin_ctz(p->mask)]);
        return (struct halves){one, one};
    default:
        return (struct halves){_mm512_mask_i32gather_epi32(none, low, at.low, p->host, 1), _mm512_mask_i32gather_epi32(none, high, at.high, p->host, 1)};
    }
}

/** Finds the places, in global memory. */
AVX512 INLINE bool find_global(struct warp *w, struct plain_access *p)
{
    struct worker *k = w->worker;
    return is_in_global(k, k->places[__builtin_ctz(p->mask)], p) && place_wide(p, k->places, 0, k->cache_bytes - 4);
}

AVX512 INLINE bool find_shared(const struct warp *w, struct plain_access *p)
{
    return is_in_shared(w->block, p) && place_narrow(p, (const uint32_t *)w->worker->places, 0, w->block->shared_bytes - 4);
}

AVX512 INLINE bool find(struct warp *w, const struct insn *in, struct plain_access *p, bool shared, struct halves *at)
{
    p->insn = in;
    p->mask = w->mask;
    p->full = false;
    p->more = 0;
    if (!(shared ? find_shared(w, p) : find_global(w, p)))
        return false;
    *at = places_of(p);
    p->shape = (uint8_t)shape_in(p, *at);
    return true;
}

AVX512 INLINE bool load(struct warp *w, const struct insn *in, bool shared)
{
    struct machine *m = warp_machine(w);
    struct plain_access *p = &w->worker->plain;
    struct halves at;
    if (!is_usual(m) || !find(w, in, p, shared, &at) || !are_ready(&m->observers.plain_loads, w, p))
        return false;
    fetch_ahead(w, p);
    struct halves values = values_at(p, at);
    _mm512_storeu_si512(p->value, values.low);
    _mm512_storeu_si512(p->value + HALF, values.high);
    note_plain(w, p, true);
    tell(&m->observers.plain_loads, w, p);
    return true;
}

AVX512 INLINE bool store(struct warp *w, const struct insn *in, bool shared)
{
    struct machine *m = warp_machine(w);
    struct plain_access *p = &w->worker->plain;
    struct halves at;
    if (!is_usual(m) || !find(w, in, p, shared, &at) || !are_ready(&m->observers.plain_stores, w, p))
        return false;
    note_plain(w, p, false);
    tell(&m->observers.plain_stores, w, p);
    if (p->shape == PLAIN_ROW)
        write_row_at_once(p);
    else
        plain_write(p);
    return true;
}

/** All lanes read the same words, side by side. */
AVX512 static bool load_broadcast(struct warp *w, const struct insn *in)
{
    struct machine *m = warp_machine(w);
    struct plain_access *p = &w->worker->plain;
    const struct plain_list *list = &m->observers.plain_loads;
    unsigned bytes = 4u * in->mem.count;
    p->mask = w->mask;
    struct halves at = {_mm512_loadu_si512(w->worker->places), _mm512_loadu_si512((const uint32_t *)w->worker->places + HALF)};
    uint32_t one = ((const uint32_t *)w->worker->places)[__builtin_ctz(p->mask)];
    const __m512i same = _mm512_set1_epi32((int)one);
    if (!is_usual(m) || p->mask & ~equal(at, same, same) || one % bytes || w->block->shared_bytes < bytes || one > w->block->shared_bytes - bytes)
        return false;
    p->insn = in;
    p->space = SPACE_SHARED;
    p->shape = PLAIN_ONE;
    p->full = false;
    p->more = (uint8_t)(in->mem.count - 1);
    p->host = w->block->shared;
    p->base = 0;
    p->allocation = NULL;
    p->ahead = 0;
    _mm512_storeu_si512(p->at, at.low);
    _mm512_storeu_si512(p->at + HALF, at.high);
    if (!are_ready(list, w, p))
        return false;
    memcpy(p->value, p->host + one, bytes);
    tell(list, w, p);
    return true;
}

AVX512 static bool load_shared(struct warp *w, const struct insn *in) { return load(w, in, true); }
AVX512 static bool load_global(struct warp *w, const struct insn *in) { return load(w, in, false); }
AVX512 static bool store_shared(struct warp *w, const struct insn *in) { return store(w, in, true); }
AVX512 static bool store_global(struct warp *w, const struct insn *in) { return store(w, in, false); }
#else
#define HAS_AVX512 0
#define load_broadcast NULL
#define load_shared load_any
#define load_global load_any
#define store_shared store_any
#define store_global store_any
#endif

plain_called_fn plain_called(bool is_load, bool is_shared)
{
    if (!HAS_AVX512)
        return is_load ? load_any : store_any;
    if (is_load)
        return is_shared ? load_shared : load_global;
    return is_shared ? store_shared : store_global;
}

static bool load_none(struct warp *w, const struct insn *in)
{
    (void)w, (void)in;
    return false;
}

plain_called_fn plain_called_broadcast(void)
{
    return HAS_AVX512 ? load_broadcast : load_none;
}
