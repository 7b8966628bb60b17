// The host and the results of asynchronous copies to its pageable memory: what it does with them before it has waited is told.
//
// case heap_read expect=not-waited level=warning says=the.host.reads.there
// case heap_read_line expect=not-waited level=warning
// case heap_read_waited expect=silent complete
// case heap_written expect=not-waited level=warning says=the.host.writes.there
// case heap_written_waited expect=silent complete
// case big_read expect=not-waited level=warning says=the.host.reads.there
// case big_read_waited expect=silent complete
// case static_read expect=not-waited level=warning says=the.host.reads.there
// case static_read_waited expect=silent complete
// case stack_read expect=not-waited level=warning says=the.host.reads.there
// case stack_read_waited expect=silent complete
// case vector_read expect=not-waited level=warning says=the.host.reads.there
// case vector_read_line expect=not-waited level=warning
// case vector_read_waited expect=silent complete
// case thread_local_read expect=not-waited level=warning says=the.host.reads.there
// case thread_local_read_waited expect=silent complete
// case double_read expect=not-waited level=warning says=the.host.reads.there
// case double_read_waited expect=silent complete
// case neighbours expect=silent complete
// case neighbours_of_string expect=silent complete
// case printed_between expect=silent complete
// case rows_read expect=not-waited level=warning says=the.host.reads.there
// case rows_between expect=silent complete
// case other_stream_waited expect=not-waited level=warning says=the.host.reads.there
// case both_streams_waited expect=silent complete
// case event_not_waited expect=not-waited level=warning says=the.host.reads.there
// case event_waited expect=silent complete
// case event_queried expect=silent
// case default_stream_waited expect=silent complete
// case later_cudamemcpy expect=silent complete
// case loop_read expect=not-waited level=warning says=the.host.reads.there
// case loop_waited expect=silent complete
// case next_read expect=not-waited level=warning says=the.host.reads.there
// case next_read_waited expect=silent complete
// case parts_read expect=not-waited level=warning says=the.host.reads.there
// case parts_read_waited expect=silent complete
// case copied expect=not-waited level=warning says=the.host.reads.there
// case copied_waited expect=silent complete
// case compared expect=not-waited level=warning says=the.host.reads.there
// case compared_waited expect=silent complete
// case measured expect=not-waited level=warning says=the.host.reads.there
// case measured_waited expect=silent complete
// case printed expect=not-waited level=warning says=the.host.reads.there
// case printed_waited expect=silent complete
// case put_out expect=not-waited level=warning says=the.host.reads.there
// case put_out_waited expect=silent complete
// case written_to_file expect=not-waited level=warning says=the.host.reads.there
// case written_to_file_waited expect=silent complete
// case filled_from_file expect=not-waited level=warning says=the.host.writes.there
// case filled_from_file_waited expect=silent complete
// case freed expect=not-waited level=warning says=the.host.frees.that
// case freed_waited expect=silent complete
// case vector_gone expect=not-waited level=warning says=the.host.frees.that
// case vector_gone_waited expect=silent complete
// case freed_other expect=silent complete
// case graph_read expect=not-waited level=warning says=the.host.reads.there
// case graph_read_waited expect=silent complete
// case thread_started expect=silent incomplete=pageable
// case worked_long expect=silent incomplete=pageable
// case by_function expect=silent
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
#include <vector>

enum { N = 8, BYTES = N * sizeof(int), MANY = 1 << 16 };

static int *device;
static cudaStream_t stream, other;
static volatile int sink;
static int fixed[N];
static thread_local int own[N];

/** Whether the host waits is what a case and its twin differ in. */
static bool waits;

static void wait(void)
{
    if (waits)
        cudaStreamSynchronize(stream);
}

static void bring(void *to, size_t bytes = BYTES)
{
    cudaMemcpyAsync(to, device, bytes, cudaMemcpyDeviceToHost, stream);
    wait();
}

static int sum(const std::vector<int> &v)
{
    int all = 0;
    for (int x : v) // vector_read_line
        all += x;
    return all;
}

static int run(const char *name)
{
    size_t length = strlen(name);
    char plain[64];
    waits = length > 7 && !strcmp(name + length - 7, "_waited");
    snprintf(plain, sizeof plain, "%.*s", (int)(waits ? length - 7 : length), name);
    int *heap = (int *)calloc(N, sizeof(int)), *big = (int *)calloc(MANY, sizeof(int)), stack[N] = {0}, status = 0;
    char *text = (char *)calloc(1, 64);
#define CASE(n) else if (!strcmp(plain, n))
    if (!*name)
        return 2;
    CASE("heap_read") {
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream); // heap_read
        wait();
        sink = heap[3];
    }
    CASE("heap_read_line") {
        bring(heap);
        sink = heap[3]; // heap_read_line
    }
    CASE("heap_written") {
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream); // heap_written
        wait();
        heap[N - 1] = 5;
    }
    CASE("big_read") {
        cudaMemcpyAsync(big, device, MANY * sizeof(int), cudaMemcpyDeviceToHost, stream); // big_read
        wait();
        sink = big[MANY / 2];
    }
    CASE("static_read") {
        cudaMemcpyAsync(fixed, device, BYTES, cudaMemcpyDeviceToHost, stream); // static_read
        wait();
        sink = fixed[0];
    }
    CASE("stack_read") {
        cudaMemcpyAsync(stack, device, BYTES, cudaMemcpyDeviceToHost, stream); // stack_read
        wait();
        sink = stack[2];
    }
    CASE("vector_read") {
        std::vector<int> v(N);
        cudaMemcpyAsync(v.data(), device, BYTES, cudaMemcpyDeviceToHost, stream); // vector_read
        wait();
        sink = sum(v);
    }
    CASE("vector_read_line") {
        std::vector<int> v(N);
        bring(v.data());
        sink = sum(v);
    }
    CASE("thread_local_read") {
        cudaMemcpyAsync(own, device, BYTES, cudaMemcpyDeviceToHost, stream); // thread_local_read
        wait();
        sink = own[1];
    }
    CASE("double_read") { // arithmetic on what is in memory
        double *d = (double *)heap, all = sink;
        cudaMemcpyAsync(d, device, BYTES, cudaMemcpyDeviceToHost, stream); // double_read
        wait();
        all += d[1];
        sink = (int)all;
    }
    CASE("neighbours") {
        cudaMemcpyAsync(heap + 2, device, 2 * sizeof(int), cudaMemcpyDeviceToHost, stream);
        sink = heap[1];
        heap[4] = 1;
        memset(heap + 4, 0, 16);
        memcpy(text, heap + 4, 16);
        memcpy(text, heap, 8);
        cudaStreamSynchronize(stream);
        status = heap[4];
    }
    CASE("neighbours_of_string") { // strlen() and its like read beyond the end
        strcpy(text, "before");
        strcpy(text + 40, "behind");
        cudaMemcpyAsync(text + 7, device, 33, cudaMemcpyDeviceToHost, stream);
        sink = (int)(strlen(text) + strlen(text + 40)) + strcmp(text, text + 40);
        printf("%s %s\n", text, text + 40);
        cudaStreamSynchronize(stream);
    }
    CASE("printed_between") {
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream);
        printf("under way %d\n", sink);
        cudaStreamSynchronize(stream);
        status = heap[3];
    }
    CASE("rows_read") {
        cudaMemcpy2DAsync(big, 64, device, 32, 32, 4, cudaMemcpyDeviceToHost, stream); // rows_read
        sink = big[16 + 3];
        cudaStreamSynchronize(stream);
    }
    CASE("rows_between") {
        cudaMemcpy2DAsync(big, 64, device, 32, 32, 4, cudaMemcpyDeviceToHost, stream);
        sink = big[16 + 8] + big[15];
        big[8] = 1;
        cudaStreamSynchronize(stream);
    }
    CASE("other_stream") {
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, other); // other_stream_waited
        wait();
        sink = heap[0];
    }
    CASE("both_streams") {
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, other);
        wait();
        cudaStreamSynchronize(other);
        sink = heap[0];
    }
    CASE("event_not") {
        cudaEvent_t done;
        cudaEventCreate(&done);
        cudaEventRecord(done, stream);
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream); // event_not_waited
        cudaEventSynchronize(done);
        sink = heap[0];
    }
    CASE("event") {
        cudaEvent_t done;
        cudaEventCreate(&done);
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream);
        cudaEventRecord(done, stream);
        cudaEventSynchronize(done);
        sink = heap[0];
    }
    CASE("event_queried") {
        cudaEvent_t done;
        cudaEventCreate(&done);
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream);
        cudaEventRecord(done, stream);
        while (cudaEventQuery(done) == cudaErrorNotReady)
            ;
        sink = heap[0];
    }
    CASE("default_stream") {
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, 0);
        cudaStreamSynchronize(0);
        sink = heap[0];
    }
    CASE("later_cudamemcpy") { // the default stream waits for the blocking ones before it
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream);
        cudaMemcpy(stack, device, BYTES, cudaMemcpyDeviceToHost);
        sink = heap[0] + stack[0];
    }
    CASE("loop_read") {
        for (int i = 0; i < 50; i++) {
            cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream); // loop_read
            sink = heap[i % N];
            cudaStreamSynchronize(stream);
        }
    }
    CASE("loop") {
        for (int i = 0; i < 2000; i++) {
            cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream);
            cudaStreamSynchronize(stream);
            sink = heap[i % N];
        }
    }
    CASE("next_read") { // the first of two results, behind another call
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream); // next_read
        cudaMemcpyAsync(big, device, BYTES, cudaMemcpyDeviceToHost, stream);
        wait();
        sink = heap[0];
    }
    CASE("parts_read") { // the first of them
        for (int i = 0; i < 12; i++)
            cudaMemcpyAsync(big + i * N, device, BYTES, cudaMemcpyDeviceToHost, stream); // parts_read
        wait();
        sink = big[N - 1];
    }
    CASE("copied") {
        cudaMemcpyAsync(big, device, 4000, cudaMemcpyDeviceToHost, stream); // copied
        wait();
        memcpy(big + 2000, big, 4000);
    }
    CASE("compared") {
        cudaMemcpyAsync(big, device, 4000, cudaMemcpyDeviceToHost, stream); // compared
        wait();
        sink = memcmp(big, big + 2000, 4000);
    }
    CASE("measured") {
        cudaMemcpyAsync(text, device, BYTES, cudaMemcpyDeviceToHost, stream); // measured
        wait();
        sink = (int)strlen(text);
    }
    CASE("printed") {
        cudaMemcpyAsync(stack, device, BYTES, cudaMemcpyDeviceToHost, stream); // printed
        wait();
        printf("%d\n", stack[0]);
    }
    CASE("put_out") {
        FILE *f = fopen("/dev/null", "w");
        cudaMemcpyAsync(big, device, MANY * sizeof(int), cudaMemcpyDeviceToHost, stream); // put_out
        wait();
        fwrite(big, sizeof(int), MANY, f);
        fclose(f);
    }
    CASE("written_to_file") {
        int f = open("/dev/null", O_WRONLY);
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream); // written_to_file
        wait();
        status = write(f, heap, BYTES) != BYTES;
        close(f);
    }
    CASE("filled_from_file") {
        int f = open("/dev/zero", O_RDONLY);
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream); // filled_from_file
        wait();
        status = read(f, heap, BYTES) != BYTES;
        close(f);
    }
    CASE("freed") {
        int *scratch = (int *)malloc(BYTES);
        cudaMemcpyAsync(scratch, device, BYTES, cudaMemcpyDeviceToHost, stream); // freed
        wait();
        free(scratch);
    }
    CASE("vector_gone") {
        std::vector<int> v(N);
        cudaMemcpyAsync(v.data() + 3, device, 4, cudaMemcpyDeviceToHost, stream); // vector_gone
        wait();
    }
    CASE("freed_other") {
        int *before = (int *)malloc(24), *to = (int *)malloc(24), *behind = (int *)malloc(24);
        cudaMemcpyAsync(to, device, 24, cudaMemcpyDeviceToHost, stream);
        free(before);
        free(behind);
        cudaStreamSynchronize(stream);
        free(to);
    }
    CASE("graph_read") {
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream); // graph_read
        cudaStreamEndCapture(stream, &graph);
        cudaGraphInstantiate(&exec, graph, 0);
        cudaGraphLaunch(exec, stream);
        wait();
        sink = heap[0];
    }
    CASE("thread_started") { // it blocks signals, and what comes then is not seen
        pthread_t thread;
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream);
        pthread_create(&thread, NULL, [](void *) -> void * { return NULL; }, NULL);
        pthread_join(thread, NULL);
        cudaStreamSynchronize(stream);
    }
    CASE("worked_long") {
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream);
        for (int i = 0; i < 100000; i++)
            sink = sink + 1;
        cudaStreamSynchronize(stream);
    }
    CASE("by_function") {
        static int done;
        cudaMemcpyAsync(heap, device, BYTES, cudaMemcpyDeviceToHost, stream);
        cudaLaunchHostFunc(stream, [](void *) { __atomic_store_n(&done, 1, __ATOMIC_RELEASE); }, NULL);
        while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
            ;
        sink = heap[3];
    }
    else return 2;
    cudaDeviceSynchronize();
    free(heap);
    free(big);
    free(text);
    return status;
}

int main(int argc, char **argv)
{
    cudaMalloc(&device, MANY * sizeof(int));
    cudaMemset(device, 0, MANY * sizeof(int));
    cudaStreamCreate(&stream);
    cudaStreamCreate(&other);
    int status = run(argc > 1 ? argv[1] : "");
    cudaStreamDestroy(stream);
    cudaStreamDestroy(other);
    cudaFree(device);
    return status;
}
