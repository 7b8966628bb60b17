/**
 * @file local.c
 * What needs no device: descriptions of channels. (Words for error codes: runtime/forms/error_words.c.)
 */
#include "remote/client/client.h"

EXPORT struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}
