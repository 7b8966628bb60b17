/*
 * The kernels of `make bench`, in one text for both sides: OpenCL C as it stands, CUDA C++ through bench.cu's
 * macros.
 */
#ifndef __CUDACC__
#define KERNEL __kernel void
#define GLOBAL __global
#define SHARED __local
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define TID(d) ((int)get_local_id(d))
#define BLOCK(d) ((int)get_group_id(d))
#define BLOCK_SIZE(d) ((int)get_local_size(d))
#define BLOCKS(d) ((int)get_num_groups(d))
#define ADD_SHARED(p) atomic_inc(p)
#define ADD_GLOBAL(p, v) atomic_add(p, v)
#define RSQRT(x) native_rsqrt(x)
#define EXP(x) exp(x)
#define LOG(x) log(x)
#define SQRT(x) sqrt(x)
#define ABS(x) fabs(x)
#endif
#define THREADS 256
#define TILE 16

KERNEL sum(GLOBAL const int *in, GLOBAL int *out, int n)
{
    SHARED int s[1024];
    int tid = TID(0), v = 0;
    for (int i = BLOCK(0) * BLOCK_SIZE(0) + tid; i < n; i += BLOCKS(0) * BLOCK_SIZE(0))
        v += in[i];
    s[tid] = v;
    BARRIER();
    for (int k = BLOCK_SIZE(0) / 2; k > 0; k >>= 1) {
        if (tid < k)
            s[tid] += s[tid + k];
        BARRIER();
    }
    if (tid == 0)
        out[BLOCK(0)] = s[0];
}

KERNEL sort(GLOBAL int *values, int n)
{
    SHARED int s[THREADS];
    unsigned tid = TID(0);
    s[tid] = values[BLOCK(0) * THREADS + tid];
    BARRIER();
    for (unsigned k = 2; k <= THREADS; k <<= 1) {
        for (unsigned j = k / 2; j > 0; j >>= 1) {
            unsigned ixj = tid ^ j;
            if (ixj > tid) {
                if ((tid & k) == 0) {
                    if (s[tid] > s[ixj]) {
                        int t = s[tid];
                        s[tid] = s[ixj];
                        s[ixj] = t;
                    }
                } else {
                    if (s[tid] < s[ixj]) {
                        int t = s[tid];
                        s[tid] = s[ixj];
                        s[ixj] = t;
                    }
                }
            }
            BARRIER();
        }
    }
    values[BLOCK(0) * THREADS + tid] = s[tid];
}

KERNEL matmul(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, int n)
{
    SHARED float x[TILE][TILE], y[TILE][TILE];
    int tx = TID(0), ty = TID(1), row = BLOCK(1) * TILE + ty, col = BLOCK(0) * TILE + tx;
    float s = 0;
    for (int t = 0; t < n; t += TILE) {
        x[ty][tx] = a[row * n + t + tx];
        y[ty][tx] = b[(t + ty) * n + col];
        BARRIER();
        for (int k = 0; k < TILE; k++)
            s += x[ty][k] * y[k][tx];
        BARRIER();
    }
    c[row * n + col] = s;
}

KERNEL transpose(GLOBAL const float *a, GLOBAL float *b, int n)
{
    SHARED float t[TILE][TILE + 1];
    int x = BLOCK(0) * TILE + TID(0), y = BLOCK(1) * TILE + TID(1);
    t[TID(1)][TID(0)] = a[y * n + x];
    BARRIER();
    x = BLOCK(1) * TILE + TID(0);
    y = BLOCK(0) * TILE + TID(1);
    b[y * n + x] = t[TID(0)][TID(1)];
}

KERNEL histogram(GLOBAL const int *in, GLOBAL int *out, int n)
{
    SHARED int h[256];
    h[TID(0)] = 0;
    BARRIER();
    for (int i = BLOCK(0) * BLOCK_SIZE(0) + TID(0); i < n; i += BLOCKS(0) * BLOCK_SIZE(0))
        ADD_SHARED(&h[in[i] & 255]);
    BARRIER();
    ADD_GLOBAL(&out[TID(0)], h[TID(0)]);
}

KERNEL scan(GLOBAL const int *in, GLOBAL int *out, int n)
{
    SHARED int s[THREADS];
    int tid = TID(0), i = BLOCK(0) * THREADS + tid;
    s[tid] = i < n ? in[i] : 0;
    BARRIER();
    for (int d = 1; d < THREADS; d <<= 1) {
        int v = tid >= d ? s[tid - d] : 0;
        BARRIER();
        s[tid] += v;
        BARRIER();
    }
    if (i < n)
        out[i] = s[tid];
}

KERNEL mandelbrot(GLOBAL int *out, int n)
{
    int x = BLOCK(0) * TILE + TID(0), y = BLOCK(1) * TILE + TID(1), k = 0;
    float cr = -2.f + 3.f * x / n, ci = -1.5f + 3.f * y / n, zr = 0, zi = 0;
    while (k < 256 && zr * zr + zi * zi < 4.f) {
        float t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        k++;
    }
    out[y * n + x] = k;
}

KERNEL nbody(GLOBAL const float4 *p, GLOBAL float4 *acceleration, int n)
{
    SHARED float4 s[THREADS];
    int i = BLOCK(0) * THREADS + TID(0);
    float4 me = p[i], sum = p[i];
    sum.x = sum.y = sum.z = sum.w = 0;
    for (int t = 0; t < n; t += THREADS) {
        s[TID(0)] = p[t + TID(0)];
        BARRIER();
        for (int k = 0; k < THREADS; k++) {
            float dx = s[k].x - me.x, dy = s[k].y - me.y, dz = s[k].z - me.z;
            float r = RSQRT(dx * dx + dy * dy + dz * dz + 1e-3f), f = s[k].w * r * r * r;
            sum.x += dx * f;
            sum.y += dy * f;
            sum.z += dz * f;
        }
        BARRIER();
    }
    acceleration[i] = sum;
}

KERNEL spmv(GLOBAL const int *start, GLOBAL const int *column, GLOBAL const float *value, GLOBAL const float *x,
            GLOBAL float *y, int n)
{
    int i = BLOCK(0) * BLOCK_SIZE(0) + TID(0);
    float s = 0;
    if (i >= n)
        return;
    for (int k = start[i]; k < start[i + 1]; k++)
        s += value[k] * x[column[k]];
    y[i] = s;
}

KERNEL blackscholes(GLOBAL const float *price, GLOBAL const float *strike, GLOBAL const float *years,
                    GLOBAL float *call, GLOBAL float *put, int n)
{
    for (int i = BLOCK(0) * BLOCK_SIZE(0) + TID(0); i < n; i += BLOCKS(0) * BLOCK_SIZE(0)) {
        float q = 0.3f * SQRT(years[i]), d[2], c[2], e = EXP(-0.02f * years[i]);
        d[0] = (LOG(price[i] / strike[i]) + 0.065f * years[i]) / q;
        d[1] = d[0] - q;
        for (int j = 0; j < 2; j++) {
            float k = 1.f / (1.f + 0.2316419f * ABS(d[j]));
            float sum = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f +
                        k * (-1.821255978f + k * 1.330274429f))));
            float tail = 0.39894228f * EXP(-0.5f * d[j] * d[j]) * sum;
            c[j] = d[j] > 0 ? 1.f - tail : tail;
        }
        call[i] = price[i] * c[0] - strike[i] * e * c[1];
        put[i] = strike[i] * e * (1.f - c[1]) - price[i] * (1.f - c[0]);
    }
}
