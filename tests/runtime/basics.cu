// Kernels of the usual kinds: vector sum, tiled matrix product, reduction, templates, structs.
#include "check.cuh"
#include <vector>

template <typename T> __global__ void add(const T *a, const T *b, T *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

template <typename T> static void vector_sum(int n)
{
    std::vector<T> a(n), b(n), c(n);
    for (int i = 0; i < n; i++) {
        a[i] = T(i);
        b[i] = T(3 * i + 1);
    }
    T *da, *db, *dc;
    OK(cudaMalloc(&da, n * sizeof(T)));
    OK(cudaMalloc(&db, n * sizeof(T)));
    OK(cudaMalloc(&dc, n * sizeof(T)));
    OK(cudaMemcpy(da, a.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(db, b.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
    OK(cudaGetLastError());
    OK(cudaMemcpy(c.data(), dc, n * sizeof(T), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(c[i] == T(4 * i + 1));
    OK(cudaFree(da));
    OK(cudaFree(db));
    OK(cudaFree(dc));
}

#define TILE 16
struct matrix {
    int rows, columns;
    float *data;
};

__global__ void multiply(matrix a, matrix b, matrix c)
{
    __shared__ float ta[TILE][TILE], tb[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < a.columns / TILE; t++) {
        ta[y][x] = a.data[row * a.columns + t * TILE + x];
        tb[y][x] = b.data[(t * TILE + y) * b.columns + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += ta[y][k] * tb[k][x];
        __syncthreads();
    }
    c.data[row * c.columns + col] = sum;
}

static void matrix_product()
{
    matrix a = {32, 48, nullptr}, b = {48, 64, nullptr}, c = {32, 64, nullptr};
    std::vector<float> ha(32 * 48), hb(48 * 64), hc(32 * 64);
    for (size_t i = 0; i < ha.size(); i++)
        ha[i] = float(i % 7);
    for (size_t i = 0; i < hb.size(); i++)
        hb[i] = float(i % 5) - 2;
    OK(cudaMalloc(&a.data, ha.size() * 4));
    OK(cudaMalloc(&b.data, hb.size() * 4));
    OK(cudaMalloc(&c.data, hc.size() * 4));
    OK(cudaMemcpy(a.data, ha.data(), ha.size() * 4, cudaMemcpyDefault));
    OK(cudaMemcpy(b.data, hb.data(), hb.size() * 4, cudaMemcpyDefault));
    multiply<<<dim3(4, 2), dim3(TILE, TILE)>>>(a, b, c);
    OK(cudaMemcpy(hc.data(), c.data, hc.size() * 4, cudaMemcpyDefault));
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 64; j++) {
            float want = 0;
            for (int k = 0; k < 48; k++)
                want += ha[i * 48 + k] * hb[k * 64 + j];
            CHECK(hc[i * 64 + j] == want);
        }
    OK(cudaFree(a.data));
    OK(cudaFree(b.data));
    OK(cudaFree(c.data));
}

__global__ void reduce(const int *in, int n, int *out)
{
    extern __shared__ int part[];
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(out, part[0]);
}

static void reduction()
{
    const int n = 10007;
    std::vector<int> in(n);
    int want = 0, got, *din, *dout;
    for (int i = 0; i < n; i++)
        want += in[i] = i * 7 % 31;
    OK(cudaMalloc(&din, n * 4));
    OK(cudaMalloc(&dout, 4));
    OK(cudaMemcpy(din, in.data(), n * 4, cudaMemcpyHostToDevice));
    OK(cudaMemset(dout, 0, 4));
    reduce<<<13, 128, 128 * 4>>>(din, n, dout);
    OK(cudaMemcpy(&got, dout, 4, cudaMemcpyDeviceToHost));
    CHECK(got == want);
    OK(cudaFree(din));
    OK(cudaFree(dout));
}

// Large allocations begin at a page, as an H100's; small ones share one.
static void pages()
{
    for (size_t bytes : {(size_t)8, (size_t)1085440, (size_t)8, (size_t)3000000}) {
        char *p;
        OK(cudaMalloc(&p, bytes));
        CHECK((size_t)p % (bytes > 1 << 20 ? 2 << 20 : 256) == 0);
        OK(cudaFree(p));
    }
}

int main()
{
    int count = 0, device = -1, version = 0;
    pages();
    OK(cudaGetDeviceCount(&count));
    CHECK(count >= 1);
    OK(cudaSetDevice(0));
    OK(cudaGetDevice(&device));
    CHECK(device == 0);
    OK(cudaRuntimeGetVersion(&version));
    CHECK(version / 1000 == 13);
    vector_sum<int>(50000);
    vector_sum<float>(1);
    vector_sum<double>(257);
    vector_sum<unsigned char>(60);
    matrix_product();
    reduction();
    OK(cudaDeviceReset());
    vector_sum<int>(1000); // the context comes back by itself
    puts("basics ok");
    return 0;
}
