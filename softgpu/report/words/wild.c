/**
 * @file wild.c
 * An address that leads nowhere: what it may be, by what it looks like, and where it is to come from.
 */
#include <inttypes.h>

#include "memory/memory.h"
#include "memory/space.h"
#include "memory/windows.h"
#include "report/finding.h"
#include "report/words/words.h"

const char *put_own_memory(uint64_t address)
{
    enum ptx_space space = generic_resolve(&address);
    return space == SPACE_SHARED ? "a block's shared memory" : space == SPACE_LOCAL ? "a thread's local memory" : NULL;
}

/** Made of the bytes that memory holds which nobody has written, but for an index? */
static bool never_set(uint64_t address)
{
    return address >> 32 == POISON_BYTE * 0x01010101u;
}

void say_wild(struct finding *f)
{
    const struct fault_facts *x = &f->facts.fault;
    const char *own = put_own_memory(x->address);
    if (x->number)
        say_on(f, "at 0x%" PRIx64 ", which is %s", x->address, x->number == PLACE_RESERVED ? "reserved, and nothing is mapped there"
                                                                                   : "mapped (cuMemMap), and which no device has been given access to");
    else if (own)
        say_on(f, "at 0x%" PRIx64 ", which is %s: kernels that are launched from there do not reach it", x->address, own);
    else if (never_set(x->address))
        say_on(f, "at 0x%" PRIx64 ", which is no address: a pointer that was read from memory that nobody has written", x->address);
    else if (x->address >> ADDRESS_BITS)
        say_on(f, "at 0x%" PRIx64 ", which is no address: a pointer that was never set, or what is no pointer", x->address);
    else
        say_on(f, "at 0x%" PRIx64 ", which is no device memory: a host pointer, or one that was never set", x->address);
}

void try_wild(struct finding *f)
{
    const struct fault_facts *x = &f->facts.fault;
    if (put_own_memory(x->address))
        say_try(f, "put what line %d uses into global memory (cudaMalloc, malloc() in the kernel, a __device__ variable)", f->accesses[0].line);
    else if (x->number)
        say_try(f, "%scuMemSetAccess() before the launch", x->number == PLACE_RESERVED ? "cuMemMap() there, and " : "");
    else if (never_set(x->address))
        say_try(f, "set the pointer that line %d goes through before it is read: in all threads that use it, and behind a barrier where another thread sets it", f->accesses[0].line);
    else if (x->address >> ADDRESS_BITS)
        say_try(f, "look at where line %d has its pointer from: who sets it, and is it an index, or half of something else?", f->accesses[0].line);
    else
        say_try(f, "pass the kernel a pointer from cudaMalloc (with what the host has copied there by cudaMemcpy) or cudaMallocManaged; in a struct, too, and in each element of an array of pointers");
}
