/**
 * @file server.h
 * The server: takes a client's calls (wire.h) to the runtime in this process. The client is hostile
 * until proven otherwise; whatever it sends, it gets an answer or its connection is closed.
 */
#ifndef SOFTGPU_REMOTE_SERVER_H
#define SOFTGPU_REMOTE_SERVER_H

#include "remote/wire.h"
#include "runtime/state/runtime.h"

/** A call that came in. Its handler takes the arguments in order. */
struct request {
    struct wire_call head;
    uint32_t taken;
    uint64_t found;   /**< bytes of the bulk that arrays take up */
    bool bad;         /**< not as the table says: the connection ends */
    uint8_t *bulk;    /**< head.bulk_bytes of it; a handler that keeps it sets it to NULL */
    uint8_t args[WIRE_ARGS];
};

/** What goes back. */
struct reply {
    struct wire_answer answer;
    void *bulk;       /**< answer.bulk_bytes of it; freed */
    int pass;         /**< a descriptor that goes along and is closed here, or -1 */
    uint8_t results[WIRE_ARGS];
};

void request_take(struct request *r, void *to, size_t bytes);
/** Whether all arguments were there and no more; else the request is bad. */
bool request_whole(struct request *r);
void reply_give(struct reply *o, const void *data, size_t bytes);

/** A handler: makes the call. */
typedef cudaError_t serve_function(struct request *r, struct reply *o);
/** calls.c: the handlers of the calls that are sent, by wire_id, NULL for all other ids. */
serve_function *serve_table_call(uint32_t id);
serve_function serve_register_binary, serve_register_function, serve_register_variable,
    serve_register_managed, serve_managed, serve_label, serve_label_stream, serve_copy_box, serve_load,
    serve_parameters, serve_launch, serve_clusters, serve_copy, serve_share, serve_pin, serve_unpin,
    serve_host_function, serve_missing, serve_touch,
    serve_unlooked, serve_stray, serve_watch, serve_graph_node, serve_graph_params, serve_graph_dot, serve_capture_info;

/** modules.c: a kernel's parameters, at most WIRE_PARAMETERS_MAX; loads its code. */
cudaError_t kernel_layout(uint64_t function, struct wire_parameter *list, uint32_t *count);

/** mappings.c: a descriptor of the memory file at an address; -1: none. */
int shared_descriptor(uint64_t address);

/** copies.c: whether an address lies in the bytes that the calling thread's copy brought along:
 *  the only host memory, besides shared, that the runtime may touch. */
bool staging_holds(uint64_t address, uint64_t bytes);

/** touch.c: whether the calling thread has told its client to go on with one access, and holds the
 *  runtime's lock until it hears of it; letting go; and bounding the wait for its next message. */
bool touch_holds(void);
void touch_release(void);
void touch_limit(int fd);

/** host_functions.c: the connection on which the client runs host functions; one, for good. */
void host_functions_connect(int fd);
/** Whether the client's stream captures now. */
bool is_capturing(uint64_t stream);
/** Puts a function of ours, and a record, in the place of a function of the client's that a graph may run
 *  many times; and back. Records stay for good: there is a bound on them. */
cudaError_t host_node_record(cudaHostFn_t *fn, void **data);
void host_node_given(cudaHostFn_t *fn, void **data);

/** pageable.c: the connection on which the client reads and writes its pageable memory; one, for good. */
void client_memory_connect(int fd);
/** runtime.client_copy */
bool client_memory_copy(bool to_client, uint64_t address, void *bytes, uint64_t count);
/** runtime.client_runs; a client that does not answer does not run. */
bool client_threads_run(void);

#endif
