/**
 * @file program.c
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

static bool is_static_cuda(const struct image_file *f)
{
    const Elf64_Ehdr *h = at(f, 0, sizeof *h);
    if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    return has_section(f, h, ".nv_fatbin") && !contains(f, "libcudart.so.");
}

bool program_refuses(const char *path, char *why, size_t size)
{
    if (!strchr(path, '/'))
        return false; /* found through PATH when it is run */
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
    if (is_static_cuda(&f)) {
        snprintf(why, size,
                 "%s is linked with the static CUDA runtime, which cannot be replaced: build it "
                 "with nvcc -cudart shared",
                 path);
        refused = true;
    }
    munmap(map, f.size);
    return refused;
}

/* ---- Running ---- */

/** Puts the folder of softgpu's libcudart, ../lib from the command, first on the library path. */
static void set_library_path(void)
{
    char self[PATH_MAX], path[2 * PATH_MAX + 16];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        return;
    self[n] = '\0';
    const char *folder = dirname(dirname(self)), *before = getenv("LD_LIBRARY_PATH");
    snprintf(path, sizeof path, "%s/lib%s%s", folder, before && *before ? ":" : "",
             before ? before : "");
    setenv("LD_LIBRARY_PATH", path, 1);
}

static pid_t child;

static void forward(int signal_number)
{
    if (child > 0)
        kill(child, signal_number);
}

int program_run(const struct request *r)
{
    int status;
    set_library_path();
    child = fork();
    if (child < 0) {
        fprintf(stderr, "softgpu: cannot start a process: %s\n", strerror(errno));
        return EXIT_USAGE;
    }
    if (child == 0) {
        execvp(r->program[0], r->program);
        fprintf(stderr, "softgpu: cannot run %s: %s\n", r->program[0], strerror(errno));
        _exit(127);
    }
    signal(SIGINT, forward);
    signal(SIGTERM, forward);
    signal(SIGHUP, forward);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return EXIT_USAGE;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
