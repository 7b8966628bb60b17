// Kernels that launch kernels: what comes before what.
// nvcc: -rdc=true -lcudadevrt
// arch compute_75 compute_90
// case barrier_before expect=silent
// case no_barrier expect=data-race says=__syncthreads
// case own_before expect=silent
// case reads_result expect=data-race says=cudaStreamTailLaunch
// case reads_in_tail expect=silent
// case writes_after expect=data-race says=launch
// case writes_before_tail expect=silent
// case one_stream expect=silent
// case two_streams expect=data-race says=one.stream
// case with_event expect=silent
// case forgotten expect=data-race says=one.stream
// case threads_of_block expect=silent
// case blocks_apart expect=data-race
// case next_launch expect=silent
// case child_of_child expect=silent
// case grandchild_races expect=data-race
// case fill_then_kernel expect=silent
// case fill_beside_kernel expect=data-race
// case host_after expect=silent
// case global_pointer expect=silent
// case local_pointer expect=out-of-bounds says=local.memory
// case shared_pointer expect=out-of-bounds says=shared.memory
#include <cstdio>
#include <cstring>

#define N 64
__device__ int data[N], copy[N], sum;

__global__ void doubles(int *d) { d[threadIdx.x] = d[threadIdx.x] * 2; }
__global__ void copies(const int *__restrict__ from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void adds(const int *from) { atomicAdd(&sum, from[threadIdx.x]); }
__global__ void launches_copy() { copies<<<1, N>>>(data, copy); }
__global__ void reads_all() { copy[threadIdx.x] = data[threadIdx.x]; }

#define I threadIdx.x
#define FIRST if (threadIdx.x == 0)

__global__ void barrier_before() { data[I] = I; __syncthreads(); FIRST doubles<<<1, N>>>(data); }
__global__ void no_barrier()
{
    data[I] = I; // no_barrier
    FIRST doubles<<<1, N>>>(data);
}
__global__ void own_before() { FIRST { for (int i = 0; i < N; i++) data[i] = i; doubles<<<1, N>>>(data); } }
__global__ void reads_result()
{
    FIRST {
        doubles<<<1, N>>>(data);
        sum = data[5]; // reads_result
    }
}
__global__ void reads_in_tail() { FIRST { adds<<<1, N, 0, cudaStreamTailLaunch>>>(data); doubles<<<1, N>>>(data); } }
__global__ void writes_after()
{
    FIRST {
        copies<<<1, N>>>(data, copy);
        data[5] = 1; // writes_after
    }
}
__global__ void writes_before_tail() { FIRST copies<<<1, N, 0, cudaStreamTailLaunch>>>(data, copy); data[I] = I; }
__global__ void one_stream() { FIRST { doubles<<<1, N>>>(data); copies<<<1, N>>>(data, copy); } }
__global__ void two_streams()
{
    FIRST {
        cudaStream_t s, t;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
        doubles<<<1, N, 0, s>>>(data);
        copies<<<1, N, 0, t>>>(data, copy);
        cudaStreamDestroy(s);
        cudaStreamDestroy(t);
    }
}
__global__ void with_event()
{
    FIRST {
        cudaStream_t s, t;
        cudaEvent_t e;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
        doubles<<<1, N, 0, s>>>(data);
        cudaEventRecord(e, s);
        cudaStreamWaitEvent(t, e, 0);
        copies<<<1, N, 0, t>>>(data, copy);
    }
}
__global__ void forgotten()
{
    FIRST {
        doubles<<<1, N, 0, cudaStreamFireAndForget>>>(data);
        copies<<<1, N, 0, cudaStreamFireAndForget>>>(data, copy);
    }
}
__global__ void threads_of_block() // the block's stream is one
{
    if (I == 3) doubles<<<1, N>>>(data);
    __syncthreads();
    if (I == 40) copies<<<1, N>>>(data, copy);
}
__global__ void blocks_apart() // each block's stream is its own
{
    if (blockIdx.x == 0) doubles<<<1, N>>>(data);
    else copies<<<1, N>>>(data, copy);
}
__global__ void next_launch() { FIRST doubles<<<1, N>>>(data); }
__global__ void child_of_child() { data[I] = I; __syncthreads(); FIRST launches_copy<<<1, 1>>>(); }
__global__ void grandchild_races()
{
    FIRST launches_copy<<<1, 1>>>();
    data[I] = I; // grandchild_races
}
__global__ void fill_then_kernel() { FIRST { cudaMemsetAsync(data, 1, sizeof data); copies<<<1, N>>>(data, copy); } }
__global__ void fill_beside_kernel()
{
    FIRST {
        cudaMemsetAsync(data, 1, sizeof data);
        copies<<<1, N, 0, cudaStreamFireAndForget>>>(data, copy);
    }
}
__global__ void global_pointer() { FIRST copies<<<1, N>>>(data, copy); }
__global__ void local_pointer()
{
    int mine[N];
    for (int i = 0; i < N; i++)
        mine[i] = data[i];
    FIRST copies<<<1, N>>>(mine, copy);
}
__global__ void shared_pointer()
{
    __shared__ int ours[N];
    ours[I] = I;
    __syncthreads();
    FIRST copies<<<1, N>>>(ours, copy);
}

int main(int, char **argv)
{
#define CASE(name, blocks, threads)                                                                \
    if (!strcmp(argv[1], #name))                                                                   \
        name<<<blocks, threads>>>();
    CASE(barrier_before, 1, N) CASE(no_barrier, 1, N) CASE(own_before, 1, 1) CASE(reads_result, 1, 1)
    CASE(reads_in_tail, 1, 1) CASE(writes_after, 1, 1) CASE(writes_before_tail, 1, N) CASE(one_stream, 1, 1)
    CASE(two_streams, 1, 1) CASE(with_event, 1, 1) CASE(forgotten, 1, 1) CASE(threads_of_block, 1, N)
    CASE(blocks_apart, 2, 1) CASE(next_launch, 1, 1) CASE(child_of_child, 1, N) CASE(grandchild_races, 1, N)
    CASE(fill_then_kernel, 1, 1) CASE(fill_beside_kernel, 1, 1) CASE(global_pointer, 1, 1) CASE(local_pointer, 1, 1)
    CASE(shared_pointer, 1, N)
    if (!strcmp(argv[1], "next_launch"))
        reads_all<<<1, N>>>();
    if (!strcmp(argv[1], "host_after"))
        barrier_before<<<1, N>>>();
    int host[N];
    cudaMemcpyFromSymbol(host, data, sizeof host);
    printf("%d\n", host[5]);
    return 0;
}
