// exp, log and the others of clang/include/device/elementary.h beside the host's: the largest relative error of each over some
// thousand arguments, in units of 2^-53 for double and 2^-24 for float. Exit status 1 where one is above its bound.
#include <cstdio>
#include <cmath>

#define N 4096

#define EACH(F)                                                                                    \
    F(exp, -700, 700, 4)                                                                           \
    F(exp2, -1000, 1000, 2000)                                                                     \
    F(log, 1e-300, 1e6, 4)                                                                         \
    F(log2, 1e-300, 1e6, 6)                                                                        \
    F(log10, 1e-300, 1e6, 6)                                                                       \
    F(sin, -1e5, 1e5, 4)                                                                           \
    F(cos, -1e5, 1e5, 4)                                                                           \
    F(tan, -1e5, 1e5, 8)                                                                           \
    F(tanh, -20, 20, 30)                                                                           \
    F(sqrt, 0, 1e10, 1)

// What lies at the ends, too: the first arguments.
__host__ __device__ double argument(double low, double high, int i)
{
    return i == 0 ? low : i == 1 ? high : low + (high - low) * (i * 2654435761u % 1048583u) / 1048583.0;
}

#define KERNELS(name, low, high, bound)                                                               \
    __global__ void name##_kernel(double *d, float *s)                                                \
    {                                                                                              \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
        d[i] = name(argument(low, high, i));                                                          \
        s[i] = name##f((float)argument(low, high, i));                                                \
    }
EACH(KERNELS)

__global__ void special(double *d)
{
    double zero = d[0] * 0, infinity = 1 / zero, nan = zero / zero;
    int i = 0;
    d[i++] = exp(infinity);
    d[i++] = exp(-infinity);
    d[i++] = exp(nan);
    d[i++] = exp(710.0);
    d[i++] = exp(-745.0);
    d[i++] = log(zero);
    d[i++] = log(-1.0);
    d[i++] = log(infinity);
    d[i++] = log(0x1p-1070);
    d[i++] = sin(infinity);
    d[i++] = cos(zero);
    d[i++] = pow(-2.0, 3.0);
    d[i++] = pow(-2.0, 0.5);
    d[i++] = pow(zero, 2.0);
    d[i++] = pow(nan, zero);
    d[i++] = pow(2.0, -1074.0);
    d[i++] = tanh(infinity);
    d[i++] = tanh(-0.01);
}

static bool right(const char *name, double got, double want, double bound, double unit)
{
    bool same = (got != got && want != want) || got == want || fabs(got - want) <= bound * unit * fabs(want);
    if (!same)
        printf("%s: got %.17g, expected %.17g\n", name, got, want);
    return same;
}

int main()
{
    double *d;
    float *s;
    int bad = 0;
    cudaMallocManaged(&d, N * sizeof *d);
    cudaMallocManaged(&s, N * sizeof *s);
#define COMPARE(name, low, high, bound)                                                               \
    name##_kernel<<<N / 256, 256>>>(d, s);                                                            \
    bad += cudaDeviceSynchronize() != cudaSuccess;                                                 \
    for (int i = 0; i < N && bad < 9; i++) {                                                       \
        bad += !right(#name, d[i], name((double)argument(low, high, i)), bound, 0x1p-53);                \
        float want = name((float)argument(low, high, i));                                             \
        bad += !right(#name "f", s[i], want, fabsf(want) < 0x1p-126f ? 1e9 : 3, 0x1p-24);             \
    }
    EACH(COMPARE)
    double wants[] = {INFINITY, 0, NAN, INFINITY, exp(-745.0), -INFINITY, NAN, INFINITY, log(0x1p-1070), NAN,
                      1, -8, NAN, 0, 1, 0x1p-1074, 1, tanh(-0.01)};
    d[0] = 1;
    special<<<1, 1>>>(d);
    bad += cudaDeviceSynchronize() != cudaSuccess;
    for (unsigned i = 0; i < sizeof wants / sizeof *wants; i++) {
        char which[32];
        snprintf(which, sizeof which, "special %u", i);
        bad += !right(which, d[i], wants[i], fabs(wants[i]) < 0x1p-1022 ? 1e18 : 4, 0x1p-53);
    }
    cudaFree(d);
    cudaFree(s);
    printf("%d wrong\n", bad);
    return bad != 0;
}
