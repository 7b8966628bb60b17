// Both directions of access, and a kernel of each device on the other's memory.
__global__ void fill(int *p) { p[threadIdx.x] = 1; }

int main()
{
    int *memory[2];
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMalloc(&memory[d], 256);
    }
    cudaSetDevice(1);
    SNIPPET
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        fill<<<1, 32>>>(memory[1 - d]);
        cudaDeviceSynchronize();
    }
    cudaFree(memory[0]);
    cudaFree(memory[1]);
    return 0;
}
