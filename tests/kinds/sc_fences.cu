// Stores and looks that must not change places: where a fence.sc belongs, and which one.
//
// case wants_bare expect=data-race says=__threadfence\(\).between.line.[0-9]+.and.line.[0-9]+:
// case wants_fenced expect=silent
// case wants_acq_rel expect=data-race says=__threadfence\(\).between.line.[0-9]+.and.line.[0-9]+,.instead.of.the.weaker
// case wants_narrow expect=data-race says=__threadfence\(\).between.line.[0-9]+.and.line.[0-9]+,.instead.of.the.weaker
// case warps_bare expect=data-race also=ordering says=__threadfence_block\(\).between.line.[0-9]+.and.line.[0-9]+:
// case warps_fenced expect=silent
// case roles_bare expect=ordering says=__threadfence\(\).between.line.[0-9]+.and.line.[0-9]+,.and.between.line.[0-9]+.and.line
// case roles_fenced expect=silent
// case many_bare expect=silent incomplete=in.the.other.s,.in.one.of.them.with.no.fence.sc
// case many_fenced expect=silent complete
#include <cstdio>
#include <cstring>

enum { BARE, SC, ACQ_REL, BLOCK };

template <int fence>
static __device__ void between()
{
    if (fence == SC)
        __threadfence();
    if (fence == ACQ_REL)
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
    if (fence == BLOCK)
        __threadfence_block();
}

template <int fence>
__global__ void wants(volatile int *want, int *x, bool warps)
{
    int me = warps ? threadIdx.x / 32 : blockIdx.x;
    if (threadIdx.x % 32)
        return;
    want[me] = 1;
    between<fence>();
    if (want[1 - me] == 0)
        x[0] = me + 1; // wants_bare wants_acq_rel wants_narrow warps_bare
}

/** What both have found tells whether both came first. */
template <int fence>
__global__ void roles(volatile int *want, int *x)
{
    if (blockIdx.x == 0) {
        want[0] = 1;
        between<fence>();
        x[0] = want[1];
    } else {
        want[1] = 1;
        between<fence>();
        x[1] = want[0];
    }
}

/** Too many results to know them all: what may come of a store and a look that change places is not tried to the end. */
template <int fence>
__global__ void many(volatile int *want, int *x)
{
    int me = blockIdx.x;
    for (int i = 0; i < 10; i++) {
        want[me] = i + 1;
        between<fence>();
        x[me] = x[me] * 11 + want[1 - me];
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *p;
    cudaMalloc(&p, 256);
    cudaMemset(p, 0, 256);
#define CASE(n) else if (!strcmp(name, #n))
    if (!*name)
        return 2;
    CASE(wants_bare) wants<BARE><<<2, 1>>>(p, p + 32, false);
    CASE(wants_fenced) wants<SC><<<2, 1>>>(p, p + 32, false);
    CASE(wants_acq_rel) wants<ACQ_REL><<<2, 1>>>(p, p + 32, false);
    CASE(wants_narrow) wants<BLOCK><<<2, 1>>>(p, p + 32, false);
    CASE(warps_bare) wants<BARE><<<1, 64>>>(p, p + 32, true);
    CASE(warps_fenced) wants<BLOCK><<<1, 64>>>(p, p + 32, true);
    CASE(roles_bare) roles<BARE><<<2, 1>>>(p, p + 32);
    CASE(roles_fenced) roles<SC><<<2, 1>>>(p, p + 32);
    CASE(many_bare) many<BARE><<<2, 1>>>(p, p + 32);
    CASE(many_fenced) many<SC><<<2, 1>>>(p, p + 32);
    else return 2;
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
