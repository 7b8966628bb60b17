// What printf in device code does not have of C's conversions: a GPU prints garbage behind them, so that softgpu, which
// does not, says that its output is another.
//
// case size_t expect=silent incomplete=not.device.code
// case char_size expect=silent incomplete=not.device.code
// case star_precision expect=silent incomplete=not.device.code
// case long_double_size expect=silent incomplete=not.device.code
// case long_long expect=silent
// case short_size expect=silent
// case star_width expect=silent
// case long_float expect=silent
// case percent expect=silent
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define CASE(name) if (!strcmp(argv[1], name))

__global__ void print(int which)
{
    switch (which) {
    case 0: printf("%zu %d\n", sizeof(int), 1); break;
    case 1: printf("%hhd %d\n", 7, 1); break;
    case 2: printf("%.*f %d\n", 2, 0.5, 1); break;
    case 3: printf("%llf %d\n", 0.5, 1); break;
    case 4: printf("%lld %llu %lx %d\n", 1ll, 2ull, 3l, 4); break;
    case 5: printf("%hd %d\n", 7, 1); break;
    case 6: printf("%*d %-*d %d\n", 5, 7, 5, 7, 1); break;
    case 7: printf("%lf %.3f %d\n", 0.5, 0.25, 1); break;
    default: printf("100%% %5% %y %d\n", 1);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    int which = 8;
    CASE("size_t") which = 0;
    CASE("char_size") which = 1;
    CASE("star_precision") which = 2;
    CASE("long_double_size") which = 3;
    CASE("long_long") which = 4;
    CASE("short_size") which = 5;
    CASE("star_width") which = 6;
    CASE("long_float") which = 7;
    print<<<1, 1>>>(which);
    cudaDeviceSynchronize();
    return 0;
}
