/**
 * @file driver.c
 * The Driver API, which is not there with the device in a process of its own: by hand, as its rows are not the
 * Runtime API's.
 */
#include <stdio.h>

#include "remote/client/client.h"

#define CUDA_ERROR_NOT_SUPPORTED 801

static int refuse(void)
{
    static int said;
    if (!said++)
        fputs("softgpu: the Driver API is not there with the device in a process of its own (--remote, the grader's "
              "sandbox); its calls return CUDA_ERROR_NOT_SUPPORTED\n", stderr);
    return CUDA_ERROR_NOT_SUPPORTED;
}

EXPORT void *softgpu_driver_function(const char *symbol);
void *softgpu_driver_function(const char *symbol)
{
    (void)symbol;
    return (void *)refuse;
}
