// Generic addresses of shared memory in clusters: of a block's own, of another's, handed on, made into 32-bit ones.
//
// arch compute_90
//
// case own expect=silent
// case own_mapped expect=silent
// case peer_mapped expect=silent
// case peer_mapped_unordered expect=data-race
// case mapped_for_owner expect=silent
// case handed expect=silent
// case handed_unordered expect=data-race
// case handed_then_gone expect=cluster-misuse status=3
// case handed_to_others expect=out-of-bounds says=another.cluster|another.block
// case handed_wide expect=silent
// case mapped_to_others expect=out-of-bounds says=another.cluster|another.block
// case converted expect=silent
// case past_end expect=out-of-bounds status=3
// case within_peer expect=silent
// case stored_there expect=silent
// case atomic_there expect=silent
// case next_launch expect=out-of-bounds says=earlier.launch
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

namespace cg = cooperative_groups;

enum { T = 32, BLOCKS = 4 };

__device__ int *kept[BLOCKS];

#define CASES(X) X(own) X(own_mapped) X(peer_mapped) X(peer_mapped_unordered) X(mapped_for_owner) X(handed) X(handed_unordered) X(handed_then_gone) \
    X(handed_to_others) X(handed_wide) X(mapped_to_others) X(converted) X(past_end) X(within_peer) X(stored_there) X(atomic_there) X(next_launch)
#define NAME(n) n,
enum what { CASES(NAME) };

__global__ void __cluster_dims__(2, 1, 1) run(enum what what, int again, int *out, volatile int *flag)
{
    __shared__ int s[T];
    cg::cluster_group cluster = cg::this_cluster();
    int t = (int)threadIdx.x, b = (int)blockIdx.x, rank = (int)cluster.block_rank(), peer = rank ^ 1, v = 0;
    s[t] = 100 * b + t;
    int *mine = s, *its = cluster.map_shared_rank(s, peer);
    if (what == mapped_for_owner || what == mapped_to_others)
        mine = its;
    if (t == 0 && !again)
        kept[b] = mine;
    if (what == peer_mapped_unordered)
        v = its[t]; // peer_mapped_unordered
    if (what != handed_unordered)
        cluster.sync();
    else
        __syncthreads();
    if (what == handed_to_others || what == mapped_to_others) {
        if (t == 0)
            __threadfence(), flag[b] = 1;
        if (b == 2) {
            while (!flag[0] || !flag[1])
                ;
            __threadfence();
            v = kept[1][t]; // handed_to_others mapped_to_others
        }
        if (b < 2) /* they are there as long as it looks */
            while (!flag[2])
                ;
        cluster.sync();
    }
    if (what == own)
        v = kept[b][T - 1 - t];
    if (what == own_mapped)
        v = cluster.map_shared_rank(s, rank)[T - 1 - t];
    if (what == peer_mapped)
        v = its[T - 1 - t];
    if (what == mapped_for_owner)
        v = kept[b ^ 1][T - 1 - t];
    if (what == handed || what == handed_then_gone)
        v = kept[b ^ 1][T - 1 - t];
    if (what == handed_wide) {
        int4 w = ((int4 *)kept[b ^ 1])[t % (T / 4)];
        v = w.x + w.w;
    }
    if (what == handed_unordered) {
        int *p = *(int *volatile *)&kept[b ^ 1];
        if (p)
            v = p[T - 1 - t]; // handed_unordered
    }
    if (what == converted) {
        unsigned at = (unsigned)__cvta_generic_to_shared(kept[b ^ 1] + t);
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(at) : "memory");
    }
    if (what == past_end)
        v = its[T + 4096 * 16 + t]; // past_end
    if (what == within_peer)
        v = (int)cluster.query_shared_rank(its) == peer ? its[t] : 0;
    if (what == stored_there) {
        kept[b ^ 1][t] = 5;
        cluster.sync();
        v = s[t];
        if (v != 5)
            __trap();
    }
    if (what == atomic_there)
        atomicAdd(&kept[b ^ 1][t % 4], 1);
    if (what == next_launch && again)
        v = kept[b][t]; // next_launch
    if (what != handed_then_gone)
        cluster.sync();
    out[b * T + t] = v;
}

int main(int argc, char **argv)
{
#define TEXT(n) #n,
    static const char *const names[] = {CASES(TEXT)};
    const char *name = argc > 1 ? argv[1] : "";
    int *out, *flag, how = -1;
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (!strcmp(name, names[i]))
            how = i;
    if (how < 0)
        return 2;
    CHECK(!cudaMalloc(&out, BLOCKS * T * sizeof *out) && !cudaMalloc(&flag, 64) && !cudaMemset(flag, 0, 64));
    run<<<how == handed_to_others || how == mapped_to_others ? 4 : 2, T>>>((enum what)how, 0, out, flag);
    if (how == next_launch)
        run<<<2, T>>>((enum what)how, 1, out, flag);
    int back[T];
    CHECK(!cudaDeviceSynchronize());
    CHECK(!cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    if (how == handed || how == mapped_for_owner || how == peer_mapped || how == handed_then_gone)
        CHECK(back[0] == (how == mapped_for_owner ? 0 : 100) + T - 1);
    CHECK(!cudaFree(out) && !cudaFree(flag));
    return 0;
}
