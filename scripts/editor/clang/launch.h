/* What clang looks up for <<<…>>> where it does not know the toolkit's version. */
#ifdef __CUDACC__
extern "C" int cudaConfigureCall(dim3 blocks, dim3 threads, unsigned long shared = 0, struct CUstream_st *stream = 0);
#endif
