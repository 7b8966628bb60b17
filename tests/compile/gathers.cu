// Words that lanes read anyhow, x[index]: indices of both signs, elements of many sizes, places before and behind x, in part of a warp, from
// two arrays at once. With an argument: which index, outside the allocation, one thread reads at the end.
#include <cstdio>
#include <cstdlib>

struct two { int a, b; };
struct three { int a, b, c; };
struct eight { int a; long long b; int c[5]; };

template <typename T, typename I> __global__ void pick(const T *x, const I *index, long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x[index[i]];
}

template <typename T> __global__ void field(const T *x, const int *index, long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x[index[i]].a + 3ll * x[index[i] / 2].b;
}

__global__ void either(const int *x, const int *y, const int *index, long long *out, int bit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int *from = i >> bit & 1 ? x : y;
    out[i] = from[index[i]] + 7ll * from[index[i] ^ 1];
}

/** A row each, of any length: what a sparse matrix is multiplied by. */
__global__ void sparse(const int *start, const int *column, const int *x, long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long s = 0;
    if (i < n)
        for (int k = start[i]; k < start[i + 1]; k++)
            s = 3 * s + x[column[k]];
    out[i] = s;
}

static const int threads = 256, blocks = 6, n = threads * blocks, words = 32 * n;
static int host[words];
static long long *out;

static void show(const char *name, int kind)
{
    static long long got[n];
    long long h = 17;
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        h = h * 1000003 + got[i];
    printf("%s %d: %llx\n", name, kind, h);
}

static int index_of(int kind, int i)
{
    switch (kind) {
    case 0: return (int)(i * 2654435761u >> 8) % (words / 16);      // anywhere
    case 1: return n - i;
    case 2: return 5;
    case 3: return i;
    case 4: return i / 2;
    case 5: return i % 32 < 2 ? i : i * 37 % 1000;                  // the first two one after another
    case 6: return i % 32 < 2 ? 40 : i * 37 % 1000;                 // … or at one word
    default: return i * 16 % 3000;
    }
}

int main(int count, char **arguments)
{
    int *x, *index, *column;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&index, (n + 1) * sizeof *index);
    cudaMalloc(&column, sizeof host);
    cudaMalloc(&out, n * sizeof *out);
    for (int i = 0; i < words; i++)
        host[i] = (int)(i * 2246822519u >> 5);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    for (int i = 0; i < words; i++)
        host[i] = (int)(i * 2654435761u >> 7) % words;
    cudaMemcpy(column, host, sizeof host, cudaMemcpyHostToDevice);
    for (int kind = 0; kind < 8; kind++) {
        static int at[n + 1];
        for (int i = 0; i < n; i++)
            at[i] = index_of(kind, i);
        cudaMemcpy(index, at, n * sizeof *at, cudaMemcpyHostToDevice);
        pick<<<blocks, threads>>>(x, index, out, n);
        show("int", kind);
        pick<<<blocks, threads>>>(x + 4001, index, out, n - 45);
        show("int further on", kind);
        pick<<<blocks, threads>>>((const long long *)x + 3, index, out, n);
        show("long long", kind);
        pick<<<blocks, threads>>>(x, (const unsigned *)index, out, n);
        show("unsigned", kind);
        pick<<<blocks, threads>>>(x + 4001, (const unsigned *)index, out, n - 9);
        show("unsigned further on", kind);
        field<<<blocks, threads>>>((const two *)x + 1, index, out, n);
        show("two", kind);
        field<<<blocks, threads>>>((const three *)x + 1, index, out, n);
        show("three", kind);
        field<<<blocks, threads>>>((const eight *)x, index, out, n - 1);
        show("eight", kind);
        for (int bit = 0; bit < 6; bit += 5) {
            either<<<blocks, threads>>>(x, column, index, out, bit);
            show("either", kind);
        }
        for (int i = 0; i < n; i++)
            at[i] = -at[i];
        cudaMemcpy(index, at, n * sizeof *at, cudaMemcpyHostToDevice);
        pick<<<blocks, threads>>>(x + words / 2, index, out, n);
        show("negative", kind);
        for (int i = 0; i <= n; i++)
            at[i] = kind < 4 ? 16 * i : 16 * i + i * kind % 13;
        cudaMemcpy(index, at, (n + 1) * sizeof *at, cudaMemcpyHostToDevice);
        sparse<<<blocks, threads>>>(index, column, x, out, n - 77 * (kind & 1));
        show("sparse", kind);
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    if (count > 2) { // BEGIN INDEX [u]
        int begin = atoi(arguments[1]);
        unsigned last = (unsigned)strtoll(arguments[2], NULL, 0);
        static int at[n];
        for (int i = 0; i < n; i++)
            at[i] = i * 37 % 1000;
        at[n - 33] = (int)last;
        cudaMemcpy(index, at, sizeof at, cudaMemcpyHostToDevice);
        if (count > 3)
            pick<<<blocks, threads>>>(x + begin, (const unsigned *)index, out, n);
        else
            pick<<<blocks, threads>>>(x + begin, index, out, n);
        printf("outside: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    }
    return 0;
}
