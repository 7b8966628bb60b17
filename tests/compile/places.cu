// Where lanes load and store, in shared and in global memory: rows, rows of half a warp, one word for all or for each half, anyhow, several lanes at
// one word; all lanes, some of them, one; words of 4 and 8 bytes and vectors; up to the end of the memory, and, with an argument, beyond it.
#include <cstdio>
#include <cstdlib>

enum { THREADS = 96, WORDS = 1280, SHAPES = 12, MASKS = 6 };

/** The word of thread `t`, below 1,024 + 96. */
__device__ unsigned place(int shape, unsigned t)
{
    unsigned lane = t & 31, warp = t >> 5;
    switch (shape) {
    case 0: return t;
    case 1: return 95 - t;
    case 2: return (t & 15) + 68 * (t >> 4);                      // rows of half a warp
    case 3: return t >> 4;                                        // a word for each half
    case 4: return 7 + warp;                                      // one for all
    case 5: return (t & 15) * 17 + (t >> 4);                      // a padded tile's column
    case 6: return (t * 2654435761u >> 22);                       // anyhow
    case 7: return t ^ 1;
    case 8: return t ^ 16;
    case 9: return lane < 17 ? t : t + 1;                         // a row with a gap
    case 10: return (t & 15) + (t >> 4) % 2 * 15 + 128 * warp;    // halves that share a word
    default: return 3 * t;
    }
}

__device__ bool runs(int mask, unsigned t)
{
    unsigned lane = t & 31;
    switch (mask) {
    case 0: return true;
    case 1: return lane >= 5 && lane < 23;
    case 2: return lane % 3 == 1;
    case 3: return lane == 31;
    case 4: return lane >= 16;
    default: return t < 70;
    }
}

template <typename T> __global__ void global_places(T *in, T *out, unsigned long long *sum, int shape, int mask, int shift)
{
    unsigned t = threadIdx.x;
    int i = (int)place(shape, t);
    T v = 0;
    if (runs(mask, t)) {
        v = in[i + shift] + in[i + shift + 3] * 5;
        out[i + shift] = v + t;
    }
    const T *from = in + 2ull * place(shape, t ^ 3);              // no index of 32 bits
    if (!runs(mask, t))
        v += from[1] + out[WORDS + t];
    sum[t] = v;
}

template <typename T> __global__ void shared_places(const T *in, unsigned long long *sum, int shape, int mask, int shift, int words)
{
    extern __shared__ unsigned long long memory[];
    T *s = (T *)memory;
    unsigned t = threadIdx.x;
    int i = (int)place(shape, t);
    for (int k = t; k < words; k += THREADS)
        s[k] = in[k];
    __syncthreads();
    T v = 0;
    if (runs(mask, t)) {
        v = s[i + shift] + 3 * s[i + shift + 5] + 9 * s[i + shift - 1];
        s[i + shift + 2] = v + t;
    }
    __syncthreads();
    s[place(shape ^ 1, t) + 1] += v;
    __syncthreads();
    T total = v;
    for (int k = t; k < words; k += THREADS)
        total = 3 * total + s[k];
    sum[t] = total;
}

template <typename V, typename T> __global__ void vectors(const T *in, unsigned long long *sum, int shape, int mask, int words)
{
    extern __shared__ unsigned long long memory[];
    unsigned t = threadIdx.x;
    for (int k = t; k < words; k += THREADS)
        ((T *)memory)[k] = in[k];
    __syncthreads();
    unsigned long long total = t;
    if (runs(mask, t)) {
        V v = ((const V *)memory)[place(shape, t) % (words * sizeof(T) / sizeof(V))];
        const T *each = (const T *)&v;
        for (unsigned k = 0; k < sizeof(V) / sizeof(T); k++)
            total = 7 * total + each[k];
    }
    sum[t] = total;
}

/** One thread stores, or loads, a word outside. */
__global__ void beyond(unsigned *out, unsigned lane, unsigned words, bool shared, bool row)
{
    extern __shared__ unsigned long long memory[];
    unsigned t = threadIdx.x, *s = (unsigned *)memory, i = row ? words - 31 + t : t == lane ? words : (t * 7) % 32;
    if (shared)
        s[t] = t;
    __syncthreads();
    if (lane < 64 || t >= lane - 64)
        (shared ? s : out)[i] = t;
}

/** A warp's row in shared memory, from byte `start` on. */
template <class T> __global__ void whole_row(T *out, int start)
{
    extern __shared__ unsigned long long memory[];
    unsigned t = threadIdx.x;
    T *row = (T *)((char *)memory + start);
    row[t] = 3 * t + 1;
    __syncthreads();
    out[t] = row[t];
    row[t] = out[t] + 5;
    __syncthreads();
    out[t + 32] = row[t];
}

static unsigned long long *sum, bytes[4 * WORDS];
static void *in, *out;

static void show(const char *name, int shape, int mask)
{
    static unsigned long long got[THREADS];
    unsigned long long h = 17;
    cudaMemcpy(got, sum, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < THREADS; i++)
        h = h * 1000003 + got[i];
    cudaMemcpy(bytes, out, sizeof bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4 * WORDS; i++)
        h = h * 1000003 + bytes[i];
    printf("%s %d %d: %llx %s\n", name, shape, mask, h, cudaGetErrorString(cudaGetLastError()));
}

int main(int argc, char **argv)
{
    cudaMalloc(&in, sizeof bytes);
    cudaMalloc(&out, sizeof bytes);
    cudaMalloc(&sum, THREADS * sizeof *sum);
    for (int i = 0; i < 4 * WORDS; i++)
        bytes[i] = i * 0x9e3779b97f4a7c15ull >> 3;
    cudaMemcpy(in, bytes, sizeof bytes, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof bytes);
    if (argc > 1 && argv[1][0] == 'w') { // of 512 bytes: words, then pairs of words
        for (int two = 0; two < 2; two++) {
            two ? whole_row<<<1, 32, 512>>>((unsigned long long *)out, atoi(argv[2])) : whole_row<<<1, 32, 512>>>((unsigned *)out, atoi(argv[2]));
            cudaMemcpy(bytes, out, 256 * (1 + two), cudaMemcpyDeviceToHost);
            for (int i = 0; i < 64; i++)
                printf("%llu ", two ? bytes[i] : (unsigned long long)((unsigned *)bytes)[i]);
            printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
        }
        return 0;
    }
    if (argc > 1) {
        bool shared = argv[1][0] == 's', row = argv[1][1] == 'r';
        beyond<<<1, 32, shared ? 512 : 0>>>((unsigned *)out, atoi(argv[2]), shared ? 128 : sizeof bytes / 4, shared, row);
        printf("beyond: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
        return 0;
    }
    for (int shape = 0; shape < SHAPES; shape++)
        for (int mask = 0; mask < MASKS; mask++) {
            global_places<<<1, THREADS>>>((unsigned *)in, (unsigned *)out, sum, shape, mask, shape % 3);
            show("global 4", shape, mask);
            global_places<<<1, THREADS>>>((unsigned long long *)in, (unsigned long long *)out, sum, shape, mask, mask % 2);
            show("global 8", shape, mask);
            shared_places<<<1, THREADS, 8 * WORDS>>>((unsigned *)in, sum, shape, mask, 1 + shape % 2, WORDS);
            show("shared 4", shape, mask);
            shared_places<<<1, THREADS, 8 * WORDS>>>((unsigned long long *)in, sum, shape, mask, 1, WORDS);
            show("shared 8", shape, mask);
            vectors<uint4><<<1, THREADS, 4 * WORDS>>>((unsigned *)in, sum, shape, mask, WORDS);
            show("vectors of 4", shape, mask);
            vectors<ulonglong2><<<1, THREADS, 8 * WORDS>>>((unsigned long long *)in, sum, shape, mask, WORDS);
            show("vectors of 2", shape, mask);
        }
    return 0;
}
