// A race on `sum`, unless the second argument is 1; ends with the status of the first.
#include <cstdio>
#include <cstdlib>

__device__ int sum;

__global__ void add(int n)
{
    int i = threadIdx.x;
    if (i < n)
        sum = sum + i;
}

int main(int argc, char **argv)
{
    int status = argc > 1 ? atoi(argv[1]) : 0;
    char line[100];
    add<<<1, 64>>>(argc > 2 ? atoi(argv[2]) : 64);
    cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    while (fgets(line, sizeof line, stdin))
        printf("> %s", line);
    return status;
}
