/**
 * @file channel.c
 * Descriptions of channels: they need no device.
 */
#include "runtime/api.h"

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}
