// A thread that polls two words, whichever they are, gives its turn away after a few looks: so a launch of two blocks, of which the first waits
// for the second, takes some thousand instructions, not a million.
//
// case two_words expect=silent options=--step-limit=60000
// case three_words expect=silent options=--step-limit=60000
// case in_vain expect=deadlock options=--step-limit=2000000
#include "check.h"
#include <cstring>
#include <cuda/atomic>
#include <cuda_runtime.h>

enum { WORDS = 4096, LAUNCHES = 400 };

__device__ unsigned look(unsigned *p) { return cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*p).load(cuda::memory_order_acquire); }

/** As a queue's consumer does: a number, and then the cell that it leads to. */
__global__ void wait_there(unsigned *head, unsigned *cell, unsigned *third, unsigned *out)
{
    if (blockIdx.x == 1)
        cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*cell).store(1, cuda::memory_order_release);
    else
        for (;;) {
            unsigned at = look(head);
            if ((!third || look(third + at) == 0) && look(cell + at) == 1) {
                *out = at;
                return;
            }
        }
}

int main(int argc, char **argv)
{
    unsigned *words, *out;
    CHECK(argc == 2 && !cudaMalloc(&words, WORDS * sizeof *words) && !cudaMalloc(&out, sizeof *out));
    bool three = !strcmp(argv[1], "three_words"), vain = !strcmp(argv[1], "in_vain");
    for (unsigned i = 0; i < (vain ? 1 : LAUNCHES); i++) {
        CHECK(!cudaMemset(words, 0, WORDS * sizeof *words));
        wait_there<<<vain ? 1 : 2, 1>>>(words + i, words + 2 * i + 500, three ? words + 3 * i + 1500 : nullptr, out);
        CHECK(!cudaDeviceSynchronize() == !vain);
    }
    CHECK(vain || (!cudaFree(words) && !cudaFree(out)));
    return 0;
}
