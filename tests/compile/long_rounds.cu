// A block that meets so often that it has to let others have their turn amid a round: whoever had come to the barrier by then has met the others there all
// the same. Each thread reads what another warp wrote before the barrier; in the turn `late` there is none, which is a race.
#include <cstdio>
#include <cstdlib>

static const int THREADS = 256, ROUNDS = 20000;

__global__ void shared(int *out, int late)
{
    __shared__ int a[3][THREADS];
    int t = threadIdx.x, v = t;
    for (int i = 0; i < ROUNDS; i++) {
        a[i % 3][t] = v;
        if (i != late)
            __syncthreads();
        v = a[i % 3][(t + 32) % THREADS] + 1;
    }
    out[blockIdx.x * THREADS + t] = v;
}

__global__ void global(int *out, int *room, int late)
{
    int *a = room + blockIdx.x * 3 * THREADS, t = threadIdx.x, v = t;
    for (int i = 0; i < ROUNDS; i++) {
        a[i % 3 * THREADS + t] = v;
        if (i != late)
            __syncthreads();
        v = a[i % 3 * THREADS + (t + 32) % THREADS] + 1;
    }
    out[blockIdx.x * THREADS + t] = v;
}

// Now and then one warp comes to the barrier on another line, which ends a round, and the next one begins amid it.
__global__ void broken(int *out, int late)
{
    __shared__ int a[3][THREADS];
    int t = threadIdx.x, v = t;
    for (int i = 0; i < ROUNDS / 10; i++) {
        a[i % 3][t] = v;
        if (i % 50 == 7 && t / 32 == i / 50 % 8)
            asm volatile("barrier.sync 0;" ::: "memory");
        else if (i != late)
            asm volatile("barrier.sync 0;" ::: "memory");
        v = a[i % 3][(t + 32) % THREADS] + 1;
    }
    out[blockIdx.x * THREADS + t] = v;
}

int main(int argc, char **argv)
{
    int late = argc > 1 ? atoi(argv[1]) : -1, *out, *room, got[2 * THREADS];
    cudaMalloc(&out, sizeof got);
    cudaMalloc(&room, 6 * THREADS * sizeof *room);
    for (int i = 0; i < 3; i++) {
        if (i == 0)
            shared<<<2, THREADS>>>(out, late);
        else if (i == 1)
            global<<<2, THREADS>>>(out, room, late);
        else
            broken<<<2, THREADS>>>(out, late < 0 ? late : late / 10);
        cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
        unsigned sum = 0;
        for (int v : got)
            sum = sum * 31 + v;
        printf("%d: %08x\n", i, sum);
    }
    cudaFree(out);
    cudaFree(room);
    return 0;
}
