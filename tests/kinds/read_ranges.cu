// Blocks read, in every shape that a warp's lanes may lie in, what the last block writes at the end of the same launch: after all
// have signed off, or after all but one, or all but one thread's. test_kinds.sh says what the list means.
//
// case apart expect=silent
// case apart_early expect=data-race says=lock.3
// case apart_late expect=data-race says=lock.2
// case pairs expect=silent
// case pairs_early expect=data-race says=lock.3
// case halves expect=silent
// case halves_early expect=data-race says=lock.3
// case one expect=silent
// case one_early expect=data-race says=lock.3
// case bytes expect=silent
// case bytes_early expect=data-race says=lock.3
// case shorts expect=silent
// case shorts_early expect=data-race says=lock.3
// case wide expect=silent
// case wide_early expect=data-race says=lock.3
// case vector expect=silent
// case strided expect=silent
// case strided_early expect=data-race says=lock.3
// case vector_early expect=data-race says=lock.3
// case few expect=silent
// case few_early expect=data-race says=lock.3
// case uneven expect=silent
// case uneven_early expect=data-race says=lock.3
// case turns expect=silent
// case turns_early expect=data-race says=lock.3
// case twice expect=silent
// case twice_early expect=data-race says=lock.3
// case anyhow expect=silent
// case anyhow_early expect=data-race says=lock.3
// case anybytes expect=silent
// case anybytes_early expect=data-race says=lock.3
// case often expect=silent
// case often_early expect=data-race says=lock.3
// case next_launch expect=silent
// case beside expect=silent
// case other_stream expect=stream-race
// case copied_behind expect=silent
// case copied_beside expect=stream-race
// case copied_behind_and_beside expect=stream-race
// case copied_behind_one_of_two expect=stream-race
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define BLOCKS 70
#define THREADS 64
#define WORDS 8192

enum shape { APART, PAIRS, HALVES, ONE, BYTES, SHORTS, WIDE, VECTOR, FEW, UNEVEN, TURNS, TWICE, STRIDED, ANYHOW, ANYBYTES, OFTEN };

#define MANY 300  /* turns, so that what is remembered of reads that lie anyhow fills its room */

__device__ int read(shape s, const int *a, int turn)
{
    int t = threadIdx.x;
    switch (s) {
    case APART: return a[t + 1];
    case PAIRS: return a[t / 32 * 32 + t % 16 + 1];
    case HALVES: return a[t / 16 + 1];
    case ONE: return a[1];
    case BYTES: return ((const signed char *)a)[t + 4];
    case SHORTS: return ((const short *)a)[t + 2];
    case WIDE: { long long v = ((const long long *)a)[t]; return (int)(v >> 32 ^ v); }
    case VECTOR: { int4 v = ((const int4 *)a)[t]; return v.x + v.y + v.z + v.w; }
    case FEW: return t % 32 < 5 ? a[t + 1] : 0;
    case UNEVEN: return a[blockIdx.x % 3 ? t + 1 : 2 * t + 1];
    case TURNS: return a[t + turn];
    case STRIDED: return a[3 * t + 1] + ((const signed char *)a)[3 * t + 9];
    case ANYHOW: return a[(t * 37 + 3) % 101];
    case ANYBYTES: return ((const signed char *)a)[(t * 37 + 3) % 101];
    case OFTEN: return a[(t * 37 + turn) % 101];
    case TWICE: return a[t + 1] + a[t];
    }
    return 0;
}

// `early`: the block that signs off before it has read; its number is not the last one's.
__global__ void use(int *a, int *count, int *out, shape s, int early)
{
    int sum = 0;
    if (blockIdx.x == gridDim.x - 1) {
        if (threadIdx.x == 0) {
            while (*(volatile int *)count < (int)gridDim.x - 1) {
            }
            __threadfence();
            a[1] = 7; // apart_early pairs_early halves_early one_early bytes_early shorts_early wide_early vector_early
        }
        return;
    }
    if ((int)blockIdx.x == early && threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
    }
    for (int turn = 0; turn < (s == TURNS ? 3 : s == OFTEN ? MANY : 1); turn++) {
        sum += read(s, a, turn);
        __syncthreads();
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
    if ((int)blockIdx.x != early && threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
    }
}

// All threads but one of block 2 have read when thread 0 signs off.
__global__ void late(int *a, int *count, int *out)
{
    if (blockIdx.x == gridDim.x - 1) {
        while (*(volatile int *)count < (int)gridDim.x - 1) {
        }
        __threadfence();
        if (threadIdx.x == 0)
            a[10] = 7;
        return;
    }
    bool waits = blockIdx.x == 2 && threadIdx.x == 9;
    int sum = waits ? 0 : a[threadIdx.x + 1];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
    }
    if (waits)
        sum = a[threadIdx.x + 1];
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

__global__ void put(int *a, int at) { a[at] = 7; }

__global__ void look(const int *a, int *out) { out[blockIdx.x * THREADS + threadIdx.x] = read(APART, a, 0); }

/** While a kernel of another stream runs: copies to what one has read, in its own stream or in the other's. */
static void copy_over(int *a, int *count, int *out, cudaStream_t one, cudaStream_t other, const char *how)
{
    int *from;
    cudaMallocHost(&from, WORDS * sizeof *from);
    memset(from, 0, WORDS * sizeof *from);
    look<<<BLOCKS, THREADS, 0, one>>>(a, out);
    if (!strcmp(how, "copied_behind_one_of_two"))
        look<<<BLOCKS / 2, THREADS, 0, other>>>(a, a + WORDS / 2);
    else
        put<<<1, 1, 0, other>>>(count, 0);
    if (strcmp(how, "copied_beside")) /* the first half is what is read */
        cudaMemcpyAsync(a + (!strcmp(how, "copied_behind_and_beside") ? WORDS / 2 : 0), from, WORDS / 2 * sizeof *a, cudaMemcpyHostToDevice, one);
    if (strstr(how, "beside"))
        cudaMemcpyAsync(a, from, WORDS / 2 * sizeof *a, cudaMemcpyHostToDevice, other);
    cudaDeviceSynchronize();
    cudaFreeHost(from);
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    static const char *const names[] = {"apart", "pairs", "halves", "one",  "bytes",  "shorts",
                                        "wide",  "vector", "few",   "uneven", "turns", "twice", "strided", "anyhow", "anybytes", "often"};
    int *a, *count, *out;
    cudaMalloc(&a, WORDS * sizeof *a);
    cudaMalloc(&count, sizeof *count);
    cudaMalloc(&out, BLOCKS * THREADS * sizeof *out);
    cudaMemset(a, 1, WORDS * sizeof *a);
    cudaMemset(count, 0, sizeof *count);
    cudaMemset(out, 0, BLOCKS * THREADS * sizeof *out);
    size_t length = strcspn(which, "_");
    bool early = !strcmp(which + length, "_early"), known = false;
    for (int s = 0; s < (int)(sizeof names / sizeof names[0]); s++)
        if (length == strlen(names[s]) && !strncmp(which, names[s], length) && (early || !which[length])) {
            use<<<BLOCKS, THREADS>>>(a, count, out, (shape)s, early ? 3 : -1);
            known = true;
        }
    cudaStream_t other;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    if (!strcmp(which, "apart_late")) {
        late<<<BLOCKS, THREADS>>>(a, count, out);
    } else if (!strcmp(which, "next_launch")) {
        use<<<BLOCKS, THREADS>>>(a, count, out, APART, -1);
        put<<<1, 1>>>(a, 20);
    } else if (!strcmp(which, "beside")) { // somewhere else in the same memory
        use<<<BLOCKS, THREADS>>>(a, count, a + 1024, APART, -1);
    } else if (!strcmp(which, "other_stream")) {
        use<<<BLOCKS, THREADS>>>(a, count, out, APART, -1);
        put<<<1, 1, 0, other>>>(a, 20);
    } else if (!strncmp(which, "copied_", 7)) {
        cudaStream_t one;
        cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
        copy_over(a, count, out, one, other, which);
        cudaStreamDestroy(one);
    } else if (!known) {
        return 2;
    }
    cudaError_t e = cudaDeviceSynchronize();
    cudaStreamDestroy(other);
    int *host = (int *)malloc(WORDS * sizeof *host);
    cudaMemcpy(host, a, WORDS * sizeof *host, cudaMemcpyDeviceToHost);
    free(host);
    cudaFree(a);
    cudaFree(count);
    cudaFree(out);
    return e != cudaSuccess;
}
