/**
 * @file library.c
 * Device code: loading on first use, kernels and variables by name.
 *
 * A registered fat binary is parsed when its first kernel or variable is used, as the real runtime
 * does; its errors are those of that call.
 */
#include "runtime/code/library.h"

#include <stdarg.h>
#include <string.h>

#include "parse/dump.h"
#include "runtime/code/linked.h"
#include "runtime/code/register_bound.h"
#include "runtime/code/target.h"
#include "runtime/state/host_thread.h"

static struct library *libraries;
/* Launches come in series: the answer of the last find_kernel(). */
static const void *last_handle;
static struct kernel *last_kernel;

static int device_sm(void)
{
    return runtime.device->major * 10 + runtime.device->minor;
}

struct library *library_new(const char *name)
{
    struct library *l = calloc(1, sizeof *l);
    if (!l || !(l->name = strdup(name)))
        abort();
    l->next = libraries;
    libraries = l;
    return l;
}

struct library *library_of(const void *handle)
{
    for (struct library *l = libraries; l; l = l->next)
        if (l == handle)
            return l;
    return NULL;
}

struct on_device *library_here(struct library *l)
{
    return &l->on[device_now()];
}

static void unload_on(struct library *l, int device)
{
    struct on_device *on = &l->on[device];
    if (on->image && runtime.machine)
        machine_unload(runtime.machine, on->image);
    *on = (struct on_device){0};
    for (int i = 0; i < l->kernels.count; i++)
        l->kernels.data[i]->function = l->kernels.data[i]->functions[device] = NULL;
}

static void unload(struct library *l)
{
    for (int d = 0; d < MAX_DEVICES; d++)
        unload_on(l, d);
}

void libraries_reset_on(int device)
{
    for (struct library *l = libraries; l; l = l->next)
        unload_on(l, device);
}

void library_free(struct library *l)
{
    for (struct library **at = &libraries; *at; at = &(*at)->next)
        if (*at == l) {
            *at = l->next;
            break;
        }
    unload(l);
    last_handle = NULL;
    for (int i = 0; i < l->kernels.count; i++) {
        free(l->kernels.data[i]->name);
        free(l->kernels.data[i]->kept);
        free(l->kernels.data[i]);
    }
    for (int i = 0; i < l->symbols.count; i++)
        free(l->symbols.data[i].name);
    LIST_FREE(&l->kernels);
    LIST_FREE(&l->symbols);
    free(l->ptx);
    free(l->name);
    free(l);
}

/* The machine is about to go: images go with it; registered code loads again on its next use. */
void libraries_reset(void)
{
    for (struct library *l = libraries, *next; l; l = next) {
        next = l->next;
        unload(l);
        if (!l->registered)
            library_free(l);
    }
}

/* ---- loading ---- */

static __thread FILE *log_file;
static __thread unsigned most_registers;
static __thread bool must_be_whole;

void library_log(FILE *f)
{
    log_file = f;
}

void library_bound(unsigned most)
{
    most_registers = most;
}

void library_whole(bool whole)
{
    must_be_whole = whole;
}

/* One line of why code does not load. */
static void complain(const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (log_file)
        fprintf(log_file, "%s\n", text);
    else
        runtime_say("%s", text);
}

/* "9.3" of `.version 9.3`, found without parsing: a version that the parser does not know must
 * not be reported as a syntax error. */
static bool version_too_new(const struct diag *d)
{
    return d->kind == DIAG_UNSUPPORTED && strstr(d->message, "version");
}

/* `--dump`: the program's code at one stage, on stderr. */
static void dump(const struct library *l, const char *text, size_t bytes)
{
    const char *stage = runtime.options.dump;
    const struct image *im = library_here((struct library *)l)->image;
    struct diag unused = {0};
    if (!strcmp(stage, "tokens"))
        tokens_dump(stderr, l->name, text, bytes, &unused);
    else if (!strcmp(stage, "module") && im)
        module_dump(stderr, im->module);
    else if (!strcmp(stage, "code") && im)
        image_dump(stderr, im);
}

/* The module on some other device; NULL if it is on none. */
static const struct image *elsewhere(const struct library *l)
{
    for (int d = 0; d < MAX_DEVICES; d++)
        if (l->on[d].image)
            return l->on[d].image;
    return NULL;
}

/* Kept for the other devices. */
static void keep_ptx(struct library *l, const char *text, size_t bytes)
{
    if (runtime.options.devices == 1 || l->ptx || !(l->ptx = malloc(bytes + 1)))
        return;
    memcpy(l->ptx, text, bytes);
    l->ptx[l->ptx_bytes = bytes] = 0;
}

static cudaError_t cannot_read(const struct library *l, enum fatbin_status status, const struct diag *d)
{
    complain("%s: %s", l->name, d->message);
    return status == FATBIN_BROKEN ? cudaErrorInvalidKernelImage : cudaErrorNoKernelImageForDevice;
}

static cudaError_t load_text(struct library *l, const char *text, size_t bytes)
{
    struct diag d = {0};
    struct on_device *here = library_here(l);
    here->image = machine_load_again(runtime.machine, l->name, text, bytes, elsewhere(l), &d);
    dump(l, text, bytes);
    if (here->image) {
        keep_ptx(l, text, bytes);
        const struct ptx_module *m = here->image->module;
        if (target_runs_on(m->target_sm, m->target_suffix, device_sm()))
            return cudaSuccess;
        complain("%s: PTX for sm_%d%.1s does not run on this device (sm_%d): compile with a lower "
                 "-arch, or choose another --device", l->name, m->target_sm, &m->target_suffix, device_sm());
        machine_unload(runtime.machine, here->image);
        here->image = NULL;
        return cudaErrorNoKernelImageForDevice;
    }
    diag_print(log_file ? log_file : stderr, l->name, &d);
    if (d.kind == DIAG_SYNTAX) /* what does not even look like PTX is no code at all */
        return memmem(text, bytes, ".version", strlen(".version")) ? cudaErrorInvalidPtx : cudaErrorInvalidKernelImage;
    if (d.kind == DIAG_LIMIT)
        return cudaErrorMemoryAllocation;
    return version_too_new(&d) ? cudaErrorUnsupportedPtxVersion : cudaErrorNotSupported;
}

static cudaError_t load_ptx(struct library *l, const char *text, size_t bytes)
{
    struct linked one = {0};
    struct diag d = {0};
    if (linked_one(&one, text, bytes, most_registers, must_be_whole, &d))
        return cannot_read(l, FATBIN_BROKEN, &d);
    cudaError_t e = one.text ? load_text(l, one.text, one.bytes) : load_text(l, text, bytes);
    free(one.text);
    return e;
}

static cudaError_t load_fatbin(struct library *l, const void *data, size_t limit)
{
    struct diag d = {0};
    struct fatbin_ptx ptx;
    enum fatbin_status status = fatbin_find_ptx(data, limit, device_sm(), &ptx, &d);
    if (status != FATBIN_OK)
        return cannot_read(l, status, &d);
    cudaError_t e = load_ptx(l, ptx.text, ptx.bytes);
    free(ptx.text);
    return e;
}

/* The parts of an -rdc=true program. */
static cudaError_t load_parts(struct library *l, const void *const *parts)
{
    struct diag d = {0};
    struct linked all = {0};
    enum fatbin_status status = linked_add_parts(&all, parts, device_sm(), &d);
    linked_end(&all);
    cudaError_t e = status ? cannot_read(l, status, &d) : load_ptx(l, all.text, all.bytes);
    free(all.text);
    return e;
}

cudaError_t library_load(struct library *l, const void *data, size_t limit)
{
    uint32_t magic = 0;
    if (limit >= sizeof magic)
        memcpy(&magic, data, sizeof magic);
    if (magic == FATBIN_MAGIC)
        return load_fatbin(l, data, limit);
    /* A wrapper points to its fat binary: only one that lies in this process has one. */
    const struct fatbin_wrapper *w = data;
    if (magic == FATBIN_WRAPPER_MAGIC && limit == SIZE_MAX)
        return w->version == 2 ? load_parts(l, w->extra) : load_fatbin(l, w->data, SIZE_MAX);
    if (magic == 0x464c457fu) { /* "\x7fELF" */
        int sm = device_sm();
        complain("%s: machine code (a cubin) without PTX cannot run here: with NVRTC compile with --gpu-architecture=compute_%d and take "
                 "what nvrtcGetPTX gives; with nvcc, -ptx or -fatbin and -arch=compute_%d", l->name, sm, sm);
        return cudaErrorNoKernelImageForDevice;
    }
    return load_ptx(l, data, limit == SIZE_MAX ? strlen(data) : strnlen(data, limit));
}

static void set_managed(struct library *l)
{
    for (int i = 0; i < l->symbols.count; i++) {
        struct symbol *s = &l->symbols.data[i];
        struct image_variable *v = s->managed ? image_variable(library_here(l)->image, s->name) : NULL;
        if (v && *s->managed != (void *)(uintptr_t)v->address) {
            *s->managed = (void *)(uintptr_t)v->address;
            runtime.host_visible++;
        }
    }
}

cudaError_t library_ensure(struct library *l)
{
    struct on_device *here = library_here(l);
    if (here->tried || l->wrong)
        return l->wrong ? l->wrong : here->status;
    here->tried = true;
    here->status = l->ptx ? load_ptx(l, l->ptx, l->ptx_bytes) : library_load(l, l->wrapper, SIZE_MAX);
    if (here->status == cudaSuccess)
        set_managed(l);
    return here->status;
}

/* ---- kernels and symbols ---- */

struct kernel *library_kernel(struct library *l, const char *name, const void *host_function)
{
    for (int i = 0; i < l->kernels.count; i++)
        if (!strcmp(l->kernels.data[i]->name, name))
            return l->kernels.data[i];
    struct kernel *k = calloc(1, sizeof *k);
    if (!k || !(k->name = strdup(name)))
        abort();
    k->library = l;
    k->host_function = host_function;
    k->max_dynamic_shared = k->preferred_carveout = -1;
    *LIST_PUSH(&l->kernels) = k;
    return k;
}

static struct kernel *find_kernel(const void *handle)
{
    if (handle == last_handle)
        return last_kernel;
    for (struct library *l = libraries; l; l = l->next)
        for (int i = 0; i < l->kernels.count; i++) {
            struct kernel *k = l->kernels.data[i];
            if (k == handle || (k->host_function && k->host_function == handle)) {
                last_handle = handle;
                return last_kernel = k;
            }
        }
    return NULL;
}

struct kernel *library_kernel_of(const struct function *f)
{
    for (struct library *l = libraries; l; l = l->next)
        for (int i = 0; i < l->kernels.count; i++) {
            struct kernel *k = l->kernels.data[i];
            for (int d = 0; d < MAX_DEVICES; d++)
                if (l->on[d].image == f->image && !strcmp(k->name, f->name)) {
                    k->function = (struct function *)f;
                    return k;
                }
        }
    return NULL;
}

cudaError_t kernel_find(const void *handle, struct kernel **out)
{
    *out = handle ? find_kernel(handle) : NULL;
    return *out     ? cudaSuccess
           : handle ? cudaErrorInvalidResourceHandle
                    : cudaErrorInvalidDeviceFunction;
}

cudaError_t kernel_resolve(const void *handle, struct kernel **out)
{
    struct kernel *k;
    cudaError_t found = kernel_find(handle, &k);
    if (found)
        return found;
    struct function **f = &k->functions[device_now()];
    if (!*f) {
        cudaError_t e = library_ensure(k->library);
        if (e)
            return e;
        *f = image_function(library_here(k->library)->image, k->name);
        if (!*f || !(*f)->is_entry || !(*f)->entry) {
            *f = NULL;
            return cudaErrorInvalidDeviceFunction;
        }
    }
    k->function = *f;
    *out = k;
    return cudaSuccess;
}

cudaError_t library_find_variable(struct library *l, const char *name, uint64_t *address, size_t *bytes,
                                  bool managed)
{
    cudaError_t e = library_ensure(l);
    if (e)
        return e;
    struct image_variable *v = image_variable(library_here(l)->image, name);
    if (!v || v->space == SPACE_SHARED || (managed && !v->managed))
        return cudaErrorSymbolNotFound;
    *address = v->address;
    *bytes = v->bytes;
    return cudaSuccess;
}

cudaError_t symbol_resolve(const void *host, uint64_t *address, size_t *bytes)
{
    for (struct library *l = libraries; l && host; l = l->next)
        for (int i = 0; i < l->symbols.count; i++) {
            const struct symbol *s = &l->symbols.data[i];
            if (s->host != host && !(s->managed && *s->managed == host))
                continue;
            cudaError_t e = library_find_variable(l, s->name, address, bytes, false);
            return e == cudaErrorSymbolNotFound ? cudaErrorInvalidSymbol : e;
        }
    return cudaErrorInvalidSymbol;
}
