/**
 * @file logs.c
 * cuLogs… and cudaLogs…: which calls have failed, for programs to read or to be told of; what softgpu says on stderr, once each, and to
 * those who read.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/list.h"
#include "runtime/state/entry.h"
#include "runtime/state/logs.h"
#include "runtime/state/runtime.h"

#define KEPT 256          /* messages; older ones go */
#define TEXT_BYTES 512
#define LINE_BYTES (TEXT_BYTES + 64)
#define MOST_BYTES 25600  /* that a dump to memory takes */

struct cudaLogsCallbackEntry {
    cudaLogsCallback_t function;
    void *data;
};
/* What the header calls a handle of these is opaque to programs. */
static LIST(struct cudaLogsCallbackEntry *) callbacks;

static struct { char text[TEXT_BYTES], head[48]; } kept[KEPT];
static unsigned written;  /* messages so far: an iterator is one's number */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* ---- writing ---- */

/** `[time][thread][CUDA][E] `, as a driver has it. */
static void put_head(char *out, size_t bytes)
{
    struct timespec now;
    struct tm day;
    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &day);
    snprintf(out, bytes, "[%02d:%02d:%02d.%03ld][%lu]", day.tm_hour % 24, day.tm_min % 60, day.tm_sec % 61,
             now.tv_nsec / 1000000 % 1000, (unsigned long)pthread_self());
}

static void keep(const char *text)
{
    unsigned at = written++ % KEPT;
    put_head(kept[at].head, sizeof kept[at].head);
    snprintf(kept[at].text, TEXT_BYTES, "%s", text);
}

/** Calls the program's callbacks, too: not to be called with the runtime's lock. */
static void log_message(const char *text)
{
    struct cudaLogsCallbackEntry told[16];
    char copy[TEXT_BYTES];
    int count = 0;
    pthread_mutex_lock(&mutex);
    keep(text);
    for (int i = 0; i < callbacks.count && count < 16; i++)
        told[count++] = *callbacks.data[i];
    pthread_mutex_unlock(&mutex);
    snprintf(copy, sizeof copy, "%s", text);
    for (int i = 0; i < count; i++) /* without the lock: it may ask for the logs */
        told[i].function(told[i].data, cudaLogLevelError, copy, strlen(copy));
}

void log_failed_call(int code, const char *error, const char *function)
{
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "Returning %d (%s) from %s", code, error, function);
    log_message(text);
}

void runtime_say(const char *format, ...)
{
    static struct { char *text; } said[256];
    static int count;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (int i = 0; i < count; i++)
        if (!strcmp(said[i].text, text))
            return;
    if (count < 256)
        said[count++].text = strdup(text);
    fprintf(stderr, "softgpu: %s\n", text);
    pthread_mutex_lock(&mutex);
    keep(text);
    pthread_mutex_unlock(&mutex);
}

/* ---- reading ---- */

/** A message as a line. @return its length */
static size_t line_of(unsigned i, char out[LINE_BYTES])
{
    return (size_t)snprintf(out, LINE_BYTES, "%s[CUDA][E] %s\n", kept[i % KEPT].head, kept[i % KEPT].text);
}

/** The first message that is there from `from` on. */
static unsigned first_from(unsigned from)
{
    unsigned oldest = written > KEPT ? written - KEPT : 0;
    return written - from > written - oldest ? oldest : from;
}

static const char gone[] = "(older messages are no longer there)\n";

cudaError_t cudaLogsCurrent(cudaLogIterator *out, unsigned flags)
{
    (void)flags; /* an H200's driver takes any */
    runtime_enter_light();
    API_NOTE();
    if (!out)
        API_RETURN(cudaErrorInvalidValue);
    pthread_mutex_lock(&mutex);
    *out = written;
    pthread_mutex_unlock(&mutex);
    API_RETURN(cudaSuccess);
}

static cudaError_t to_memory(cudaLogIterator *iterator, char *buffer, size_t *size)
{
    char line[LINE_BYTES];
    size_t room = *size < MOST_BYTES ? *size : MOST_BYTES, bytes = 0, n;
    unsigned from = iterator ? *iterator : 0, first = first_from(from), begin = written;
    *size = 0;
    if (first == written)
        return cudaSuccess;
    while (begin != first && bytes + (n = line_of(begin - 1, line)) + 1 + sizeof gone <= room) {
        bytes += n;
        begin--;
    }
    if (begin == written)
        return cudaErrorInvalidValue;
    bytes = 0;
    if (begin != from) {
        memcpy(buffer, gone, sizeof gone - 1);
        bytes = sizeof gone - 1;
    }
    for (; begin != written; begin++) {
        n = line_of(begin, line);
        memcpy(buffer + bytes, line, n);
        bytes += n;
    }
    buffer[bytes] = '\0';
    *size = bytes;
    if (iterator)
        *iterator = written;
    return cudaSuccess;
}

cudaError_t cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *size, unsigned flags)
{
    runtime_enter_light();
    API_NOTE();
    if (!buffer || !size || flags)
        API_RETURN(cudaErrorInvalidValue);
    pthread_mutex_lock(&mutex);
    cudaError_t e = to_memory(iterator, buffer, size);
    pthread_mutex_unlock(&mutex);
    API_RETURN(e);
}

static void to_file(cudaLogIterator *iterator, FILE *f)
{
    char line[LINE_BYTES];
    unsigned from = iterator ? *iterator : 0, begin = first_from(from);
    if (begin != from)
        fputs(gone, f);
    for (; begin != written; begin++) {
        line_of(begin, line);
        fputs(line, f);
    }
    if (iterator)
        *iterator = written;
}

cudaError_t cudaLogsDumpToFile(cudaLogIterator *iterator, const char *path, unsigned flags)
{
    runtime_enter_light();
    API_NOTE();
    FILE *f = path && !flags ? fopen(path, "w") : NULL;
    if (!f)
        API_RETURN(cudaErrorInvalidValue);
    pthread_mutex_lock(&mutex);
    to_file(iterator, f);
    pthread_mutex_unlock(&mutex);
    API_RETURN(fclose(f) ? cudaErrorInvalidValue : cudaSuccess);
}

/* ---- being told ---- */

cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t function, void *data, cudaLogsCallbackHandle *out)
{
    runtime_enter_light();
    API_NOTE();
    struct cudaLogsCallbackEntry *c = function ? malloc(sizeof *c) : NULL;
    if (!c)
        API_RETURN(cudaErrorInvalidValue);
    *c = (struct cudaLogsCallbackEntry){function, data};
    pthread_mutex_lock(&mutex);
    *LIST_PUSH(&callbacks) = c;
    pthread_mutex_unlock(&mutex);
    if (out)
        *out = (cudaLogsCallbackHandle)c;
    API_RETURN(cudaSuccess);
}

/* What is no handle is an error here, where there the process ends. */
cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle handle)
{
    runtime_enter_light();
    API_NOTE();
    cudaError_t e = cudaErrorInvalidValue;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < callbacks.count; i++)
        if ((cudaLogsCallbackHandle)callbacks.data[i] == handle) {
            free(callbacks.data[i]);
            callbacks.data[i] = callbacks.data[--callbacks.count];
            e = cudaSuccess;
        }
    pthread_mutex_unlock(&mutex);
    API_RETURN(e);
}
