// Threads that read rows of their own: words side by side, as unrolled loops and structures do, in every way in which they may lie.
#include <cstdio>

struct three { int a, b, c; };

__global__ void rows(const int *in, const int *start, long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long s = 0;
    if (i < n)
        for (int k = start[i]; k < start[i + 1]; k++)
            s = 3 * s + in[k];
    out[i] = s;
}

__global__ void fours(const int *in, long long *out, int width, int shift)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int *row = in + (long long)i * width + shift;
    out[i] = row[0] + 3ll * row[1] + 9ll * row[2] + 27ll * row[3];
}

__global__ void fields(const three *in, long long *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i].a + 5ll * in[i].c + 25ll * in[31 - (i & 31)].b;
}

__global__ void stencil(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i < n - 1)
        out[i] = in[i - 1] - 2 * in[i] + in[i + 1];
}

/** What is written in between must be read. */
__global__ void between(int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, *row = in + 8 * i;
    int a = row[0];
    *(volatile int *)(row + 1) = a + 7;
    out[i] = row[1] - a + row[2];
}

static long long digest(const void *device, size_t bytes)
{
    unsigned char *host = new unsigned char[bytes];
    cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
    long long h = 17;
    for (size_t i = 0; i < bytes; i++)
        h = h * 1000003 + host[i];
    delete[] host;
    return h;
}

int main()
{
    const int threads = 256, blocks = 12, n = threads * blocks, words = 40 * n;
    int *in, *start, *host = new int[words], *begin = new int[n + 1];
    long long *out;
    for (int i = 0; i < words; i++)
        host[i] = i * 2654435761u >> 7;
    cudaMalloc(&in, words * sizeof *in);
    cudaMalloc(&start, (n + 1) * sizeof *start);
    cudaMalloc(&out, n * sizeof *out);
    cudaMemcpy(in, host, words * sizeof *in, cudaMemcpyHostToDevice);
    for (int kind = 0; kind < 3; kind++) { // rows of 16, of any length, of any length and place
        for (int i = 0; i <= n; i++)
            begin[i] = kind == 0 ? 16 * i : kind == 1 ? 16 * i + i * 7 % 13 : 9 * i + i * 5 % 11;
        cudaMemcpy(start, begin, (n + 1) * sizeof *start, cudaMemcpyHostToDevice);
        for (int again = 0; again < 2; again++)
            rows<<<blocks, threads>>>(in, start, out, n - again * 77);
        printf("rows %d: %llx\n", kind, digest(out, n * sizeof *out));
    }
    for (int width = 0; width < 12; width++)
        for (int shift = 0; shift < 3; shift++) {
            fours<<<blocks, threads>>>(in, out, width, shift);
            printf("fours %d %d: %llx\n", width, shift, digest(out, n * sizeof *out));
        }
    fours<<<blocks, threads>>>(in + words - 4 * n, out, 4, 0); // up to the allocation's end
    printf("end: %llx\n", digest(out, n * sizeof *out));
    fields<<<blocks, threads>>>((const three *)in, out);
    printf("fields: %llx\n", digest(out, n * sizeof *out));
    stencil<<<blocks, threads>>>(in, (int *)out, n);
    printf("stencil: %llx\n", digest(out, n * sizeof *out));
    between<<<blocks, threads>>>(in, (int *)out);
    printf("between: %llx\n", digest(out, n * sizeof *out));
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    fours<<<blocks, threads>>>(in + words - 4 * n, out, 4, 2); // and beyond it
    printf("beyond: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
