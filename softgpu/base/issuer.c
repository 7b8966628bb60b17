/**
 * @file issuer.c
 * What people call a stream.
 */
#include "base/issuer.h"

#include <stdio.h>
#include <string.h>

#include "base/list.h"

struct stream_name {
    uint64_t stream;
    char name[MAX_STREAM_NAME];
};
static LIST(struct stream_name) names;

void stream_call(uint64_t stream, const char *name)
{
    int i = 0;
    while (i < names.count && names.data[i].stream != stream)
        i++;
    if (i == MAX_STREAM_NAMES)
        return;
    struct stream_name *s = i < names.count ? &names.data[i] : LIST_PUSH(&names);
    s->stream = stream;
    size_t length = strnlen(name, sizeof s->name - 1);
    memcpy(s->name, name, length);
    s->name[length] = '\0';
}

void stream_words(uint64_t stream, char *out, size_t size)
{
    for (int i = 0; i < names.count; i++)
        if (names.data[i].stream == stream && names.data[i].name[0]) {
            snprintf(out, size, strchr(names.data[i].name, ' ') ? "%s" : "\"%s\"", names.data[i].name);
            return;
        }
    char device[32] = "";
    uint64_t n = stream & ((1ull << STREAM_BITS) - 1);
    if (stream >> STREAM_BITS)
        snprintf(device, sizeof device, " of device %u", (unsigned)(stream >> STREAM_BITS));
    if (n < 2)
        snprintf(out, size, "%s%s", n ? "the default stream" : "the host", device);
    else
        snprintf(out, size, "stream %llu%s", (unsigned long long)n - 1, device);
}
