/**
 * @file build.c
 * Collecting what a lab's runs need; see build.h. The reference's PTX is kept under
 * build/reference by the hash of source, compiler and architecture.
 */
#include "build/build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_SOURCE (1u << 20)
#define MAX_PTX (16u << 20)
#define MAX_BINARY (256u << 20)

static char *read_or_trouble(const char *path, const char *shown, size_t max, struct trouble *t)
{
    const char *why;
    size_t len;
    char *text = text_read_file(path, max, &len, &why);
    if (!text)
        trouble_set(t, "%s: %s", shown, why);
    return text;
}

static bool hash_file(const char *path, uint64_t *hash)
{
    const char *why;
    size_t len;
    char *data = text_read_file(path, MAX_BINARY, &len, &why);
    *hash = data ? text_hash(TEXT_HASH_START, data, len) : 0;
    free(data);
    return *hash != 0;
}

/** The reference's PTX: shipped (student bundle), kept from an earlier grade, or compiled now. */
static bool find_reference(struct build *b, const struct kit *k, const struct spec *s,
                           const char *lab, const char *scratch, struct trouble *t)
{
    char *shipped = kit_path(k, "solutions/%s/reference.ptx", lab);
    char *solution = kit_path(k, "solutions/%s/kernel.cu", lab);
    bool ok = false;
    if (access(solution, F_OK) != 0 && hash_file(shipped, &b->reference_hash)) {
        b->reference_ptx = shipped;
        free(solution);
        return true;
    }
    char *text = read_or_trouble(solution, "the lab's solution", MAX_SOURCE, t);
    if (text) {
        uint64_t h = text_hash(TEXT_HASH_START, text, strlen(text));
        h = text_hash(h, s->arch, strlen(s->arch));
        h = text_hash(h, b->nvcc_version, strlen(b->nvcc_version));
        b->reference_hash = text_hash(TEXT_HASH_START, text, strlen(text));
        b->reference_ptx = text_format("%s/reference/%s-%016llx.ptx", k->build, lab,
                                       (unsigned long long)h);
        ok = access(b->reference_ptx, R_OK) == 0;
    }
    if (text && !ok) {
        char *errors = NULL, *folder = text_format("%s/reference", scratch);
        char *kept = text_format("%s/reference", k->build);
        char *ptx = compile_kernel(k, s->arch, text, "the reference", folder, &errors, t);
        char *data = ptx ? read_or_trouble(ptx, "the reference's PTX", MAX_PTX, t) : NULL;
        ok = data && text_make_dirs(kept) &&
             text_write_file(b->reference_ptx, data, strlen(data));
        if (errors)
            trouble_set(t, "the reference does not compile: %s", errors);
        else if (!ok)
            trouble_set(t, "cannot write to %s: %s", kept, strerror(errno));
        free(errors);
        free(folder);
        free(kept);
        free(ptx);
        free(data);
    }
    free(text);
    free(shipped);
    free(solution);
    return ok;
}

/** Which file is graded: --file, --solution or the lab's own. */
static char *student_path(struct build *b, const struct kit *k, const char *lab,
                          const struct options *o)
{
    if (o->file) {
        b->file = text_dup(o->file);
        return text_dup(o->file);
    }
    b->file = text_format("%s/%s/kernel.cu", o->solution ? "solutions" : "labs", lab);
    return kit_path(k, "%s", b->file);
}

/** A kernel that the harness launches must be in the PTX. */
static char *missing_entry(const struct spec *s, const char *ptx_path, const char *shown)
{
    const char *why;
    size_t len;
    char *ptx = text_read_file(ptx_path, MAX_PTX, &len, &why), *message = NULL;
    for (unsigned i = 0; ptx && !message && i < s->kernels_count; i++) {
        char *entry = text_format(".entry %s(", s->kernels[i].name);
        if (!strstr(ptx, entry))
            message = text_format("%s: defines no kernel %s; it must have\n    "
                                  "extern \"C\" __global__ %s",
                                  shown, s->kernels[i].name, s->kernels[i].signature);
        free(entry);
    }
    free(ptx);
    return message;
}

/** The folder of the toolkit's own libcudart.so.13; NULL if it is not there. */
static char *toolkit_library(const struct kit *k)
{
    static const char *const places[] = {"lib64", "targets/x86_64-linux/lib", "lib"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char *folder = text_format("%.*s/../%s", (int)(strrchr(k->nvcc, '/') - k->nvcc), k->nvcc,
                                   places[i]);
        char *file = text_format("%s/libcudart.so.13", folder);
        bool there = access(file, R_OK) == 0;
        free(file);
        if (there)
            return folder;
        free(folder);
    }
    return NULL;
}

/** --device gpu: the real runtime in softgpu's place. */
static bool choose_gpu(struct build *b, const struct kit *k, struct trouble *t)
{
    if (access("/dev/nvidiactl", F_OK)) {
        trouble_set(t, "there is no NVIDIA GPU here");
        trouble_todo(t, "leave --device gpu out: softgpu judges without one");
        return false;
    }
    free(b->library);
    b->library = toolkit_library(k);
    b->softgpu_hash = 0;
    return b->library || trouble_set(t, "the toolkit of %s has no libcudart.so.13", k->nvcc);
}

static bool find_harness(struct build *b, const struct kit *k, const char *lab, struct trouble *t)
{
    char *name = kit_short_name(lab), *softgpu = text_format("%s/lib/libcudart.so.13", k->build);
    b->harness = text_format("%s/%s/harness", k->build, lab);
    b->library = text_format("%s/lib", k->build);
    bool ok = hash_file(b->harness, &b->harness_hash) && hash_file(softgpu, &b->softgpu_hash);
    if (!ok) {
        trouble_set(t, "%s is not built", name);
        trouble_todo(t, "run: make %s", name);
    }
    free(name);
    free(softgpu);
    return ok;
}

bool build_lab(struct build *b, const struct kit *k, const struct spec *s, const char *lab,
               const struct options *o, const char *scratch, struct trouble *t)
{
    *b = (struct build){0};
    if (!k->nvcc) {
        trouble_set(t, "no nvcc found, neither on PATH nor in /usr/local/cuda nor in the kit");
        trouble_todo(t, "run: make setup");
        return false;
    }
    if (!find_harness(b, k, lab, t) || (o->device == DEVICE_GPU && !choose_gpu(b, k, t)))
        return false;
    char *path = student_path(b, k, lab, o);
    b->source = o->source ? text_dup(o->source) : read_or_trouble(path, b->file, MAX_SOURCE, t);
    free(path);
    if (!b->source)
        return false;
    b->source_hash = text_hash(TEXT_HASH_START, b->source, strlen(b->source));
    b->nvcc_version = compile_version(k);
    const char *base = strrchr(b->file, '/') ? strrchr(b->file, '/') + 1 : b->file;
    char *folder = text_format("%s/student", scratch);
    b->student_ptx = compile_kernel(k, s->arch, b->source, base, folder, &b->compile_error, t);
    if (b->student_ptx)
        b->compile_error = missing_entry(s, b->student_ptx, base);
    free(folder);
    if (b->compile_error)
        return true;
    return b->student_ptx && find_reference(b, k, s, lab, scratch, t);
}

void build_free(struct build *b)
{
    char *all[] = {b->source,  b->file,    b->student_ptx,  b->reference_ptx,
                   b->harness, b->library, b->nvcc_version, b->compile_error};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    *b = (struct build){0};
}
