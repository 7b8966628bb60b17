/**
 * @file pseudonym.c
 * Numbers that stand for names: SipHash-2-4 (Aumasson, Bernstein 2012) under a key that stays secret; see results.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "class/results.h"

static uint64_t rotated(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static void rounds(uint64_t v[4], int n)
{
    for (; n; n--) {
        v[0] += v[1];
        v[1] = rotated(v[1], 13) ^ v[0];
        v[0] = rotated(v[0], 32);
        v[2] += v[3];
        v[3] = rotated(v[3], 16) ^ v[2];
        v[0] += v[3];
        v[3] = rotated(v[3], 21) ^ v[0];
        v[2] += v[1];
        v[1] = rotated(v[1], 17) ^ v[2];
        v[2] = rotated(v[2], 32);
    }
}

static uint64_t little_endian(const unsigned char *bytes, size_t count)
{
    uint64_t x = 0;
    for (size_t i = 0; i < count; i++)
        x |= (uint64_t)bytes[i] << (8 * i);
    return x;
}

uint64_t pseudonym(const unsigned char key[16], const void *name, size_t len)
{
    const unsigned char *bytes = name;
    size_t at = 0;
    uint64_t k0 = little_endian(key, 8), k1 = little_endian(key + 8, 8);
    uint64_t v[4] = {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573};
    for (bool last = false; !last; at += 8) {
        last = len - at < 8;
        uint64_t word = little_endian(bytes + at, last ? len - at : 8) | (last ? (uint64_t)len << 56 : 0);
        v[3] ^= word;
        rounds(v, 2);
        v[0] ^= word;
    }
    v[2] ^= 0xff;
    rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

bool pseudonym_key(unsigned char key[16], const char *file, struct trouble *t)
{
    if (getrandom(key, 16, 0) != 16)
        return trouble_set(t, "no random numbers: %s", strerror(errno));
    if (!file)
        return true;
    int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool made = fd >= 0, ok;
    if (!made && errno == EEXIST)
        fd = open(file, O_RDONLY | O_CLOEXEC);
    ok = fd >= 0 && (made ? write(fd, key, 16) == 16 : read(fd, key, 16) == 16);
    if (!ok)
        trouble_set(t, "--salt %s: %s", file, fd < 0 ? strerror(errno) : "does not hold 16 bytes");
    if (fd >= 0)
        close(fd);
    return ok;
}
