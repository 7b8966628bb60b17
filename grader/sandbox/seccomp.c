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
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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

/* By a process's id as first argument: signals, of which a program needs those to itself; and what acts on the
 * caller where that is 0. */
static const char *const signals[] = {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"};
static const char *const on_zero[] = {"prlimit64",      "sched_setaffinity", "sched_setscheduler",
                                      "sched_setparam", "sched_setattr",     "migrate_pages",
                                      "move_pages"};
static const char *const shared[] = {"tkill", "pidfd_send_signal", "pidfd_open", "setpriority", "ioprio_set",
                                     "socket", "connect", "bind", "listen"};

static bool refuse(scmp_filter_ctx ctx, const char *call)
{
    int nr = seccomp_syscall_resolve_name(call);
    return nr == __NR_SCMP_ERROR || seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), nr, 0) == 0;
}

static bool refuse_unless(scmp_filter_ctx ctx, const char *call, uint64_t first)
{
    int nr = seccomp_syscall_resolve_name(call);
    return nr == __NR_SCMP_ERROR || seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), nr, 1,
                                                     SCMP_A0(SCMP_CMP_NE, first)) == 0;
}

/** Where the user's other processes and sockets are in view: nothing acts on another process, and no socket
 *  has an address. A pair is not of datagrams, since one can name another receiver. */
static bool add_shared_rules(scmp_filter_ctx ctx)
{
    bool ok = true;
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
        ok &= refuse(ctx, shared[i]);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        ok &= refuse_unless(ctx, signals[i], SECCOMP_OWN_PID);
    for (size_t i = 0; i < sizeof on_zero / sizeof on_zero[0]; i++)
        ok &= refuse_unless(ctx, on_zero[i], 0);
    ok &= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socketpair), 1,
                           SCMP_A1(SCMP_CMP_MASKED_EQ, 0xf, SOCK_DGRAM)) == 0;
    return ok;
}

static bool add_rules(scmp_filter_ctx ctx, unsigned kind)
{
    bool ok = true;
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
        ok &= refuse(ctx, forbidden[i]);
    if (kind & SECCOMP_SHARED)
        ok &= add_shared_rules(ctx);
    /* Memory that no limit on resident pages sees. */
    if (kind & SECCOMP_NO_MEMORY_FILES)
        ok &= refuse(ctx, "memfd_create") && refuse(ctx, "memfd_secret");
    /* New user namespaces by clone(); clone3's flags cannot be seen, so glibc must fall back. */
    ok &= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                           SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER)) == 0;
    ok &= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
    /* Local sockets only (at level A there are no peers); pushing input into a terminal. */
    ok &= (kind & SECCOMP_SHARED) ||
          seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socket), 1,
                           SCMP_A0(SCMP_CMP_NE, AF_UNIX)) == 0;
    ok &= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                           SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, 0x5412 /* TIOCSTI */)) == 0;
    return ok;
}

static int new_file(unsigned kind)
{
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
    int fd = memfd_create("seccomp", MFD_CLOEXEC);
    bool ok = ctx && fd >= 0 && add_rules(ctx, kind) && seccomp_export_bpf(ctx, fd) == 0 &&
              lseek(fd, 0, SEEK_SET) == 0;
    if (ctx)
        seccomp_release(ctx);
    if (!ok && fd >= 0)
        close(fd);
    return ok ? fd : -1;
}

const struct sock_fprog *seccomp_filter(unsigned kind)
{
    static struct sock_filter code[SECCOMP_KINDS][SECCOMP_MAX_CODE];
    static struct sock_fprog programs[SECCOMP_KINDS];
    struct sock_fprog *p = &programs[kind];
    p->filter = code[kind];
    if (p->len)
        return p;
    int fd = new_file(kind);
    ssize_t n = fd >= 0 ? read(fd, code[kind], sizeof code[kind]) : 0;
    if (fd >= 0)
        close(fd);
    p->len = n > 0 ? (unsigned short)((size_t)n / sizeof code[kind][0]) : 0;
    return p->len ? p : NULL;
}

bool seccomp_apply(const struct sock_fprog *p)
{
    struct sock_filter code[SECCOMP_MAX_CODE];
    struct sock_fprog mine = {p->len, code};
    memcpy(code, p->filter, p->len * sizeof *code);
    for (int i = 0; i < p->len; i++)
        if (code[i].k == SECCOMP_OWN_PID)
            code[i].k = (unsigned)getpid();
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &mine) == 0;
}

int seccomp_file(unsigned kind)
{
    const struct sock_fprog *p = seccomp_filter(kind);
    int fd = p ? memfd_create("seccomp", MFD_CLOEXEC) : -1;
    size_t size = p ? p->len * sizeof *p->filter : 0;
    if (fd >= 0 && (write(fd, p->filter, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET))) {
        close(fd);
        fd = -1;
    }
    return fd;
}
