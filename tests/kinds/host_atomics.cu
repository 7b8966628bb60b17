// Read-modify-writes by a kernel that runs, and stores by the host, in memory of the host's own: not atomic together over PCIe
// (tests/gpu/host_atomics_h200.txt). In managed memory they are; and where one has seen what the other wrote, it comes later.
//
// also --remote
//
// case both_add expect=stream-race level=error says=not.atomic.together
// case host_first expect=stream-race level=error says=not.atomic.together
// case registered expect=silent incomplete=cudaHostRegister
// case reset expect=stream-race level=error says=cudaMallocManaged
// case polled_by_atomic expect=stream-race level=error
// case managed expect=silent
// case host_reads expect=silent
// case in_turn expect=silent
// case kernel_in_turn expect=silent
// case waited expect=silent
// case other_words expect=silent
// case stored_by_kernel expect=silent
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define VOL(p) (*(volatile int *)(p))
enum { BEGUN, DATA = 16, OTHER = 32 };

__global__ void add(int *words)
{
    atomicAdd_system(&words[DATA], 3); // added
    VOL(&words[BEGUN]) = 1;
}
__global__ void add_behind(int *words) // the host's store comes first
{
    while (VOL(&words[DATA]) == 0)
        ;
    atomicAdd_system(&words[DATA], 3);
}
__global__ void poll(int *words)
{
    while (atomicAdd_system(&words[DATA], 0) == 0)
        ;
}
__global__ void store(int *words)
{
    VOL(&words[DATA]) = 3;
    VOL(&words[BEGUN]) = 1;
}

static int *words;

static void await(int at)
{
    while (__atomic_load_n(&words[at], __ATOMIC_RELAXED) == 0)
        ;
}
static void host_adds(int at)
{
    __atomic_fetch_add(&words[at], 1, __ATOMIC_RELAXED);
}

static bool run(const char *name)
{
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return false;
    CASE("both_add") add<<<1, 1>>>(words), await(BEGUN), host_adds(DATA);
    CASE("registered") add<<<1, 1>>>(words), await(BEGUN), host_adds(DATA);
    CASE("managed") add<<<1, 1>>>(words), await(BEGUN), host_adds(DATA);
    CASE("host_first") add<<<1, 1>>>(words), host_adds(DATA);
    CASE("reset") add<<<1, 1>>>(words), await(BEGUN), __atomic_store_n(&words[DATA], 0, __ATOMIC_RELAXED);
    CASE("polled_by_atomic") poll<<<1, 1>>>(words), __atomic_store_n(&words[DATA], 1, __ATOMIC_RELAXED);
    CASE("host_reads") add<<<1, 1>>>(words), await(DATA);
    CASE("in_turn") add<<<1, 1>>>(words), await(DATA), host_adds(DATA);
    CASE("kernel_in_turn") add_behind<<<1, 1>>>(words), host_adds(DATA);
    CASE("waited") add<<<1, 1>>>(words), cudaDeviceSynchronize(), host_adds(DATA);
    CASE("other_words") add<<<1, 1>>>(words), await(BEGUN), host_adds(OTHER);
    CASE("stored_by_kernel") store<<<1, 1>>>(words), await(BEGUN), host_adds(DATA);
    else return false;
    return true;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    void *page = aligned_alloc(4096, 4096);
    if (!strcmp(name, "managed"))
        cudaMallocManaged(&words, 256);
    else if (!strcmp(name, "registered"))
        cudaHostRegister(words = (int *)page, 4096, cudaHostRegisterDefault);
    else
        cudaMallocHost(&words, 256);
    memset(words, 0, 256);
    if (!run(name))
        return 2;
    cudaError_t e = cudaDeviceSynchronize();
    if (!strcmp(name, "managed"))
        cudaFree(words);
    else if (!strcmp(name, "registered"))
        cudaHostUnregister(words);
    else
        cudaFreeHost(words);
    free(page);
    return e != cudaSuccess;
}
