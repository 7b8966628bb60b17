/**
 * @file sentences.c
 * One sentence for each of softgpu's counters; see words.h.
 */
#include <string.h>

#include "report/words.h"

static const struct {
    const char *name, *sentence;
} counters[] = {
    {"launches", "Kernels launched."},
    {"blocks", "Blocks, all launches together."},
    {"threads", "Threads, all launches together."},
    {"instructions", "PTX instructions that warps issued."},
    {"lane_instructions", "PTX instructions, counted for each thread that took part."},
    {"lanes_per_instruction", "Threads of a warp that took part in an instruction: 32 is the most, "
                              "less means that the warp was split."},
    {"global_load_requests", "Loads from global memory, one a warp."},
    {"global_load_sectors", "32-byte pieces of global memory that loads touched."},
    {"sectors_per_load", "Pieces a load: 4 where 32 threads read 32 neighbouring words, up to 32 where "
                         "they read all over the place."},
    {"global_store_requests", "Stores to global memory, one a warp."},
    {"global_store_sectors", "32-byte pieces of global memory that stores touched."},
    {"sectors_per_store", "Pieces a store: 4 where 32 threads write 32 neighbouring words."},
    {"global_bytes", "Bytes that threads loaded from and stored to global memory."},
    {"shared_requests", "Accesses to shared memory, one a warp."},
    {"shared_wavefronts", "Passes that accesses to shared memory took."},
    {"bank_conflicts", "Passes beyond the first of each shared access: threads of a warp wanted different words "
                       "of one bank."},
    {"wavefronts_per_request", "Passes an access of shared memory: 1 is without conflicts."},
    {"barriers", "Arrivals at barriers, one for each warp: a __syncthreads() that a block of 256 threads passes "
                 "once is 8."},
    {"atomics", "Atomic operations, one a warp."},
    {"fences", "Memory fences, one a warp."},
    {"branches", "Conditional branches, one a warp."},
    {"divergent_branches", "Branches at which the threads of a warp parted."},
    {"block_barriers", "Barriers that the block with the most of them passed."},
    {"barrier_phases", "Barriers of all kinds (of the block, of its cluster, phases of mbarriers) in the block with the most of them."},
    {"grid_barriers", "Passages of cooperative groups' barrier for the whole grid."},
    {"longest_warp", "Instructions of the warp that issued the most: the more evenly the work is "
                     "shared out, the fewer."},
    {"working_blocks", "Blocks that used global memory."},
    {"working_threads", "Threads that used global memory."},
    {"peer_accesses", "Accesses, one for each thread, by kernels to another device's memory."},
    {"loaded_bytes", "Bytes that threads loaded from it."},
    {"stored_bytes", "Bytes that threads stored to it."},
    {"zeroings", "Atomics that made 0 what was not 0."},
    {"requests", "Instructions that accessed it, one a warp: the fewer, the more threads share each."},
    {"reading_blocks", "Blocks that read it."},
    {"writing_blocks", "Blocks that wrote it."},
    {"busiest_share", "Of all accesses to it, the part that one block made, the block with the most: 1 where one "
                      "block did it all."},
    {"busiest_warp", "Accesses to it, one for each thread, of the warp with the most: the more evenly the work is shared out, the "
                     "fewer."},
    {"first_reader", "The lowest number in the grid of a thread that read it."},
    {"last_reader", "The highest number in the grid of a thread that read it."},
    {"first_writer", "The lowest number in the grid of a thread that wrote it."},
    {"last_writer", "The highest number in the grid of a thread that wrote it."},
    {"host_threads", "Threads of the program that called CUDA."},
    {"copies_h2d", "Copies from the host to the device."},
    {"copy_bytes_h2d", "Bytes copied from the host to the device."},
    {"copies_d2h", "Copies from the device to the host."},
    {"copy_bytes_d2h", "Bytes copied from the device to the host."},
    {"copies_d2d", "Copies within the device."},
    {"copy_bytes_d2d", "Bytes copied within the device."},
    {"copies_h2h", "Copies within the host."},
    {"copy_bytes_h2h", "Bytes copied within the host."},
    {"makespan_ns", "Nanoseconds of virtual time from the start of the first copy, kernel or fill to the "
                    "end of the last."},
    {"copy_in_ns", "Virtual nanoseconds in which at least one copy to the device ran."},
    {"copy_out_ns", "Virtual nanoseconds in which at least one copy from the device ran."},
    {"kernel_ns", "Virtual nanoseconds in which at least one kernel ran."},
    {"bound_ns", "The largest of copy_in_ns, copy_out_ns and kernel_ns: with the same work, no "
                 "order is faster."},
    {"makespan_over_bound", "makespan_ns over bound_ns: 1 where the busiest part never waits."},
};

const char *sentence_of_counter(const char *name)
{
    const char *dot = strrchr(name, '.'); /* "in.loaded_bytes": an object's or a kernel's */
    name = dot ? dot + 1 : name;
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
        if (!strcmp(counters[i].name, name))
            return counters[i].sentence;
    return NULL;
}
