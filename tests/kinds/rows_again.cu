// Rows of an array that a launch writes in part, and later ones read or write as a whole, beside another stream that is ordered behind some of them. A case's
// name is what happens: one stream's threads put into odd words (p), look at all (l) or write all (w); the other waits for what the one has issued so far (e), and
// copies all back (c) or all there (C), puts into odd words (o) or even ones (v), or looks at all (r). test_kinds.sh says what the list means.
//
// case plc expect=stream-race
// case plec expect=silent
// case pelc expect=silent
// case pelC expect=stream-race
// case plo expect=stream-race
// case pleo expect=silent
// case pelo expect=stream-race
// case pelv expect=stream-race
// case plev expect=silent
// case plr expect=stream-race
// case pelr expect=silent
// case plelr expect=silent
// case plelC expect=stream-race
// case plleC expect=silent
// case plplc expect=stream-race
// case plpelc expect=silent
// case plpelv expect=stream-race
// case plplev expect=silent
// case plwc expect=stream-race
// case plwec expect=silent
// case plewc expect=stream-race
// case plwelc expect=silent
// case plwelv expect=stream-race
// case wplc expect=stream-race
// case wplec expect=silent
// case wpelv expect=stream-race
// With s the host waits for a third stream, so that what was issued before has run by then.
// case plsr expect=stream-race older
// case plsc expect=stream-race
// case plesr expect=silent
// case plslsr expect=stream-race older
// case plsesr expect=silent
// case plwsr expect=stream-race
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define THREADS 256

__global__ void put(int *a, int odd, int value)
{
    if (threadIdx.x % 2 == odd)
        a[threadIdx.x] = value;
}

__global__ void put_all(int *a) { a[threadIdx.x] = 7; }

__global__ void look(const int *a, int *out) { out[threadIdx.x] = a[threadIdx.x]; }

int main(int argc, char **argv)
{
    const size_t bytes = THREADS * sizeof(int);
    int *a, *out, *host;
    cudaStream_t one, other, third;
    cudaEvent_t done;
    cudaMalloc(&a, bytes);
    cudaMalloc(&out, 2 * bytes);
    cudaMallocHost(&host, bytes);
    memset(host, 0, bytes);
    cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice);
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking);
    cudaEventCreate(&done);
    for (const char *step = argc > 1 ? argv[1] : ""; *step; step++)
        switch (*step) {
        case 'p': put<<<1, THREADS, 0, one>>>(a, 1, 5); break;
        case 'l': look<<<1, THREADS, 0, one>>>(a, out); break;
        case 'w': put_all<<<1, THREADS, 0, one>>>(a); break;
        case 'e':
            cudaEventRecord(done, one);
            cudaStreamWaitEvent(other, done, 0);
            break;
        case 's':
            cudaMemsetAsync(out + THREADS, 0, bytes, third);
            cudaStreamSynchronize(third);
            break;
        case 'c': cudaMemcpyAsync(host, a, bytes, cudaMemcpyDeviceToHost, other); break;
        case 'C': cudaMemcpyAsync(a, host, bytes, cudaMemcpyHostToDevice, other); break;
        case 'o': put<<<1, THREADS, 0, other>>>(a, 1, 6); break;
        case 'v': put<<<1, THREADS, 0, other>>>(a, 0, 6); break;
        case 'r': look<<<1, THREADS, 0, other>>>(a, out + THREADS); break;
        }
    cudaError_t e = cudaDeviceSynchronize();
    int sum = 0;
    cudaMemcpy(host, a, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < THREADS; i++)
        sum += host[i];
    printf("%d\n", sum);
    cudaEventDestroy(done);
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
    cudaStreamDestroy(third);
    cudaFreeHost(host);
    cudaFree(a);
    cudaFree(out);
    return e != cudaSuccess;
}
