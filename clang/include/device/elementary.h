/**
 * @file elementary.h
 * exp, log, pow, sin, cos, tan, tanh: computed in double, for float rounded once.
 *
 * clang brings no such functions for a GPU. Each is an argument reduction and a Taylor series as long as double needs; errors
 * are below 4 units in the last place of a double, of pow below 2^-40 of the value, of sin, cos and tan while |x| < 2^20.
 * tests/clang/functions.cu holds them to that. A float's result differs from nvcc's in the last bit at times, as both may.
 */
#ifndef FENCEPOST_DEVICE_ELEMENTARY_H
#define FENCEPOST_DEVICE_ELEMENTARY_H

/* ln 2 and pi/2 as sums: the first has zeros at its end, so that its product with a small integer is exact. */
#define FENCEPOST_LN2_HIGH 0x1.62e42fee00000p-1
#define FENCEPOST_LN2_LOW 0x1.a39ef35793c76p-33
#define FENCEPOST_PI_2_HIGH 0x1.921fb54400000p+0
#define FENCEPOST_PI_2_MID 0x1.0b4611a600000p-34
#define FENCEPOST_PI_2_LOW 0x1.3198a2e037073p-69

FENCEPOST_DEVICE double fencepost_power_of_2(int n) { return __longlong_as_double((long long)(n + 1023) << 52); }

FENCEPOST_DEVICE double exp(double x)
{
    double n = rint(fmin(fmax(x, -800.0), 800.0) * 1.4426950408889634);
    double r = fma(-n, FENCEPOST_LN2_LOW, fma(-n, FENCEPOST_LN2_HIGH, fmin(fmax(x, -800.0), 800.0))), sum = 1;
    for (int k = 14; k > 0; k--)
        sum = fma(sum, r / k, 1.0);
    int half = (int)n / 2; /* in two steps: 2^n alone may be no double where the result is one */
    return x != x ? x : sum * fencepost_power_of_2(half) * fencepost_power_of_2((int)n - half);
}

FENCEPOST_DEVICE double log(double x)
{
    int e = 0;
    if (!(x > 0) || x == __longlong_as_double(0x7ffll << 52))
        return x == 0 ? -__longlong_as_double(0x7ffll << 52) : x > 0 ? x : __longlong_as_double(0x7ff8ll << 48);
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        e = -54;
    }
    long long bits = __double_as_longlong(x);
    e += (int)(bits >> 52) - 1023;
    double m = __longlong_as_double((bits & 0xfffffffffffff) | 0x3ffll << 52);
    if (m > 1.4142135623730951) {
        m /= 2;
        e++;
    }
    /* log m = 2 artanh s */
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int k = 25; k > 1; k -= 2)
        sum = fma(sum, square, 1.0 / k);
    return fma((double)e, FENCEPOST_LN2_HIGH, fma((double)e, FENCEPOST_LN2_LOW, 2 * s * square * sum) + 2 * s);
}

/** sin of x + quarters of a turn. */
FENCEPOST_DEVICE double fencepost_sin(double x, int quarters)
{
    double n = rint(x * 0.63661977236758134);
    double r = fma(-n, FENCEPOST_PI_2_LOW, fma(-n, FENCEPOST_PI_2_MID, fma(-n, FENCEPOST_PI_2_HIGH, x)));
    double square = r * r, sum = 1;
    quarters += (int)(long long)fmin(fmax(n, -0x1p62), 0x1p62);
    bool even = quarters % 2 == 0;
    for (int k = even ? 19 : 20; k > 1; k -= 2)
        sum = fma(-sum, square / (k * (k - 1)), 1.0);
    sum *= even ? r : 1;
    return x - x != 0 ? x - x : quarters & 2 ? -sum : sum;
}
FENCEPOST_DEVICE double sin(double x) { return fencepost_sin(x, 0); }
FENCEPOST_DEVICE double cos(double x) { return fencepost_sin(x, 1); }
FENCEPOST_DEVICE double tan(double x) { return sin(x) / cos(x); }
FENCEPOST_DEVICE double tanh(double x)
{
    double a = fabs(x), square = x * x;
    if (a < 0.05)
        return x * fma(square, fma(square, fma(square, fma(square, 62.0 / 2835, -17.0 / 315), 2.0 / 15), -1.0 / 3), 1.0);
    return copysign(1 - 2 / (exp(2 * a) + 1), x);
}
FENCEPOST_DEVICE double exp2(double x)
{
    double n = rint(x);
    return exp((x - n) * 0.69314718055994531) * exp(n * 0.69314718055994531);
}
FENCEPOST_DEVICE double log2(double x) { return log(x) * 1.4426950408889634; }
FENCEPOST_DEVICE double log10(double x) { return log(x) * 0.43429448190325183; }
FENCEPOST_DEVICE double pow(double x, double y)
{
    bool whole = trunc(y) == y, odd = whole && fabs(y) < 0x1p53 && (long long)y % 2;
    double size = y == 0 || x == 1 ? 1 : exp(y * log(fabs(x)));
    if (x < 0 && !whole)
        return __longlong_as_double(0x7ff8ll << 48);
    return odd ? copysign(size, x) : size;
}

/* For float by its name in C, and under double's, as C++ overloads it. */
#define FENCEPOST_FLOAT(name)                                                                      \
    FENCEPOST_DEVICE float name##f(float x) { return (float)name((double)x); }                     \
    FENCEPOST_DEVICE float name(float x) { return (float)name((double)x); }
FENCEPOST_FLOAT(exp)
FENCEPOST_FLOAT(exp2)
FENCEPOST_FLOAT(log)
FENCEPOST_FLOAT(log2)
FENCEPOST_FLOAT(log10)
FENCEPOST_FLOAT(sin)
FENCEPOST_FLOAT(cos)
FENCEPOST_FLOAT(tan)
FENCEPOST_FLOAT(tanh)
#undef FENCEPOST_FLOAT
FENCEPOST_DEVICE float powf(float x, float y) { return (float)pow((double)x, (double)y); }
FENCEPOST_DEVICE float pow(float x, float y) { return (float)pow((double)x, (double)y); }
FENCEPOST_DEVICE void sincosf(float x, float *sine, float *cosine)
{
    *sine = sinf(x);
    *cosine = cosf(x);
}

#endif
