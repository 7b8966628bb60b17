// Device 0 sends an edge to device 1, whose kernel waits for it.
__global__ void send(int *box, int edge)
{
    SNIPPET 1
}
__global__ void receive(int *box, int *out)
{
    int edge;
    SNIPPET 2
    *out = edge;
}

int main()
{
    int *box, *out;
    cudaSetDevice(0);
    cudaDeviceEnablePeerAccess(1, 0);
    cudaSetDevice(1);
    cudaMalloc(&box, 256);
    cudaMalloc(&out, 256);
    cudaMemset(box, 0, 256);
    cudaDeviceSynchronize();
    receive<<<1, 1>>>(box, out);
    cudaSetDevice(0);
    send<<<1, 1>>>(box, 42);
    cudaDeviceSynchronize();
    cudaSetDevice(1);
    cudaDeviceSynchronize();
    cudaFree(box);
    cudaFree(out);
    return 0;
}
