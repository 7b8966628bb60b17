// Tables that each lane looks up at a place of its own: the device library's, which nobody writes, and the program's, which a kernel may write.
// test_kinds.sh says what the list means.
//
// case library expect=silent
// case own_read expect=silent
// case own_written expect=data-race
// case own_written_before expect=silent
// case own_set_beside expect=stream-race
#include <cstring>
#include <cuda_runtime.h>

enum { N = 1 << 16, PLACES = 16 };

__device__ double table[PLACES] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

/** Sine and cosine of a double look up their coefficients by the angle's quadrant, and for large angles digits of 2/pi by its exponent. */
__global__ void waves(double *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = sin(i * 1.1) + cos(i * 1e9);
}

__global__ void looks_up(double *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[i * 7 % PLACES]; // own_set_beside
}

__global__ void looks_up_and_sets(double *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[i * 7 % PLACES]; // own_written
    if (i == N / 2)
        table[3] = out[i]; // own_written
}

__global__ void sets()
{
    table[threadIdx.x] = threadIdx.x;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    double *out, value = 5;
    cudaMalloc(&out, N * sizeof *out);
    if (!strcmp(name, "library")) {
        waves<<<N / 256, 256>>>(out);
    } else if (!strcmp(name, "own_read")) {
        looks_up<<<N / 256, 256>>>(out);
    } else if (!strcmp(name, "own_written")) {
        looks_up_and_sets<<<N / 256, 256>>>(out);
    } else if (!strcmp(name, "own_written_before")) {
        sets<<<1, PLACES>>>();
        looks_up<<<N / 256, 256>>>(out);
    } else if (!strcmp(name, "own_set_beside")) {
        cudaStream_t one, other;
        double *pinned;
        cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
        cudaMallocHost(&pinned, sizeof *pinned);
        *pinned = value;
        looks_up<<<N / 256, 256, 0, one>>>(out);
        cudaMemcpyToSymbolAsync(table, pinned, sizeof value, 0, cudaMemcpyHostToDevice, other); // own_set_beside
        cudaDeviceSynchronize();
        cudaFreeHost(pinned);
        cudaStreamDestroy(one);
        cudaStreamDestroy(other);
    } else {
        return 2;
    }
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
