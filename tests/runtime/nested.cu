// nvcc: -rdc=true -arch=compute_75 -lcudadevrt
// Kernels that launch kernels, in the shapes that programs have: a tree of launches, a quicksort whose halves are sorted by
// launches into two streams, a partition into quarters, curves whose points lie in memory that the launching kernel allocates,
// rounds by tail launches, and printing.
#include "check.cuh"

// ---- a tree: each grid launches two, down to a depth
__device__ int visited;
__global__ void tree(int depth)
{
    atomicAdd(&visited, 1);
    if (depth > 0 && threadIdx.x == 0)
        for (int i = 0; i < 2; i++)
            tree<<<1, 2>>>(depth - 1);
}

// ---- quicksort: pivots by one thread, halves by two launches, short ranges by selection
__global__ void quicksort(int *data, int left, int right, int depth)
{
    if (depth >= 12 || right - left <= 16) {
        for (int i = left; i <= right; i++)
            for (int j = i + 1; j <= right; j++)
                if (data[j] < data[i]) {
                    int t = data[i];
                    data[i] = data[j];
                    data[j] = t;
                }
        return;
    }
    int *l = data + left, *r = data + right, pivot = data[(left + right) / 2];
    while (l <= r) {
        while (*l < pivot)
            l++;
        while (*r > pivot)
            r--;
        if (l <= r) {
            int t = *l;
            *l++ = *r;
            *r-- = t;
        }
    }
    int to = (int)(r - data), from = (int)(l - data);
    cudaStream_t s;
    if (left < to) {
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, s>>>(data, left, to, depth + 1);
        cudaStreamDestroy(s);
    }
    if (from < right) {
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, s>>>(data, from, right, depth + 1);
        cudaStreamDestroy(s);
    }
}

// ---- quarters: a block counts its points by quarter and a grid of four goes on with them
struct node { int begin, end; };
__device__ int leaves, in_leaves;
__global__ void quarters(const float2 *points, float2 *other, node *nodes, int at, int first, float x0, float y0, float size, int depth)
{
    __shared__ int count[4], begin[4];
    int me = at + blockIdx.x, q = blockIdx.x;
    float x = x0 + (depth ? (q & 1) * size : 0), y = y0 + (depth ? (q >> 1) * size : 0);
    node n = nodes[me];
    if (n.end - n.begin <= 8 || depth == 4) {
        if (threadIdx.x == 0) {
            atomicAdd(&leaves, 1);
            atomicAdd(&in_leaves, n.end - n.begin);
        }
        return;
    }
    if (threadIdx.x < 4)
        count[threadIdx.x] = 0;
    __syncthreads();
    float half = size / 2;
    for (int i = n.begin + threadIdx.x; i < n.end; i += blockDim.x)
        atomicAdd(&count[(points[i].x >= x + half) + 2 * (points[i].y >= y + half)], 1);
    __syncthreads();
    int next = first + 4 * me;
    if (threadIdx.x == 0)
        for (int i = 0, sum = n.begin; i < 4; i++) {
            begin[i] = sum;
            nodes[next + i].begin = sum;
            nodes[next + i].end = sum += count[i];
        }
    __syncthreads();
    for (int i = n.begin + threadIdx.x; i < n.end; i += blockDim.x) {
        int to = (points[i].x >= x + half) + 2 * (points[i].y >= y + half);
        other[atomicAdd(&begin[to], 1)] = points[i];
    }
    __syncthreads();
    if (threadIdx.x == 0)
        quarters<<<4, 32>>>(other, (float2 *)points, nodes, next, first, x, y, half, depth + 1);
}

// ---- curves: how many points each has is found out on the device, which allocates them
struct curve { float a, b; int n; float *points; };
__global__ void points_of(curve *c) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < c->n) c->points[i] = c->a + c->b * i; }
__global__ void curves(curve *all, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    all[i].n = 4 + i % 61;
    cudaMalloc((void **)&all[i].points, all[i].n * sizeof(float));
    points_of<<<(all[i].n + 31) / 32, 32>>>(&all[i]);
}
__global__ void sum_and_free(curve *all, int n, float *sum)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < all[i].n; k++)
            *sum += all[i].points[k];
        cudaFree(all[i].points);
    }
}

// ---- rounds: a tail launch begins when all of the round is done
__global__ void half_sums(int *data, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] += data[i + n]; }
__global__ void rounds(int *data, int n)
{
    half_sums<<<(n / 2 + 63) / 64, 64>>>(data, n / 2);
    if (n > 2)
        rounds<<<1, 1, 0, cudaStreamTailLaunch>>>(data, n / 2);
}

__global__ void prints(int depth, int parent)
{
    printf("depth %d, block %d of %d\n", depth, (int)blockIdx.x, parent);
    if (depth < 2 && blockIdx.x == 0)
        prints<<<2, 1>>>(depth + 1, depth);
}

int main()
{
    static int host[2048];
    int *data, v;
    OK(cudaMalloc(&data, sizeof host));
    tree<<<1, 2>>>(6);
    OK(cudaMemcpyFromSymbol(&v, visited, sizeof v));
    CHECK(v == 2 * 127);

    for (int i = 0; i < 1024; i++)
        host[i] = (i * 7919 + 13) % 1009;
    OK(cudaMemcpy(data, host, sizeof host, cudaMemcpyDefault));
    quicksort<<<1, 1>>>(data, 0, 1023, 0);
    OK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDefault));
    for (int i = 1; i < 1024; i++)
        CHECK(host[i - 1] <= host[i]);

    static float2 points[400];
    float2 *p, *other;
    node *nodes, root = {0, 400};
    OK(cudaMalloc(&p, sizeof points));
    OK(cudaMalloc(&other, sizeof points));
    OK(cudaMalloc(&nodes, 4096 * sizeof *nodes));
    for (int i = 0; i < 400; i++)
        points[i] = make_float2((i * 37 % 400) / 400.0f, (i * 91 % 397) / 397.0f);
    OK(cudaMemcpy(p, points, sizeof points, cudaMemcpyDefault));
    OK(cudaMemcpy(nodes, &root, sizeof root, cudaMemcpyDefault));
    quarters<<<1, 32>>>(p, other, nodes, 0, 1, 0, 0, 1, 0);
    OK(cudaMemcpyFromSymbol(&v, in_leaves, sizeof v));
    CHECK(v == 400);
    OK(cudaMemcpyFromSymbol(&v, leaves, sizeof v));
    CHECK(v >= 64 && v <= 256);

    curve *all, made[100];
    float *sum, total = 0, expected = 0;
    for (int i = 0; i < 100; i++)
        made[i] = {(float)i, 1, 0, nullptr};
    OK(cudaMalloc(&all, sizeof made));
    OK(cudaMalloc(&sum, sizeof *sum));
    OK(cudaMemset(sum, 0, sizeof *sum));
    OK(cudaMemcpy(all, made, sizeof made, cudaMemcpyDefault));
    curves<<<2, 64>>>(all, 100);
    sum_and_free<<<1, 1>>>(all, 100, sum);
    OK(cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDefault));
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < 4 + i % 61; k++)
            expected += i + k;
    CHECK(total == expected);

    for (int i = 0; i < 1024; i++)
        host[i] = i;
    OK(cudaMemcpy(data, host, sizeof host, cudaMemcpyDefault));
    rounds<<<1, 1>>>(data, 1024);
    OK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDefault));
    CHECK(host[0] == 1023 * 1024 / 2);

    prints<<<1, 1>>>(0, -1);
    OK(cudaDeviceSynchronize());
    for (void *q : {(void *)data, (void *)p, (void *)other, (void *)nodes, (void *)all, (void *)sum})
        OK(cudaFree(q));
    puts("nested ok");
    return 0;
}
