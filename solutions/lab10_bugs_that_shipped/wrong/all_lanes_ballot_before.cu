// verdict: deadlock @1 in all_lanes | deadlock @2 in all_lanes
// The vote is among all lanes now, but the shuffle still names those that are not there.

#define THREADS 128
#define WARPS (THREADS / 32)
#define ALL 0xffffffffu // every lane of a warp

// places all_lanes: a b

// A place for each element that is above 0: one atomic for a warp instead of one for each of its lanes.
__global__ void take_places(int *out, const int *in, int *top, int n)
{
    int lane = threadIdx.x % 32;
    for (int first = blockIdx.x * THREADS; first < n; first += gridDim.x * THREADS) {
        int i = first + threadIdx.x;
        unsigned here = __ballot_sync(ALL, i < n && in[i] > 0); // @2
        if (i < n && in[i] > 0) { // (a)
            int leader = __ffs(here) - 1, place;
            if (lane == leader) // (c)
                place = atomicAdd(top, __popc(here)); // (d)
            place = __shfl_sync(ALL, place, leader); // (e) @1
            out[place + __popc(here & ((1u << lane) - 1))] = i; // (f)
        }
    }
}

// The numbers of the elements above 0, in any order; *memory becomes how many there are.
extern "C" void all_lanes(int *out, const int *in, int *memory, int n)
{
    cudaMemsetAsync(memory, 0, sizeof(int));
    take_places<<<4, THREADS>>>(out, in, memory, n);
}

#define NOT_DONE(name) extern "C" void name(int *, const int *, int *, int) {}
NOT_DONE(last_block)
NOT_DONE(semaphore)
NOT_DONE(signed_off)
NOT_DONE(one_buffer)
NOT_DONE(next_tile)
NOT_DONE(all_voted)
NOT_DONE(some_warps)
NOT_DONE(looking_back)
NOT_DONE(in_lockstep)
NOT_DONE(last_time)
NOT_DONE(relaxed_flag)
NOT_DONE(whose_word)
NOT_DONE(on_its_way)
NOT_DONE(handed_back)
NOT_DONE(another_stream)
NOT_DONE(launched_early)
NOT_DONE(another_way)
