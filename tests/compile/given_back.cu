// Loads of x[index] through one register, which a loop finds once in its allocation: between them x is given back, or another array
// takes its place, and lanes read what is there then. Lanes run in whole warps, in parts of one, and one alone.
#include <cstdio>

static const int words = 4096, threads = 64;

__global__ void pick(const int *const *arrays, const int *index, long long *out, int turns, int last)
{
    int i = threadIdx.x;
    long long s = 0;
    if (i < last)
        for (int turn = 0; turn < turns; turn++) {
            const int *x = arrays[turn % 3];
            for (int k = 0; k < 1 + i % 5; k++)
                s = 3 * s + x[index[i * 61 % threads + k] & 1023] + x[index[i] + turn];
        }
    out[i] = s;
}

/** All lanes read what lane 0 has from the heap of the device; after turn `again` lane 3 gives it back. */
__global__ void freed(const int *index, int **heap, long long *out, int again)
{
    int i = threadIdx.x;
    if (i == 0) {
        *heap = (int *)malloc(words * sizeof **heap);
        for (int k = 0; k < words; k++)
            (*heap)[k] = k * 7;
    }
    __syncthreads();
    const int *x = *heap;
    long long s = 0;
    for (int turn = 0; turn < 3; turn++) {
        s = 3 * s + x[index[i] + turn];
        free(i == 3 && turn == again ? *heap : NULL); // the warp stays whole, so that its code goes on
    }
    out[i] = s;
}

static void show(const char *name, const long long *from)
{
    long long got[threads], h = 17;
    cudaError_t status = cudaMemcpy(got, from, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < threads && !status; i++)
        h = h * 1000003 + got[i];
    printf("%s: %llx %s\n", name, h, cudaGetErrorString(status));
}

int main()
{
    static int host[words], at[threads + 8];
    int *x[3], *index, **heap;
    const int **arrays;
    long long *out;
    cudaMalloc(&out, threads * sizeof *out);
    cudaMalloc(&index, sizeof at);
    cudaMalloc(&heap, sizeof *heap);
    cudaMalloc(&arrays, sizeof x);
    for (int i = 0; i < threads + 8; i++)
        at[i] = (int)(i * 2654435761u >> 9) % 1500;
    cudaMemcpy(index, at, sizeof at, cudaMemcpyHostToDevice);
    for (int a = 0; a < 3; a++) {
        cudaMalloc(&x[a], sizeof host);
        for (int i = 0; i < words; i++)
            host[i] = (int)(i * 2246822519u >> 5) + a;
        cudaMemcpy(x[a], host, sizeof host, cudaMemcpyHostToDevice);
    }
    int *const places[][3] = {{x[0], x[0], x[0]}, {x[0], x[1], x[2]}, {x[0] + 1, x[0] + 2000, x[2] + 3}};
    for (int p = 0; p < 3; p++) {
        cudaMemcpy(arrays, places[p], sizeof places[p], cudaMemcpyHostToDevice);
        for (int last = 64; last > 0; last -= 21) {
            pick<<<1, threads>>>(arrays, index, out, 7, last);
            show("pick", out);
        }
    }
    freed<<<1, 32>>>(index, heap, out, 2);
    show("kept", out);
    cudaFree(x[1]);
    cudaMemcpy(arrays, places[1], sizeof places[1], cudaMemcpyHostToDevice);
    pick<<<1, threads>>>(arrays, index, out, 1, 64);
    show("the others", out);
    freed<<<1, 32>>>(index, heap, out, 0);
    show("given back", out);
    return 0;
}
