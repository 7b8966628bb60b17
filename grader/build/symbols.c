/**
 * @file symbols.c
 * What a student's object may call, and what it may be called by.
 *
 * In a host-code lab the student's functions share a process with the harness and with softgpu, which
 * writes the findings. So they get no way to files, the environment, other processes or the loader, by
 * name; and of their own names only the lab's functions stay visible, so that an `fopen` of theirs is
 * called by nobody else. What this leaves open is in docs/sandbox.md.
 */
#include <stdlib.h>
#include <string.h>

#include "build/compile.h"

/* Without leading underscores, without "64" or "_chk" at the end. */
static const char *const forbidden[] = {
    /* files */
    "open", "openat", "creat", "fopen", "fdopen", "freopen", "popen", "tmpfile", "mkstemp",
    "mkostemp", "truncate", "ftruncate", "unlink", "unlinkat", "remove", "rename", "renameat",
    "renameat2", "link", "symlink", "chmod", "fchmod", "mkdir", "rmdir", "opendir", "fdopendir",
    "scandir", "glob", "dup", "dup2", "dup3", "pipe", "pipe2", "fcntl", "write", "writev", "pwrite",
    "pwritev", "read", "readv", "pread", "lseek", "sendfile", "copy_file_range", "splice", "ioctl",
    "close", "close_range", "closefrom", "socket", "shm_open", "memfd_create", "fmemopen",
    "fcloseall", "chdir", "fchdir",
    /* memory that is not its own */
    "mmap", "munmap", "mremap", "mprotect", "pkey_mprotect", "process_vm_readv",
    "process_vm_writev",
    /* environment, loader */
    "getenv", "secure_getenv", "setenv", "putenv", "unsetenv", "clearenv", "environ", "getauxval",
    "libc_stack_end", "dlopen", "dlmopen", "dlsym", "dlvsym", "dlinfo", "dladdr", "dladdr1",
    "dl_iterate_phdr", "dl_argv",
    /* processes, signals */
    "system", "execl", "execle", "execlp", "execv", "execve", "execvp", "execvpe", "fexecve",
    "posix_spawn", "posix_spawnp", "fork", "vfork", "clone", "daemon", "ptrace", "kill", "killpg",
    "tgkill", "signal", "sigaction", "sigprocmask", "pthread_kill", "prctl", "arch_prctl",
    "syscall", "setrlimit", "prlimit", "exit_group", "Exit", "quick_exit", "at_quick_exit",
    "on_exit", "longjmp", "main"};
/* Whole families: the harness's own, softgpu's, C++ files. */
static const char *const prefixes[] = {"harness_", "result_",  "timing_",
                                       "buffers_", "softgpu_", "json_"};
static const char *const parts[] = {"_filebuf", "fstream", "filesystem"};

static bool is_forbidden(const char *symbol)
{
    const char *name = symbol + strspn(symbol, "_");
    size_t len = strlen(name);
    if (!strcmp(symbol, "_exit"))
        return true;
    if (len > 4 && !strcmp(name + len - 4, "_chk"))
        len -= 4;
    if (len > 2 && !strncmp(name + len - 2, "64", 2))
        len -= 2;
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
        if (strlen(forbidden[i]) == len && !strncmp(name, forbidden[i], len))
            return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
            return true;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strncmp(symbol, "_Z", 2) && strstr(symbol, parts[i]))
            return true;
    return false;
}

/** Makes every symbol but the lab's functions local, and the kernels that the harness launches itself. */
static bool hide_others(const struct kit *k, const struct spec *s, const char *folder,
                        char **errors, const char *shown, struct trouble *t)
{
    char **argv = text_zalloc(2 * ((size_t)s->functions_count + s->kernels_count) + 4, sizeof *argv);
    struct child c = {0};
    int n = 0;
    argv[n++] = (char *)"/usr/bin/objcopy";
    for (unsigned i = 0; i < s->functions_count; i++) {
        argv[n++] = (char *)"-G";
        argv[n++] = s->functions[i].name;
    }
    for (unsigned i = 0; i < s->kernels_count; i++) {
        argv[n++] = (char *)"-G";
        argv[n++] = s->kernels[i].name;
    }
    argv[n] = (char *)"kernel.o";
    bool ok = compile_step(&c, k, argv, folder, NULL, t);
    if (!ok && c.end != CHILD_NOT_STARTED)
        *errors = compile_failure(&c, "", shown);
    child_clear(&c);
    free(argv);
    return ok;
}

bool compile_confine_object(const struct kit *k, const struct spec *s, const char *folder,
                            const char *shown, char **errors, struct trouble *t)
{
    /* Plugins would be asked what they make of it, and LLVM's takes 30 ms to load. The linker takes none either. */
    char *argv[] = {"/usr/bin/nm", "--plugin=", "-u", "-P", "kernel.o", NULL};
    struct child c = {0};
    if (!hide_others(k, s, folder, errors, shown, t))
        return false;
    bool ok = compile_step(&c, k, argv, folder, NULL, t);
    if (!ok && c.end != CHILD_NOT_STARTED)
        *errors = compile_failure(&c, "", shown);
    for (const char *line = text_str(&c.out); ok && *line;) {
        char *symbol = text_format("%.*s", (int)strcspn(line, " \n"), line);
        ok = !is_forbidden(symbol);
        if (!ok)
            *errors = text_format("%s: calls %s, which a submission's host code may not "
                                  "(docs/sandbox.md says why)",
                                  shown, symbol);
        free(symbol);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    if (*errors)
        text_clean(*errors);
    child_clear(&c);
    return ok;
}
