// A copy that is refused touches nothing: also where the program's own array, at the end of its memory, is smaller than what it names.
//
// also --remote
//
// case to_device expect=failed-call
// case to_device_looked expect=silent
// case from_device expect=failed-call
// case from_device_looked expect=silent
// case rows_to_device_looked expect=silent
// case rows_from_device_looked expect=silent
// case fits expect=silent
#include "check.h"
#include <cstring>
#include <cuda_runtime.h>
#include <sys/mman.h>

enum { PAGE = 4096, ROW = 64, ROWS = 4 };

int main(int argc, char **argv)
{
    char *page = (char *)mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *device;
    CHECK(argc == 2 && page != MAP_FAILED && mprotect(page + PAGE, PAGE, PROT_NONE) == 0);
    char *row = page + PAGE - ROW;
    const char *name = argv[1];
    memset(row, 1, ROW);
    CHECK(cudaMalloc(&device, ROW) == cudaSuccess && cudaMemset(device, 0, ROW) == cudaSuccess);
    if (!strcmp(name, "to_device"))
        cudaMemcpy(device, row, ROWS * ROW, cudaMemcpyHostToDevice); // to_device
    else if (!strcmp(name, "to_device_looked"))
        CHECK(cudaMemcpy(device, row, ROWS * ROW, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    else if (!strcmp(name, "from_device"))
        cudaMemcpy(row, device, ROWS * ROW, cudaMemcpyDeviceToHost); // from_device
    else if (!strcmp(name, "from_device_looked"))
        CHECK(cudaMemcpy(row, device, ROWS * ROW, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    else if (!strcmp(name, "rows_to_device_looked"))
        CHECK(cudaMemcpy2D(device, ROW, row, ROW, ROW, ROWS, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    else if (!strcmp(name, "rows_from_device_looked"))
        CHECK(cudaMemcpy2D(row, ROW, device, ROW, ROW, ROWS, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    else
        CHECK(cudaMemcpy2D(device, ROW / 2, row, ROW / 2, ROW / 2, 2, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(row[ROW - 1] == 1);
    cudaFree(device);
    return 0;
}
