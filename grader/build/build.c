/**
 * @file build.c
 * Collecting what a lab's runs need; see build.h. The reference is kept under build/reference by the
 * hash of all that it is made from.
 */
#include "build/build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build/entries.h"

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
    *hash = text_hash_file(path, MAX_BINARY);
    return *hash != 0;
}

/** Compiles a text in a folder of the scratch to what a run of this lab takes. */
static char *compile(const struct build *b, const struct kit *k, const struct spec *s,
                     const char *text, const char *shown, const char *folder, char **errors,
                     struct trouble *t)
{
    if (s->code == SPEC_DEVICE)
        return compile_kernel(k, s->arch, text, shown, folder, errors, t);
    char *common = text_format("%s/lib/libharness.a", k->build);
    char *library = text_format("%s/lib/libcudart.so.13", k->build);
    const struct program_parts parts = {s, b->harness, common, library};
    char *program = text ? compile_program(k, &parts, text, shown, folder, errors, t)
                         : link_program(k, &parts, shown, "the reference", folder, errors, t);
    free(common);
    free(library);
    return program;
}

/** Makes the reference from its source, or in a host-code lab from the shipped object, and keeps it. */
static bool make_reference(struct build *b, const struct kit *k, const struct spec *s,
                           const char *text, const char *object, const char *scratch,
                           struct trouble *t)
{
    char *errors = NULL, *folder = text_format("%s/reference", scratch);
    char *kept = text_format("%s/reference", k->build), *data = NULL;
    const char *why;
    size_t len = 0;
    char *made = compile(b, k, s, text, text ? "the reference" : object, folder, &errors, t);
    bool ok = made && text_make_dirs(kept);
    if (ok) {
        data = text_read_file(made, MAX_BINARY, &len, &why);
        ok = data && text_write_file(b->reference, data, len) &&
             (s->code == SPEC_DEVICE || chmod(b->reference, 0755) == 0);
    }
    if (errors)
        trouble_set(t, "the reference does not compile: %s", errors);
    else if (!ok && !t->what[0])
        trouble_set(t, "cannot write to %s: %s", kept, strerror(errno));
    free(errors);
    free(folder);
    free(kept);
    free(made);
    free(data);
    return ok;
}

/** The reference: shipped (student bundle), kept from an earlier grade, or compiled now. */
static bool find_reference(struct build *b, const struct kit *k, const struct spec *s,
                           const char *lab, const char *scratch, struct trouble *t)
{
    bool host = s->code == SPEC_HOST;
    char *shipped = kit_path(k, "solutions/%s/reference.%s", lab, host ? "o" : "ptx");
    char *solution = kit_path(k, "solutions/%s/kernel.cu", lab);
    bool bundle = access(solution, F_OK) != 0 && hash_file(shipped, &b->reference_hash);
    bool ok = false;
    if (bundle && !host) {
        b->reference = shipped;
        free(solution);
        return true;
    }
    char *text = bundle ? NULL : read_or_trouble(solution, "the lab's solution", MAX_SOURCE, t);
    if (bundle || text) {
        if (text)
            b->reference_hash = text_hash(TEXT_HASH_START, text, strlen(text));
        uint64_t h = text_hash(b->reference_hash, s->arch, strlen(s->arch));
        h = text_hash(h, b->nvcc_version, strlen(b->nvcc_version));
        if (host) {
            h = text_hash(h, &b->harness_hash, sizeof b->harness_hash);
            h = text_hash(h, &b->common_hash, sizeof b->common_hash);
        }
        b->reference = text_format("%s/reference/%s-%016llx%s", k->build, lab,
                                   (unsigned long long)h, host ? "" : ".ptx");
        ok = access(b->reference, R_OK) == 0 ||
             make_reference(b, k, s, text, shipped, scratch, t);
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

/** What the harness launches must be in the PTX, as the reference has it. */
static char *wrong_entry(const struct spec *s, const struct build *b, const char *shown)
{
    const char *why;
    size_t len;
    char *ptx = text_read_file(b->student, MAX_PTX, &len, &why);
    char *reference = text_read_file(b->reference, MAX_PTX, &len, &why);
    char *message = ptx ? entries_check(s, ptx, reference, shown) : NULL;
    free(ptx);
    free(reference);
    return message;
}

static bool find_harness(struct build *b, const struct kit *k, const struct spec *s,
                         const char *lab, struct trouble *t)
{
    bool host = s->code == SPEC_HOST;
    char *name = kit_short_name(lab);
    char *softgpu = text_format("%s/%s", k->build, host ? "bin/softgpu" : "lib/libcudart.so.13");
    char *common = text_format("%s/lib/libharness.a", k->build);
    b->harness = text_format("%s/%s/harness%s", k->build, lab, host ? ".o" : "");
    b->own_library = text_format("%s/lib", k->build);
    b->library = text_format("%s/lib%s", k->build, host ? "/remote" : "");
    b->server = host ? text_dup(softgpu) : NULL;
    bool ok = hash_file(b->harness, &b->harness_hash) && hash_file(softgpu, &b->softgpu_hash) &&
              (!host || hash_file(common, &b->common_hash));
    if (!ok) {
        trouble_set(t, "%s is not built", name);
        trouble_todo(t, "run: make %s", name);
    }
    free(name);
    free(softgpu);
    free(common);
    return ok;
}

/** The program that cases with `places` ask about, as `make labNN` has built it. */
static bool find_original(struct build *b, const struct kit *k, const struct spec *s, const char *lab,
                          struct trouble *t)
{
    if (!spec_has_places(s))
        return true;
    char *name = kit_short_name(lab), *shown = text_format("labs/%s/original.cu", lab);
    char *path = kit_path(k, "%s", shown);
    b->original = text_format("%s/%s/original%s", k->build, lab, s->code == SPEC_HOST ? "" : ".ptx");
    b->original_source = read_or_trouble(path, shown, MAX_SOURCE, t);
    char *kept = text_format("%s/reference", k->build);
    b->kept_original = text_make_dirs(kept) ? text_format("%s/%s-original", kept, lab) : NULL;
    free(kept);
    if (b->original_source && !hash_file(b->original, &b->original_hash)) {
        trouble_set(t, "%s is not built: its original is missing", name);
        trouble_todo(t, "run: make %s", name);
    }
    free(name);
    free(shown);
    free(path);
    return b->original_source && !t->what[0];
}

bool build_find(struct build *b, const struct kit *k, const struct spec *s, const char *lab,
                const struct options *o, const char *scratch, struct trouble *t)
{
    *b = (struct build){0};
    if (!k->nvcc) {
        trouble_set(t, "no nvcc found, neither on PATH nor in /usr/local/cuda nor in the kit");
        trouble_todo(t, "run: make setup");
        return false;
    }
    if (!find_harness(b, k, s, lab, t))
        return false;
    char *path = student_path(b, k, lab, o);
    b->source = o->source ? text_dup(o->source) : read_or_trouble(path, b->file, MAX_SOURCE, t);
    free(path);
    if (!b->source)
        return false;
    b->source_hash = text_hash(TEXT_HASH_START, b->source, strlen(b->source));
    b->nvcc_version = compile_version(k);
    if (s->code == SPEC_HOST && strstr(b->nvcc_version, "nvrtc")) {
        trouble_set(t, "this lab has host code, and the compiler here (%s) takes kernels alone", k->nvcc);
        trouble_todo(t, "install gcc, g++ and make, then run: make setup");
        return false;
    }
    b->has_kits = find_reference(b, k, s, lab, scratch, &b->of_kits) && find_original(b, k, s, lab, &b->of_kits);
    return true;
}

bool build_make(struct build *b, const struct kit *k, const struct spec *s, const char *scratch, struct trouble *t)
{
    const char *base = strrchr(b->file, '/') ? strrchr(b->file, '/') + 1 : b->file;
    char *folder = text_format("%s/student", scratch);
    b->student = compile(b, k, s, b->source, base, folder, &b->compile_error, t);
    free(folder);
    if (b->compile_error)
        return true;
    if (b->student && !b->has_kits)
        *t = b->of_kits;
    if (!b->student || !b->has_kits)
        return false;
    if (s->code == SPEC_DEVICE)
        b->compile_error = wrong_entry(s, b, base);
    return true;
}

bool build_lab(struct build *b, const struct kit *k, const struct spec *s, const char *lab,
               const struct options *o, const char *scratch, struct trouble *t)
{
    return build_find(b, k, s, lab, o, scratch, t) && build_make(b, k, s, scratch, t);
}

void build_free(struct build *b)
{
    char *all[] = {b->source,  b->file,    b->student,      b->reference,
                   b->harness, b->library, b->nvcc_version, b->compile_error, b->server,
                   b->original, b->original_source, b->kept_original, b->own_library};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    *b = (struct build){0};
}
