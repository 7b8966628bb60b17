/* assert() of kernels: the driver's __assertfail(). No include guard: NDEBUG may differ each time, as in C. */
#include_next <assert.h>
#if defined(__CUDA_ARCH__) && !defined(NDEBUG)
#undef assert
#define assert(condition)                                                                          \
    ((condition) ? (void)0 : __assertfail(#condition, __FILE__, __LINE__, __func__, sizeof(char)))
#endif
