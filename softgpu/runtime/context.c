/**
 * @file context.c
 * Life of the process's one CUDA context: set-up on first use, lock, reset, exit.
 *
 * Two mutexes make a fair lock: `gate` is held only while queueing for `lock`, so that a thread
 * that runs the device in slices cannot starve the others.
 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check/checkers.h"
#include "compile/compile.h"
#include "debug/agent/agent.h"
#include "host/system_calls.h"
#include "options/options.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "runtime/code/kernel.h"
#include "runtime/memory/graph_block.h"
#include "runtime/code/nested_host.h"
#include "runtime/memory/array.h"
#include "runtime/state/capture.h"
#include "runtime/driver/driver.h"
#include "runtime/graph/graph.h"
#include "runtime/state/failure.h"
#include "runtime/state/logs.h"
#include "runtime/state/unwaited.h"
#include "runtime/memory/host_watch.h"
#include "runtime/memory/result_watch.h"
#include "runtime/state/operation.h"
#include "runtime/memory/pool.h"
#include "runtime/state/entry.h"
#include "runtime/stream/relaunch.h"
#include "runtime/state/value_op.h"
#include "runtime/time/record.h"

struct runtime runtime;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_key_t thread_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread struct host_thread thread_state;
static __thread bool holds_lock;

void runtime_lock(void)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&gate);
    holds_lock = true;
}

void runtime_unlock(void)
{
    holds_lock = false;
    pthread_mutex_unlock(&lock);
}

bool runtime_is_locked(void)
{
    return holds_lock;
}

void runtime_yield(void)
{
    runtime_unlock();
    runtime_lock();
}

void runtime_wait_change(int ms)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += (long)ms * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&changed, &lock, &t);
}

void runtime_changed(void)
{
    pthread_cond_broadcast(&changed);
}

uint64_t runtime_clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void runtime_thread_ends(void *thread)
{
    struct host_thread *t = thread;
    runtime_lock();
    result_watch_enter();
    runtime.host_threads -= t->counted;
    t->counted = false;
    for (int d = 0; d < runtime.options.devices; d++)
        if (t->per_thread[d] && t->generation[d] == runtime.devices[d].generation) {
            capture_stream_destroyed(t->per_thread[d]);
            t->per_thread[d]->destroyed = true;
            t->per_thread[d] = NULL;
        }
    streams_sweep();
    host_watch_thread_ends();
    runtime_unlock();
}

/* Findings are the program's: a reset ends the machine that made them, and the next one goes on with them. This is where they are
 * while there is no machine; NULL while there is one, and before the first. */
static struct reporter *findings;

static void findings_without_machine(void)
{
    if (!findings && failures_waiting())
        findings = reporter_open(&runtime.options);
    if (!findings)
        return;
    failures_tell(findings);
    reporter_end(findings);
}

/** The lock is held. */
static void program_ends(void)
{
    if (!runtime.machine)
        findings_without_machine();
    if (runtime.machine) {
        result_watch_enter();
        unwaited_end();
        failures_tell(machine_reporter(runtime.machine));
        host_watch_stop();
        reporter_flush(machine_reporter(runtime.machine));
        vtime_run(UINT64_MAX, NULL, false);
        counters_write();
        timeline_write();
        debug_end();
        reporter_end(machine_reporter(runtime.machine)); /* but for leaks: at_unload() */
    }
}

static void at_exit(void)
{
    runtime_lock();
    program_ends();
    runtime_unlock();
}

/** A failed assert(), say, of a result that the host has not waited for. Where a call is under way nothing is told: it may be this thread's. */
static void at_abort(void)
{
    if (holds_lock || pthread_mutex_trylock(&lock))
        return;
    holds_lock = true;
    program_ends();
    runtime_unlock();
}

/* A forked child has no device thread, and must not write the parent's files: CUDA is not for it, unless the parent had not begun with it. */
static bool copying; /* but for the debugger's copies, which go on with the device and hold the lock already */

pid_t runtime_copy(void)
{
    copying = true;
    pid_t pid = fork();
    copying = false;
    return pid;
}

static void fork_before(void)
{
    if (!copying)
        runtime_lock();
}

static void fork_parent(void)
{
    if (!copying)
        runtime_unlock();
}

static void fork_child(void)
{
    if (copying)
        return;
    if (runtime.machine) {
        runtime.machine = NULL;
        runtime.start_error = runtime.sticky = cudaErrorInitializationError;
    }
    findings = NULL;
    runtime_unlock();
}

static void default_limits(struct device_state *d)
{
    d->limits[cudaLimitStackSize] = 1024;
    d->limits[cudaLimitPrintfFifoSize] = 8650752; /* an H200's */
    d->limits[cudaLimitMallocHeapSize] = 8 << 20;
    d->limits[cudaLimitDevRuntimeSyncDepth] = 0;
    d->limits[cudaLimitDevRuntimePendingLaunchCount] = 2048;
    d->limits[cudaLimitMaxL2FetchGranularity] = 64;
    d->limits[cudaLimitPersistingL2CacheSize] = 0;
}

static bool start_machine(void)
{
    runtime.options.out = relaunch_output();
    runtime.machine = findings ? machine_create_again(&runtime.options, findings) : machine_create(&runtime.options);
    findings = NULL;
    compile_attach(runtime.machine);
    if (!runtime.machine)
        return false;
    nested_host_attach();
    checkers_open(runtime.machine);
    driver_virtual_return();
    host_watch_start();
    relaunch_debug();
    reporter_listen(machine_reporter(runtime.machine), timeline_finding);
    for (int d = 0; d < runtime.options.devices; d++)
        default_limits(&runtime.devices[d]);
    return true;
}

/* How long a thread that is in a call may hold up the end. */
#define UNLOAD_SECONDS 5

/* Ends the observers, so that leaks are told, after the program's own exit handlers. */
__attribute__((destructor)) static void at_unload(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += UNLOAD_SECONDS;
    if (pthread_mutex_timedlock(&lock, &until) != 0)
        return; /* a thread is inside for good: what was found is on disk, but may not be all */
    holds_lock = true;
    if (runtime.machine || (runtime.options.check && !runtime.start_error && driver_virtual_left() && start_machine())) {
        debug_closing();
        if (runtime.machine)
            machine_leave(runtime.machine);
        machine_destroy(runtime.machine);
        debug_detach();
        runtime.machine = NULL;
    } else if (findings) {
        reporter_close(findings);
        findings = NULL;
    }
    runtime.sticky = runtime.start_error = cudaErrorCudartUnloading;
    runtime_unlock();
}

static void process_start(void)
{
    pthread_key_create(&thread_key, runtime_thread_ends);
    char error[256] = "";
    if (!options_from_env(&runtime.options, error, sizeof error)) {
        runtime_say("%s", error);
        runtime.start_error = cudaErrorInitializationError;
    }
    runtime.device = runtime.options.device ? runtime.options.device : device_model_at(0);
    runtime.next_op = 1;
    for (int d = 0; d < runtime.options.devices; d++) {
        runtime.devices[d].legacy = stream_new(d, 0, 0, true);
        runtime.devices[d].legacy->legacy = true;
    }
    atexit(at_exit);
    at_quick_exit(at_exit);
    system_calls_follow_ends(runtime.options.check ? at_abort : NULL);
    pthread_atfork(fork_before, fork_parent, fork_child);
}

struct host_thread *runtime_thread(void)
{
    return &thread_state;
}

static void thread_arrives(void)
{
    if (thread_state.counted)
        return;
    thread_state.counted = true;
    pthread_setspecific(thread_key, &thread_state);
    runtime.host_threads++;
    runtime.host_threads_seen++;
}

void runtime_enter_light(void)
{
    pthread_once(&once, process_start);
    runtime_lock();
    thread_arrives();
    unwaited_entered();
    runtime.last_call_ms = runtime_clock_ms();
    vtime_host(runtime.device->timing->call_us);
}

void runtime_enter_device(void)
{
    runtime_enter_light();
    runtime.driver_ready |= !thread_state.driver_call;
}

void caller_past_templates(void *const *frame)
{
    struct host_thread *t = &thread_state;
    t->call = call_site_past_library(call_site_past_templates(t->call, t->outer_call ? t->outer_frame : frame));
}

cudaError_t runtime_enter(void)
{
    runtime_enter_light();
    if (thread_state.in_host_function)
        return cudaErrorNotPermitted;
    if (!thread_state.driver_call)
        thread_state.primary_current = runtime.primary_used = true;
    if (runtime.start_error)
        return runtime.start_error;
    if (!runtime.machine && !start_machine())
        return runtime.start_error = cudaErrorInitializationError;
    memory_choose(machine_memory(runtime.machine), thread_state.device);
    return runtime.sticky;
}

cudaError_t runtime_failed_to_start(void)
{
    return runtime.start_error;
}

cudaError_t runtime_leave(cudaError_t e)
{
    if (thread_state.driver_call) /* the Driver API has no last error */
        thread_state.driver_noted |= e != cudaSuccess;
    else if (e != cudaSuccess && e != cudaErrorNotReady) /* an answer, not an error */
        thread_state.last_error = e;
    failure_left(e);
    unwaited_check();
    runtime.last_call_ms = runtime_clock_ms();
    host_watch_update();
    bool steps = result_watch_leave();
    runtime_unlock();
    if (e && e != cudaErrorNotReady && !thread_state.driver_call)
        log_failed_call((int)e, cudaGetErrorName(e), thread_state.call_name ? thread_state.call_name : "a call");
    if (steps)
        result_watch_begin();
    return e;
}

void runtime_reset(void)
{
    if (runtime.machine)
        failures_tell(machine_reporter(runtime.machine));
    operations_cancel(cudaSuccess);
    captures_reset();
    graphs_reset();
    for (struct event *e = runtime.events; e; e = e->next) {
        if (e->record)
            operation_unref(e->record);
        e->record = NULL;
        e->captured = 0;
    }
    for (struct stream *s = runtime.streams; s; s = s->next)
        if (!s->legacy)
            s->destroyed = true;
    for (int d = 0; d < runtime.options.devices; d++) {
        streams_await_nothing(&(struct stream_choice){.device = d});
        driver_green_reset(d);
        runtime.devices[d].generation++;
        runtime.devices[d].peers = 0;
    }
    streams_sweep();
    libraries_reset();
    arrays_reset();
    textures_reset();
    pools_reset();
    for (int d = 0; d < runtime.options.devices; d++)
        graph_blocks_reset(d);
    driver_virtual_reset();
    ipc_memory_reset();
    device_memory_reset();
    host_watch_stop();
    result_watch_stop();
    debug_closing();
    if (runtime.machine) {
        findings = machine_end(runtime.machine);
        reporter_listen(findings, NULL);
        reporter_interrupt(findings, NULL);
        reporter_flush(findings);
    }
    debug_detach();
    runtime.machine = NULL;
    runtime.sticky = cudaSuccess;
    runtime.primary_used = false;
    runtime.host_visible = 0;
    values_reset();
    vtime_drop();
}
