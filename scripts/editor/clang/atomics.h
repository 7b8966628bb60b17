/* nvcc's own atomics, which its front end knows without a header. */
#if defined(__CUDACC__) && !defined(__NV_ATOMIC_RELAXED)
#define __NV_ATOMIC_RELAXED __NV_ATOMIC_RELAXED
enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL,
       __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER, __NV_THREAD_SCOPE_DEVICE,
       __NV_THREAD_SCOPE_SYSTEM };
template <class T> __device__ T __nv_atomic_load_n(T *, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T, class V> __device__ void __nv_atomic_store_n(T *, V, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T, class V> __device__ T __nv_atomic_exchange_n(T *, V, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T, class V> __device__ T __nv_atomic_fetch_add(T *, V, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T, class V> __device__ T __nv_atomic_fetch_sub(T *, V, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T, class V> __device__ T __nv_atomic_fetch_and(T *, V, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T, class V> __device__ T __nv_atomic_fetch_or(T *, V, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T, class V> __device__ T __nv_atomic_fetch_xor(T *, V, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T, class V> __device__ T __nv_atomic_fetch_min(T *, V, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T, class V> __device__ T __nv_atomic_fetch_max(T *, V, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T, class V>
__device__ bool __nv_atomic_compare_exchange_n(T *, T *, V, bool, int, int, int = __NV_THREAD_SCOPE_SYSTEM);
__device__ void __nv_atomic_thread_fence(int, int = __NV_THREAD_SCOPE_SYSTEM);
#endif
