// Plain accesses, as most are: what checkers tell of them must not depend on the engine, nor on whether they are taken at once (as
// without --counters) or one lane after another. Each way in which a warp's lanes may lie is read and written in shared and in
// global memory: in order, against each other within a warp and across warps, undefined, by part of the lanes, across a barrier, by other
// instructions at the same time, by several blocks.
#include <cstdio>
#include <cstdlib>

#define WARPS 4
#define N (32 * WARPS)

/** Where a lane goes, in words: all but the first two of each warp's. */
__device__ int place(int way, int t)
{
    int l = t % 32, base = t / 32 * 48;
    switch (way) {
    case 0: return base + l;                           // a row
    case 1: return base + l % 16 + l / 16 * 17;        // two, of a tile
    case 2: return base + l % 16;                      // pairs
    case 3: return base + l / 16;                      // halves
    case 4: return base;                               // one word
    case 5: return base + (l ^ 5);                     // crossed
    case 6: return base + l + 1;                       // a row, but none of the shadow's
    default: return base + (l * 7 & 31);
    }
}
#define WAYS 8
#define WORDS (48 * WARPS + 64)

/** What is read and written when. Each kind has lines of its own kernel's, so that each is told of. */
template <int kind> __device__ void steps(volatile int *sink, int *m, int way, int other)
{
    int t = threadIdx.x, at = place(way, t), to = place(other, t), there = place(other, (t + 32) % N), v = 0;
    switch (kind) {
    case 0: // right: all that follows is behind a barrier
        m[at] = t;
        __syncthreads();
        v = m[to] + m[there];
        __syncthreads();
        m[to] = v;
        break;
    case 1: // other lanes of the warp read
        m[at] = t;
        v = m[to];
        break;
    case 2: // other lanes write what was read
        v = m[at];
        m[to] = t;
        break;
    case 3: // another warp
        m[at] = t;
        v = m[there];
        break;
    case 4:
        v = m[at];
        m[there] = t;
        break;
    case 5: // part of the lanes, ordered within the warp
        if (t & 4)
            m[at] = t;
        __syncwarp();
        if (!(t & 2))
            v = m[to];
        __syncwarp();
        if (t & 8)
            m[to] = v;
        break;
    case 6: // read by two instructions, and by all, then written
        v = m[at];
        v += m[to];
        v += m[there];
        __syncthreads();
        m[there] = v;
        break;
    default: // as the first, but that threads have left
        if (t % 32 == 5)
            return;
        m[at] = t;
        __syncthreads();
        v = m[to] + m[there];
        m[to] = v;
    }
    if (v == 12345)
        *sink = v;
}
#define KINDS 8

template <int kind> __global__ void in_shared(int *sink, int way, int other, int filled)
{
    __shared__ int m[WORDS];
    for (int i = threadIdx.x; i < filled; i += N)
        m[i] = 0;
    __syncthreads();
    steps<kind>(sink, m, way, other);
}

template <int kind> __global__ void in_global(int *sink, int *m, int way, int other)
{
    steps<kind>(sink, m, way, other);
}

template <int kind> void launch(int way, int other)
{
    int *sink, *m;
    cudaMalloc(&sink, sizeof *sink);
    in_shared<kind><<<1, N>>>(sink, way, other, kind == way ? WORDS - 80 : WORDS);
    cudaMalloc(&m, WORDS * sizeof *m);
    if ((kind + way) % 3)
        cudaMemset(m, 0, WORDS * sizeof *m);
    in_global<kind><<<1 + (way ^ other) % 2, N>>>(sink, m, way, other);
    printf("%d: %s\n", kind, cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(m);
    cudaFree(sink);
    if constexpr (kind + 1 < KINDS)
        launch<kind + 1>(way, other);
}

int main(int, char **argv) // WAY OTHER
{
    launch<0>(atoi(argv[1]), atoi(argv[2]));
}
