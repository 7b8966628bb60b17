/**
 * @file seccomp.c
 * System calls that no run needs and an attack would: looking into other processes, kernel
 * interfaces with a history, new namespaces, the network. See sandbox.h.
 *
 * A list of what is forbidden, not of what is allowed: the CUDA runtime's needs are not ours to
 * know. The namespaces and Landlock are what contains; this narrows the kernel's surface.
 */
#include <errno.h>
#include <linux/filter.h>
#include <seccomp.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox/sandbox.h"

static const char *const forbidden[] = {
    "ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "process_madvise",
    "mount", "umount2", "pivot_root", "chroot", "fsopen", "fsmount", "fsconfig", "move_mount",
    "open_tree", "mount_setattr", "unshare", "setns",
    "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter",
    "io_uring_register", "keyctl", "add_key", "request_key",
    "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot",
    "swapon", "swapoff", "acct", "quotactl", "syslog", "nfsservctl", "lookup_dcookie",
    "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "iopl", "ioperm", "modify_ldt",
    "personality", "vhangup", "sethostname", "setdomainname", "mknod", "mknodat",
    "open_by_handle_at", "name_to_handle_at", "fanotify_init",
    "shmget", "shmat", "msgget", "semget", "mq_open", /* they outlive a process */
};

static bool add_rules(scmp_filter_ctx ctx)
{
    bool ok = true;
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++) {
        int nr = seccomp_syscall_resolve_name(forbidden[i]);
        if (nr != __NR_SCMP_ERROR)
            ok &= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), nr, 0) == 0;
    }
    /* New user namespaces by clone(); clone3's flags cannot be seen, so glibc must fall back. */
    ok &= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                           SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER)) == 0;
    ok &= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
    /* Local sockets only (they do no harm without a peer); pushing input into a terminal. */
    ok &= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socket), 1,
                           SCMP_A0(SCMP_CMP_NE, AF_UNIX)) == 0;
    ok &= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                           SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, 0x5412 /* TIOCSTI */)) == 0;
    return ok;
}

static int new_file(void)
{
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
    int fd = memfd_create("seccomp", MFD_CLOEXEC);
    bool ok = ctx && fd >= 0 && add_rules(ctx) && seccomp_export_bpf(ctx, fd) == 0 &&
              lseek(fd, 0, SEEK_SET) == 0;
    if (ctx)
        seccomp_release(ctx);
    if (!ok && fd >= 0)
        close(fd);
    return ok ? fd : -1;
}

const struct sock_fprog *seccomp_filter(void)
{
    static struct sock_filter code[4096];
    static struct sock_fprog program = {0, code};
    if (program.len)
        return &program;
    int fd = new_file();
    ssize_t n = fd >= 0 ? read(fd, code, sizeof code) : 0;
    if (fd >= 0)
        close(fd);
    program.len = n > 0 ? (unsigned short)((size_t)n / sizeof code[0]) : 0;
    return program.len ? &program : NULL;
}

int seccomp_file(void)
{
    const struct sock_fprog *p = seccomp_filter();
    int fd = p ? memfd_create("seccomp", MFD_CLOEXEC) : -1;
    size_t size = p ? p->len * sizeof *p->filter : 0;
    if (fd >= 0 && (write(fd, p->filter, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET))) {
        close(fd);
        fd = -1;
    }
    return fd;
}
