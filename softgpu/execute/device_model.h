/**
 * @file device_model.h
 * The devices softgpu can play: limits, sizes and speeds, one table row each, with sources.
 */
#ifndef SOFTGPU_EXECUTE_DEVICE_MODEL_H
#define SOFTGPU_EXECUTE_DEVICE_MODEL_H

#include <stdint.h>

struct device_model {
    const char *key;            /**< option value: "t4", "a100", "h100", "h200" */
    const char *name;           /**< cudaDeviceProp.name */
    int major, minor;           /**< compute capability */
    int sms;
    int max_threads_per_sm, max_blocks_per_sm;
    int registers_per_sm, registers_per_block;
    int shared_per_sm, shared_per_block, shared_per_block_optin, shared_reserved; /**< bytes */
    uint64_t memory_bytes;
    int l2_bytes;
    int sm_clock_khz, memory_clock_khz, memory_bus_bits;
    double memory_gbs;          /**< GB/s, decimal */
    double link_gbs[2];         /**< host to device, device to host */
    double copy_latency_us, launch_latency_us;
    int copy_engines;
};

/** NULL when the key is unknown. */
const struct device_model *device_model_find(const char *key);
/** Row `i`, NULL past the end. */
const struct device_model *device_model_at(int i);

#endif
