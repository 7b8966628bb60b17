// setmaxnreg: what a warp group does together, and registers that there are not. Each mistake beside its right twin.
//
// arch compute_90a
//
// case producer_and_consumers expect=silent complete
// case producer_and_consumers expect=silent complete options=--schedules=24
// case all_the_pool expect=silent complete
// case one_too_many expect=deadlock says=504.together
// case nobody_gives expect=deadlock says=others.keep.theirs
// case in_turns expect=silent complete
// case no_order expect=deadlock
// case by_maxnreg expect=silent complete
// case beyond_maxnreg expect=deadlock says=256.together
// case not_fixed expect=silent incomplete=not_fixed
// case only_given expect=silent complete
// case three_warps expect=warp-mask says=128.threads
// case three_warps expect=warp-mask options=--schedules=24
// case other_number expect=warp-mask says=for.240.and.thread.96|for.240.registers
// case twice expect=warp-mask says=not.as.often
// case half_a_warp expect=warp-mask
// case a_group_goes_by expect=silent complete
// case two_places expect=silent complete
// case no_whole_group expect=warp-mask says=multiple.of.128
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define more(N) asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N))
#define fewer(N) asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N))

// 65,536 registers for 384 threads: 168 each, 504 for three warp groups.
template <int PRODUCER, int CONSUMER>
__global__ void __launch_bounds__(384, 1) roles(int *out)
{
    if (threadIdx.x < 128)
        fewer(PRODUCER);
    else
        more(CONSUMER);
    out[blockIdx.x * 384 + threadIdx.x] = 1;
}

__global__ void __launch_bounds__(384, 1) nobody_gives(int *out)
{
    if (threadIdx.x >= 256)
        more(232); // nobody_gives
    out[threadIdx.x] = 1;
}

// The second group asks when the first has given back what it had asked for: 336 for both.
template <int FIRST>
__global__ void __launch_bounds__(384, 1) turns(int *out)
{
    if (threadIdx.x < 128) {
        fewer(40);
    } else {
        if (FIRST)
            fewer(40);
        more(240);
        fewer(40);
    }
    out[threadIdx.x] = 1;
}
// Three groups of 168: each gives back what it has taken, and none can begin.
__global__ void __launch_bounds__(384, 1) no_order(int *out)
{
    more(240); // no_order
    fewer(40);
    out[threadIdx.x] = 1;
}

template <int MORE>
__global__ void __maxnreg__(128) bounded(int *out)
{
    if (threadIdx.x < 128)
        fewer(24);
    else
        more(MORE);
    out[threadIdx.x] = 1;
}

// ptxas takes no heed of it, unless -maxrregcount is among its options.
template <bool MORE>
__global__ void __launch_bounds__(256) not_fixed(int *out)
{
    if (threadIdx.x < 128)
        fewer(40);
    else if (MORE)
        more(232);
    out[threadIdx.x] = 1;
}

enum way { THREE, OTHER, TWICE, HALF, BY, PLACES };
template <way WAY>
__global__ void __launch_bounds__(256, 1) groups(int *out, int zero)
{
    int t = threadIdx.x, warp = t / 32;
    if (WAY == BY && t >= 128)
        fewer(40);
    if (WAY == THREE && warp != 3)
        fewer(40);
    if (WAY == OTHER) {
        if (warp == 3)
            fewer(40);
        else
            fewer(240);
    }
    if (WAY == TWICE) {
        fewer(40);
        if (warp == 5)
            fewer(40);
    }
    if (WAY == HALF && t % 32 < 16 + zero)
        fewer(40);
    if (WAY == PLACES) {
        if (t >= 128) {
            out[256 + t] = 1;
            fewer(40);
        } else {
            fewer(40);
            out[256 + t] = 2;
        }
    }
    out[t] = 1;
}

int main(int argc, char **argv)
{
    int *out;
    cudaMalloc(&out, 1024 * sizeof *out);
    auto is = [&](const char *name) { return argc > 1 && !strcmp(argv[1], name); };
    if (is("producer_and_consumers"))
        roles<40, 232><<<2, 384>>>(out);
    if (is("all_the_pool"))
        roles<24, 240><<<1, 384>>>(out);
    if (is("one_too_many"))
        roles<40, 240><<<1, 384>>>(out);
    if (is("nobody_gives"))
        nobody_gives<<<1, 384>>>(out);
    if (is("in_turns"))
        turns<0><<<1, 384>>>(out);
    if (is("no_order"))
        no_order<<<1, 384>>>(out);
    if (is("by_maxnreg"))
        bounded<232><<<1, 256>>>(out);
    if (is("beyond_maxnreg"))
        bounded<240><<<1, 256>>>(out);
    if (is("not_fixed"))
        not_fixed<true><<<1, 256>>>(out);
    if (is("only_given"))
        not_fixed<false><<<1, 256>>>(out);
    if (is("three_warps"))
        groups<THREE><<<1, 256>>>(out, 0);
    if (is("other_number"))
        groups<OTHER><<<1, 256>>>(out, 0);
    if (is("twice"))
        groups<TWICE><<<1, 256>>>(out, 0);
    if (is("half_a_warp"))
        groups<HALF><<<1, 256>>>(out, 0);
    if (is("a_group_goes_by"))
        groups<BY><<<1, 256>>>(out, 0);
    if (is("two_places"))
        groups<PLACES><<<1, 256>>>(out, 0);
    if (is("no_whole_group"))
        groups<PLACES><<<1, 160>>>(out, 0);
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess)
        printf("%s\n", cudaGetErrorString(e));
    cudaFree(out);
    return 0;
}
