// lab00's reference, part C.
#include "solutions/lab00_reduction/kernel.cu"
int main()
{
    const int n = 10000;
    int *in, *partial, *out, sum;
    static int values[n];
    for (int i = 0; i < n; i++)
        values[i] = i % 7;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&partial, 24 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    SNIPPET
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        sum -= values[i];
    cudaFree(in);
    cudaFree(partial);
    cudaFree(out);
    return sum ? 42 : 0;
}
