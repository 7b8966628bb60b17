/**
 * @file host_program.c
 * The program on the host: calls that fail and that nobody looks at, device memory that it touches itself, work that
 * it does not wait for.
 */
#include <inttypes.h>
#include <string.h>

#include "base/issuer.h"
#include "host/call_site.h"
#include "report/finding.h"
#include "report/words/words.h"

/** " (line 12)"; where the program has no line table, how to get one. */
static void put_call(char *out, size_t size, const struct finding_access *a)
{
    struct call_site at = {.file = a->file, .line = a->line};
    char where[160];
    call_site_words(&at, where, sizeof where);
    if (a->line)
        put(out, size, " (%s)", where);
    else
        put(out, size, " (%.120s%snvcc -g gives the line)", where, where[0] ? "; " : "");
}

/** "alloc0 (line 5)", "the memory" where nothing is known of it. */
static void put_memory(char *out, size_t size, const struct finding *f)
{
    char object[sizeof f->object], made[160];
    put_plain(object, sizeof object, f->object);
    put_site(made, sizeof made, f->made);
    put(out, size, "%s%.120s", object[0] ? object : "the memory", made);
}

/* ---- Calls that fail ---- */

static void say_why(struct finding *f, const char *memory)
{
    const struct call_facts *x = &f->facts.call;
    char most[240];
    switch (f->cause) {
    case CAUSE_COPY_OUTSIDE:
        say_on(f, "it %s %" PRIu64 " bytes from byte %" PRIu64 " of %s on, which holds %" PRIu64, x->write ? "writes"
               : "reads", x->bytes, f->offset, memory, f->object_bytes);
        say_try(f, "count in bytes, elements times sizeof, and no more than both sides hold");
        break;
    case CAUSE_COPY_FREED:
        say_on(f, "it %s %s, which has been freed", x->write ? "writes to" : "reads from", memory);
        say_try(f, "free memory after the last call that uses it");
        break;
    case CAUSE_COPY_WILD:
        say_on(f, "it %s 0x%" PRIx64 ", which is no memory that was allocated%s%s", x->write ? "writes to" : "reads from",
               x->address, f->object[0] ? "; the nearest is " : "", f->object[0] ? memory : "");
        say_try(f, "look at where the pointer comes from, and at whether its cudaMalloc succeeded");
        break;
    case CAUSE_COPY_HEAP:
        say_on(f, "it %s memory that a kernel has allocated with malloc(), which no call takes", x->write ? "writes to" : "reads from");
        say_try(f, "let a kernel copy it from or to memory of cudaMalloc");
        break;
    case CAUSE_COPY_DIRECTION:
        say_on(f, "its direction takes the %s for device memory, and it is the host's",
               x->write ? "destination" : "source");
        say_try(f, "first the destination, then the source, and the direction that fits them; or cudaMemcpyDefault");
        break;
    case CAUSE_EVENTS_NOT_READY:
        say_on(f, "the host has not waited for both events, and no time is set");
        say_try(f, "cudaEventSynchronize with the later event before this call");
        break;
    case CAUSE_FREE_TWICE:
        say_on(f, "%s has been freed already", memory);
        say_try(f, "free it once; set the pointer to NULL after that");
        break;
    case CAUSE_FREE_OTHER:
        say_on(f, "0x%" PRIx64 " is not what a cudaMalloc returned", x->address);
        say_try(f, "free the pointer that was allocated: cudaFree for cudaMalloc, cudaFreeHost for cudaMallocHost");
        break;
    case CAUSE_LAUNCH_SHAPE:
        launch_limit_words(&x->limit, most, sizeof most);
        say_on(f, "%ux%ux%u blocks of %ux%ux%u threads with %" PRIu64 " bytes of dynamic shared memory are beyond "
                  "what the device or the kernel allows, and it did not run: %s", x->shape[0], x->shape[1], x->shape[2],
               x->shape[3], x->shape[4], x->shape[5], x->bytes, most);
        say_try(f, "a launch within that limit; look at cudaGetLastError() after a launch");
        break;
    default:
        if (say_call_error(f, x->error))
            break;
        say_on(f, "what it was to do was not done");
        say_try(f, "look at what it returns, or at cudaGetLastError()");
    }
    say_on(f, ".");
}

void words_failed(struct finding *f)
{
    const struct call_facts *x = &f->facts.call;
    char at[208], memory[208];
    put_call(at, sizeof at, &f->accesses[0]);
    put_memory(memory, sizeof memory, f);
    if (x->kernel) {
        char kernel[160];
        put_kernel(kernel, sizeof kernel, x->kernel);
        say(f, "the launch of %.100s%.150s fails with %s, and nobody looks: ", kernel, at, x->error);
        say_capital(f);
    } else {
        say(f, "%s%.150s fails with %s, and nobody looks: ", x->name, at, x->error);
    }
    say_why(f, memory);
}

void words_overlaps(struct finding *f)
{
    char at[208], memory[208];
    put_call(at, sizeof at, &f->accesses[0]);
    put_memory(memory, sizeof memory, f);
    say(f, "%s%.150s copies %" PRIu64 " bytes to byte %" PRIu64 " of %.150s, over a part of their own source: which are read before they are written is not "
           "defined.", f->facts.call.name, at, f->facts.call.bytes, f->offset, memory);
    say_rule(f, "the two sides of a copy do not overlap (CUDA Runtime API, cudaMemcpy)");
    say_try(f, "copy to another buffer first, or in pieces that do not reach into each other, each behind the one before");
}

/* ---- The host at device memory ---- */

/** Where an access beside some memory is: "8 bytes before", "128 bytes behind the end of". */
static void say_beside(struct finding *f, const char *memory)
{
    bool before = f->offset > INT64_MAX;
    say_on(f, "%" PRIu64 " bytes %s %.150s", before ? -f->offset : f->offset - f->object_bytes, before ? "before" : "behind the end of", memory);
}

void words_stray(struct finding *f)
{
    bool write = f->facts.call.write;
    char at[208], memory[208];
    put_call(at, sizeof at, &f->accesses[0]);
    put_memory(memory, sizeof memory, f);
    switch (f->cause) {
    case CAUSE_HOST_FREES:
        say(f, "free(), realloc() or delete%.150s is given %.150s, which is none of the C library's memory.", at, memory);
        say_try(f, "%s for that pointer", f->space && !strcmp(f->space, "host") ? "cudaFreeHost" : "cudaFree");
        return;
    case CAUSE_CALL_STRAYS:
        say(f, "%s%.150s is given byte %" PRIu64 " of %.150s in place of a variable of the host's, and cannot use it.",
            f->facts.call.name ? f->facts.call.name : "A call of CUDA's", at, f->offset, memory);
        say_try(f, "give it a variable of the host's (for a member of a struct on the device: to a host copy of the struct) and cudaMemcpy that to "
                   "the device");
        return;
    case CAUSE_HOST_AFTER_FREE:
        say(f, "The host %s%.150s byte %" PRIu64 " of %.150s, which has been freed.", write ? "writes" : "reads", at, f->offset, memory);
        say_try(f, "free memory after its last use");
        return;
    case CAUSE_HOST_BEYOND:
        say(f, "The host %s%.150s ", write ? "writes" : "reads", at);
        say_beside(f, memory);
        say_on(f, ".");
        say_try(f, "look at the index: the memory has %" PRIu64 " bytes", f->object_bytes);
        return;
    default:
        say(f, "The host %s through a device pointer%.150s: byte %" PRIu64 " of %.150s, which is device memory and not the host's to touch.",
            write ? "writes" : "reads", at, f->offset, memory);
    }
    if (write)
        say_try(f, "write to the host's own array and cudaMemcpy it to the device, or use cudaMallocManaged");
    else
        say_try(f, "cudaMemcpy to an array of the host's own and read that, or use cudaMallocManaged");
}

/* ---- Work that nobody waits for ---- */

void words_unwaited(struct finding *f)
{
    const struct stream_party *p = &f->facts.stream.first;
    char at[208], use[208], stream[40], kernel[160];
    put_call(at, sizeof at, &f->accesses[0]);
    stream_words(p->stream, stream, sizeof stream);
    switch (f->cause) {
    case CAUSE_KERNEL_NOT_WAITED:
        put_kernel(kernel, sizeof kernel, p->name);
        say(f, "%.100s%.120s was launched in %s, and the program ends without waiting for it: it may not have run, its "
               "errors are not seen and what it prints is lost.", kernel, at, stream);
        say_capital(f);
        say_try(f, "cudaDeviceSynchronize() before the program ends, and look at what it returns");
        break;
    case CAUSE_FUNCTION_NOT_WAITED:
        say(f, "The host function of %s%.120s in %s has not run when the program ends, and nothing has waited for it: a GPU may run it, or not.", p->name, at,
            stream);
        say_try(f, "cudaStreamSynchronize for %s before the program ends", stream);
        break;
    case CAUSE_COPY_NOT_WAITED:
        say(f, "%s%.120s in %s brings results to the host's pageable memory, and nothing has waited for it: the call may "
               "return before they are there.", p->name, at, stream);
        say_try(f, "cudaStreamSynchronize for %s before the host uses them; cudaMemcpy waits by itself", stream);
        break;
    case CAUSE_RESULT_READ:
    case CAUSE_RESULT_WRITTEN:
    case CAUSE_RESULT_FREED:
        put_call(use, sizeof use, &f->accesses[1]);
        say(f, "%s%.120s in %s brings results to the host's pageable memory, and the host %s%.120s before it has waited for the copy: "
               "the call may return before they are there.", p->name, at, stream,
            f->cause == CAUSE_RESULT_READ ? "reads there" : f->cause == CAUSE_RESULT_FREED ? "frees that" : "writes there", use);
        say_try(f, "cudaStreamSynchronize for %s before the host uses that memory; cudaMemcpy waits by itself", stream);
        break;
    case CAUSE_PINNED_CHANGED:
        say(f, "%s%.120s in %s copies from memory that the host has page-locked (cudaHostRegister) and has changed before it "
               "waited for the copy: the device may read what was there before, or what is there now.", p->name, at, stream);
        say_rule(f, "an asynchronous operation may take effect until the host has waited for it");
        say_try(f, "cudaStreamSynchronize for %s before the source is used again", stream);
        break;
    default: /* CAUSE_SOURCE_CHANGED */
        say(f, "%s%.120s in %s copies from pageable memory that the host has changed or freed before it waited for the "
               "copy: it may not have been read yet%s.", p->name, at, stream, f->level == LEVEL_ERROR ? ", for that happens in stream order" : "");
        if (f->level == LEVEL_ERROR)
            say_rule(f, "a batch's copy reads its source in stream order, or at any time until it is done, unless it has cudaMemcpySrcAccessOrderDuringApiCall");
        else
            say_rule(f, "an asynchronous copy from pageable memory, or a graph's, need not have been done when its call returns; its "
                        "source stays as it is until it is");
        say_try(f, "cudaStreamSynchronize for %s before the source is used again", stream);
    }
}

void words_gone(struct finding *f)
{
    const struct call_facts *c = &f->facts.call;
    const struct finding_access *launch = f->access_count > 1 ? &f->accesses[1] : NULL;
    char line[32] = "", node[64] = "";
    if (f->accesses[0].line)
        put(line, sizeof line, " on line %d", f->accesses[0].line);
    if (launch && launch->line)
        put(node, sizeof node, ", a node of the graph that line %d launches,", launch->line);
    say(f, "%s%s%s %s %s, which was freed before that ran.", c->name, line, node, c->write ? "writes to" : "reads", f->object);
    say_rule(f, launch ? "a graph keeps the addresses that its nodes were made with: that memory must be there in each launch"
                       : "an operation of a stream uses its memory when it runs, not when it is issued");
    if (launch)
        say_try(f, "keep that memory until the graph has been launched for the last time, and waited for; or capture the graph again, or update the node");
    else
        say_try(f, "wait for the operation (cudaStreamSynchronize) before the memory is freed");
}
