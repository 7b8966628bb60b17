/**
 * @file expected.h
 * What each exhibit of lab10 is to compute, in plain loops on the host: the tests that passed when the bugs
 * shipped. `out` holds zeros before.
 */
#ifndef LAB10_EXPECTED_H
#define LAB10_EXPECTED_H

#include <limits.h>

static void expect_sum(int *out, const int *in, int n)
{
    for (int i = 0; i < n; i++)
        out[0] += in[i];
}

static void expect_columns(int *out, const int *in, int n)
{
    for (int i = 0; i < n; i++)
        out[i % 128] += in[i];
}

static void expect_bins(int *out, const int *in, int n)
{
    for (int i = 0; i < n; i++)
        out[in[i] & 63]++;
}

static void expect_below_maximum(int *out, const int *in, int n)
{
    for (int first = 0; first + 128 <= n; first += 128) {
        int most = INT_MIN, sum = 0;
        for (int i = first; i < first + 128; i++)
            most = in[i] > most ? in[i] : most;
        for (int i = first; i < first + 128; i++)
            sum += most - in[i];
        for (int i = first; i < first + 128; i++)
            out[i] = sum;
    }
}

static void expect_turned_tiles(int *out, const int *in, int n)
{
    for (int i = 0; i < n; i++) {
        int tile = i / 256 * 256, x = i % 16, y = i / 16 % 16;
        out[tile + y * 16 + x] = in[tile + x * 16 + y];
    }
}

/** Behind the n elements stand the pieces' counts. */
static void expect_odd(int *out, const int *in, int n)
{
    for (int i = 0, piece = n / 8; i < n; i++)
        if (in[i] & 1)
            out[i / piece * piece + out[n + i / piece]++] = in[i];
}

static void expect_turned_chunks(int *out, const int *in, int n)
{
    for (int i = 0, length = n / 6; i < n; i++) {
        int row = i / length * length, first = row + (i - row) / 128 * 128;
        int count = row + length - first < 128 ? row + length - first : 128;
        out[i] = in[first + count - 1 - (i - first)];
    }
}

static void expect_scan(int *out, const int *in, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] + (i ? out[i - 1] : 0);
}

/** In ascending order, and behind n places how many there are. */
static void expect_above(int *out, const int *in, int n)
{
    for (int i = 0; i < n; i++)
        if (in[i] > 0)
            out[out[n]++] = i;
}

static void expect_warps(int *out, const int *in, int n)
{
    for (int i = 0; i < n; i++)
        out[i / 32] += in[i];
}

static void expect_most(int *out, const int *in, int n)
{
    for (int r = 0; r < 3; r++) {
        out[r] = INT_MIN;
        for (int i = 0; i < n / (4 >> r); i++)
            out[r] = in[i] > out[r] ? in[i] : out[r];
    }
}

static void expect_all_reduced(int *out, const int *in, int n)
{
    for (int i = 0, length = n / 4; i < n; i++)
        for (int r = 0; r < 4; r++)
            out[r * length + i % length] += in[i];
}

static void expect_bits(int *out, const int *in, int n)
{
    for (int i = 0; i < n; i++)
        if (in[i] > 0)
            out[(i + 7) / 32] |= (int)(1u << (i + 7) % 32);
}

static void expect_squares(int *out, const int *in, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = in[i] * in[i];
        out[n] += out[i];
    }
}

static void expect_two_steps(int *out, const int *in, int n)
{
    for (int i = 0; i < 2 * n; i++)
        out[i] = in[i % n] + 1 + i / n;
}

static void expect_sum_added(int *out, const int *in, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += in[i];
    for (int i = 0; i < n; i++)
        out[i] = in[i] + sum;
}

static void expect_turned_rows(int *out, const int *in, int n)
{
    for (int i = 0; i < n / 128 * 128; i++)
        out[i] = in[i / 128 * 128 + 127 - i % 128];
}

#endif
