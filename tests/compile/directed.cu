// Double precision with every rounding, and integers divided by what differs from lane to lane or does not: of all lanes, of some, and where all lanes have the same.
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstring>

enum { THREADS = 160, VALUES = 14 };

__device__ unsigned long long bits(double x) { return __double_as_longlong(x); }

__device__ unsigned long long rounded(double a, double b, double c)
{
    unsigned long long h = bits(__dadd_rd(a, b)) + 3 * bits(__dadd_ru(a, b)) + 5 * bits(__dadd_rz(a, b));
    h = h * 31 + bits(__dsub_rd(a, b)) + 3 * bits(__dsub_ru(a, b)) + 5 * bits(__dsub_rz(a, b));
    h = h * 31 + bits(__dmul_rd(a, b)) + 3 * bits(__dmul_ru(a, b)) + 5 * bits(__dmul_rz(a, b));
    h = h * 31 + bits(__fma_rd(a, b, c)) + 3 * bits(__fma_ru(a, b, c)) + 5 * bits(__fma_rz(a, b, c));
    h = h * 31 + bits(__ddiv_rd(a, b)) + 3 * bits(__ddiv_ru(a, b)) + 5 * bits(__ddiv_rz(a, b));
    h = h * 31 + bits(__dsqrt_rd(a)) + 3 * bits(__dsqrt_ru(b)) + 5 * bits(__dsqrt_rz(c));
    return h * 31 + bits(__drcp_rd(a)) + 3 * bits(__drcp_ru(b)) + 5 * bits(__drcp_rz(c)) + 7 * bits(__drcp_rn(a));
}

__global__ void roundings(const double *in, unsigned long long *out, int round)
{
    int t = threadIdx.x;
    double a = in[t % VALUES], b = in[t / VALUES % VALUES], c = in[(t * 7 + round) % VALUES];
    unsigned long long h = rounded(a, b, c);
    if ((t + round) % 3 == 0)
        h = h * 31 + rounded(c, a, b);
    out[t] = h * 31 + rounded(in[round], in[(round + 5) % VALUES], in[(3 * round + 1) % VALUES]);
}

__device__ unsigned long long divided(int a, int b)
{
    unsigned x = a, y = b;
    return x / y + 3ull * (x % y) + 5ull * (unsigned)(a / b) + 7ull * (unsigned)(a % b);
}

__global__ void divisions(const int *in, unsigned long long *out, int round)
{
    int t = threadIdx.x;
    int a = in[t % VALUES], b = in[t / VALUES % VALUES], c = in[(t * 7 + round) % VALUES];
    unsigned long long h = divided(a, b);
    if ((t + round) % 3 == 0)
        h = h * 31 + divided(c * 3 + 1, a);
    out[t] = h * 31 + divided(in[round], in[(round + 5) % VALUES]);
}

template <class T> static void all(void (*kernel)(const T *, unsigned long long *, int), const T *host)
{
    T *in;
    unsigned long long *out, got[THREADS];
    cudaMalloc(&in, VALUES * sizeof(T));
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, host, VALUES * sizeof(T), cudaMemcpyHostToDevice);
    for (int round = 0; round < VALUES; round++) {
        kernel<<<1, THREADS>>>(in, out, round);
        cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
        for (int t = 0; t < THREADS; t++)
            printf("%llx%c", got[t], t % 8 == 7 ? '\n' : ' ');
    }
    cudaFree(in);
    cudaFree(out);
}

/** An argument: reals alone. */
int main(int argc, char **)
{
    const unsigned long long odd = 0xfff4000000000123ull;
    double reals[VALUES] = {0, -0., 1, -2.5, INFINITY, -INFINITY, NAN, 0, DBL_MAX, -DBL_MIN, 5e-324, 1. / 3, -3.141592653589793, 1e-310};
    const int integers[VALUES] = {0, 1, -1, INT_MIN, INT_MAX, 7, -7, 65536, 65537, -65535, 3, 1000000007, -1000000007, 2};
    memcpy(reals + 7, &odd, sizeof odd);
    all(roundings, reals);
    if (argc < 2)
        all(divisions, integers);
}
