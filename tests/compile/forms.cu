// Addresses whose growth from lane to lane the text tells, in blocks of many shapes: rows, tiles, columns, places far apart and backwards, indices that
// wrap, registers that hold one thing after another, values that differ by which way a lane came, and lanes that come back from elsewhere.
// With arguments STEP and SHAPE: a column in shared memory by that step, which leaves it, or (1, 2, 3) an index that wraps within the first warp.
#include <cstdio>
#include <cstdlib>

static const int room = 6144;

/** What all kernels have of a thread. */
__device__ int number()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

template <int STEP, int FROM> __global__ void apart(const int *in, int *out)
{
    __shared__ int s[room];
    for (int i = number(); i < room; i += blockDim.x * blockDim.y * blockDim.z)
        s[i] = in[i];
    __syncthreads();
    int v = s[FROM + STEP * (int)threadIdx.x + (int)threadIdx.y];
    __syncthreads();
    s[FROM + STEP * (int)threadIdx.x] = v + 3 * number(); // some write one place: the last one's stays
    __syncthreads();
    for (int i = number(); i < room; i += blockDim.x * blockDim.y * blockDim.z)
        out[i] = s[i];
}

__global__ void tiles(const int *in, int *out, int width)
{
    __shared__ int t[32][33];
    int x = blockIdx.x * 16 + threadIdx.x, y = threadIdx.y;
    t[y % 32][threadIdx.x % 32] = in[y * width + x];
    __syncthreads();
    out[(x * width + y) % room] = t[threadIdx.x % 32][y % 32] + t[y % 32][5] + t[2][threadIdx.x % 32];
    out[room + x + y * width] = in[x + 32] - in[y] + in[7];
}

/** The index wraps within a warp: x[i] with i from just below 2^31, or as unsigned from just below 2^32, on. */
template <typename I> __global__ void wraps(const int *in, int *out, I from, long long back)
{
    I i = from + (I)threadIdx.x;
    const int *base = in - back;
    out[number()] = base[i];
}

/** Two indices wrap in one warp, each by itself, and what one jumps the other jumps back: the first and the last lane are where they should be. */
__global__ void twice(const int *in, int *out, int from, int other)
{
    int i = from + 2 * (int)threadIdx.x, j = other + (int)threadIdx.x;
    out[number()] = in[((long long)i - j) - ((long long)from - other)];
}

/** Which way a lane came says what is added: no row, although each write is one. */
__global__ void ways(const int *in, int *out, int bit)
{
    __shared__ int s[512];
    int i = threadIdx.x;
    s[i] = in[i];
    __syncthreads();
    int k;
    if (threadIdx.x >> bit & 1)
        k = i + 5;
    else
        k = i + 9;
    int v = s[k & 511] + s[(k + 64) & 511];
    __syncthreads();
    for (int j = 0; j < (int)(threadIdx.x & 3); j++)
        k += 7, v = 3 * v + s[k & 511];
    out[number()] = v + in[k];
}

/** Lanes leave a loop one after another, and go on together; the same registers hold other things meanwhile. */
__global__ void leaves(const int *in, int *out, int n)
{
    __shared__ int s[512];
    int i = threadIdx.x, sum = 0;
    for (int round = 0; round < 3; round++) {
        s[i] = in[i + round];
        __syncthreads();
        int at = i;
        while (at < n) {
            sum = sum * 5 + s[at & 511];
            at += 1 + (i & 7) + round;
            if (sum & 1)
                break;
        }
        __syncthreads();
        s[i] = sum;
        __syncthreads();
        sum += s[blockDim.x - 1 - i];
        __syncthreads();
    }
    out[number()] = sum;
}

/** Only some lanes run, not the first: what is the same in all of them comes of a quotient that differs from row to row. */
__global__ void few(const int *in, int *out, int d)
{
    int i = threadIdx.x;
    if (i % 32 >= 5) {
        int q = (threadIdx.y * 7 + 90) / (threadIdx.y + d);
        out[number()] = in[i + 3 * q] + q;
    }
}

/** A call, a vote and an exchange between: the interpreter has a part in it. */
__device__ __noinline__ int helper(const int *p, int i)
{
    return p[i] + p[i + 2 * threadIdx.x];
}

__global__ void calls(const int *in, int *out)
{
    int i = threadIdx.x, v = helper(in, i);
    v += __shfl_xor_sync(~0u, v, 3) + in[i];
    __syncthreads();
    if (__any_sync(~0u, v & 1))
        v += helper(in + v % 2, i + 1);
    __syncthreads();
    out[number()] = v + in[2 * i];
}

template <typename T> __global__ void wide(const T *in, T *out)
{
    __shared__ T s[1024];
    int i = threadIdx.x;
    s[i] = in[i];
    s[i + 512] = in[2 * i];
    __syncthreads();
    T *p = &s[i], *q = &s[1023 - 2 * (i & 255)];
    out[number()] = p[1] + q[0] + s[blockDim.x - 1 - i];
}

static int host[4 * room], *in, *out;

static void show(const char *name, dim3 shape, int kind)
{
    static int got[4 * room];
    unsigned long long h = 17;
    cudaError_t e = cudaDeviceSynchronize();
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4 * room; i++)
        h = h * 1000003 + got[i];
    printf("%s %u %u %u, %d: %llx %s\n", name, shape.x, shape.y, shape.z, kind, h, cudaGetErrorString(e));
    cudaMemset(out, 0, sizeof got);
}

int main(int argc, char **argv)
{
    static const dim3 shapes[] = {dim3(256), dim3(32, 3), dim3(64, 2, 2), dim3(16, 16), dim3(16, 2), dim3(16, 3), dim3(16, 5, 2), dim3(48, 2), dim3(8, 8),
                                  dim3(100), dim3(16, 1, 4), dim3(33), dim3(512)};
    for (int i = 0; i < 4 * room; i++)
        host[i] = (int)(i * 2654435761u >> 9);
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof host);
    if (argc > 2) {
        dim3 shape = shapes[atoi(argv[2])];
        switch (atoi(argv[1])) {
        case 400: apart<400, 0><<<1, shape>>>(in, out); break;
        case -7: apart<-7, 60><<<1, shape>>>(in, out); break;
        case 6: apart<6, 6100><<<1, shape>>>(in, out); break;
        case 1: wraps<int><<<1, shape>>>(in, out, 0x7ffffff0, 0x7ffffff0ll); break;
        case 3: twice<<<1, shape>>>(in, out, 0x7fffffe0, 0x7ffffff8); break;
        case 2: wraps<unsigned><<<1, shape>>>(in, out, 0xfffffff0u, 0xfffffff0ll); break;
        }
        printf("apart: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
        return 0;
    }
    for (dim3 shape : shapes) {
        int threads = shape.x * shape.y * shape.z;
        apart<1, 0><<<2, shape>>>(in, out), show("apart", shape, 1);
        apart<0, 9><<<2, shape>>>(in, out), show("apart", shape, 0);
        apart<2, 3><<<2, shape>>>(in, out), show("apart", shape, 2);
        apart<11, 1><<<2, shape>>>(in, out), show("apart", shape, 11);
        apart<-1, 600><<<2, shape>>>(in, out), show("apart", shape, -1);
        apart<-9, 5000><<<2, shape>>>(in, out), show("apart", shape, -9);
        tiles<<<2, shape>>>(in, out, 64), show("tiles", shape, 64);
        wraps<int><<<1, shape>>>(in, out, 1000, 900), show("wraps", shape, 0);
        wraps<unsigned><<<1, shape>>>(in, out, 0xfffffe00u, 0xfffffe00ll), show("wraps", shape, 1);
        wraps<int><<<1, shape>>>(in, out, 0x7ffffe00, 0x7ffffe00ll), show("wraps", shape, 2);
        twice<<<2, shape>>>(in, out, 3000, 2000), show("twice", shape, 0);
        for (int bit = 0; bit < 6; bit += 2)
            ways<<<2, shape>>>(in, out, bit), show("ways", shape, bit);
        leaves<<<2, shape>>>(in, out, 300), show("leaves", shape, 300);
        few<<<2, shape>>>(in, out, 3), show("few", shape, 3);
        if (threads % 32 == 0)
            calls<<<2, shape>>>(in, out), show("calls", shape, 0);
        wide<int><<<2, shape>>>(in, out), show("wide", shape, 4);
        wide<long long><<<2, shape>>>((long long *)in, (long long *)out), show("wide", shape, 8);
    }
    return 0;
}
