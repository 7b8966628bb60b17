// Lanes that wait for what is still to come must not keep another lane of their warp from its turns: what it reads then, others store anew.
// test_kinds.sh says what the list means.
//
// case untaken expect=data-race
// case taken expect=silent
//
// arch compute_80 compute_90
#include <cstring>
#include <cuda_runtime.h>

__device__ void arrive(unsigned long long *barrier)
{
    asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];}" ::"r"((unsigned)__cvta_generic_to_shared(barrier)) : "memory");
}

__device__ void await(unsigned long long *barrier)
{
    for (int done = 0; !done;)
        asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.s32 %0, 1, 0, p;}"
                     : "=r"(done) : "r"((unsigned)__cvta_generic_to_shared(barrier)) : "memory");
}

__device__ unsigned heard(const unsigned *flag)
{
    unsigned v;
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory");
    return v;
}

/** The first warp hands to the second one before and behind; between, one thread of it tells one of the other's three times over. */
__global__ void tells(unsigned *told, unsigned *taken, int *out, bool waits)
{
    __shared__ unsigned long long before, behind;
    __shared__ int first[32], last[32], data;
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        for (unsigned long long *b : {&before, &behind})
            asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"((unsigned)__cvta_generic_to_shared(b)) : "memory");
    __syncthreads();
    if (t < 32) {
        first[t] = t;
        arrive(&before);
    } else {
        await(&before);
        sum += first[t - 32];
    }
    for (unsigned turn = 0; turn < 3; turn++) {
        if (t == 0) {
            while (waits && heard(taken) < turn) {
            }
            data = turn; // untaken
            asm volatile("st.release.cta.u32 [%0], %1;" ::"l"(told), "r"(turn + 1) : "memory");
        }
        if (t == 32) {
            while (heard(told) < turn + 1) {
            }
            sum += data; // untaken
            asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(taken), "r"(turn + 1) : "memory");
        }
    }
    if (t < 32) {
        last[t] = t;
        arrive(&behind);
    } else {
        await(&behind);
        sum += last[t - 32];
    }
    out[t] = sum;
}

int main(int argc, char **argv)
{
    unsigned *flags;
    int *out;
    cudaMalloc(&flags, 512);
    cudaMalloc(&out, 256);
    cudaMemset(flags, 0, 512);
    tells<<<1, 64>>>(flags, flags + 64, out, argc > 1 && strcmp(argv[1], "untaken"));
    cudaDeviceSynchronize();
    cudaFree(flags);
    cudaFree(out);
}
