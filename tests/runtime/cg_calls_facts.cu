// nvcc: -rdc=true -arch=compute_90 -lcudadevrt
// The device runtime's functions for a grid's group, as programs call them that do not come from cooperative_groups.h
// (Numba's kernels); one fact a line: the same program runs on a real GPU and on softgpu (cg_calls_facts.gpu.txt).
//
//   nvcc -cudart shared -rdc=true -arch=sm_90 -o cg_calls_facts cg_calls_facts.cu -lcudadevrt && ./cg_calls_facts
#include <cstdio>

__global__ void ask(int scope, bool sync)
{
    unsigned long long h = cudaCGGetIntrinsicHandle((cudaCGScope)scope);
    unsigned a = 777, b = 777, c = 777, d = 777;
    int s = cudaCGGetSize(&a, &b, h), r = cudaCGGetRank(&c, &d, h), y = -1, z = -1;
    if (sync) {
        y = cudaCGSynchronize(h, 0);
        z = cudaCGSynchronizeGrid(h, 0);
    }
    int t = threadIdx.x + 8 * (threadIdx.y + 4 * (threadIdx.z + 2 * (blockIdx.x + 3 * (blockIdx.y + 2 * blockIdx.z))));
    if (t == 500)
        printf("thread %d: handle %d, size %d %u %u, rank %d %u %u, synchronize %d %d\n", t, h != 0, s, a, b, r, c, d, y, z);
}

int main()
{
    for (int cooperative = 0; cooperative < 2; cooperative++)
        for (int scope = 0; scope <= 2; scope++)
            for (int i = 0; i < 2; i++) {
                bool sync = i == (cooperative && scope == 1);
                void *args[] = {&scope, &sync};
                dim3 blocks(3, 2, 2), threads(8, 4, 2);
                printf("cooperative %d, scope %d, synchronize %d\n", cooperative, scope, sync);
                if (cooperative)
                    cudaLaunchCooperativeKernel((void *)ask, blocks, threads, args, 0, 0);
                else
                    ask<<<blocks, threads>>>(scope, sync);
                printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
            }
}
