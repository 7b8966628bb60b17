// returned.cu: a try whose answer is what an inlined function returns. A stale look at a slot's turn costs another try; where tries are counted, it is more.
//
// case slots expect=silent
// case slots_counted expect=ordering level=warning
// case slots_plain expect=missing-release also=ordering
#include <cstring>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr auto relaxed = cuda::memory_order_relaxed, acquire = cuda::memory_order_acquire, release = cuda::memory_order_release;

struct Cell {
    cuda::atomic<unsigned> turn;
    int data;
};

struct Queue {
    Cell cells[4];
    cuda::atomic<unsigned> in, out;
};

template <bool plain> __device__ bool put(Queue &q, int v)
{
    unsigned at = q.in.load(relaxed);
    for (;;) {
        Cell &c = q.cells[at & 3];
        int turn = (int)(c.turn.load(acquire) - at);
        if (turn == 0) {
            if (q.in.compare_exchange_weak(at, at + 1, relaxed)) {
                c.data = v;
                c.turn.store(at + 1, plain ? relaxed : release);
                return true;
            }
        } else if (turn < 0) {
            return false;
        } else {
            at = q.in.load(relaxed);
        }
    }
}

__device__ bool take(Queue &q, int &v)
{
    unsigned at = q.out.load(relaxed);
    for (;;) {
        Cell &c = q.cells[at & 3];
        int turn = (int)(c.turn.load(acquire) - (at + 1));
        if (turn == 0) {
            if (q.out.compare_exchange_weak(at, at + 1, relaxed)) {
                v = c.data; // slots_plain
                c.turn.store(at + 4, release);
                return true;
            }
        } else if (turn < 0) {
            return false;
        } else {
            at = q.out.load(relaxed);
        }
    }
}

__global__ void make(Queue *q)
{
    for (int i = 0; i < 4; i++)
        q->cells[i].turn = i, q->cells[i].data = -1;
    q->in = 0, q->out = 0;
}

template <bool counted, bool plain> __global__ void work(Queue *q, int *sum)
{
    int misses = 0;
    for (int i = 0; i < 3; i++) {
        int v;
        if (blockIdx.x < 2) {
            while (!put<plain>(*q, blockIdx.x * 100 + i)) { }
        } else {
            while (!take(*q, v))
                misses += counted;
            atomicAdd(sum, v);
        }
    }
    if (counted)
        atomicMax(sum + 1, misses);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    Queue *q;
    int *sum, got;
    cudaMalloc(&q, sizeof *q);
    cudaMalloc(&sum, 8);
    cudaMemset(sum, 0, 8);
    make<<<1, 1>>>(q);
    if (strstr(name, "counted"))
        work<true, false><<<4, 1>>>(q, sum);
    else if (strstr(name, "plain"))
        work<false, true><<<4, 1>>>(q, sum);
    else
        work<false, false><<<4, 1>>>(q, sum);
    cudaMemcpy(&got, sum, 4, cudaMemcpyDeviceToHost);
    cudaFree(q);
    cudaFree(sum);
    return got != 306;
}
