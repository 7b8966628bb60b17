// verdict: missing-acquire @1 @2 in looking_back
// One half: who looks back may still see what was there before.

#define THREADS 128
#define WARPS (THREADS / 32)
#define ALL 0xffffffffu // every lane of a warp

// places looking_back: e f

struct tiles {
    int ticket, ready[62], prefix[62];
};

__global__ void scan(int *out, const int *in, struct tiles *tiles, int n)
{
    __shared__ int block, before, values[THREADS];
    if (threadIdx.x == 0)
        block = atomicAdd(&tiles->ticket, 1); // so that only earlier ones are waited for
    __syncthreads();
    int i = block * THREADS + threadIdx.x;
    values[threadIdx.x] = in[i]; // (a)
    __syncthreads();
    for (int distance = 1; distance < THREADS; distance *= 2) {
        int left = threadIdx.x < distance ? 0 : values[threadIdx.x - distance]; // (b)
        __syncthreads();
        values[threadIdx.x] += left; // (c)
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        int sum = 0;
        if (block > 0) {
            while (atomicAdd(&tiles->ready[block - 1], 0) == 0) // (d)
                ;
            sum = tiles->prefix[block - 1]; // (e) @2
        }
        before = sum;
        tiles->prefix[block] = sum + values[THREADS - 1]; // (f) @1
        __threadfence();
        atomicExch(&tiles->ready[block], 1); // (g)
    }
    __syncthreads();
    out[i] = before + values[threadIdx.x]; // (h)
}

// out[i] becomes in[0] + … + in[i]; n is a multiple of THREADS, at most 62 times it.
extern "C" void looking_back(int *out, const int *in, int *memory, int n)
{
    cudaMemsetAsync(memory, 0, sizeof(struct tiles));
    scan<<<n / THREADS, THREADS>>>(out, in, (struct tiles *)memory, n);
}

#define NOT_DONE(name) extern "C" void name(int *, const int *, int *, int) {}
NOT_DONE(last_block)
NOT_DONE(semaphore)
NOT_DONE(signed_off)
NOT_DONE(one_buffer)
NOT_DONE(next_tile)
NOT_DONE(all_voted)
NOT_DONE(some_warps)
NOT_DONE(all_lanes)
NOT_DONE(in_lockstep)
NOT_DONE(last_time)
NOT_DONE(relaxed_flag)
NOT_DONE(whose_word)
NOT_DONE(on_its_way)
NOT_DONE(handed_back)
NOT_DONE(another_stream)
NOT_DONE(launched_early)
NOT_DONE(another_way)
