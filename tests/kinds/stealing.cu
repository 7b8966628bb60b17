// Blocks that take over others of their grid which have not begun (clusterlaunchcontrol): each mistake beside its right twin.
//
// nvcc: -std=c++17 -arch=compute_100 -w
//
// case steal_right expect=silent options=--device=b200
// case steal_library expect=silent options=--device=b200
// case steal_relaxed_then_barrier expect=silent options=--device=b200
// case steal_relaxed_alone expect=data-race also=out-of-bounds options=--device=b200
// case steal_not_waited expect=data-race also=out-of-bounds options=--device=b200
// case steal_no_barrier expect=data-race also=deadlock,out-of-bounds options=--device=b200
// case steal_asks_again expect=cluster-misuse options=--device=b200
// case steal_own_only expect=silent options=--device=b200
#include <cstdio>
#include <cstring>
#include <cuda/work_stealing>

enum { N = 64, BLOCKS = 12 };
enum how {
    RIGHT, LIBRARY, RELAXED_THEN_BARRIER, RELAXED_ALONE, NOT_WAITED, NO_BARRIER, ASKS_AGAIN, OWN_ONLY,
};
static const char *names[] = {"steal_right", "steal_library", "steal_relaxed_then_barrier", "steal_relaxed_alone", "steal_not_waited",
                              "steal_no_barrier", "steal_asks_again", "steal_own_only"};

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

struct answer { unsigned long long low, high; };

__device__ void ask(answer *a, unsigned long long *bar)
{
    asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%1];" ::"r"(at(a)), "r"(at(bar))
                 : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16;" ::"r"(at(bar)) : "memory");
}

__device__ void wait(unsigned long long *bar, unsigned parity)
{
    asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;\n}" ::"r"(at(bar)), "r"(parity)
                 : "memory");
}

__device__ void wait_relaxed(unsigned long long *bar, unsigned parity)
{
    asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 p, [%0], %1;\n@!p bra W;\n}" ::"r"(at(bar)),
                 "r"(parity)
                 : "memory");
}

__device__ bool taken(answer a, unsigned *block)
{
    unsigned yes;
    asm volatile("{\n.reg .pred p;\n.reg .b128 q;\nmov.b128 q, {%1, %2};\n"
                 "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, q;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(yes) : "l"(a.low), "l"(a.high));
    if (yes)
        asm volatile("{\n.reg .b128 q;\nmov.b128 q, {%1, %2};\nclusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %0, q;\n}"
                     : "=r"(*block) : "l"(a.low), "l"(a.high));
    return yes;
}

template <how H> __global__ void k(int *out)
{
    __shared__ alignas(16) answer a;
    __shared__ alignas(8) unsigned long long bar;
    int t = threadIdx.x;
    unsigned block = blockIdx.x;
    if (H == LIBRARY) {
        cuda::for_each_canceled_block<1>([=](dim3 b) { out[N * b.x + t] += b.x + 1; });
        return;
    }
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&bar)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    for (unsigned parity = 0; H != OWN_ONLY; parity ^= 1) {
        if (t == 0)
            ask(&a, &bar);
        out[N * block + t] += block + 1;
        if (H == RELAXED_THEN_BARRIER) {
            if (t == 0)
                wait_relaxed(&bar, parity);
            __syncthreads();
        } else if (H == RELAXED_ALONE)
            wait_relaxed(&bar, parity);
        else if (H == NOT_WAITED)
            __syncthreads();
        else
            wait(&bar, parity);
        if (!taken(a, &block))
            break;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        if (H != NO_BARRIER)
            __syncthreads();
    }
    if (H == ASKS_AGAIN) {
        __syncthreads();
        if (t == 0)
            ask(&a, &bar);
    }
    if (H == OWN_ONLY)
        out[N * block + t] += block + 1;
}

template <int... H> static void launch(int h, int *out, std::integer_sequence<int, H...>)
{
    (void)((h == H && (k<(how)H><<<BLOCKS, N>>>(out), true)) || ...);
}

int main(int argc, char **argv)
{
    int h = 0, *out, host[BLOCKS * N];
    while (argc > 1 && strcmp(names[h], argv[1]))
        h++;
    cudaMalloc(&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
    launch(h, out, std::make_integer_sequence<int, OWN_ONLY + 1>());
    cudaError_t e = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    bool right = h == RIGHT || h == LIBRARY || h == RELAXED_THEN_BARRIER || h == OWN_ONLY;
    for (int i = 0; right && i < BLOCKS * N; i++)
        if (host[i] != i / N + 1)
            return printf("%d: %d\n", i, host[i]), 1;
    cudaFree(out);
    return right && e != cudaSuccess;
}
