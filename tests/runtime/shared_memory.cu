// Memory that host and device share: mapped, registered, managed; host and kernel that talk.
#include "check.cuh"
#include <vector>

__managed__ int counter = 5;
__managed__ float table[4] = {1, 2, 3, 4};

__global__ void bump(int *x, int n)
{
    int i = threadIdx.x;
    if (i < n)
        x[i] += i;
    if (i == 0)
        counter++;
}

// Waits for the host's flag, answers it.
__global__ void talk(volatile int *box)
{
    while (box[0] == 0) {
    }
    __threadfence_system();
    box[1] = box[2] * 2;
    __threadfence_system();
    box[0] = 2;
}

static void mapped()
{
    int *host, *dev;
    OK(cudaHostAlloc(&host, 64 * 4, cudaHostAllocMapped));
    for (int i = 0; i < 64; i++)
        host[i] = 100;
    OK(cudaHostGetDevicePointer(&dev, host, 0));
    bump<<<1, 64>>>(dev, 64);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        CHECK(host[i] == 100 + i);
    cudaPointerAttributes a;
    OK(cudaPointerGetAttributes(&a, host));
    CHECK(a.type == cudaMemoryTypeHost && a.hostPointer == host && a.devicePointer == dev);
    unsigned flags;
    OK(cudaHostGetFlags(&flags, host));
    CHECK(flags & cudaHostAllocMapped);
    OK(cudaFreeHost(host));
    GIVES(cudaFreeHost(host), cudaErrorInvalidValue);
}

static void registered()
{
    std::vector<int> v(1000, 1);
    int *dev;
    GIVES(cudaHostGetDevicePointer(&dev, v.data(), 0), cudaErrorInvalidValue);
    OK(cudaHostRegister(v.data(), 4000, cudaHostRegisterMapped));
    GIVES(cudaHostRegister(v.data(), 4000, 0), cudaErrorHostMemoryAlreadyRegistered);
    OK(cudaHostGetDevicePointer(&dev, v.data(), 0));
    bump<<<1, 1000>>>(dev, 1000);
    OK(cudaDeviceSynchronize());
    CHECK(v[999] == 1000);
    OK(cudaHostUnregister(v.data()));
    GIVES(cudaHostUnregister(v.data()), cudaErrorHostMemoryNotRegistered);
    cudaPointerAttributes a;
    OK(cudaPointerGetAttributes(&a, v.data()));
    CHECK(a.type == cudaMemoryTypeUnregistered);
    // ordinary host memory again
    int *d;
    OK(cudaMalloc(&d, 4000));
    OK(cudaMemcpy(d, v.data(), 4000, cudaMemcpyHostToDevice));
    OK(cudaFree(d));
}

static void managed()
{
    int before = counter;
    CHECK(table[3] == 4);
    counter = 40;
    int *m;
    OK(cudaMallocManaged(&m, 128 * 4));
    for (int i = 0; i < 128; i++)
        m[i] = -i;
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    OK(cudaMemAdvise(m, 128 * 4, cudaMemAdviseSetPreferredLocation, here));
    OK(cudaMemPrefetchAsync(m, 128 * 4, here, 0, 0));
    bump<<<1, 128>>>(m, 128);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 128; i++)
        CHECK(m[i] == 0);
    CHECK(counter == 41 && before >= 5);
    cudaPointerAttributes a;
    OK(cudaPointerGetAttributes(&a, m));
    CHECK(a.type == cudaMemoryTypeManaged);
    OK(cudaPointerGetAttributes(&a, &counter));
    CHECK(a.type == cudaMemoryTypeManaged);
    OK(cudaFree(m));
}

static void conversation()
{
    volatile int *box;
    OK(cudaHostAlloc((void **)&box, 12, cudaHostAllocMapped));
    for (int round = 1; round <= 3; round++) {
        box[0] = 0;
        talk<<<1, 1>>>((int *)box);
        box[2] = round * 100;
        __sync_synchronize();
        box[0] = 1;
        while (box[0] != 2) { // the kernel runs while the host makes no CUDA call
        }
        CHECK(box[1] == round * 200);
        OK(cudaDeviceSynchronize());
    }
    OK(cudaFreeHost((void *)box));
}

int main()
{
    managed();
    mapped();
    registered();
    conversation();
    puts("shared memory ok");
    return 0;
}
