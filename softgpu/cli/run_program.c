/**
 * @file run_program.c
 * The program: can it run on softgpu, and running it.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"

/* ---- Is it linked with the shared runtime? ---- */

struct image_file {
    const uint8_t *bytes;
    size_t size;
};

static const void *at(const struct image_file *f, uint64_t offset, uint64_t bytes)
{
    return offset <= f->size && bytes <= f->size - offset ? f->bytes + offset : NULL;
}

static bool contains(const struct image_file *f, const char *text)
{
    return memmem(f->bytes, f->size, text, strlen(text)) != NULL;
}

/** Has the file a section of this name? */
static bool has_section(const struct image_file *f, const Elf64_Ehdr *h, const char *name)
{
    const Elf64_Shdr *sections = at(f, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr));
    if (!sections || h->e_shstrndx >= h->e_shnum)
        return false;
    const Elf64_Shdr *strings = &sections[h->e_shstrndx];
    for (int i = 0; i < h->e_shnum; i++) {
        const char *n = at(f, strings->sh_offset + sections[i].sh_name, strlen(name) + 1);
        if (n && !strcmp(n, name))
            return true;
    }
    return false;
}

/** Has it the CUDA runtime in itself? `*replaceable`: with the names of its functions, so that ours can take their
 *  place (libaudit/). */
static bool is_static_cuda(const struct image_file *f, bool *replaceable)
{
    const Elf64_Ehdr *h = at(f, 0, sizeof *h);
    if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    *replaceable = h->e_machine == EM_X86_64 && has_section(f, h, ".symtab");
    return has_section(f, h, ".nv_fatbin") && !contains(f, "libcudart.so.");
}

static bool is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/** Where execvp() will find `name`; false if nowhere, which is for execvp() to say. */
static bool find_in_path(const char *name, char *out, size_t size)
{
    const char *at = getenv("PATH");
    while (at && *at) {
        size_t len = strcspn(at, ":");
        int n = snprintf(out, size, "%.*s/%s", (int)len, at, name);
        if (len && n > 0 && (size_t)n < size && is_program(out))
            return true;
        at += len + (at[len] == ':');
    }
    return false;
}

void program_find(struct request *r)
{
    static char here[PATH_MAX];
    const char *name = r->program[0];
    if (strchr(name, '/') || find_in_path(name, here, sizeof here))
        return;
    int n = snprintf(here, sizeof here, "./%s", name);
    if (n > 0 && (size_t)n < sizeof here && is_program(here))
        r->program[0] = here;
}

/** The program that was looked at takes the CUDA runtime from no shared library, of which the path would decide which, or asks NVRTC, perhaps for machine code. */
static bool audited = true;

bool program_refuses(const char *path, char *why, size_t size)
{
    char found[PATH_MAX];
    if (!strchr(path, '/')) {
        if (!find_in_path(path, found, sizeof found))
            return false;
        path = found;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) {
        snprintf(why, size, "cannot open %s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return true;
    }
    bool refused = false;
    void *map = st.st_size > 0 ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                               : MAP_FAILED;
    close(fd);
    if (map == MAP_FAILED)
        return false;
    struct image_file f = {map, (size_t)st.st_size};
    bool replaceable;
    audited = !contains(&f, "libcudart.so.") || contains(&f, "libnvrtc.so");
    if (is_static_cuda(&f, &replaceable) && !replaceable) {
        snprintf(why, size,
                 "%s is linked with the static CUDA runtime and stripped, so that it cannot be replaced: build it "
                 "with nvcc -cudart shared",
                 path);
        refused = true;
    }
    munmap(map, f.size);
    return refused;
}

/* ---- Running ---- */

/** A variable that is a list with colons gets one more element. */
static void add_to_list(const char *variable, const char *value)
{
    char list[2 * PATH_MAX + 64];
    const char *before = getenv(variable);
    bool had = before && *before;
    int n = snprintf(list, sizeof list, "%s%s%s", had ? before : "", had ? ":" : "", value);
    if (n > 0 && (size_t)n < sizeof list)
        setenv(variable, list, 1);
}

void program_library_path(const char *below)
{
    char self[PATH_MAX], path[2 * PATH_MAX + 32];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        return;
    self[n] = '\0';
    const char *folder = dirname(dirname(self)), *before = getenv("LD_LIBRARY_PATH");
    snprintf(path, sizeof path, "%s/lib%s%s%s", folder, below, before && *before ? ":" : "",
             before ? before : "");
    setenv("LD_LIBRARY_PATH", path, 1);
    if (audited) {
        snprintf(path, sizeof path, "%s/lib%s/libsoftgpu_audit.so", folder, below);
        add_to_list("LD_AUDIT", path);
        if (*below) /* where thread-local state is static, and the library comes late */
            add_to_list("GLIBC_TUNABLES", "glibc.rtld.optional_static_tls=0x20000");
        setenv("CUPY_COMPILE_WITH_PTX", "1", 0); /* CuPy would ask NVRTC for machine code */
        setenv("TILELANG_EXECUTION_BACKEND", "nvrtc", 0); /* TileLang would ask nvcc for it; NVRTC's is had as PTX */
        snprintf(path, sizeof path, "%s/lib/triton_ptxas", folder); /* as Triton would ask ptxas */
        setenv("TRITON_PTXAS_PATH", path, 0);
        setenv("TRITON_PTXAS_BLACKWELL_PATH", path, 0); /* for compute capability 9.0 and up */
    }
}

static volatile sig_atomic_t child;

/** Passes a signal on. A terminal's Ctrl-C reaches the program by itself: it is in our group. */
static void forward(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    if (child > 0 && info->si_code != SI_KERNEL)
        kill((pid_t)child, signal_number);
}

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
#define FORWARDED (sizeof forwarded / sizeof forwarded[0])

/** In the child: what the signals did before, then the program. */
static _Noreturn void become(char **program, const struct sigaction *before, const sigset_t *mask)
{
    for (size_t i = 0; i < FORWARDED; i++)
        sigaction(forwarded[i], &before[i], NULL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(program[0], program);
    fprintf(stderr, "softgpu: cannot run %s: %s\n", program[0], strerror(errno));
    _exit(EXIT_USAGE);
}

int program_run(const struct request *r)
{
    int status;
    struct sigaction pass = {.sa_sigaction = forward, .sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigaction before[FORWARDED];
    sigset_t held, mask;
    program_library_path(r->remote ? "/remote" : "");
    sigemptyset(&held);
    for (size_t i = 0; i < FORWARDED; i++) {
        sigaction(forwarded[i], &pass, &before[i]);
        sigaddset(&held, forwarded[i]);
    }
    sigprocmask(SIG_BLOCK, &held, &mask); /* until there is someone to pass them on to */
    pid_t pid = fork();
    if (pid < 0) {
        fprintf(stderr, "softgpu: cannot start a process: %s\n", strerror(errno));
        return EXIT_USAGE;
    }
    if (pid == 0)
        become(r->program, before, &mask);
    child = pid;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return EXIT_USAGE;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
