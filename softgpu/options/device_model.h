/**
 * @file device_model.h
 * The devices softgpu can play: limits, sizes and speeds, one table row each, with sources.
 */
#ifndef SOFTGPU_OPTIONS_DEVICE_MODEL_H
#define SOFTGPU_OPTIONS_DEVICE_MODEL_H

#include <stdint.h>

/** Most groups of SMs (GPCs) that a device has. */
#define DEVICE_GPCS 11

struct device_model {
    const char *key;            /**< option value: "t4", "a100", "h100", "h200", "b200", "rtx5090" */
    const char *name;           /**< cudaDeviceProp.name */
    int major, minor;           /**< compute capability */
    int sms;
    int max_threads_per_sm, max_blocks_per_sm;
    int registers_per_sm, registers_per_block;
    int shared_per_sm, shared_per_block, shared_per_block_optin, shared_reserved; /**< bytes */
    uint64_t memory_bytes;
    int l2_bytes;
    int sm_clock_khz, memory_clock_khz, memory_bus_bits;
    double memory_gbs;          /**< GB/s, decimal, as the data sheet says */
    double link_gbs[2];         /**< host to device, device to host, from page-locked memory */
    double peer_gbs;            /**< from one such device to another, one way */
    int copy_engines;
    int gpc_sms[DEVICE_GPCS];   /**< SMs of each GPC in which clusters of more than two blocks find room; 0: none */
    const struct device_timing *timing;
};

/** What things cost besides bytes and instructions (device_model.c says how each was measured). */
struct device_timing {
    /* The device: microseconds. */
    double copy_setup_us[2];    /**< on the copy engine, before the bytes; by direction */
    double peer_setup_us;       /**< of a copy to another device */
    double kernel_start_us;     /**< from a kernel's dependencies to its first block */
    double engine_switch_us;    /**< between operations of one stream on different engines */
    double record_us, wait_us;  /**< an event record; a wait for an event */
    double host_function_us;    /**< to call a host function and return */
    /* The host: microseconds. */
    double submit_us;           /**< from a call's return to when the device has seen it */
    double notice_us;           /**< from an operation's end to the return of the host's wait */
    double call_us, query_us, launch_call_us, copy_call_us, set_call_us, record_call_us,
        host_call_us;           /**< what the calls themselves take */
    double stage_us;            /**< a copy from pageable memory, besides its bytes */
    double staging_bytes;       /**< with more, the host waits until the copy begins */
    /* Graphs: microseconds. */
    double capture_us;          /**< of the host, to capture a call; less than to make it */
    double graph_make_us;       /**< of the host, to instantiate a node */
    double graph_call_us;       /**< of the host, to launch; and besides: */
    double graph_kernel_call_us; /**< … for a kernel that comes after another node */
    double graph_other_call_us; /**< … for any other node but the first */
    double graph_start_us;      /**< from a launch's dependencies to its first nodes */
    double graph_end_us;        /**< from its last ones to its end, where there are several */
    double graph_kernel_us;     /**< from the nodes that a kernel depends on to its first block */
    double graph_join_us;       /**< besides, where some of them are of another branch */
    /* Rates. */
    double memory_reach;        /**< part of memory_gbs that copies within the device reach */
    double link_duplex;         /**< part of its speed that a direction keeps while both are used */
    double pageable_reach;      /**< part of link_gbs that pageable memory reaches */
    /* Inside an SM: clocks. */
    double issue_clocks;        /**< from an instruction of a warp to the next that needs it */
    double load_clocks;         /**< from a load from global memory to its value */
    double block_clocks;        /**< for a block to leave an SM and the next to take its place */
};

/** NULL when the key is unknown. */
const struct device_model *device_model_find(const char *key);
/** Row `i`, NULL past the end. */
const struct device_model *device_model_at(int i);

#endif
