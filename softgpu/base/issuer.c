/**
 * @file issuer.c
 * What people call a stream.
 */
#include "base/issuer.h"

#include <stdio.h>

void stream_words(uint64_t stream, char *out, size_t size)
{
    if (stream < 2)
        snprintf(out, size, stream ? "the default stream" : "the host");
    else
        snprintf(out, size, "stream %llu", (unsigned long long)stream - 1);
}
