// nvcc: -lcuda -w -Xlinker --no-as-needed
// Every call that is refused, named on the command line: it returns the error for what is not supported (801 in both APIs), whatever it is
// given. Without names: one call of each API.
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

#include "check.cuh"

typedef int call(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *);

static void refused(const char *name)
{
    char other[64] = {0};
    call *f = (call *)dlsym(RTLD_DEFAULT, name);
    CHECK(f || !fprintf(stderr, "no %s\n", name));
    int got = f(other, other, other, other, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    CHECK(got == 801 || !fprintf(stderr, "%s gives %d\n", name, got));
    CHECK(f(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == 801);
}

int main(int argc, char **argv)
{
    CUcontext c;
    CHECK(cuInit(0) == CUDA_SUCCESS && cuDevicePrimaryCtxRetain(&c, 0) == CUDA_SUCCESS && cuCtxSetCurrent(c) == CUDA_SUCCESS);
    for (int i = 1; i < argc; i++)
        refused(argv[i]);
    if (argc == 1) {
        refused("cuTexRefCreate");
        refused("cudaDestroyExternalMemory");
    }
    CHECK(cudaDeviceSynchronize() == cudaSuccess); // nothing else has come of it
    puts("refused ok");
    return 0;
}
