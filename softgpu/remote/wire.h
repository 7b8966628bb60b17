/**
 * @file wire.h
 * What the client (a libcudart.so.13 in the program's process) and the server (the softgpu command,
 * with the runtime) send each other over Unix sockets.
 *
 * The program inherits one control socket. Each of its threads that calls CUDA makes a socket pair and
 * sends one end over the control socket with a byte that says what it is for; the server gives it a
 * thread of its own, so that what CUDA keeps a host thread is kept. On a connection a call is a struct
 * wire_call, its arguments, its bulk bytes; then comes a struct wire_answer, results, bulk. Both sides
 * are built from the same sources: there are no versions, and structs travel as they lie.
 *
 * The server trusts nothing that it reads: every length has a bound, every handle is looked up, every
 * host address that is not memory shared by both processes stands for bytes that came along.
 */
#ifndef SOFTGPU_REMOTE_WIRE_H
#define SOFTGPU_REMOTE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "host/instruction.h"
#include "runtime/api_rows.h"

/** The environment variable with the number of the control socket's descriptor. */
#define WIRE_VARIABLE "SOFTGPU_REMOTE"

/** What a new connection is for. */
#define WIRE_CALLS 'c'
#define WIRE_HOST_FUNCTIONS 'h'
#define WIRE_MEMORY 'm'        /**< the program's pageable memory, for copies in graphs; and whether its threads run */

#define WIRE_ARGS 4096         /**< bytes of arguments or results, at most */
#define WIRE_BULK (4ull << 30) /**< bytes of bulk, at most */
#define WIRE_CONNECTIONS 256   /**< at a time */
#define WIRE_ELEMENTS (1u << 20) /**< in one array, at most */
#define WIRE_STRING 65536      /**< bytes of a text with its NUL, at most */
#define WIRE_CODE (512u << 20) /**< bytes of code that the program loads, at most */
/** Arrays follow each other in a call's bulk, each from a multiple of 8. */
#define WIRE_ALIGNED(bytes) (((bytes) + 7) / 8 * 8)

enum wire_flag {
    WIRE_PER_THREAD = 1,       /**< stream 0 is the thread's own */
    WIRE_IN_HOST_FUNCTION = 2, /**< the calling thread runs a host function */
};

enum wire_id {
#define API(name, since, twin, here, remote, ...) IF_WIRED_##remote(WIRE_##name, )
#include "runtime/api.def"
#undef API
    WIRE_REGISTER_BINARY,   /**< u32 version; bulk: the fat binary; answer: u64 handle */
    WIRE_REGISTER_FUNCTION, /**< u64 handle, u64 host address; bulk: name */
    WIRE_REGISTER_VARIABLE, /**< the same */
    WIRE_REGISTER_MANAGED,  /**< the same; answer: u64 number of the variable */
    WIRE_MANAGED,           /**< u64 number; answer: u64 address, u64 bytes, and a descriptor */
    WIRE_LOAD,              /**< u64 bytes of its name, u64 most registers or 0; bulk: name, code; answer: u64 library */
    WIRE_LABEL,             /**< u64 device address; bulk: what the program calls its memory */
    WIRE_LABEL_STREAM,      /**< u64 stream; bulk: what the program calls it */
    WIRE_PARAMETERS,        /**< u64 kernel; answer: u32 count, bulk: struct wire_parameter each */
    WIRE_LAUNCH,            /**< struct wire_launch; bulk: the packed parameters */
    WIRE_CLUSTERS,          /**< struct wire_launch, u32 whether the largest size is asked for, not how many fit; answer: i32 */
    WIRE_COPY,              /**< struct wire_copy; bulk: the source where it is no shared memory */
    WIRE_COPY_BOX,          /**< struct wire_copy_box; bulk: the source, packed, where it is no shared memory */
    WIRE_SHARE,             /**< struct wire_share; answer: u64 address, and a descriptor */
    WIRE_PIN,               /**< struct wire_pin; answer: struct wire_range, and a descriptor */
    WIRE_UNPIN,             /**< u64 address; answer: struct wire_range[WIRE_RANGES] */
    WIRE_HOST_FUNCTION,     /**< struct wire_host_function */
    WIRE_GRAPH_NODE,        /**< struct wire_graph_node; bulk: u64 nodes it depends on, packed parameters */
    WIRE_GRAPH_PARAMS,      /**< u64 node, u32 type; answer: struct cudaGraphNodeParams, bulk: packed parameters */
    WIRE_GRAPH_DOT,         /**< u64 graph; answer's bulk: the description */
    WIRE_CAPTURE_INFO,      /**< u64 stream, u32 wanted; answer: struct wire_capture_info, bulk: u64 node, u64 edge data each */
    WIRE_WATCH,             /**< answer: u64 the change, bulk: u64 bases of shared memory to be watched */
    WIRE_TOUCH,             /**< struct wire_touch: the program uses such memory */
    WIRE_UNLOOKED,          /**< the program does not look at what the thread's latest call returned, an error */
    WIRE_STRAY,             /**< struct wire_stray: it dies of using device memory itself */
    WIRE_MISSING,           /**< u32, an enum wire_missing: a call that is not there */
    WIRE_COUNT
};

/** Calls that a program in the sandbox does not have: those that softgpu lacks, and those that it lacks. */
enum wire_missing {
#define MISSING_TWIN(name, twin, ...) MISSING_##twin,
#define API(name, since, twin, here, remote, ...)                                                  \
    IF_MISSING_##remote(MISSING_##name, IF_REFUSED_##here(TWIN_##twin(MISSING_TWIN, name, )))
#include "runtime/api.def"
#undef API
    MISSING_COUNT
};

struct wire_call {
    uint32_t id, flags, arg_bytes, unused;
    uint64_t bulk_bytes;
    uint64_t site; /**< of the call in the program: bytes from its load address; 0 if elsewhere */
};

struct wire_answer {
    int32_t status; /**< cudaError_t */
    uint32_t result_bytes;
    uint64_t bulk_bytes;
    uint64_t watch; /**< counts the changes of what is to be watched: a new number is a reason to ask */
};

struct wire_parameter {
    uint32_t offset, bytes;
};
#define WIRE_PARAMETERS_MAX 1024

struct wire_launch {
    uint64_t function, stream, shared;
    uint32_t grid[3], block[3];
    uint32_t cooperative, programmatic; /**< programmatic: may begin before the kernel before it has ended */
    uint32_t whole, spare;       /**< whole: all arguments were there */
    uint64_t event, begun_event; /**< recorded by the launch: cudaLaunchAttributeProgrammaticEvent, LaunchCompletionEvent */
    uint32_t event_flags, begun_flags, at_block_start;
    uint32_t with_event, with_begun_event; /**< whether there is such an attribute */
    uint32_t updatable;          /**< cudaLaunchAttributeDeviceUpdatableKernelNode: 0: not there; its value + 1 */
    uint32_t cluster[3], with_cluster; /**< cudaLaunchAttributeClusterDimension */
};

enum wire_copy_call {
    COPY_LINEAR, COPY_LINEAR_ASYNC, COPY_PLANE, COPY_PLANE_ASYNC,
    COPY_TO_SYMBOL, COPY_TO_SYMBOL_ASYNC, COPY_FROM_SYMBOL, COPY_FROM_SYMBOL_ASYNC, COPY_CALLS
};

/** Rows of `width` bytes. A side that is inline lies packed in the bulk of the call or the answer. */
struct wire_copy {
    uint32_t call, kind;
    uint64_t dst, src, dst_pitch, src_pitch, width, height, offset, stream;
    uint32_t src_inline, dst_inline;
};

/** A box of `bytes` in rows of `row` bytes; 0 where no side is inline. */
struct wire_copy_box {
    uint64_t stream, bytes, row;
    uint32_t async, src_inline, dst_inline, unused;
    uint8_t parms[160];         /**< struct cudaMemcpy3DParms */
};

enum wire_share_kind { SHARE_HOST_ALLOC, SHARE_MALLOC_HOST, SHARE_MANAGED };
struct wire_share {
    uint32_t kind, flags;
    uint64_t bytes;
    uint32_t there, unused; /**< 0: the program gave no place for the pointer */
};

struct wire_pin {
    uint64_t address, bytes;
    uint32_t flags, unused;
};
struct wire_range {
    uint64_t address, bytes; /**< whole pages; no bytes: none */
};
#define WIRE_RANGES 8

struct wire_host_function {
    uint64_t stream, function, data;
    uint32_t callback, flags; /**< cudaStreamAddCallback, not cudaLaunchHostFunc */
};

/** A node is added, changed, or changed in what was instantiated. */
enum wire_graph_what { GRAPH_NODE_ADD, GRAPH_NODE_SET, GRAPH_NODE_CHANGE };
struct wire_graph_node {
    uint64_t graph, node;       /**< GRAPH_NODE_CHANGE: `graph` is the instantiated one */
    uint64_t count, packed;     /**< dependencies, bytes of parameters */
    uint32_t what, whole;       /**< whole: all arguments were there */
    uint8_t params[256];        /**< struct cudaGraphNodeParams */
};

/** Bytes of a graph's description; nodes that are told of a capturing stream's tail: at most. */
#define GRAPH_DOT_BYTES (16u << 20)
#define CAPTURE_TAIL_NODES 4096

struct wire_capture_info {
    uint64_t id, graph, count;
    int32_t status, unused;
};

enum wire_memory_what {
    MEMORY_READ,  /**< answer: the bytes */
    MEMORY_WRITE, /**< bytes follow; one byte answers */
    MEMORY_RUNS   /**< whether a thread of the program's runs; one byte answers */
};

/** Server to client on the connection for memory. */
struct wire_memory {
    uint64_t address, bytes;
    uint32_t what, unused;
};

/** Before an access, so that the device can go on as if it had been polled; and after it, with what it
 *  was. */
/** In this order for one access; the second only if it loads. */
enum wire_touch_stage {
    TOUCH_BEGINS, /**< `access`: ACCESS_LOAD, or what stores; answer: u32 whether to follow it */
    TOUCH_LOADS,  /**< bulk: what the bytes were before the device went on, if nothing makes the load wait */
    TOUCH_ENDS    /**< `bytes` have been touched as `access` says, an enum instruction_access; none of a load that has been told */
};
struct wire_touch {
    uint64_t address, bytes, pc; /**< pc: the instruction, as wire_call's site */
    uint32_t old_bytes;          /**< TOUCH_LOADS: as many are wanted, up to the page's end */
    uint16_t stage, access;
};
#define WIRE_WATCHED 4096

struct wire_stray {
    uint64_t address;
    uint64_t frames[INSTRUCTION_FRAMES];         /**< the program's own instructions, innermost first: as wire_touch's pc; 0 from the last on */
    uint32_t write, owner;       /**< owner: an enum instruction_owner */
};

/** Server to client on the host functions' connection, after one byte when it is ready; one byte answers. */
struct wire_reverse {
    uint64_t function, data, stream;
    int32_t status;
    uint32_t callback;
};

/** Bytes of a memory pool's attribute: an int for the first, cudaMemPoolReuse…, 64 bits for the others. */
static inline size_t pool_attribute_bytes(int attr)
{
    return attr <= 3 ? sizeof(int) : sizeof(uint64_t);
}

/** Sends all of `parts` (changed on the way); `pass` ≥ 0 is a descriptor that goes along.
 *  @return false once the peer is gone */
bool wire_send(int fd, struct iovec *parts, int count, int pass);
/** Receives exactly `bytes`; `*passed`, if wanted, is a descriptor that came along, or -1. */
bool wire_receive(int fd, void *to, size_t bytes, int *passed);

#endif
