// Blocks that say what they have in a word of their own, by one relaxed store after the other, and look at all others' words, as a scan does that looks
// back: nothing that anybody hears tells that a word is newer than what he reads, and that is said without going through all that has been heard, so
// completely. Where a block says so elsewhere, behind its word, it is looked for and told.
//
// case alone expect=silent complete
// case said_elsewhere expect=ordering
// case said_before expect=silent complete
// case fenced expect=silent complete
#include "check.h"
#include <cstring>
#include <cuda/atomic>
#include <cuda_runtime.h>

enum { BLOCKS = 700, FEW = 9 };
enum what { ALONE, SAID_ELSEWHERE, SAID_BEFORE, FENCED };
typedef unsigned long long word; // what it is in the upper half, a sum in the lower one

__device__ word look(word *p) { return cuda::atomic_ref<word, cuda::thread_scope_device>(*p).load(cuda::memory_order_relaxed); }
__device__ void publish(word *p, word v) { cuda::atomic_ref<word, cuda::thread_scope_device>(*p).store(v, cuda::memory_order_relaxed); }

__global__ void look_back(unsigned *ticket, word *words, word *said, word *out, what w)
{
    __shared__ unsigned tile;
    if (threadIdx.x == 0)
        tile = atomicAdd(ticket, 1);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    word sum = 0;
    if (w == SAID_BEFORE)
        publish(said + tile, 1);
    publish(words + tile, 1ull << 32 | (tile + 1)); // said_elsewhere
    if (w == FENCED)
        __threadfence();
    if (w == SAID_ELSEWHERE || w == FENCED)
        publish(said + tile, 1);
    for (unsigned t = tile; t > 0; t--) {
        word its = 0;
        while (w != ALONE && look(said + t - 1) == 0)
            ;
        if (w == FENCED)
            __threadfence();
        while (w == ALONE || w == SAID_BEFORE) {
            its = look(words + t - 1);
            if (its >> 32)
                break;
        }
        if (!its)
            its = look(words + t - 1);
        sum += (unsigned)its;
    }
    if (w == ALONE)
        publish(words + tile, 2ull << 32 | (tile + 1));
    out[tile] = sum;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"alone", "said_elsewhere", "said_before", "fenced"};
    word *words, *said, *out;
    unsigned *ticket, which = 0;
    CHECK(argc == 2 && !cudaMalloc(&words, BLOCKS * sizeof *words) && !cudaMalloc(&said, BLOCKS * sizeof *said));
    CHECK(!cudaMalloc(&out, BLOCKS * sizeof *out) && !cudaMalloc(&ticket, sizeof *ticket));
    while (which < FENCED && strcmp(argv[1], names[which]))
        which++;
    CHECK(!cudaMemset(ticket, 0, sizeof *ticket) && !cudaMemset(words, 0, BLOCKS * sizeof *words) && !cudaMemset(said, 0, BLOCKS * sizeof *said));
    look_back<<<which == ALONE ? BLOCKS : FEW, 32>>>(ticket, words, said, out, (what)which);
    CHECK(!cudaDeviceSynchronize() && !cudaFree(words) && !cudaFree(said) && !cudaFree(out) && !cudaFree(ticket));
    return 0;
}
