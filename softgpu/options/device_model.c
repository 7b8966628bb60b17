/**
 * @file device_model.c
 * The device table.
 *
 * Sources: NVIDIA's Turing (T4), A100 and H100 architecture whitepapers and the T4, A100, H100 and
 * H200 data sheets for SM counts, clocks, memory and link speed; CUDA C++ Programming Guide,
 * "Technical specifications per compute capability", for the limits per SM and per block; for the B200
 * the Blackwell tuning guide and what its driver reports (the bus of 7,680 bits is a measured one), for the
 * RTX 5090 NVIDIA's RTX Blackwell whitepaper. How their SMs spread over GPCs is not published: they
 * are taken to be spread as evenly as their number allows. A link
 * figure is what copies from page-locked memory reach, not the link's nominal rate (16 or 32 or
 * 64 GB/s each way for PCIe 3, 4, 5 x16); the H200's is measured (tests/gpu/streams_h200.txt), and so is what it copies to a peer over NVLink (390 GB/s, tests/gpu/peers_h200.txt); the
 * A100's and the T4's (over PCIe) are scaled by their links' nominal rates.
 */
#include "options/device_model.h"

#include <stddef.h>
#include <string.h>

/*
 * Measured on an H200 (driver 580.159, PCIe 5 x16, 21 November 2026; tests/gpu/streams_makespan.cu and
 * loops of 20 to 100 like operations behind a kernel that holds the stream back). The other devices
 * have not been measured: what depends on host and driver is taken to be the same for them.
 */
static const struct device_timing measured = {
    .copy_setup_us = {2.6, 1.75},  /* 100 copies of 4 KB: 2.5 and 1.8 each; 20 of 1 MB: 21.6 and 20.7 */
    .peer_setup_us = 1.8,          /* 20 copies of 4 bytes to the peer: 1.81 each (tests/gpu/peers_h200.txt) */
    .kernel_start_us = 1.55,       /* 20 kernels of 10 us in a row: 11.6 each */
    .engine_switch_us = 3.3,       /* copy, kernel, copy of 4 KB in a row: 15.5 in all */
    .record_us = 1.25,             /* two records in a row, by their own difference */
    .wait_us = 0.4,                /* to and fro between two streams: 3.5 to 3.9 a step */
    .host_function_us = 27,        /* 20 host functions in a row: 27.7 each */
    .submit_us = 1.7,              /* launch and synchronise: 8.0; copy of 4 KB: 6.3; event: 5.6 */
    .notice_us = 1.5,
    .call_us = 0.2,                /* cudaStreamSynchronize that need not wait: 0.23 */
    .query_us = 1.0,               /* cudaStreamQuery: 0.14 to 1.25 */
    .launch_call_us = 2.5,         /* 1000 launches in a row: 2.5 to 2.8 each */
    .copy_call_us = 1.0, .set_call_us = 0.7, .record_call_us = 0.7, .host_call_us = 0.4,
    .staging_bytes = 3 << 20,      /* behind work, a call with 2 MB returns, one with 4 MB waits */
    .stage_us = 1.5,               /* cudaMemcpyAsync of 4 KB of pageable memory: 1.6 */
    /* tests/gpu/graphs_h200.txt */
    .capture_us = 1.0,             /* 100 launches captured: 120 */
    .graph_make_us = 3.3,          /* 100 kernels instantiated: 336 */
    .graph_call_us = 1.7,          /* a graph of one kernel launched: 1.9 */
    .graph_kernel_call_us = 0.005, /* a chain of 1000 kernels launched: 6.7 */
    .graph_other_call_us = 1.05,   /* 100 copies: 109; 8 kernels side by side: 9.2 */
    .graph_start_us = 0.7,         /* launch and synchronise: 6.8 */
    .graph_end_us = 2.2,           /* ten launches of a chain of 20 kernels: 201, one: 17.9 */
    .graph_kernel_us = 0.44,       /* chains of 20 and 200 small kernels: 17.9 and 154 */
    .graph_join_us = 0.5,          /* 20 steps of two kernels side by side: 27 */
    .memory_reach = 0.865,         /* 512 MB within the device: 4150 GB/s */
    .link_duplex = 0.913,          /* 64 MB each way at once: 1327 us, one alone 1211 */
    .pageable_reach = 0.34,        /* 16 and 64 MB of pageable memory: 18.7 to 19 GB/s */
    .issue_clocks = 4,             /* dependent fused multiply-adds: 4.1 each */
    .load_clocks = 554,            /* a chain of dependent loads through 8 MB: 554 each */
    .block_clocks = 1000,          /* dst[i] = a * src[i], a float a thread: 1600 a round of blocks */
};

#define KB(n) ((n) * 1024)
#define GB(n) ((uint64_t)(n) << 30)

/* The first is what is played unless another is asked for. */
static const struct device_model models[] = {
    {
        .key = "h200", .name = "NVIDIA H200", .major = 9, .minor = 0, .sms = 132,
        .max_threads_per_sm = 2048, .max_blocks_per_sm = 32,
        .registers_per_sm = 65536, .registers_per_block = 65536,
        .shared_per_sm = KB(228), .shared_per_block = KB(48),
        .shared_per_block_optin = KB(227), .shared_reserved = KB(1),
        .memory_bytes = GB(140), .l2_bytes = KB(60 * 1024),
        .sm_clock_khz = 1980000, .memory_clock_khz = 3201000, .memory_bus_bits = 6144,
        .memory_gbs = 4800, .peer_gbs = 390, .link_gbs = {55.5, 55.5},
        .copy_engines = 3, .timing = &measured,
        /* What one H200 gives room to (tests/runtime/cluster_facts.gpu.txt); which SMs are left out differs from one to the next. */
        .gpc_sms = {18, 18, 16, 16, 16, 16, 16, 8},
    },
    {
        .key = "h100", .name = "NVIDIA H100 80GB HBM3", .major = 9, .minor = 0, .sms = 132,
        .max_threads_per_sm = 2048, .max_blocks_per_sm = 32,
        .registers_per_sm = 65536, .registers_per_block = 65536,
        .shared_per_sm = KB(228), .shared_per_block = KB(48),
        .shared_per_block_optin = KB(227), .shared_reserved = KB(1),
        .memory_bytes = GB(79), .l2_bytes = KB(50 * 1024),
        .sm_clock_khz = 1980000, .memory_clock_khz = 2619000, .memory_bus_bits = 5120,
        .memory_gbs = 3350, .peer_gbs = 390, .link_gbs = {55, 55},
        .copy_engines = 3, .timing = &measured,
        .gpc_sms = {18, 18, 16, 16, 16, 16, 16, 8},
    },
    {
        .key = "a100", .name = "NVIDIA A100-SXM4-40GB", .major = 8, .minor = 0, .sms = 108,
        .max_threads_per_sm = 2048, .max_blocks_per_sm = 32,
        .registers_per_sm = 65536, .registers_per_block = 65536,
        .shared_per_sm = KB(164), .shared_per_block = KB(48),
        .shared_per_block_optin = KB(163), .shared_reserved = KB(1),
        .memory_bytes = GB(39), .l2_bytes = KB(40 * 1024),
        .sm_clock_khz = 1410000, .memory_clock_khz = 1215000, .memory_bus_bits = 5120,
        .memory_gbs = 1555, .peer_gbs = 250, .link_gbs = {25, 26},
        .copy_engines = 3, .timing = &measured,
    },
    {
        .key = "t4", .name = "Tesla T4", .major = 7, .minor = 5, .sms = 40,
        .max_threads_per_sm = 1024, .max_blocks_per_sm = 16,
        .registers_per_sm = 65536, .registers_per_block = 65536,
        .shared_per_sm = KB(64), .shared_per_block = KB(48),
        .shared_per_block_optin = KB(64), .shared_reserved = 0,
        .memory_bytes = GB(15), .l2_bytes = KB(4 * 1024),
        .sm_clock_khz = 1590000, .memory_clock_khz = 5001000, .memory_bus_bits = 256,
        .memory_gbs = 320, .peer_gbs = 10, .link_gbs = {12, 13},
        .copy_engines = 3, .timing = &measured,
    },
    {
        .key = "b200", .name = "NVIDIA B200", .major = 10, .minor = 0, .sms = 148,
        .max_threads_per_sm = 2048, .max_blocks_per_sm = 32,
        .registers_per_sm = 65536, .registers_per_block = 65536,
        .shared_per_sm = KB(228), .shared_per_block = KB(48),
        .shared_per_block_optin = KB(227), .shared_reserved = KB(1),
        .memory_bytes = GB(178), .l2_bytes = KB(129536),
        .sm_clock_khz = 1965000, .memory_clock_khz = 3996000, .memory_bus_bits = 7680,
        .memory_gbs = 7670, .peer_gbs = 780, .link_gbs = {55.5, 55.5},
        .copy_engines = 3, .timing = &measured,
        .gpc_sms = {20, 18, 18, 18, 18, 18, 18, 18},
    },
    {
        .key = "rtx5090", .name = "NVIDIA GeForce RTX 5090", .major = 12, .minor = 0, .sms = 170,
        .max_threads_per_sm = 1536, .max_blocks_per_sm = 24,
        .registers_per_sm = 65536, .registers_per_block = 65536,
        .shared_per_sm = KB(100), .shared_per_block = KB(48),
        .shared_per_block_optin = KB(99), .shared_reserved = KB(1),
        .memory_bytes = GB(31), .l2_bytes = KB(96 * 1024),
        .sm_clock_khz = 2407000, .memory_clock_khz = 14001000, .memory_bus_bits = 512,
        .memory_gbs = 1792, .peer_gbs = 45, .link_gbs = {55, 55},
        .copy_engines = 2, .timing = &measured,
        .gpc_sms = {16, 16, 16, 16, 16, 16, 16, 16, 14, 14, 14},
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
