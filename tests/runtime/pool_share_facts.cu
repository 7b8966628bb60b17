// Facts about memory pools that two processes share, one a line, as facts.cu has them about the rest. The same
// program runs on a real GPU and on softgpu, and the two outputs are compared (pool_share_facts.gpu.txt).
//
//   nvcc -arch=sm_90 -cudart shared -o pool_share_facts pool_share_facts.cu && ./pool_share_facts
//
// "owner" makes and exports, "guest" is its child, forked before either has called CUDA. They take turns: each line of
// turns[] is one turn of one of them.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define INTS 1024
#define FILES cudaMemHandleTypePosixFileDescriptor
static int ends[2];
static bool is_guest;
static int side() { return ends[is_guest]; }

// What the owner hands over, besides the descriptor of the pool.
struct handed {
    cudaMemPoolPtrExportData first, second, middle, freed, other;
};
static handed h;
static cudaMemPool_t pool, other, plain, again;
static int *p, *q, *r, *s, *other_p;
static cudaStream_t stream;

static void fact(const char *name, cudaError_t e)
{
    printf("%s: %s: %s\n", is_guest ? "guest" : "owner", name, cudaGetErrorName(e));
    cudaGetLastError();
}
static void fact(const char *name, long long v) { printf("%s: %s: %lld\n", is_guest ? "guest" : "owner", name, v); }
#define FACT(call) fact(#call, call)

__global__ void add(int *p, int v) { p[threadIdx.x] += v; }

static int first(const int *from)
{
    int v = -1;
    cudaError_t e = cudaMemcpy(&v, from, 4, cudaMemcpyDeviceToHost);
    cudaGetLastError();
    return e ? -(int)e : v;
}

static void hand_over(int fd)
{
    char room[CMSG_SPACE(sizeof fd)] = {0};
    iovec bytes = {&h, sizeof h};
    msghdr m = {};
    m.msg_iov = &bytes;
    m.msg_iovlen = 1;
    m.msg_control = room;
    m.msg_controllen = sizeof room;
    cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    if (sendmsg(side(), &m, 0) != sizeof h)
        exit(3);
}

static int take_over()
{
    int fd = -1;
    char room[CMSG_SPACE(sizeof fd)];
    iovec bytes = {&h, sizeof h};
    msghdr m = {};
    m.msg_iov = &bytes;
    m.msg_iovlen = 1;
    m.msg_control = room;
    m.msg_controllen = sizeof room;
    if (recvmsg(side(), &m, MSG_WAITALL) != sizeof h || !CMSG_FIRSTHDR(&m))
        exit(3);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
    return fd;
}

static cudaMemPoolProps props(int type)
{
    cudaMemPoolProps p;
    memset(&p, 0, sizeof p);
    p.allocType = cudaMemAllocationTypePinned;
    p.handleTypes = (cudaMemAllocationHandleType)type;
    p.location.type = cudaMemLocationTypeDevice;
    return p;
}

static void owner_makes()
{
    cudaMemPoolProps none = props(cudaMemHandleTypeNone), files = props(FILES), unknown = props(16);
    cudaMemPoolPtrExportData same;
    cudaMemPool_t standard;
    int fd = -1, second = -1, types = 0;
    FACT(cudaDeviceGetAttribute(&types, cudaDevAttrMemoryPoolSupportedHandleTypes, 0));
    fact("files are among the types", types & 1);
    FACT(cudaStreamCreate(&stream));
    FACT(cudaMemPoolCreate(&again, &unknown));
    FACT(cudaMemPoolCreate(&plain, &none));
    FACT(cudaMemPoolCreate(&pool, &files));
    FACT(cudaMemPoolCreate(&other, &files));
    FACT(cudaDeviceGetDefaultMemPool(&standard, 0));
    FACT(cudaMemPoolExportToShareableHandle(&fd, standard, FILES, 0));
    FACT(cudaMemPoolExportToShareableHandle(&fd, plain, FILES, 0));
    FACT(cudaMemPoolExportToShareableHandle(&fd, pool, FILES, 1));
    FACT(cudaMemPoolExportToShareableHandle(&fd, pool, cudaMemHandleTypeWin32, 0));
    FACT(cudaMemPoolExportToShareableHandle(&fd, pool, cudaMemHandleTypeNone, 0));
    FACT(cudaMemPoolExportToShareableHandle(nullptr, pool, FILES, 0));
    FACT(cudaMemPoolExportToShareableHandle(&fd, nullptr, FILES, 0));
    FACT(cudaMallocFromPoolAsync((void **)&p, INTS * 4, pool, stream));
    FACT(cudaMemPoolExportPointer(&h.first, p)); // before the pool is
    FACT(cudaMemPoolExportToShareableHandle(&fd, pool, FILES, 0));
    FACT(cudaMemPoolExportToShareableHandle(&second, pool, FILES, 0));
    fact("another descriptor", second != fd && second >= 0);
    FACT(cudaMemsetAsync(p, 0, INTS * 4, stream));
    FACT(cudaMemPoolExportPointer(&h.first, p));
    FACT(cudaMemPoolExportPointer(&same, p));
    fact("the same data", !memcmp(&same, &h.first, sizeof same));
    FACT(cudaMemPoolExportPointer(&h.middle, p + 16));
    FACT(cudaMemPoolExportPointer(nullptr, p));
    FACT(cudaMemPoolExportPointer(&same, nullptr));
    FACT(cudaMalloc(&s, 64));
    FACT(cudaMemPoolExportPointer(&same, s));
    FACT(cudaMallocAsync(&s, 64, stream));
    FACT(cudaMemPoolExportPointer(&same, s));
    FACT(cudaMallocFromPoolAsync((void **)&s, 64, plain, stream));
    FACT(cudaMemPoolExportPointer(&same, s));
    FACT(cudaMallocFromPoolAsync((void **)&q, INTS * 4, pool, stream));
    FACT(cudaMemsetAsync(q, 1, INTS * 4, stream));
    FACT(cudaMemPoolExportPointer(&h.second, q));
    FACT(cudaMallocFromPoolAsync((void **)&r, INTS * 4, pool, stream));
    FACT(cudaStreamSynchronize(stream));
    FACT(cudaFreeAsync(r, stream));
    FACT(cudaStreamSynchronize(stream));
    FACT(cudaMemPoolExportPointer(&same, r));
    FACT(cudaMallocFromPoolAsync((void **)&other_p, INTS * 4, other, stream));
    FACT(cudaMemPoolExportPointer(&h.other, other_p));
    FACT(cudaStreamSynchronize(stream));
    FACT(cudaIpcGetMemHandle((cudaIpcMemHandle_t *)&same, p));
    hand_over(fd);
    close(fd);
    close(second);
}

static void guest_imports()
{
    int fd = take_over(), *middle, *two, *no;
    unsigned long long used = 1;
    cudaMemPoolPtrExportData junk, back;
    cudaPointerAttributes a;
    cudaMemAccessFlags flags;
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    memset(&junk, 0x5a, sizeof junk);
    FACT(cudaFree(0));
    FACT(cudaStreamCreate(&stream));
    FACT(cudaMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)fd, FILES, 1));
    FACT(cudaMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)fd, cudaMemHandleTypeNone, 0));
    FACT(cudaMemPoolImportFromShareableHandle(nullptr, (void *)(intptr_t)fd, FILES, 0));
    FACT(cudaMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)-1, FILES, 0));
    FACT(cudaMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)0, FILES, 0));
    FACT(cudaMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)fd, FILES, 0));
    FACT(cudaMemPoolImportFromShareableHandle(&again, (void *)(intptr_t)fd, FILES, 0));
    fact("another pool", again != pool);
    close(fd);
    FACT(cudaMallocFromPoolAsync((void **)&no, 64, pool, stream));
    FACT(cudaDeviceSetMemPool(0, pool));
    FACT(cudaMemPoolExportToShareableHandle(&fd, pool, FILES, 0));
    FACT(cudaMemPoolGetAccess(&flags, pool, &here));
    fact("access", flags);
    FACT(cudaMemPoolImportPointer((void **)&no, pool, &junk));
    FACT(cudaMemPoolImportPointer((void **)&no, pool, nullptr));
    FACT(cudaMemPoolImportPointer(nullptr, pool, &h.first));
    FACT(cudaMemPoolImportPointer((void **)&no, nullptr, &h.first));
    FACT(cudaMemPoolImportPointer((void **)&no, pool, &h.other));
    FACT(cudaMemPoolImportPointer((void **)&p, pool, &h.first));
    fact("it holds", first(p));
    FACT(cudaMemPoolImportPointer((void **)&middle, pool, &h.first));
    FACT(cudaMemPoolImportPointer((void **)&two, pool, &h.second));
    fact("the second holds", first(two));
    FACT(cudaPointerGetAttributes(&a, p));
    fact("type", a.type);
    fact("device", a.device);
    FACT(cudaMemPoolExportPointer(&back, p));
    FACT(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    add<<<1, 32, 0, stream>>>(p, 5);
    FACT(cudaStreamSynchronize(stream));
    FACT(cudaFree(two));
    fact("freed here, the second holds", first(two));
    FACT(cudaMemPoolImportPointer((void **)&two, pool, &h.second));
    fact("imported anew, the second holds", first(two));
    FACT(cudaFreeAsync(two, stream));
    FACT(cudaStreamSynchronize(stream));
}

static void owner_sees()
{
    fact("it holds", first(p));
    add<<<1, 32, 0, stream>>>(p, 2);
    FACT(cudaStreamSynchronize(stream));
}

static void guest_sees_and_frees()
{
    fact("it holds", first(p));
    FACT(cudaFreeAsync(p, stream));
    FACT(cudaStreamSynchronize(stream));
    FACT(cudaMemPoolDestroy(again));
    FACT(cudaMemPoolDestroy(pool));
}

static void owner_frees()
{
    fact("it holds", first(p));
    FACT(cudaFreeAsync(p, stream));
    FACT(cudaFreeAsync(q, stream));
    FACT(cudaStreamSynchronize(stream));
    FACT(cudaMemPoolDestroy(pool));
}

int main()
{
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 3;
    setvbuf(stdout, nullptr, _IONBF, 0);
    pid_t child = fork();
    is_guest = child == 0;
    close(ends[!is_guest]);
    alarm(60);
    char turn = 0;
    // Each takes its turns, and wakes the other one after each.
    void (*turns[])() = {owner_makes, guest_imports, owner_sees, guest_sees_and_frees, owner_frees};
    int count = sizeof turns / sizeof *turns;
    for (int i = 0; i < count; i++) {
        if ((i % 2 == 1) != is_guest)
            continue;
        if (i > 1 && read(side(), &turn, 1) != 1)
            return 3;
        turns[i]();
        if (i > 0 && i + 1 < count && write(side(), &turn, 1) != 1)
            return 3;
    }
    int status = 0;
    if (!is_guest && (wait(&status) != child || status))
        printf("guest ended with %d\n", status);
    return 0;
}
