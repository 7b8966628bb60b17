/**
 * @file fatbin.c
 * Feeds the fat-binary reader mutated containers: `fatbin [BOUND [SEED]]`, see bound.h.
 * Build it with -fsanitize=address,undefined; it prints how many inputs it tried.
 *
 * Each input is a container made here with one entry of each packing, then damaged: bytes changed,
 * words replaced by edge values, cut off, parts repeated.
 */
#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "bound.h"
#include "runtime/code/fatbin.h"

#define ROOM 8192

static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16) % below;
}

static size_t add_entry(uint8_t *e, unsigned sm, int packing)
{
    char text[600];
    int bytes = snprintf(text, sizeof text, ".version 9.0\n.target sm_%u\n", sm);
    while (bytes < 400)
        bytes += snprintf(text + bytes, sizeof text - (size_t)bytes, "// line %u\n", draw(5));
    uint64_t packed = 0, flags = 0x11, unpacked = 0;
    memset(e, 0, 0x40);
    if (packing == 1) {
        packed = (uint64_t)LZ4_compress_default(text, (char *)e + 0x40, bytes + 1, 1024);
        flags |= 0x2000;
    } else if (packing == 2) {
        packed = ZSTD_compress(e + 0x40, 1024, text, (size_t)bytes + 1, 1);
        flags |= 0x8000;
    } else {
        memcpy(e + 0x40, text, (size_t)bytes + 1);
    }
    if (packed)
        unpacked = (uint64_t)bytes + 1;
    uint64_t padded = ((packed ? packed : (uint64_t)bytes + 1) + 7) / 8 * 8;
    uint32_t header = 0x40;
    e[0] = 1;
    memcpy(e + 0x04, &header, 4);
    memcpy(e + 0x08, &padded, 8);
    memcpy(e + 0x10, &packed, 4);
    e[0x1a] = 9;
    memcpy(e + 0x1c, &sm, 4);
    memcpy(e + 0x28, &flags, 8);
    memcpy(e + 0x38, &unpacked, 8);
    return 0x40 + padded;
}

static size_t make(uint8_t *b)
{
    static const uint8_t start[16] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0};
    memcpy(b, start, 16);
    size_t used = 16;
    for (unsigned i = 0, n = 1 + draw(3); i < n; i++)
        used += add_entry(b + used, 70 + 5 * draw(8), (int)draw(3));
    uint64_t size = used - 16;
    memcpy(b + 8, &size, 8);
    return used;
}

static size_t damage(uint8_t *b, size_t used)
{
    static const uint64_t edges[] = {0, 1, 0x3f, 0x40, 0x7fffffff, 0x80000000, 0xffffffff,
                                     0x7fffffffffffffff, 0xfffffffffffffff0, UINT64_MAX};
    for (unsigned n = draw(6); n; n--) {
        size_t at = draw((uint32_t)used);
        switch (draw(4)) {
        case 0:
            b[at] = (uint8_t)draw(256);
            break;
        case 1: {
            size_t width = 1u << draw(4);
            if (at + width <= used)
                memcpy(b + at, &edges[draw(10)], width);
            break;
        }
        case 2:
            used = at ? at : 1;
            break;
        default: {
            size_t from = draw((uint32_t)used), bytes = draw(64);
            if (from + bytes <= used && at + bytes <= used)
                memmove(b + at, b + from, bytes);
        }
        }
    }
    return used;
}

int main(int argc, char **argv)
{
    struct bound bound = bound_of(argc > 1 ? argv[1] : "5s");
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    state = state * 2 + 0x9e3779b97f4a7c15ull;
    unsigned long tried = 0, good = 0;
    do {
        static uint8_t b[ROOM];
        size_t used = damage(b, make(b));
        uint8_t *exact = malloc(used);
        memcpy(exact, b, used);
        struct fatbin_ptx ptx = {0};
        struct diag d = {0};
        enum fatbin_status s = fatbin_find_ptx(exact, used, 75 + 5 * (int)draw(6), &ptx, &d);
        free(exact);
        if ((s == FATBIN_OK) != (ptx.text != NULL) || (s == FATBIN_OK) != (d.kind == DIAG_NONE)) {
            fprintf(stderr, "fatbin: input %lu has neither text nor diagnostic\n", tried);
            return 1;
        }
        free(ptx.text);
        tried++;
        good += s == FATBIN_OK;
    } while (bound_more(&bound, tried));
    printf("fatbin: %lu inputs, %lu with PTX\n", tried, good);
    return 0;
}
