// verdict: wrong-result in many
#include <stdio.h>

__global__ void twice_kernel(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 3 * in[i];
}

extern "C" void twice(const int *in, int *out, int n)
{
    const int pieces = 4;
    int size = (n + pieces - 1) / pieces, *device_in, *device_out;
    cudaStream_t streams[pieces];
    cudaMalloc(&device_in, n * sizeof(int));
    cudaMalloc(&device_out, n * sizeof(int));
    for (int p = 0; p < pieces; p++)
        cudaStreamCreate(&streams[p]);
    for (int p = 0; p < pieces; p++) {
        int from = p * size, count = from + size < n ? size : n - from;
        if (count <= 0)
            continue;
        cudaMemcpyAsync(device_in + from, in + from, count * sizeof(int), cudaMemcpyHostToDevice,
                        streams[p]);
        twice_kernel<<<(count + 127) / 128, 128, 0, streams[p]>>>(device_in + from,
                                                                  device_out + from, count);
        cudaMemcpyAsync(out + from, device_out + from, count * sizeof(int),
                        cudaMemcpyDeviceToHost, streams[p]);
    }
    for (int p = 0; p < pieces; p++) {
        cudaStreamSynchronize(streams[p]); // WAIT
        cudaStreamDestroy(streams[p]);
    }
    cudaFree(device_in);
    cudaFree(device_out);
}
