/**
 * @file parts.c
 * Addresses that memory has been mapped to one after another (cuMemMap) are one range to the program, and several
 * allocations here: what works on the range is done part by part.
 */
#include "runtime/memory/copy.h"
#include "runtime/state/runtime.h"

size_t mapped_part(uint64_t address, size_t bytes)
{
    const struct allocation *a = memory_find(machine_memory(runtime.machine), address);
    uint64_t left = a && a->mapped && !a->freed ? a->base + a->bytes - address : bytes;
    return left < bytes ? left : bytes;
}

cudaError_t set_box(const char *name, struct box_set box, struct stream *s, bool async)
{
    size_t left = box.height == 1 && box.depth == 1 ? box.width : 0, part;
    cudaError_t e = cudaSuccess;
    for (; !e && (part = mapped_part(box.dst, left)) < left; box.dst += part, left -= part) {
        box.width = part;
        e = set_part(name, box, s, async);
    }
    if (left)
        box.width = left;
    return e ? e : set_part(name, box, s, async);
}
