/**
 * @file device_model.c
 * The device table.
 *
 * Sources: NVIDIA's Turing (T4), A100 and H100 architecture whitepapers and the T4, A100, H100 and
 * H200 data sheets for SM counts, clocks, memory and link speed; CUDA C++ Programming Guide,
 * "Technical specifications per compute capability", for the limits per SM and per block. A link
 * figure is what copies from page-locked memory reach, not the link's nominal rate (16 or 32 or
 * 64 GB/s each way for PCIe 3, 4, 5 x16); latencies are typical values.
 */
#include "execute/device_model.h"

#include <stddef.h>
#include <string.h>

#define KB(n) ((n) * 1024)
#define GB(n) ((uint64_t)(n) << 30)

static const struct device_model models[] = {
    {
        .key = "h200", .name = "NVIDIA H200", .major = 9, .minor = 0, .sms = 132,
        .max_threads_per_sm = 2048, .max_blocks_per_sm = 32,
        .registers_per_sm = 65536, .registers_per_block = 65536,
        .shared_per_sm = KB(228), .shared_per_block = KB(48),
        .shared_per_block_optin = KB(227), .shared_reserved = KB(1),
        .memory_bytes = GB(140), .l2_bytes = KB(60 * 1024),
        .sm_clock_khz = 1980000, .memory_clock_khz = 3201000, .memory_bus_bits = 6144,
        .memory_gbs = 4800, .link_gbs = {55, 55},
        .copy_latency_us = 8, .launch_latency_us = 4, .copy_engines = 3,
    },
    {
        .key = "h100", .name = "NVIDIA H100 80GB HBM3", .major = 9, .minor = 0, .sms = 132,
        .max_threads_per_sm = 2048, .max_blocks_per_sm = 32,
        .registers_per_sm = 65536, .registers_per_block = 65536,
        .shared_per_sm = KB(228), .shared_per_block = KB(48),
        .shared_per_block_optin = KB(227), .shared_reserved = KB(1),
        .memory_bytes = GB(79), .l2_bytes = KB(50 * 1024),
        .sm_clock_khz = 1980000, .memory_clock_khz = 2619000, .memory_bus_bits = 5120,
        .memory_gbs = 3350, .link_gbs = {55, 55},
        .copy_latency_us = 8, .launch_latency_us = 4, .copy_engines = 3,
    },
    {
        .key = "a100", .name = "NVIDIA A100-SXM4-40GB", .major = 8, .minor = 0, .sms = 108,
        .max_threads_per_sm = 2048, .max_blocks_per_sm = 32,
        .registers_per_sm = 65536, .registers_per_block = 65536,
        .shared_per_sm = KB(164), .shared_per_block = KB(48),
        .shared_per_block_optin = KB(163), .shared_reserved = KB(1),
        .memory_bytes = GB(39), .l2_bytes = KB(40 * 1024),
        .sm_clock_khz = 1410000, .memory_clock_khz = 1215000, .memory_bus_bits = 5120,
        .memory_gbs = 1555, .link_gbs = {25, 26},
        .copy_latency_us = 8, .launch_latency_us = 4, .copy_engines = 3,
    },
    {
        .key = "t4", .name = "Tesla T4", .major = 7, .minor = 5, .sms = 40,
        .max_threads_per_sm = 1024, .max_blocks_per_sm = 16,
        .registers_per_sm = 65536, .registers_per_block = 65536,
        .shared_per_sm = KB(64), .shared_per_block = KB(48),
        .shared_per_block_optin = KB(64), .shared_reserved = 0,
        .memory_bytes = GB(15), .l2_bytes = KB(4 * 1024),
        .sm_clock_khz = 1590000, .memory_clock_khz = 5001000, .memory_bus_bits = 256,
        .memory_gbs = 320, .link_gbs = {12, 13},
        .copy_latency_us = 10, .launch_latency_us = 5, .copy_engines = 3,
    },
};

#define MODEL_COUNT ((int)(sizeof models / sizeof models[0]))

const struct device_model *device_model_find(const char *key)
{
    for (int i = 0; i < MODEL_COUNT; i++)
        if (strcmp(models[i].key, key) == 0)
            return &models[i];
    return NULL;
}

const struct device_model *device_model_at(int i)
{
    return i >= 0 && i < MODEL_COUNT ? &models[i] : NULL;
}
