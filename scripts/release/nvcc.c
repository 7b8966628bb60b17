/*
 * nvcc for kernels alone, on machines without a C++ compiler: NVIDIA's NVRTC behind the part of nvcc's command line that
 * makes PTX.
 *
 *   nvcc -ptx [-lineinfo] [-arch=compute_NN] [-std=…] [-I…] [-D…] -o OUT IN
 *   nvcc --version
 *
 * It stands as bin/nvcc in a folder laid out as a toolkit is, with lib/libnvrtc.so.13, include/ and, in include/kernels,
 * the standard headers that a kernel may want (scripts/release/include). Host code it refuses: that takes gcc and the
 * whole nvcc.
 */
#include <dlfcn.h>
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_SOURCE (8 << 20)
#define MAX_OPTIONS 200

/* NVRTC's functions as its documentation has them, so that this builds without its header. */
struct program;
enum { SUCCESS = 0, COMPILATION_FAILED = 6 };
#define FUNCTIONS(F)                                                                                                   \
    F(nvrtcVersion, int, (int *major, int *minor))                                                                     \
    F(nvrtcCreateProgram, int, (struct program * *made, const char *source, const char *name, int headers,             \
                                const char *const *texts, const char *const *names))                                   \
    F(nvrtcCompileProgram, int, (struct program *, int count, const char *const *options))                             \
    F(nvrtcGetProgramLogSize, int, (struct program *, size_t *))                                                       \
    F(nvrtcGetProgramLog, int, (struct program *, char *))                                                             \
    F(nvrtcGetPTXSize, int, (struct program *, size_t *))                                                              \
    F(nvrtcGetPTX, int, (struct program *, char *))                                                                    \
    F(nvrtcGetErrorString, const char *, (int))
static struct {
#define MEMBER(name, type, parameters) type(*name) parameters;
    FUNCTIONS(MEMBER)
} rtc;

static int fail(const char *why, const char *what)
{
    fprintf(stderr, "nvcc fatal   : %s%s\n", why, what);
    return 1;
}

/* NVRTC looks for it by name alone; what is loaded already has that name. It is C++. The system's libstdc++ goes first:
 * the archive's may ask for a newer C library than is here, and is for systems without any. */
static void load_builtins(const char *home)
{
    static const char *const spare[] = {"libgcc_s.so.1", "libstdc++.so.6"};
    char path[PATH_MAX + 40];
    glob_t found = {0};
    snprintf(path, sizeof path, "%s/lib/libnvrtc-builtins.so.13.*", home);
    if (!glob(path, 0, NULL, &found) && !dlopen(found.gl_pathv[0], RTLD_NOW | RTLD_GLOBAL)) {
        for (int i = 0; i < 2; i++) {
            snprintf(path, sizeof path, "%s/lib/spare/%s", home, spare[i]);
            dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        }
        if (!dlopen(found.gl_pathv[0], RTLD_NOW | RTLD_GLOBAL))
            fprintf(stderr, "nvcc: %s\n", dlerror());
    }
    globfree(&found);
}

static bool load(const char *home)
{
    char path[PATH_MAX + 40];
    load_builtins(home);
    snprintf(path, sizeof path, "%s/lib/libnvrtc.so.13", home);
    void *library = dlopen(path, RTLD_NOW);
#define FIND(name, ...) *(void **)&rtc.name = library ? dlsym(library, #name) : NULL;
    FUNCTIONS(FIND)
#define FOUND(name, ...) &&rtc.name
    return library FUNCTIONS(FOUND);
}

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = f ? calloc(1, MAX_SOURCE + 1) : NULL;
    if (text && fread(text, 1, MAX_SOURCE + 1, f) > MAX_SOURCE)
        text = NULL;
    if (f)
        fclose(f);
    return text;
}

/* As nvcc's preprocessor calls what ends a compilation. */
static void print_log(char *log)
{
    for (char *at; (at = strstr(log, "catastrophic error"));) {
        fprintf(stderr, "%.*sfatal error", (int)(at - log), log);
        log = at + strlen("catastrophic error");
    }
    fputs(log, stderr);
}

static int compile(const char *in, const char *out, int count, const char *const *options)
{
    char *source = read_all(in), *name = strdup(in);
    struct program *program;
    size_t size = 0;
    if (!source || !name)
        return fail("cannot read ", in);
    if (rtc.nvrtcCreateProgram(&program, source, basename(name), 0, NULL, NULL))
        return fail("NVRTC does not take ", in);
    int result = rtc.nvrtcCompileProgram(program, count, options);
    rtc.nvrtcGetProgramLogSize(program, &size);
    char *log = calloc(1, size + 1);
    if (log && !rtc.nvrtcGetProgramLog(program, log))
        print_log(log);
    if (result == COMPILATION_FAILED)
        return 1;
    if (result != SUCCESS || rtc.nvrtcGetPTXSize(program, &size))
        return fail("NVRTC: ", rtc.nvrtcGetErrorString(result));
    char *ptx = calloc(1, size + 1);
    FILE *f = ptx && !rtc.nvrtcGetPTX(program, ptx) ? fopen(out, "wb") : NULL;
    bool written = f && fputs(ptx, f) >= 0;
    if (f && fclose(f))
        written = false;
    return written ? 0 : fail("cannot write ", out);
}

static int version(void)
{
    int major = 0, minor = 0;
    rtc.nvrtcVersion(&major, &minor);
    printf("nvcc: NVRTC, for kernels alone\nCuda compilation tools, release %d.%d, V%d.%d-nvrtc\n", major, minor, major, minor);
    return 0;
}

int main(int argc, char **argv)
{
    char home[PATH_MAX], folders[3][PATH_MAX + 40];
    static const char *const below[] = {"include/kernels", "include/cccl", "include"};
    const char *options[MAX_OPTIONS + 8] = {"-std=c++17"}, *in = NULL, *out = NULL;
    int count = 1;
    bool ptx = false;
    ssize_t length = readlink("/proc/self/exe", home, sizeof home - 1);
    home[length > 0 ? length : 0] = 0;
    for (int up = 0; up < 2; up++) /* BIN/nvcc, BIN */
        *(strrchr(home, '/') ? strrchr(home, '/') : home) = 0;
    if (length <= 0 || !load(home))
        return fail("no NVRTC of CUDA 13 in ", home);
    for (int i = 1; i < argc; i++) {
        char *a = argv[i];
        if (!strcmp(a, "--version"))
            return version();
        else if (!strcmp(a, "-o") && i + 1 < argc)
            out = argv[++i];
        else if (!strcmp(a, "-ptx"))
            ptx = true;
        else if (a[0] != '-' && !in)
            in = a;
        else if (count < MAX_OPTIONS && (!strcmp(a, "-lineinfo") || !strncmp(a, "-arch=compute_", 14) ||
                                         !strncmp(a, "-std=", 5) || !strncmp(a, "-I", 2) || !strncmp(a, "-D", 2)))
            options[count++] = a;
        else
            return fail("this compiler takes kernels alone, and not ", a);
    }
    if (!ptx || !in || !out)
        return fail("this compiler takes kernels alone: ", "nvcc -ptx -o OUT IN");
    for (int i = 0; i < 3; i++) {
        snprintf(folders[i], sizeof folders[i], "-I%s/%s", home, below[i]);
        options[count++] = folders[i];
    }
    return compile(in, out, count, options);
}
