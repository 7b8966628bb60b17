// Tiles of several warps. From compute_80 on the barriers of cooperative groups, and what their collectives exchange, lie in shared
// memory that belongs to the system; before that, in the program's own.
// arch compute_75 compute_80
// case wide_sync expect=silent
// case wide_sync_left_out expect=data-race
// case wide_sync_beyond expect=data-race also=missing-acquire
// case wide_turns expect=silent
// case wide_turns_half expect=data-race also=missing-acquire
// A warp's lane 0 takes part in the library's hand-over, and lane 1 then reads what another warp has left, with nothing but a
// shuffle between the two, which orders no memory (CUDA 13.0).
// case wide_reduce expect=data-race also=missing-acquire
// case one_warp_reduce expect=silent
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;

__global__ void sync_wide(int *out, bool right, int across)
{
    __shared__ cg::block_tile_memory<256> own;
    __shared__ int s[256];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(own));
    s[threadIdx.x] = threadIdx.x; // wide_sync_left_out wide_sync_beyond
    if (right)
        tile.sync();
    out[threadIdx.x] = s[threadIdx.x ^ across];
}

__global__ void sync_turns(int *out, bool right)
{
    __shared__ cg::block_tile_memory<256> own;
    __shared__ int s[256];
    auto tile = cg::tiled_partition<128>(cg::this_thread_block(own));
    int sum = 0;
    for (int turn = 0; turn < 3; turn++) {
        s[threadIdx.x] = turn + threadIdx.x;
        tile.sync();
        sum += s[threadIdx.x ^ 96]; // wide_turns_half
        if (right)
            tile.sync();
    }
    out[threadIdx.x] = sum;
}

__global__ void reduce_wide(int *out)
{
    __shared__ cg::block_tile_memory<256> own;
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(own));
    out[threadIdx.x] = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>()); // wide_reduce
}

__global__ void reduce_narrow(int *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    out[threadIdx.x] = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
}

int main(int, char **argv)
{
    const char *name = argv[1];
    int *out, got[256];
    cudaMalloc(&out, sizeof got);
    if (!strcmp(name, "wide_sync") || !strcmp(name, "wide_sync_left_out") || !strcmp(name, "wide_sync_beyond"))
        sync_wide<<<1, 256>>>(out, strcmp(name, "wide_sync_left_out"), strcmp(name, "wide_sync_beyond") ? 32 : 64);
    else if (!strncmp(name, "wide_turns", 10))
        sync_turns<<<1, 256>>>(out, !strcmp(name, "wide_turns"));
    else if (!strcmp(name, "wide_reduce"))
        reduce_wide<<<1, 256>>>(out);
    else
        reduce_narrow<<<1, 256>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    printf("%d\n", got[9]);
    cudaFree(out);
    return 0;
}
