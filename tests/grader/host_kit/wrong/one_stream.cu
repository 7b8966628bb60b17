// Right, but one after the other, and the input goes twice.
__global__ void twice_kernel(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}

extern "C" void twice(const int *in, int *out, int n)
{
    const int pieces = 4;
    int size = (n + pieces - 1) / pieces, *device_in, *device_out;
    cudaMalloc(&device_in, n * sizeof(int));
    cudaMalloc(&device_out, n * sizeof(int));
    for (int p = 0; p < pieces; p++) {
        int from = p * size, count = from + size < n ? size : n - from;
        if (count <= 0)
            continue;
        cudaMemcpy(device_in + from, in + from, count * sizeof(int), cudaMemcpyHostToDevice);
        cudaMemcpy(device_in + from, in + from, count * sizeof(int), cudaMemcpyHostToDevice);
        twice_kernel<<<(count + 127) / 128, 128>>>(device_in + from, device_out + from, count);
        cudaMemcpy(out + from, device_out + from, count * sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaFree(device_in);
    cudaFree(device_out);
}
