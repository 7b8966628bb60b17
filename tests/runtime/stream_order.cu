// nvcc: -g
// One way of ordering two uses of a buffer, by number; test_programs.sh says which of them race.
#include "check.cuh"

__global__ void fill(int *x, int v) { x[threadIdx.x] = v; }

static cudaStream_t a, b, blocking;
static cudaEvent_t e;
static int *d, *h, *other;
#define COPY_OUT(stream) cudaMemcpyAsync(h, d, 128, cudaMemcpyDeviceToHost, stream)

static void (*const ways[])() = {
    /* 0 race */ [] { fill<<<1, 32, 0, a>>>(d, 1); COPY_OUT(b); },
    /* 1 */ [] { fill<<<1, 32, 0, a>>>(d, 1); cudaEventRecord(e, a); cudaStreamWaitEvent(b, e, 0); COPY_OUT(b); },
    /* 2 race: recorded too early */
    [] { cudaEventRecord(e, a); fill<<<1, 32, 0, a>>>(d, 1); cudaStreamWaitEvent(b, e, 0); COPY_OUT(b); },
    /* 3 */ [] { fill<<<1, 32, 0, a>>>(d, 1); cudaStreamSynchronize(a); COPY_OUT(b); },
    /* 4 race */ [] { fill<<<1, 32, 0, a>>>(d, 1); fill<<<1, 32, 0, b>>>(d, 2); },
    /* 5 race: the default stream does not wait for non-blocking ones */
    [] { fill<<<1, 32, 0, a>>>(d, 1); fill<<<1, 32>>>(d, 2); },
    /* 6 */ [] { fill<<<1, 32, 0, blocking>>>(d, 1); fill<<<1, 32>>>(d, 2); fill<<<1, 32, 0, blocking>>>(d, 3); },
    /* 7 */ [] { fill<<<1, 32, 0, a>>>(d, 1); while (cudaStreamQuery(a)) {} fill<<<1, 32, 0, b>>>(d, 2); },
    /* 8 race */ [] { cudaMemsetAsync(d, 0, 128, a); cudaMemsetAsync(d, 1, 128, b); },
    /* 9 */ [] { fill<<<1, 32, 0, a>>>(d, 1); cudaDeviceSynchronize(); fill<<<1, 32, 0, b>>>(d, 2); },
    /* 10 race: a pageable copy need not make the host wait */
    [] { static int p[32]; fill<<<1, 32, 0, a>>>(d, 1); cudaMemcpyAsync(p, d, 128, cudaMemcpyDeviceToHost, a);
         fill<<<1, 32, 0, b>>>(d, 2); },
    /* 11 */ [] { fill<<<1, 32, 0, a>>>(d, 1); cudaEventRecord(e, a); cudaEventSynchronize(e); fill<<<1, 32, 0, b>>>(d, 2); },
    /* 12 */ [] { fill<<<1, 32, 0, a>>>(d, 1); fill<<<1, 32, 0, b>>>(other, 2); },
    /* 13 race: waited for on the wrong stream */
    [] { fill<<<1, 32, 0, a>>>(d, 1); cudaEventRecord(e, a); cudaStreamWaitEvent(blocking, e, 0); COPY_OUT(b); },
    /* 14: halves of one buffer */
    [] { cudaMemsetAsync(d, 0, 64, a); cudaMemsetAsync(d + 16, 1, 64, b); },
    /* 15: columns of one plane */
    [] { cudaMemset2DAsync(d, 32, 0, 16, 4, a); cudaMemset2DAsync(d + 4, 32, 0, 16, 4, b); },
    /* 16: order by way of two events and a third stream */
    [] { fill<<<1, 32, 0, a>>>(d, 1); cudaEventRecord(e, a); cudaStreamWaitEvent(blocking, e, 0);
         cudaEventRecord(e, blocking); cudaStreamWaitEvent(b, e, 0); COPY_OUT(b); },
    /* 17: a host function in between orders its own stream only, as any operation */
    [] { fill<<<1, 32, 0, a>>>(d, 1); cudaLaunchHostFunc(a, [](void *) {}, nullptr); fill<<<1, 32, 0, a>>>(d, 2); },
    /* 18: the device is waited for, and so is the work of a stream that is gone, though it had been done by then */
    [] { static int p[32]; fill<<<1, 32, 0, a>>>(d, 1); cudaMemcpyAsync(p, d, 128, cudaMemcpyDeviceToHost, a);
         cudaStreamDestroy(a); cudaDeviceSynchronize(); fill<<<1, 32, 0, b>>>(d, 2); },
    /* 19: likewise by the default stream */
    [] { static int p[32]; fill<<<1, 32, 0, blocking>>>(d, 1); cudaMemcpyAsync(p, d, 128, cudaMemcpyDeviceToHost, blocking);
         cudaStreamDestroy(blocking); fill<<<1, 32>>>(d, 2); },
    /* 20 race: nobody waits for it */
    [] { static int p[32]; fill<<<1, 32, 0, a>>>(d, 1); cudaMemcpyAsync(p, d, 128, cudaMemcpyDeviceToHost, a);
         cudaStreamDestroy(a); fill<<<1, 32, 0, b>>>(d, 2); },
    /* 21 race: nor by the default stream for one that does not block */
    [] { static int p[32]; fill<<<1, 32, 0, a>>>(d, 1); cudaMemcpyAsync(p, d, 128, cudaMemcpyDeviceToHost, a);
         cudaStreamDestroy(a); fill<<<1, 32>>>(d, 2); },
};

int main(int argc, char **argv)
{
    if (argc < 2)
        return 0;
    size_t way = atoi(argv[1]);
    CHECK(way < sizeof ways / sizeof ways[0]);
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaStreamCreate(&blocking));
    OK(cudaEventCreate(&e));
    OK(cudaMalloc(&d, 128));
    OK(cudaMalloc(&other, 128));
    OK(cudaMallocHost(&h, 128));
    ways[way]();
    OK(cudaDeviceSynchronize());
    OK(cudaFree(d));
    OK(cudaFree(other));
    OK(cudaFreeHost(h));
    return 0;
}
