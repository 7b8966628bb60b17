// Small launches in programs that have a lot of memory: they are run in other orders, too. test_kinds.sh says what the list means.
//
// case untaken expect=data-race
// case taken expect=silent
// case untaken_large expect=data-race
// case taken_large expect=silent
#include <cstring>
#include <cuda_runtime.h>

/** A thread tells another four times over; `waits`: that it takes each before the next. A reader that comes late sees the last alone. */
__global__ void tells(int *data, unsigned *told, unsigned *taken, bool waits)
{
    if (threadIdx.x == 0)
        for (unsigned turn = 0; turn < 4; turn++) {
            unsigned seen = 0;
            while (waits && seen < turn)
                asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(taken) : "memory");
            *data = turn + 10; // untaken untaken_large
            asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(told), "r"(turn + 1) : "memory");
        }
    if (threadIdx.x == 900) {
        int sum = 0;
        for (unsigned turn = 0; turn < 4; turn++) {
            unsigned seen = 0;
            while (seen < turn + 1)
                asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(told) : "memory");
            sum += *data; // untaken untaken_large
            asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(taken), "r"(turn + 1) : "memory");
        }
        data[1] = sum;
    }
}

int main(int argc, char **argv)
{
    const char *name = argv[argc > 1];
    size_t bytes = strstr(name, "large") ? 100 << 20 : 4096;
    char *memory;
    cudaMalloc(&memory, bytes);
    cudaMemset(memory, 0, bytes);
    tells<<<1, 1024>>>((int *)memory, (unsigned *)memory + 64, (unsigned *)memory + 128, strstr(name, "untaken") == NULL);
    cudaDeviceSynchronize();
    cudaFree(memory);
}
