// far.cu: addresses far from all memory, each with the name of what its pointer led to; and those of the host's memory.
//
// case far_behind expect=out-of-bounds says=at.offset.1073741824.of.alloc0
// case far_below expect=out-of-bounds says=1073741824.bytes.before.the.start.of.alloc0
// case far_member expect=out-of-bounds says=of.alloc1
// case near_behind expect=out-of-bounds says=at.offset.400.of.alloc0
// case host_array expect=out-of-bounds says=pass.the.kernel.a.pointer.from.cudaMalloc
// case host_member expect=out-of-bounds says=in.a.struct,.too
// case own_memory expect=silent
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

struct list {
    int count;
    int *items;
};

__global__ void put(int *a, long at)
{
    a[at] = 1; // far_behind far_below near_behind host_array own_memory
}

__global__ void put_last(list l, long beyond)
{
    l.items[l.count - 1 + beyond] = 1; // far_member host_member
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *a, *b, *c;
    static int own[100];
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    cudaMalloc(&c, 400);
    if (!strcmp(name, "far_behind"))
        put<<<1, 1>>>(a, 1l << 28);
    else if (!strcmp(name, "far_below"))
        put<<<1, 1>>>(a, -(1l << 28));
    else if (!strcmp(name, "far_member"))
        put_last<<<1, 1>>>(list{100, b}, 1l << 28);
    else if (!strcmp(name, "near_behind"))
        put<<<1, 1>>>(a, 100);
    else if (!strcmp(name, "host_array"))
        put<<<1, 1>>>(own, 1);
    else if (!strcmp(name, "host_member"))
        put_last<<<1, 1>>>(list{100, own}, 0);
    else
        put<<<1, 1>>>(c, 99);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 0;
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return 0;
}
