// What a debugger is asked for by name: structures, enumerations, unions, arrays of arrays, templates, pointers, scopes.
#include <cstdio>

struct vec {
    float x, y, z;
};
struct node {
    int key;
    vec v;
    node *next;
    int tags[4];
};
union bits {
    float f;
    unsigned u;
};
enum color { RED, GREEN = 5, BLUE };
__constant__ int table[8] = {1, 2, 3, 5, 8, 13, 21, 34};
__device__ char text[12] = "fencepost";

template <typename T, int N> __global__ void tile(const T *in, T *out)
{
    __shared__ T cell[N][N];
    int x = blockIdx.x * N + threadIdx.x, y = blockIdx.y * N + threadIdx.y;
    cell[threadIdx.y][threadIdx.x] = in[y * N + x];
    __syncthreads();
    T sum = 0;
    for (int i = 0; i < N; i++) {
        T part = cell[threadIdx.y][i];
        sum += part;
    }
    out[y * N + x] = sum; // tile: the end
}

__device__ int deep(int n, int *acc)
{
    if (n == 0)
        return *acc; // deep: the bottom
    *acc += n;
    return deep(n - 1, acc);
}

__global__ void structs(node *list, float *out)
{
    int i = threadIdx.x;
    node mine = list[i % 4];
    vec w = {1, 2, (float)i};
    color c = i & 1 ? GREEN : BLUE;
    unsigned char byte = 'A' + i % 26;
    bits b;
    b.f = mine.v.x * w.x + mine.v.z * w.z;
    int local[4];
    for (int k = 0; k < 4; k++) {
        int twice = k * 2;
        local[k] = twice + i; // structs: the loop
    }
    int all = 0;
    deep(i % 5, &all); // structs: the call
    out[i] = b.f + local[i % 4] + c + byte + table[i % 8] + all + text[i % 12];
}

int main()
{
    int *a, *b;
    node *l, h[4];
    float *f;
    cudaMalloc(&a, 512 * sizeof *a);
    cudaMalloc(&b, 512 * sizeof *b);
    cudaMalloc(&l, sizeof h);
    cudaMalloc(&f, 64 * sizeof *f);
    cudaMemset(a, 1, 512 * sizeof *a);
    for (int i = 0; i < 4; i++)
        h[i] = {i * 10, {(float)i, 2, 3}, l + (i + 1) % 4, {i, i + 1, i + 2, i + 3}};
    cudaMemcpy(l, h, sizeof h, cudaMemcpyHostToDevice);
    tile<int, 16><<<dim3(1, 2), dim3(16, 16)>>>(a, b);
    structs<<<1, 64>>>(l, f);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
