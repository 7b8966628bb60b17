/**
 * @file tasks.h
 * The kernels that are compared, each with its size, its input (the same numbers on both sides) and a check of
 * what it leaves. Included by bench.cu and bench_cl.c.
 *
 *   PROGRAM TASK SIZE [BLOCKS THREADS]     BLOCKS and THREADS: of `sum`, 64 x 256 if not given
 */
#ifndef BENCH_TASKS_H
#define BENCH_TASKS_H

#include <math.h>

#include "bench.h"

#define THREADS 256
#define TILE 16
#define MAX_BUFFERS 5

enum work { SUM, SORT, MATMUL, TRANSPOSE, HISTOGRAM, SCAN, MANDELBROT, NBODY, SPMV, BLACKSCHOLES, WORKS };
static const char *const work_names[WORKS] = {"sum", "sort", "matmul", "transpose", "histogram", "scan",
                                              "mandelbrot", "nbody", "spmv", "blackscholes"};
#define ROW_ENTRIES 16     /* of the sparse matrix */

/** One argument of a kernel: `in` is copied to the device before each launch where there is one. */
struct buffer {
    size_t words;
    float *f;              /**< the same words as floats */
    int *in;
};

struct run {
    struct task task;
    enum work work;
    int n;                 /**< the size, and the kernel's last argument */
    unsigned blocks[2], threads[2];
    int buffers, result;   /**< the result's buffer, the first that is no input */
    struct buffer buffer[MAX_BUFFERS];
};

static unsigned bench_state = 1;

static unsigned draw_word(void)
{
    bench_state = bench_state * 1664525u + 1013904223u;
    return bench_state >> 8;
}

static void *words_new(size_t words)
{
    void *p = calloc(words ? words : 1, 4);
    if (!p)
        abort();
    return p;
}

/** An input of random integers, or of numbers from 1 to 3. */
static void add_input(struct run *r, size_t words, int real)
{
    struct buffer *b = &r->buffer[r->buffers++];
    b->words = words;
    b->in = (int *)words_new(words);
    b->f = (float *)b->in;
    for (size_t i = 0; i < words; i++)
        if (real)
            b->f[i] = 1 + (float)(draw_word() & 1023) / 512;
        else
            b->in[i] = (int)draw_word();
}

static void add_output(struct run *r, size_t words)
{
    r->buffer[r->buffers++].words = words;
}

static void add_buffers(struct run *r)
{
    size_t n = (size_t)r->n, square = n * n;
    int real = r->work != SUM && r->work != HISTOGRAM && r->work != SCAN;
    switch (r->work) {
    case SUM:
    case SCAN:
    case HISTOGRAM:
        add_input(r, n, 0);
        add_output(r, r->work == SUM ? r->blocks[0] : r->work == SCAN ? n : 256);
        break;
    case SORT:
        add_input(r, n * THREADS, 0);
        break;
    case MATMUL:
        add_input(r, square, real);
        add_input(r, square, real);
        add_output(r, square);
        break;
    case TRANSPOSE:
        add_input(r, square, real);
        add_output(r, square);
        break;
    case MANDELBROT:
        add_output(r, square);
        break;
    case NBODY:
        add_input(r, 4 * n, real);
        add_output(r, 4 * n);
        break;
    case SPMV:
        add_input(r, n + 1, 0);
        add_input(r, n * ROW_ENTRIES, 0);
        for (size_t i = 0; i <= n; i++)
            r->buffer[0].in[i] = (int)i * ROW_ENTRIES;
        for (size_t i = 0; i < n * ROW_ENTRIES; i++)
            r->buffer[1].in[i] %= r->n;
        add_input(r, n * ROW_ENTRIES, real);
        add_input(r, n, real);
        add_output(r, n);
        break;
    default:
        for (int i = 0; i < 3; i++)
            add_input(r, n, real);
        add_output(r, n);
        add_output(r, n);
    }
}

/** Reads the command line and makes the input. */
static struct run run_make(int argc, char **argv)
{
    struct run r;
    memset(&r, 0, sizeof r);
    int work = 0;
    while (argc > 2 && work < WORKS && strcmp(argv[1], work_names[work]))
        work++;
    if (argc < 3 || work == WORKS || (r.n = atoi(argv[2])) <= 0) {
        fprintf(stderr, "usage: %s TASK SIZE [BLOCKS THREADS]\n", argv[0]);
        exit(2);
    }
    r.work = (enum work)work;
    int flat = r.work != MATMUL && r.work != TRANSPOSE && r.work != MANDELBROT;
    int strided = r.work == SUM || r.work == HISTOGRAM || r.work == BLACKSCHOLES;
    r.threads[0] = flat ? THREADS : TILE;
    r.threads[1] = flat ? 1 : TILE;
    r.blocks[0] = strided ? 64 : r.work == SORT ? (unsigned)r.n : (unsigned)r.n / r.threads[0];
    r.blocks[1] = flat ? 1 : (unsigned)r.n / TILE;
    if (argc > 4) {
        r.blocks[0] = (unsigned)atoi(argv[3]);
        r.threads[0] = (unsigned)atoi(argv[4]);
    }
    add_buffers(&r);
    while (r.result < r.buffers - 1 && r.buffer[r.result].in)
        r.result++;
    for (int i = 0; i < r.buffers; i++)
        r.task.device_bytes += 4 * r.buffer[i].words;
    return r;
}

/* ---- What the kernels should leave ---- */

static int near(double got, double want)
{
    return fabs(got - want) <= 2e-3 * (fabs(want) + 1e-2);
}

/** Each block ascends and holds what it held before (by its sum). */
static int sort_is_right(const struct run *r, const int *sorted)
{
    for (int b = 0; b < r->n; b++) {
        const int *now = sorted + (size_t)b * THREADS, *was = r->buffer[0].in + (now - sorted);
        unsigned change = (unsigned)now[0] - (unsigned)was[0];
        for (int i = 1; i < THREADS; i++) {
            change += (unsigned)now[i] - (unsigned)was[i];
            if (now[i - 1] > now[i])
                return 0;
        }
        if (change)
            return 0;
    }
    return 1;
}

/** Totals of what goes in and what comes out: the sum, all counts, the last of each block of a scan. */
static int totals_are_right(const struct run *r, const int *got)
{
    const int *in = r->buffer[0].in;
    unsigned want[256] = {0}, sum = 0;
    for (int i = 0; i < r->n; i++) {
        sum += (unsigned)in[i];
        want[in[i] & 255]++;
        if (r->work == SCAN && (unsigned)got[i] != sum)
            return 0;
        if (r->work == SCAN && i % THREADS == THREADS - 1)
            sum = 0;
    }
    for (unsigned i = 0; r->work == SUM && i < r->blocks[0]; i++)
        sum -= (unsigned)got[i];
    for (int i = 0; r->work == HISTOGRAM && i < 256; i++)
        if ((unsigned)got[i] != LAUNCHES * want[i])
            return 0;
    return r->work != SUM || sum == 0;
}

static double mandelbrot_at(int n, int i)
{
    float cr = -2.f + 3.f * (float)(i % n) / (float)n, ci = -1.5f + 3.f * (float)(i / n) / (float)n, zr = 0, zi = 0;
    int k = 0;
    for (; k < 256 && zr * zr + zi * zi < 4.f; k++) {
        float t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
    }
    return k;
}

static double nbody_at(const struct run *r, int i)
{
    const float *p = r->buffer[0].f;
    double x = 0;
    for (int k = 0; k < r->n; k++) {
        double dx = p[4 * k] - p[4 * i], dy = p[4 * k + 1] - p[4 * i + 1], dz = p[4 * k + 2] - p[4 * i + 2];
        x += p[4 * k + 3] * dx * pow(dx * dx + dy * dy + dz * dz + 1e-3, -1.5);
    }
    return x;
}

/** Element i of the result, as the host computes it. */
static double expected(const struct run *r, int i)
{
    const struct buffer *b = r->buffer;
    double sum = 0;
    switch (r->work) {
    case MATMUL:
        for (int k = 0; k < r->n; k++)
            sum += (double)b[0].f[i / r->n * r->n + k] * b[1].f[k * r->n + i % r->n];
        return sum;
    case TRANSPOSE:
        return b[0].f[i % r->n * r->n + i / r->n];
    case NBODY:
        return nbody_at(r, i);
    case SPMV:
        for (int k = b[0].in[i]; k < b[0].in[i + 1]; k++)
            sum += (double)b[2].f[k] * b[3].f[b[1].in[k]];
        return sum;
    default: {
        double t = b[2].f[i], q = 0.3 * sqrt(t), d = (log(b[0].f[i] / (double)b[1].f[i]) + 0.065 * t) / q;
        return b[0].f[i] * 0.5 * erfc(-d / sqrt(2.)) - b[1].f[i] * exp(-0.02 * t) * 0.5 * erfc((q - d) / sqrt(2.));
    }
    }
}

/** A sample of the elements; of a fractal's edge one in a hundred may differ by how products are rounded. */
static int result_is_right(const struct run *r, const int *got)
{
    const float *real = (const float *)got;
    int elements = r->work == NBODY || r->work == SPMV || r->work == BLACKSCHOLES ? r->n : r->n * r->n;
    int step = elements / 997 + 1, wrong = 0, asked = 0;
    if (r->work == SORT)
        return sort_is_right(r, got);
    if (r->work == SUM || r->work == HISTOGRAM || r->work == SCAN)
        return totals_are_right(r, got);
    for (int i = 0; i < elements; i += step, asked++) {
        if (r->work == MANDELBROT)
            wrong += got[i] != mandelbrot_at(r->n, i);
        else
            wrong += !near(real[r->work == NBODY ? 4 * i : i], expected(r, i));
    }
    return wrong <= (r->work == MANDELBROT ? asked / 50 : 0);
}

#endif
