// nvcc: -w
// Facts about what kernels print, and about assert: every conversion, flag, width and length, wrong ones, too; one a
// line: the same program runs on a real GPU and on softgpu (print_facts.gpu.txt). Each section is a process of its own.
//
//   nvcc -arch=compute_75 -cudart shared -w -o print_facts print_facts.cu && ./print_facts
#undef NDEBUG
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#include "apart.cuh"
#include "named.cuh"

__device__ char text[16] = "device text";
__constant__ char fixed[8] = "fixed";

#define SAY(...) printf("[" __VA_ARGS__), printf("]\n")

__global__ void integers()
{
    SAY("%d %i %u %o %x %X %c", -5, 7, 9u, 8, 255, 255, 'q');
    SAY("%5d|%-5d|%05d|%+d|% d|%+5d|%-+5d|% 05d", 42, 42, 42, 42, 42, 42, 42, 42);
    SAY("%.3d|%8.3d|%-8.3d|%08.3d|%.0d|%.d", 7, 7, 7, 7, 0, 0);
    SAY("%#x|%#o|%#X|%#x|%#10x|%-#10x|%#010x", 255, 8, 255, 0, 255, 255, 255);
    SAY("%hd %ld %lld", (short)-2, -3l, -4ll);
    SAY("%hu %lu %llu", 65537, 3ul, 4ull);
    SAY("%hx %lx %llx %llo", 65537, -1l, -1ll, -1ll);
    SAY("%d %u %lld %llu", -2147483647 - 1, 4294967295u, -9223372036854775807ll - 1, 18446744073709551615ull);
    SAY("%5c|%-5c|%c", 'a', 'b', 0x41 + 256);
    SAY("%u", -1);
    SAY("%x %o", -1, -1);
    SAY("%15lld|%-15lld|%015lld|%+lld", 123456789012ll, 123456789012ll, 123456789012ll, 123456789012ll);
}

__global__ void floats()
{
    SAY("%f %e %E %g %G %a %A", 3.14159, 3.14159, 3.14159, 3.14159, 3.14159, 3.14159, 3.14159);
    SAY("%.0f %.1f %.2f %.10f %.20f", 2.5, 0.25, 1.005, 1.0 / 3, 1.0 / 3);
    SAY("%10.3f|%-10.3f|%010.3f|%+.3f|% .3f|%+010.3f", 3.14159, 3.14159, 3.14159, 3.14159, 3.14159, 3.14159);
    SAY("%g %g %g %g %g %g", 100000.0, 1000000.0, 0.0001, 0.00001, 1e300, 0.0);
    SAY("%#g %#.0f %#x %#.3g", 1.0, 1.0, 17, 1.0);
    SAY("%e %e %e", 0.0, 1e-310, -1e308);
    SAY("%f %f %f %f", 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, -0.0);
    SAY("%10f|%-10f|%010f|%+f|%F|%E|%G", 1.0 / 0.0, 1.0 / 0.0, 1.0 / 0.0, 1.0 / 0.0, 1.0 / 0.0, 1.0 / 0.0, 0.0 / 0.0);
    SAY("%.3e|%12.4e|%-12.4e|%+.2e|%.0e|%#.0e", 12345.678, 12345.678, 12345.678, 12345.678, 12345.678, 12345.678);
    SAY("%.3g|%12.4g|%-12.4g|%.10g|%.0g", 12345.678, 12345.678, 12345.678, 12345.678, 12345.678);
    SAY("%f %f", 3.5f, (double)1e20f);
    SAY("%a %.2a %20a|%-20a|%a", 1.0, 1.999, 0.5, 0.5, 0.0);
    SAY("%f %.15g", 123456789.123456789, 0.1);
}

/** One line of those that may end the program, each in a process of its own. */
__global__ void odd_line(int which, const char *none)
{
    int at = 0;
#define LINE(...)                                                                                                      \
    if (at++ == which)                                                                                                 \
        SAY(__VA_ARGS__);
    LINE("%10s|%-10s|%.3s|%10.3s|%-10.3s|%.0s", "abcdef", "abcdef", "abcdef", "abcdef", "abcdef", "abcdef")
    LINE("%s %s %d", "literal", "", 5)
    LINE("%s %d", text, 5)
    LINE("%s %d", fixed, 5)
    LINE("%s %d", none, 5)
    LINE("%10s %d", none, 5)
    LINE("100%%|%%d %d", 5)
    LINE("%5%|%d", 5, 6)
    LINE("%p %d", (void *)0, 5)
    LINE("%p %p", (void *)0x1234, (void *)0xabcdef0123456789ull)
    LINE("%20p|%-20p|", (void *)0x1234, (void *)0x1234)
    LINE("tab\tnew\\n quote\" percent%%")
    LINE("%hd %d %d", 65537, 2, 3)
    LINE("%lf %d", 2.5, 3)
    LINE("%hf %d", 2.5, 3)
    LINE("%*d|%-*d|%d", 6, 42, 6, 42, 7)
    LINE("%*d|%d", -6, 42, 7)
    LINE("%*f|%d", 12, 3.14159, 9)
    LINE("%*.3f|%d", 12, 3.14159, 9)
    LINE("%*s|%d", 8, "abc", 5)
    LINE("%y %d", 5, 6)
    LINE("%5y %d", 5, 6)
    LINE("%d %", 5)
    LINE("%d %5", 5)
    LINE("%d %l", 5)
    LINE("%+s|%#s|%05s", "p", "h", "z")
    LINE("%+u % u %+x", 1u, 2u, 3)
    LINE("%-05d|%+ d|%+-+5d", 4, 5, 6)
    LINE("%200d|%d", 1, 2)
    LINE("%.100f|%d", 0.1, 2)
    LINE("%.70d|%d", 3, 2)
    LINE("%F %d", 1.5, 2)
    LINE("%D %d", 5, 6)
    LINE("%i%i", 5, 6)
    LINE("%llx %lx %x", 0x123456789abll, 0x123456789abl, 0x12345678)
    LINE("%ld %d", 0x123456789l, 6)
    LINE("%lu %llu %u", 1ul << 63, 1ull << 63, 1u << 31)
    LINE("%d", 1, 2, 3)
}
enum { ODD_LINES = 38 };

__global__ void arguments()
{
    SAY("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    SAY("%d %f %d %f %s %d", 1, 2.0, 3, 4.0, "five", 6);
    SAY("%c%c%c%s%c", 'a', 'b', 'c', "d", 'e');
    SAY("%lld %d %lld", 1ll, 2, 3ll);
}

__global__ void returned(int *out)
{
    out[0] = printf("abc\n");
    out[1] = printf("%d %d\n", 1, 2);
    out[2] = printf("");
    out[3] = printf("%s\n", "x");
    out[4] = printf((const char *)0);
}

__global__ void many(int n)
{
    for (int i = 0; i < n; i++)
        printf("%d\n", i);
}

static void print(const char *name, void (*launch)())
{
    printf("-- %s\n", name);
    fflush(stdout);
    launch();
    printf("%s\n", name_of(cudaDeviceSynchronize()));
}

static void all_integers() { print("integers", [] { integers<<<1, 1>>>(); }); }
static void all_floats() { print("floats", [] { floats<<<1, 1>>>(); }); }
static int line;
static void one_line()
{
    odd_line<<<1, 1>>>(line, nullptr);
    cudaError_t e = cudaDeviceSynchronize();
    if (e)
        printf("%s\n", name_of(e));
}
static void all_arguments() { print("arguments", [] { arguments<<<1, 1>>>(); }); }

static void results()
{
    print("results", [] {
        int *p, got[5] = {};
        cudaMalloc(&p, sizeof got);
        returned<<<1, 1>>>(p);
        printf("%s\n", name_of(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost)));
        printf("%d %d %d %d %d\n", got[0], got[1], got[2], got[3], got[4]);
    });
}

static void small_buffer()
{
    print("a small buffer", [] {
        size_t size = 0;
        TELL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1));
        TELL(cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize));
        VALUE("bytes", size);
        TELL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1000001));
        TELL(cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize));
        VALUE("bytes", size);
        TELL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 3000000));
        TELL(cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize));
        VALUE("bytes", size);
        TELL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1));
        many<<<1, 1>>>(20);
        TELL(cudaDeviceSynchronize());
        TELL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4096));
    });
}

__global__ void asserts(int n)
{
    assert(n == (int)threadIdx.x && "a reason");
}
__global__ void traps() { asm volatile("trap;"); }
__global__ void breaks() { asm volatile("brkpt;"); }

static void asserting()
{
    print("assert", [] {
        asserts<<<1, 1>>>(0);
        TELL(cudaDeviceSynchronize());
        asserts<<<1, 1>>>(1);
        TELL(cudaDeviceSynchronize());
        TELL(cudaGetLastError());
        asserts<<<1, 1>>>(0);
        TELL(cudaGetLastError());
        void *p;
        TELL(cudaMalloc(&p, 4));
    });
}
static void trapping()
{
    print("trap", [] {
        traps<<<1, 1>>>();
        TELL(cudaDeviceSynchronize());
        TELL(cudaDeviceSynchronize());
    });
}
static void breaking()
{
    print("brkpt", [] {
        breaks<<<1, 1>>>();
        TELL(cudaDeviceSynchronize());
    });
}

int main()
{
    child(all_integers), child(all_floats), child(all_arguments), child(results), child(small_buffer),
        child(asserting), child(trapping), child(breaking);
    puts("-- odd lines");
    for (line = 0; line < ODD_LINES; line++)
        child(one_line);
    return 0;
}
