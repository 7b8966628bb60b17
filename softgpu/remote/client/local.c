/**
 * @file local.c
 * What needs no device: words for error codes, descriptions of channels.
 */
#include "remote/client/client.h"

static const struct {
    int code;
    const char *name, *text;
} errors[] = {
#define ERROR(code, name, text) {code, #name, text},
#include "runtime/errors.def"
#undef ERROR
};

static int find(cudaError_t e)
{
    for (unsigned i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].code == (int)e)
            return (int)i;
    return -1;
}

EXPORT const char *cudaGetErrorName(cudaError_t e)
{
    int i = find(e);
    return i < 0 ? "unrecognized error code" : errors[i].name;
}

EXPORT const char *cudaGetErrorString(cudaError_t e)
{
    int i = find(e);
    return i < 0 ? "unrecognized error code" : errors[i].text;
}

EXPORT struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}
