// unwritten_shared.cu: managed and page-locked memory that nobody has written holds no more than device memory does; what the host has
// written there, in whatever way, holds something.
//
// also --schedules=2
// case managed_branch expect=uninitialized-read
// case managed_branch_right expect=silent
// case managed_sum expect=uninitialized-read
// case managed_counter expect=uninitialized-read
// case managed_counter_right expect=silent
// case managed_copied expect=uninitialized-read level=warning
// case managed_copied_right expect=silent
// case managed_half expect=uninitialized-read
// case managed_filled expect=silent
// case managed_by_kernel expect=silent
// case managed_again expect=silent
// case pinned_branch expect=uninitialized-read
// case pinned_branch_right expect=silent
// case pinned_to_device expect=uninitialized-read
// case pinned_to_device_right expect=silent
// case pinned_from_file expect=silent
// case pinned_bytes expect=silent
// case pinned_round_trip expect=silent
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define N 64

__global__ void count_large(const int *in, int *out)
{
    if (in[threadIdx.x] > 3)
        out[threadIdx.x] = 1;
}

__global__ void twice(const int *in, int *out)
{
    out[threadIdx.x] = 2 * in[threadIdx.x];
}

__global__ void add(int *sum)
{
    atomicAdd(sum, 1);
}

__global__ void put(int *out)
{
    out[threadIdx.x] = threadIdx.x;
}

__global__ void vowels(const char *text, int *out)
{
    if (text[threadIdx.x] == 'a')
        out[threadIdx.x] = 1;
}

static bool is(const char *name, const char *what)
{
    return !strcmp(name, what);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    bool managed = !strncmp(name, "managed", 7), right = strstr(name, "_right") != NULL;
    int *x, *y, got[N];
    cudaError_t made = managed ? cudaMallocManaged(&x, sizeof got) : cudaMallocHost(&x, sizeof got);
    cudaMalloc(&y, sizeof got);
    cudaMemset(y, 0, sizeof got);
    if (made != cudaSuccess)
        return 1;
    if (right || is(name, "managed_again"))
        for (int i = 0; i < N; i++)
            x[i] = i;
    if (!strncmp(name, "managed_branch", 14) || !strncmp(name, "pinned_branch", 13) || is(name, "managed_again"))
        count_large<<<1, N>>>(x, y);
    if (is(name, "managed_sum"))
        twice<<<1, N>>>(x, y);
    if (!strncmp(name, "managed_counter", 15))
        add<<<1, N>>>(x);
    if (!strncmp(name, "managed_copied", 14)) {
        cudaMemcpy(got, x, sizeof got, cudaMemcpyDeviceToHost);
        printf("%d\n", got[3]);
    }
    if (is(name, "managed_half")) {
        memset(x, 0, sizeof got / 2);
        twice<<<1, N>>>(x, y);
    }
    if (is(name, "managed_filled")) {
        cudaMemset(x, 0, sizeof got);
        twice<<<1, N>>>(x, y);
    }
    if (is(name, "managed_by_kernel")) {
        put<<<1, N>>>(x);
        twice<<<1, N>>>(x, y);
    }
    if (is(name, "managed_again")) {
        cudaDeviceSynchronize();
        for (int i = 0; i < N; i++)
            x[i] += 5;
        twice<<<1, N>>>(x, y);
    }
    if (!strncmp(name, "pinned_to_device", 16)) {
        cudaMemcpy(y, x, sizeof got, cudaMemcpyHostToDevice);
        count_large<<<1, N>>>(y, x);
    }
    if (is(name, "pinned_from_file")) {
        FILE *f = fopen(argv[0], "r");
        if (!f || fread(x, 1, sizeof got, f) != sizeof got)
            return 1;
        fclose(f);
        count_large<<<1, N>>>(x, y);
    }
    if (is(name, "pinned_bytes")) {
        snprintf((char *)x, sizeof got, "%60s", "an apple");
        vowels<<<1, 60>>>((const char *)x, y);
    }
    if (is(name, "pinned_round_trip")) {
        put<<<1, N>>>(y);
        cudaMemcpy(x, y, sizeof got, cudaMemcpyDeviceToHost);
        count_large<<<1, N>>>(x, y);
    }
    cudaDeviceSynchronize();
    if (managed)
        cudaFree(x);
    else
        cudaFreeHost(x);
    cudaFree(y);
    return 0;
}
