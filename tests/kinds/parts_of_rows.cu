// Copies beside kernels that read and write one half of an array row by row: a copy of the other half, and one that reaches a single
// word into the kernel's, at the first word of a row of the checker's or in its middle. test_kinds.sh says what the list means.
//
// case writes_first expect=silent
// case writes_then expect=silent
// case writes_first_by_a_word expect=stream-race
// case writes_then_by_a_word expect=stream-race
// case writes_first_by_half_a_row expect=stream-race
// case writes_then_by_half_a_row expect=stream-race
// case reads_first expect=silent
// case reads_then expect=silent
// case reads_first_by_a_word expect=stream-race
// case reads_then_by_a_word expect=stream-race
// case reads_first_by_half_a_row expect=stream-race
// case reads_then_by_half_a_row expect=stream-race
// case reads_first_both expect=silent
// case reads_then_both expect=silent
// case between expect=silent
// case between_by_a_word expect=stream-race
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define THREADS 256
#define WORDS (2 * THREADS)

__global__ void put(int *a) { a[threadIdx.x] = 7; }

__global__ void look(const int *a, int *out) { out[threadIdx.x] = a[threadIdx.x]; }

static int *a, *out, *host;
static cudaStream_t one, other;

/** The kernel works in the upper half; the copy goes into, or comes from, the `words` in front and `more` of that half. */
static void copy(int words, int more, bool back)
{
    int *part = a + THREADS - words;
    size_t bytes = (size_t)(words + more) * sizeof *a;
    if (back)
        cudaMemcpyAsync(host, part, bytes, cudaMemcpyDeviceToHost, other);
    else
        cudaMemcpyAsync(part, host, bytes, cudaMemcpyHostToDevice, other);
}

static void launch(bool reads)
{
    if (reads)
        look<<<1, THREADS, 0, one>>>(a + THREADS, out);
    else
        put<<<1, THREADS, 0, one>>>(a + THREADS);
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    bool reads = !strncmp(which, "reads", 5), both = strstr(which, "_both");
    int more = strstr(which, "_by_a_word") ? 1 : strstr(which, "_by_half") ? 8 : 0;
    cudaMalloc(&a, WORDS * sizeof *a);
    cudaMalloc(&out, THREADS * sizeof *out);
    cudaMallocHost(&host, WORDS * sizeof *host);
    memset(host, 0, WORDS * sizeof *host);
    cudaMemcpy(a, host, WORDS * sizeof *host, cudaMemcpyHostToDevice);
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    if (strstr(which, "_first")) {
        launch(reads);
        copy(40, both ? THREADS : more, both);
    } else if (strstr(which, "_then")) {
        copy(40, both ? THREADS : more, both);
        launch(reads);
    } else { // its second launch comes between two operations, of which it is ordered after the first
        launch(false);
        cudaEvent_t done;
        cudaEventCreate(&done);
        copy(40, 0, true);
        cudaEventRecord(done, other);
        cudaStreamWaitEvent(one, done, 0);
        copy(80, -40 + more, false);
        put<<<1, THREADS, 0, one>>>(a + THREADS - 40);
        cudaEventDestroy(done);
    }
    cudaError_t e = cudaDeviceSynchronize();
    int sum = 0;
    cudaMemcpy(host, a, WORDS * sizeof *host, cudaMemcpyDeviceToHost);
    if (reads)
        cudaMemcpy(host, out, THREADS * sizeof *host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < WORDS; i++)
        sum += host[i];
    printf("%d\n", sum);
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
    cudaFreeHost(host);
    cudaFree(a);
    cudaFree(out);
    return e != cudaSuccess;
}
