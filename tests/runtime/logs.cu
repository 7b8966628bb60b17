// nvcc: -lcuda -w
// Logs of failing calls, of both APIs: read from an iterator on, whole, in part, from a file; callbacks; what is gone. The calls' own
// answers are an H200's (driver 580.159.04, CUDA 13.0, 2026-11-23), its words are its own.
#include <cstring>
#include <cuda.h>
#include <string>
#include <unistd.h>

#include "check.cuh"

static int told[2];
static std::string last;
static void tell(void *data, CUlogLevel level, char *message, size_t length)
{
    ++*(int *)data;
    CHECK(level == CU_LOG_LEVEL_ERROR && message[length] == '\0' && strlen(message) == length && message[length - 1] != '\n');
    last = message;
}

/** All from the iterator on. */
static std::string read(CUlogIterator *i, size_t room = 25600)
{
    static char text[30000];
    size_t size = room;
    text[0] = '\0';
    CHECK(cuLogsDumpToMemory(i, text, &size, 0) == CUDA_SUCCESS);
    CHECK(strlen(text) == size);
    return text;
}

static int lines(const std::string &s)
{
    int n = 0;
    for (char c : s)
        n += c == '\n';
    return n;
}

int main()
{
    CUlogsCallbackHandle h = NULL, g = NULL;
    CUlogIterator i, j, k;
    CUcontext c;
    CUdeviceptr p;
    char small[10];
    size_t size = sizeof small;
    CHECK(cuInit(0) == CUDA_SUCCESS && cuDevicePrimaryCtxRetain(&c, 0) == CUDA_SUCCESS && cuCtxSetCurrent(c) == CUDA_SUCCESS);
    CHECK(cuLogsCurrent(&i, 0) == CUDA_SUCCESS);
    CHECK(cuLogsCurrent(&i, 1) == CUDA_SUCCESS);
    CHECK(cuLogsCurrent(NULL, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(lines(read(&i)) == 1 && read(&i).empty());

    // Callbacks
    CHECK(cuLogsRegisterCallback(tell, &told[0], &h) == CUDA_SUCCESS);
    CHECK(cuLogsRegisterCallback(tell, &told[1], &g) == CUDA_SUCCESS && g != h);
    CHECK(cuLogsRegisterCallback(NULL, NULL, &g) == CUDA_ERROR_INVALID_VALUE);
    CHECK(told[0] == 1 && told[1] == 1);
    CHECK(cuMemAlloc(&p, 1ull << 50) == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(told[0] == 2 && last == "Returning 2 (CUDA_ERROR_OUT_OF_MEMORY) from cuMemAlloc_v2");
    CHECK(cuLogsUnregisterCallback(g) == CUDA_SUCCESS);
    CHECK(cuMemFree(12345) == CUDA_ERROR_INVALID_VALUE);
    CHECK(told[0] == 3 && told[1] == 2);
    CHECK(cudaMalloc((void **)&p, 1ull << 50) == cudaErrorMemoryAllocation);
    CHECK(told[0] == 4 && last == "Returning 2 (cudaErrorMemoryAllocation) from cudaMalloc");
    CHECK(cuStreamQuery(NULL) == CUDA_SUCCESS && told[0] == 4); // what does not fail is not told
    CHECK(cuLogsUnregisterCallback(h) == CUDA_SUCCESS);
    CHECK(cuLogsUnregisterCallback(NULL) == CUDA_ERROR_INVALID_VALUE && told[0] == 4);

    // Reading
    j = k = i;
    std::string all = read(&i);
    CHECK(i > j && all.find("][CUDA][E] Returning 2 (CUDA_ERROR_OUT_OF_MEMORY) from cuMemAlloc_v2\n") != std::string::npos);
    CHECK(all[0] == '[' && all.find("from cudaMalloc\n") != std::string::npos && all.find("from cuLogsCurrent") == std::string::npos);
    CHECK(read(&i).empty());
    CHECK(read(NULL).find("from cuLogsCurrent") != std::string::npos);
    CHECK(cuLogsDumpToMemory(&j, small, &size, 0) == CUDA_ERROR_INVALID_VALUE && size == 0);
    CHECK(cuLogsDumpToMemory(&j, NULL, &size, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuLogsDumpToMemory(&j, small, NULL, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuLogsDumpToMemory(&j, small, &size, 1) == CUDA_ERROR_INVALID_VALUE);
    std::string part = read(&k, 250); // the latest ones, behind a line that says so
    CHECK(part.size() < 250 && part[0] == '(' && part.rfind("from cuLogsDumpToMemory\n") == part.size() - strlen("from cuLogsDumpToMemory\n"));

    // A file
    std::string name = "/tmp/softgpu_logs." + std::to_string(getpid());
    CHECK(cuLogsDumpToFile(&j, name.c_str(), 0) == CUDA_SUCCESS);
    FILE *f = fopen(name.c_str(), "r");
    CHECK(f);
    char line[1000];
    int n = 0;
    for (; fgets(line, sizeof line, f); n++)
        CHECK(strstr(line, "[CUDA][E] "));
    fclose(f);
    remove(name.c_str());
    CHECK(n > 5);
    CHECK(cuLogsDumpToFile(NULL, NULL, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuLogsDumpToFile(NULL, "/nowhere/at/all", 0) == CUDA_ERROR_INVALID_VALUE);

    // More than are kept
    cuLogsCurrent(&i, 0);
    for (int m = 0; m < 2000; m++)
        CHECK(cuMemFree(77) == CUDA_ERROR_INVALID_VALUE);
    all = read(&i);
    CHECK(all[0] == '(' && lines(all) > 100 && lines(all) < 2000);

    // The Runtime API's
    unsigned at;
    char text[3000];
    size = sizeof text;
    CHECK(cudaLogsCurrent(&at, 0) == cudaSuccess);
    CHECK(cudaSetDevice(99) == cudaErrorInvalidDevice);
    CHECK(cudaLogsDumpToMemory(&at, text, &size, 0) == cudaSuccess);
    CHECK(strstr(text, "Returning 101 (cudaErrorInvalidDevice) from cudaSetDevice\n"));
    cudaGetLastError();
    puts("logs ok");
    return 0;
}
