/**
 * @file call_errors.c
 * What an error that a call returned says of it, for those that programs meet most (CUDA Runtime API, data types).
 */
#include <stddef.h>
#include <string.h>

#include "report/words/words.h"

static const struct call_error {
    const char *runtime, *driver; /**< the error in either API */
    const char *why, *advice;
} errors[] = {
    {"cudaErrorStreamCaptureUnsupported", "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "such a call is not permitted while a stream is captured, and the capture is lost with it",
     "call it before cudaStreamBeginCapture or after cudaStreamEndCapture"},
    {"cudaErrorStreamCaptureInvalidated", "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "the capture has been lost by a call before it",
     "look for the first call that failed since cudaStreamBeginCapture"},
    {"cudaErrorStreamCaptureUnjoined", "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
     "a stream that the capture has spread to has not come back to the one where it began",
     "cudaEventRecord in that stream after its last work, and cudaStreamWaitEvent for it in the first, before cudaStreamEndCapture"},
    {"cudaErrorStreamCaptureUnmatched", "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "the capture did not begin in that stream",
     "cudaStreamEndCapture in the stream of cudaStreamBeginCapture"},
    {"cudaErrorStreamCaptureImplicit", "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",
     "the legacy default stream would wait for a stream that is captured", "use a stream made by cudaStreamCreate in place of the default one"},
    {"cudaErrorNotPermitted", "CUDA_ERROR_NOT_PERMITTED", "such a call is not permitted there",
     "what a stream runs on the host (cudaLaunchHostFunc, cudaStreamAddCallback) calls no CUDA function; let it tell another thread"},
    {"cudaErrorInvalidResourceHandle", "CUDA_ERROR_INVALID_HANDLE",
     "a stream, event or other thing that it names was never made, or has been destroyed", "destroy it after its last use, once"},
    {"cudaErrorInvalidSymbol", NULL, "what it names is no __device__ or __constant__ variable",
     "name the variable itself, not its name in quotes, and not its address"},
    {"cudaErrorHostMemoryAlreadyRegistered", "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "some of that memory has been registered already",
     "register it once, and cudaHostUnregister it before it is registered again"},
    {"cudaErrorHostMemoryNotRegistered", "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "that memory has not been registered",
     "cudaHostUnregister what cudaHostRegister was given, once; cudaFreeHost for cudaMallocHost"},
    {"cudaErrorInvalidDevice", "CUDA_ERROR_INVALID_DEVICE", "there is no such device", "devices count from 0 to one below what cudaGetDeviceCount says"},
};

bool say_call_error(struct finding *f, const char *error)
{
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        const struct call_error *e = &errors[i];
        if (strcmp(error, e->runtime) && (!e->driver || strcmp(error, e->driver)))
            continue;
        say_on(f, "%s", e->why);
        say_try(f, "%s", e->advice);
        return true;
    }
    return false;
}
