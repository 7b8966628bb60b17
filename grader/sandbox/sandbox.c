/**
 * @file sandbox.c
 * Choosing a level and applying it; see sandbox.h.
 */
#include "sandbox/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <linux/filter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_WORDS 192
#define MAX_DEPTH 64
#define TMP_BYTES "67108864" /* of a run's own /tmp, and of its /dev/shm */
#define FIRST_UID 61184u      /* jobs' own users at level B: a range that systemd keeps free */

/** What the child's hook needs; made before fork, only read after it. */
struct confinement {
    struct sandbox_view view;
    const struct sock_fprog *filter;
    uid_t uid; /**< 0: stay */
    int file;  /**< seccomp program for bubblewrap, -1 if none */
};

static const char *bwrap = "/usr/bin/bwrap";
static char *deps; /**< packages that were unpacked into the kit; NULL: there are none */
static enum sandbox_level level = SANDBOX_D;
static bool own_users; /**< at level A: jobs are other users than root */

static const char *const names[] = {
    [SANDBOX_A] = "A: namespaces, seccomp, limits",
    [SANDBOX_B] = "B: own user, Landlock, seccomp, limits",
    [SANDBOX_C] = "C: Landlock, seccomp, limits",
    [SANDBOX_D] = "D: UNSANDBOXED, limits only",
};

const char *sandbox_name(void)
{
    static char *counted[SANDBOX_D + 1];
    if (!cgroup_folder())
        return names[level];
    if (!counted[level])
        counted[level] = text_format("%s by cgroup", names[level]);
    return counted[level];
}

static void add(char **words, int *count, const char *word)
{
    if (*count + 1 >= MAX_WORDS)
        abort();
    words[(*count)++] = text_dup(word);
}

/** NVIDIA's device files, and what its driver reads of the machine. */
static int add_gpu(char **words, int n)
{
    glob_t devices;
    add(words, &n, "--ro-bind-try");
    add(words, &n, "/sys");
    add(words, &n, "/sys");
    if (glob("/dev/nvidia*", 0, NULL, &devices) == 0)
        for (size_t i = 0; i < devices.gl_pathc && n < MAX_WORDS / 2; i++) {
            add(words, &n, "--dev-bind-try");
            add(words, &n, devices.gl_pathv[i]);
            add(words, &n, devices.gl_pathv[i]);
        }
    globfree(&devices);
    return n;
}

/** bubblewrap's command line before the child's own. */
static char **bwrap_argv(const struct sandbox_view *view, const struct child *c, int file)
{
    const char *const fixed[] = {
        bwrap, "--unshare-user", "--disable-userns", "--unshare-pid", "--unshare-net",
        "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--new-session",
        "--cap-drop", "ALL", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib",
        "--symlink", "usr/lib64", "/lib64", "--symlink", "usr/bin", "/bin",
        "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
        "--ro-bind-try", "/etc/alternatives", "/etc/alternatives",
        "--proc", "/proc", "--dev", "/dev", "--size", TMP_BYTES, "--tmpfs", "/dev/shm",
        "--size", TMP_BYTES, "--tmpfs", "/tmp"};
    char **words = text_zalloc(MAX_WORDS, sizeof *words);
    int n = 0;
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        add(words, &n, fixed[i]);
    for (int i = -1; i < SANDBOX_MAX_PATHS && (i < 0 || view->read[i]); i++) {
        const char *path = i < 0 ? deps : view->read[i];
        if (!path)
            continue;
        add(words, &n, "--ro-bind-try");
        add(words, &n, path);
        add(words, &n, path);
    }
    for (int i = 0; i < SANDBOX_MAX_PATHS && view->write[i]; i++) {
        add(words, &n, "--bind");
        add(words, &n, view->write[i]);
        add(words, &n, view->write[i]);
    }
    if (view->gpu)
        n = add_gpu(words, n);
    for (int i = 0; i < 2; i++) { /* what is memory, and has no size of its own */
        add(words, &n, "--remount-ro");
        add(words, &n, i ? "/" : "/dev");
    }
    if (c->folder) {
        add(words, &n, "--chdir");
        add(words, &n, c->folder);
    }
    char fd[16];
    snprintf(fd, sizeof fd, "%d", file);
    add(words, &n, "--seccomp");
    add(words, &n, fd);
    add(words, &n, "--");
    for (int i = 0; c->argv[i]; i++)
        add(words, &n, c->argv[i]);
    return words;
}

/** Another user than root, whose limit on processes holds for a job alone. */
static bool become_user(uid_t uid)
{
    return !uid || (setgroups(0, NULL) == 0 && setresgid(uid, uid, uid) == 0 && setresuid(uid, uid, uid) == 0);
}

/** In the child. Whatever cannot be applied ends it: a run is never less confined than recorded. */
static void confine(void *ctx)
{
    const struct confinement *f = ctx;
    bool ok = f->file >= 0 || landlock_restrict(&f->view); /* bubblewrap needs the mounts */
    ok = ok && become_user(f->uid);
    ok = ok && prctl(PR_SET_PDEATHSIG, 9) == 0; /* changing the user clears it */
    ok = ok && f->filter && (f->file >= 0 || seccomp_apply(f->filter));
    if (!ok)
        _exit(126);
}

/** Gives a folder and what earlier jobs left in it (the compiler's files are the linker's input) to a user.
 *  Links are not followed. */
static bool give(int parent, const char *name, uid_t uid, int depth)
{
    if (fchownat(parent, name, uid, uid, AT_SYMLINK_NOFOLLOW) || depth > MAX_DEPTH)
        return false;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    bool ok = fd < 0 || dir;
    for (struct dirent *e; dir && ok && (e = readdir(dir));)
        ok = !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") || give(dirfd(dir), e->d_name, uid, depth + 1);
    if (dir)
        closedir(dir);
    return ok;
}

/** A user for the next job, so that jobs at the same time cannot signal each other. */
static uid_t next_uid(void)
{
    static unsigned n;
    return FIRST_UID + (getpid() * 7u + n++) % 4096u;
}

/** The level at which a child runs: the kit's own code needs no namespaces, which are half of what a short run takes. */
static enum sandbox_level level_of(const struct sandbox_view *view)
{
    if (level != SANDBOX_A || !view->own || view->gpu || !landlock_abi())
        return level;
    return own_users ? SANDBOX_B : SANDBOX_C;
}

void sandbox_enter(struct sandboxed *s, const struct sandbox_view *view, struct child *c)
{
    enum sandbox_level its = level_of(view);
    unsigned kind = (its != SANDBOX_A ? SECCOMP_SHARED : 0) | (view->untrusted ? SECCOMP_NO_MEMORY_FILES : 0);
    *s = (struct sandboxed){0};
    c->keep_fd = -1;
    if (its == SANDBOX_D)
        return;
    struct confinement *f = s->confinement = text_zalloc(1, sizeof *f);
    *f = (struct confinement){.view = *view, .filter = seccomp_filter(kind), .file = -1};
    c->confine = confine;
    c->confine_ctx = f;
    if (its == SANDBOX_B || (its == SANDBOX_A && own_users))
        f->uid = next_uid();
    for (int i = 0; f->uid && i < SANDBOX_MAX_PATHS && view->write[i]; i++)
        if (!give(AT_FDCWD, view->write[i], f->uid, 0))
            f->filter = NULL; /* makes the child's hook fail */
    if (its == SANDBOX_A) {
        f->file = seccomp_file(kind);
        s->argv = bwrap_argv(view, c, f->file);
        c->argv = s->argv;
        c->folder = NULL; /* bubblewrap goes there */
        c->keep_fd = f->file;
        c->relayed = true;
    }
}

void sandbox_leave(struct sandboxed *s)
{
    for (int i = 0; s->argv && s->argv[i]; i++)
        free(s->argv[i]);
    free(s->argv);
    if (s->confinement && s->confinement->file >= 0)
        close(s->confinement->file);
    free(s->confinement);
    *s = (struct sandboxed){0};
}

/** Tries the present level with a folder where runs will have theirs, and a file as the grader writes them:
 *  a user of a job's own, say, may not reach a kit that lies in root's home. */
static bool works(const char *runs)
{
    char *folder = text_format("%s/probe.XXXXXX", runs);
    if (!mkdtemp(folder)) {
        free(folder);
        return false;
    }
    char *file = text_format("%s.file", folder);
    text_write_file(file, "", 0);
    char *argv[] = {"/bin/sh", "-c", ": >\"$0/x\" && : <\"$0.file\" && ! ls /root /home >/dev/null 2>&1",
                    folder, NULL};
    char *env[] = {"PATH=/usr/bin:/bin", NULL};
    struct child c = {.argv = argv, .env = env, .folder = folder,
                      .limits = {10, 10, 512, 1024, 16, 16, 0}};
    struct sandbox_view view = {.read = {file}, .write = {folder}};
    struct sandboxed s;
    sandbox_enter(&s, &view, &c);
    child_run(&c);
    bool ok = c.end == CHILD_EXITED && c.code == 0;
    sandbox_leave(&s);
    child_clear(&c);
    text_remove_tree(folder);
    text_remove_tree(file);
    free(folder);
    free(file);
    return ok;
}

/** The same at level A for root, first with jobs that are other users. */
static bool level_works(const char *runs)
{
    own_users = level == SANDBOX_A && geteuid() == 0;
    if (works(runs))
        return true;
    bool retry = own_users;
    own_users = false;
    return retry && works(runs);
}

static bool possible(enum sandbox_level l)
{
    bool filters = seccomp_filter(SECCOMP_SHARED) != NULL;
    switch (l) {
    case SANDBOX_A:
        return access(bwrap, X_OK) == 0 && filters;
    case SANDBOX_B:
        return geteuid() == 0 && landlock_abi() && filters;
    case SANDBOX_C:
        return landlock_abi() && filters;
    case SANDBOX_D:
        return true;
    }
    return false;
}

void sandbox_take_deps(const char *folder)
{
    char *own = text_format("%s/usr/bin/bwrap", folder);
    if (access(folder, X_OK) != 0) {
        free(own);
        return;
    }
    deps = text_dup(folder);
    if (access(bwrap, X_OK) != 0)
        bwrap = own;
    else
        free(own);
}

const char *sandbox_deps(void)
{
    return deps;
}

bool sandbox_open(const char *runs, char only, char required, struct trouble *t)
{
    text_make_dirs(runs); /* where that fails, the grade will say so */
    cgroup_open(NULL, NULL, CGROUP_CONTROLLERS);
    int first = only ? only - 'A' : SANDBOX_A, last = only ? only - 'A' : SANDBOX_D;
    for (int l = first; l <= last; l++) {
        level = (enum sandbox_level)l;
        if (!possible(level) || (level != SANDBOX_D && !level_works(runs)))
            continue;
        if (!required || l <= required - 'A')
            return true;
        trouble_set(t, "the sandbox is only at level %s, but %c is required", sandbox_name(),
                    required);
        trouble_todo(t, "install bubblewrap and allow user namespaces");
        return false;
    }
    trouble_set(t, "sandbox level %c does not work here", only);
    trouble_todo(t, "docs/sandbox.md says what each level needs");
    return false;
}
