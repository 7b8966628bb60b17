/**
 * @file client.h
 * The client: a libcudart.so.13 without a device. It sends every call to the server (wire.h) and
 * shares page-locked and managed memory with it; device memory, findings and counters are there only.
 *
 * Nothing here is trusted: whatever the program does to this library harms no one but itself.
 */
#ifndef SOFTGPU_REMOTE_CLIENT_H
#define SOFTGPU_REMOTE_CLIENT_H

#include "remote/wire.h"
#include "runtime/api.h"

/* ---- channel.c ---- */

/** A call under way. */
struct call {
    struct wire_call head;
    struct wire_answer answer;
    uint32_t taken;    /**< bytes of `results` */
    const void *returns; /**< where its result goes; NULL: to this library */
    bool shows_nothing;  /**< the program does not get its result: a <<<>>> */
    int passed;        /**< a descriptor that came with the answer, -1 if none; the caller's to close */
    const void *bulk;  /**< sent along, head.bulk_bytes of it */
    uint8_t *arrays;   /**< `bulk`, where it is gathered from arrays; call_end() frees it */
    cudaError_t error; /**< it cannot be sent: what call_do() returns */
    void *bulk_to;     /**< takes the answer's bulk */
    size_t bulk_room;
    uint8_t args[WIRE_ARGS], results[WIRE_ARGS];
};

/** @param site  where the program makes the call: a return address in it */
void call_begin(struct call *c, enum wire_id id, const void *site);
void call_put(struct call *c, const void *data, size_t bytes);
/** Sends and waits for the answer. @return its status, or an error where there is no server */
cudaError_t call_do(struct call *c);
void call_get(struct call *c, void *to, size_t bytes);
/** Bytes of an array; `error` if they are too many. */
size_t call_array_bytes(struct call *c, size_t count, size_t each);
/** Whether there is an array; if so, its bytes, among the bulk. @return where in that they lie */
size_t call_put_array(struct call *c, const void *data, size_t bytes);
/** The same for text, its length before it. */
void call_put_string(struct call *c, const char *text);
/** What became of an array, if the call was made. */
void call_get_array(const struct call *c, void *to, size_t at, size_t bytes);
void call_end(struct call *c);

/** Where the program called, if not where the call_begin()'s `site` says: an entry point calls another
 *  one. NULL: there. */
extern __thread const void *entry_site;
/** The thread's stream 0 is its own, for the length of a call. */
extern __thread bool per_thread_default;
extern __thread bool in_host_function;
extern __thread uintptr_t host_function; /**< that the thread runs; 0: none */

/** An address in the program as bytes from where it was loaded; 0 if it lies elsewhere. */
uint64_t program_offset(uintptr_t address);
/** This thread is between a message and its answer: what it touches is not the program's doing. */
extern __thread bool exchanging;

/** A new connection for `purpose`, -1 if there is no server. */
int channel_connect(char purpose);

/* ---- mappings.c ---- */

/** Whether memory at `p` is known to the device: its own, or shared with the server. */
bool shared_known(const void *p);

/** The address of a `__managed__` variable by the number that the server gave; NULL: none. */
void *shared_variable(uint64_t number);

/** A block of memory that the program shares with the server. */
struct shared_block {
    uintptr_t base, bytes; /**< as the program knows it */
    bool own;              /**< mapped by us for the program, not registered by it */
    bool closed;           /**< protected: its use is to be told */
    bool opened;           /**< though closed, some page is open */
};
/** Sets each own block's `closed` by `wanted(base)`, and its protection. */
void shared_protect(bool (*wanted)(uintptr_t base, const void *self), const void *self);
/** The own block that holds an address, as a copy; false if none. */
bool shared_find(uintptr_t address, struct shared_block *out);
/** Opens the page of an address in an own block, until the next shared_protect(). */
void shared_open(uintptr_t address);
/** Whether some block is closed, but open in part. */
bool shared_is_opened(void);

/* ---- modules.c ---- */

/** A kernel's parameters, asked for once. */
struct layout {
    struct layout *next;
    const void *function;
    uint32_t count;
    struct wire_parameter list[];
};
/** Bytes of a fat binary by its own header. */
uint64_t fatbin_bytes(const uint8_t *p);
cudaError_t find_layout(const void *function, const void *site, struct layout **out);
/** Handles of kernels may mean others from now on. */
void layouts_forget(void);
/** Arguments packed as the kernel wants them; NULL: no memory. `*whole`: none was missing. */
uint8_t *pack_arguments(const struct layout *l, void **args, size_t *bytes, uint32_t *whole);

/* ---- asked.c ---- */

/** Takes a launch's cluster from its attribute. */
void take_cluster(struct wire_launch *w, const cudaLaunchAttribute *a);

/* ---- host_functions.c ---- */

/** Starts the thread that runs host functions. */
bool host_functions_start(void);

/* ---- pageable.c ---- */

/** Starts the thread that reads and writes pageable memory for copies in graphs, and says whether others run. */
bool memory_start(void);

/* ---- touch.c ---- */

/** Takes the number that came with an answer: asks what to protect if it is a new one. */
void watch_apply(uint64_t change);
/** There is no server any more. */
void watch_end(void);
/** Faults of the program's are seen from now on, too. */
void watch_start(void);

/* ---- calls.c: forward_NAME(site, …) for each wrapped row ---- */

#define FORWARD(name, ...)                                                                         \
    cudaError_t forward_##name(const void *site __VA_OPT__(, JOIN(PARAMETER, __VA_ARGS__)))
#define API(name, since, twin, here, remote, ...) IF_WRAPPED_##remote(FORWARD(name, __VA_ARGS__);)
#include "runtime/api.def"
#undef API

#endif
