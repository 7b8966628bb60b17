/**
 * @file dynamic_names.c
 * Kernels that have several names for their dynamic shared memory, which all begin at one place.
 *
 * Behind this an address is a number, and nobody can tell by which name it was made. So of these kernels alone, and what they call, each
 * load, store and atomic that may go there keeps the name that its address is made of (base_variables.c), or that this is not known.
 * Not where something else than these may touch shared memory: what goes there unnamed would be taken for what had been there before.
 */
#include "decode/decoder.h"
#include "decode/stages.h"

static bool reached_by(const struct function_info *f, int e)
{
    return f->entries[e / 64] >> (e % 64) & 1;
}

static bool has_names(const struct decoder *d, int e)
{
    int names = 0;
    for (int i = 0; i < d->shared_count; i++)
        names += d->shared[i].owner < 0 && d->shared[i].source->bytes == 0 && d->shared[i].entries[e / 64] >> (e % 64) & 1;
    return names > 1;
}

/** Do only loads, stores and atomics touch memory in it? */
static bool is_simple(const struct function *f)
{
    for (const struct insn *in = f->entry; in && in < f->end; in++) {
        enum insn_class c = insn_class(in);
        if (c == INSN_COPY || c == INSN_MBARRIER || c == INSN_TENSOR || c == INSN_UNSUPPORTED || (insn_is_memory(in) && in->mem.cluster))
            return false;
    }
    return true;
}

static bool all_simple(const struct decoder *d, int e)
{
    bool simple = true;
    for (int i = 0; simple && i < d->im->function_count; i++)
        simple = !reached_by(&d->infos[i], e) || is_simple(d->im->functions[i]);
    return simple;
}

static void mark(struct insn *in, bool kept)
{
    bool may = kept && insn_is_memory(in) && (in->mem.space == SPACE_SHARED || in->mem.space == SPACE_GENERIC);
    if (!in->mem.object_bytes)
        in->object = !may ? 0 : in->object ? in->object : NAME_UNKNOWN;
}

void dynamic_names_keep(struct decoder *d)
{
    bool *kept = decoder_alloc(d, (size_t)d->im->function_count, sizeof *kept);
    for (int e = 0; e < d->entry_count; e++) {
        bool names = has_names(d, e) && all_simple(d, e);
        for (int i = 0; names && i < d->im->function_count; i++) {
            kept[i] |= reached_by(&d->infos[i], e);
            d->im->functions[i]->keeps_names |= d->entry_number[i] == e;
        }
    }
    for (int i = 0; i < d->im->function_count; i++)
        for (uint32_t k = 0; info_has_body(&d->infos[i]) && k <= (uint32_t)d->infos[i].source->instrs.count; k++)
            mark(&d->im->code[d->infos[i].first_insn + k], kept[i]);
}
