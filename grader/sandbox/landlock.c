/**
 * @file landlock.c
 * Files that a process may touch, by Landlock; needs no privilege. See sandbox.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/sandbox.h"

/* Newer than the kernel's headers in Ubuntu 22.04 (the first) or Debian 12. */
#define ACCESS_REFER (1ULL << 13)
#define ACCESS_TRUNCATE (1ULL << 14)
#define ACCESS_IOCTL_DEV (1ULL << 15)

#define SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0)
#define SCOPE_SIGNAL (1ULL << 1)

struct ruleset {
    uint64_t files, net, scoped; /**< net since ABI 4, scoped since 6 */
};

#define READ_FILE (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE)
#define READ (READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define ALL_OF_ABI_1 ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)

int landlock_abi(void)
{
    long v = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return v > 0 ? (int)v : 0;
}

static bool allow(int ruleset, const char *path, uint64_t access)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = access};
    struct stat st;
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return errno == ENOENT;
    if (fstat(rule.parent_fd, &st) == 0 && !S_ISDIR(st.st_mode)) /* no folder rights on files */
        rule.allowed_access &= READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | ACCESS_TRUNCATE |
                               ACCESS_IOCTL_DEV;
    bool ok = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    close(rule.parent_fd);
    return ok;
}

/** The system's programs and libraries, and the harmless devices. */
static bool allow_system(int ruleset, uint64_t handled)
{
    static const char *const read[] = {"/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache",
                                       "/etc/alternatives", "/proc", "/sys/devices/system/cpu"};
    static const char *const write[] = {"/dev/null", "/dev/zero", "/dev/urandom"};
    bool ok = true;
    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++)
        ok = ok && allow(ruleset, read[i], READ);
    for (size_t i = 0; i < sizeof write / sizeof write[0]; i++)
        ok = ok && allow(ruleset, write[i], handled);
    return ok;
}

/** NVIDIA's devices by name: glob() is not for the time between fork and exec. */
static bool allow_gpu(int ruleset, uint64_t handled)
{
    static const char *const devices[] = {
        "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-caps",
        "/dev/nvidia0", "/dev/nvidia1", "/dev/nvidia2", "/dev/nvidia3",
        "/dev/nvidia4", "/dev/nvidia5", "/dev/nvidia6", "/dev/nvidia7"};
    bool ok = allow(ruleset, "/sys", READ);
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
        ok = ok && allow(ruleset, devices[i], handled);
    return ok;
}

bool landlock_restrict(const struct sandbox_view *view)
{
    int abi = landlock_abi();
    if (!abi)
        return false;
    uint64_t handled = ALL_OF_ABI_1 | (abi >= 2 ? ACCESS_REFER : 0) |
                       (abi >= 3 ? ACCESS_TRUNCATE : 0) | (abi >= 5 ? ACCESS_IOCTL_DEV : 0);
    struct ruleset attr = {.files = handled, .scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL};
    size_t size = abi >= 6 ? sizeof attr : sizeof attr.files;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
    if (ruleset < 0)
        return false;
    bool ok = allow_system(ruleset, handled) && (!view->gpu || allow_gpu(ruleset, handled));
    ok = ok && (!sandbox_deps() || allow(ruleset, sandbox_deps(), READ));
    for (int i = 0; ok && i < SANDBOX_MAX_PATHS && view->read[i]; i++)
        ok = allow(ruleset, view->read[i], READ);
    for (int i = 0; ok && i < SANDBOX_MAX_PATHS && view->write[i]; i++)
        ok = allow(ruleset, view->write[i], handled);
    ok = ok && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return ok;
}
