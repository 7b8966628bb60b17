// Barriers of a grid by the device runtime's own function, as Numba's kernels call it. test_kinds.sh says what the list means.
//
// nvcc: -rdc=true -lcudadevrt
// arch compute_75 compute_90
// case called_between expect=silent
// case called_without_handle expect=data-race
// case left_out expect=data-race
#include <cstdio>
#include <cstring>

#define BLOCKS 3
#define THREADS 64
#define N (BLOCKS * THREADS)

__global__ void ring(int *a, int *b, int rounds, cudaCGScope scope, bool late)
{
    unsigned long long h = cudaCGGetIntrinsicHandle(scope);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; r++) {
        int left = a[(i + THREADS) % N]; // called_without_handle left_out
        b[i] = a[i] + left;
        if (!late || r == 0)
            cudaCGSynchronize(h, 0);
        int *t = a;
        a = b;
        b = t;
    }
}

int main(int argc, char **argv)
{
    static int h[2][N], got[N];
    int *a, *b, rounds = 4;
    const char *name = argc > 1 ? argv[1] : "";
    cudaCGScope scope = strcmp(name, "called_without_handle") ? cudaCGScopeGrid : cudaCGScopeInvalid;
    bool late = !strcmp(name, "left_out");
    for (int i = 0; i < N; i++)
        h[0][i] = i % 7;
    cudaMalloc(&a, sizeof h[0]);
    cudaMalloc(&b, sizeof h[0]);
    cudaMemcpy(a, h[0], sizeof h[0], cudaMemcpyHostToDevice);
    void *args[] = {&a, &b, &rounds, &scope, &late};
    cudaLaunchCooperativeKernel((const void *)ring, dim3(BLOCKS), dim3(THREADS), args, 0, 0);
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < N; i++)
            h[1 - r % 2][i] = h[r % 2][i] + h[r % 2][(i + THREADS) % N];
    cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost);
    bool right = !memcmp(got, h[0], sizeof got);
    if (strcmp(name, "called_between") == 0 && !right)
        printf("wrong\n");
    cudaFree(a);
    cudaFree(b);
    return strcmp(name, "called_between") == 0 && !right;
}
