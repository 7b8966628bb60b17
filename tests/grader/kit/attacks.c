/**
 * @file attacks.c
 * The stand-in as a hostile or broken submission: what it takes too much of, and what it must not get at.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "stand_in.h"

void misbehave(void)
{
    if (has("fake_hang") || (has("fake_many_hang") && n > 1) || (has("fake_thousand_hang") && n == 1000) ||
        (has("fake_none_hang") && n == 0))
        for (;;)
            pause();
    if (has("fake_spin"))
        for (;;)
            signal(SIGTERM, SIG_IGN);
    if (has("fake_daemon")) /* leaves a child in a session of its own that holds the pipes */
        if (fork() == 0) {
            setsid();
            if (fork() == 0) {
                int fd = open(getenv("HOME"), O_RDONLY);
                (void)fd;
                for (;;)
                    pause();
            }
            _exit(0);
        }
    if (has("fake_bomb"))
        for (int i = 0; i < 200; i++) {
            int pid = fork();
            if (pid == 0)
                for (;;)
                    pause();
            if (pid > 0 && i == 100)
                puts("SAW too many processes");
        }
    if (has("fake_fill"))
        for (int i = 0;; i++) {
            static char path[4096], bytes[4 << 20];
            snprintf(path, sizeof path, "%s/fill%d", getenv("HOME"), i % 250); /* a GB, if it may */
            int fd = open(path, O_WRONLY | O_CREAT, 0600);
            if (write(fd, bytes, sizeof bytes) < 0)
                pause();
            close(fd);
        }
    if (has("fake_memory"))
        for (;;) {
            size_t size = 64 << 20;
            memset(mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                   1, size);
        }
    if (has("fake_flood"))
        for (;;)
            puts("PASS 100 PASS 100 PASS 100");
    if (has("fake_crash"))
        raise(SIGSEGV);
}

/** Connects to a listener at build/sock, or to the abstract name of the victim's process. */
static bool connects(int kind, int victim)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    char path[4096];
    int fd = socket(AF_UNIX, SOCK_STREAM, 0), pair[2];
    int n = kind ? snprintf(a.sun_path + 1, 40, "fencepost-%d", victim) : 0;
    snprintf(path, sizeof path, "%s/../../..", getenv("HOME"));
    if (!kind && chdir(path) == 0)
        strcpy(a.sun_path, "sock");
    socklen_t size = kind ? (socklen_t)(sizeof a.sun_family + 1 + (size_t)n) : sizeof a;
    if (fd >= 0 && connect(fd, (struct sockaddr *)&a, size) == 0)
        return true;
    if (kind == 0 && socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0)
        return sendto(pair[0], "x", 1, 0, (struct sockaddr *)&(struct sockaddr_un){AF_UNIX, "dgram"},
                      sizeof a) == 1;
    return false;
}

/** What one process of a user can do to the others: `victim` is one of them. */
static void others(int victim)
{
    struct rlimit none = {0, 0};
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    if (kill(victim, 0) == 0 || kill(-victim, 0) == 0 || syscall(SYS_tkill, victim, 0) == 0 ||
        syscall(SYS_tgkill, victim, victim, 0) == 0)
        printf("SAW another process by a signal\n");
    if (prlimit(victim, RLIMIT_FSIZE, &none, NULL) == 0 || sched_setaffinity(victim, sizeof one, &one) == 0 ||
        setpriority(PRIO_PROCESS, (id_t)victim, 19) == 0)
        printf("SAW another process by its limits\n");
    if (connects(1, victim))
        printf("SAW an abstract socket\n");
    if (connects(0, victim))
        printf("SAW a socket by its path\n");
}

void attack(void)
{
    if (has("fake_peek")) {
        char path[4096];
        const char *places[] = {"../../../../solutions", "../../../../labs", "../../../reference",
                                "../../../progress", "/etc/passwd", "/root", "/home"};
        for (int i = 0; i < 7; i++) {
            snprintf(path, sizeof path, "%s%s%s", *places[i] == '/' ? "" : getenv("HOME"),
                     *places[i] == '/' ? "" : "/", places[i]);
            int fd = open(path, O_RDONLY);
            struct dirent *e = NULL;
            DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
            while (dir && (e = readdir(dir)) && e->d_name[0] == '.')
                ;
            if (fd >= 0 && (!dir || e))
                printf("SAW %s\n", places[i]);
        }
    }
    if (has("fake_write"))
        for (int i = 0; i < 5; i++) {
            char path[4096];
            const char *places[] = {"../../../../labs/x", "../../../reference/x", "../../../lib/x", "/x",
                                    "/dev/x"};
            snprintf(path, sizeof path, "%s%s%s", *places[i] == '/' ? "" : getenv("HOME"),
                     *places[i] == '/' ? "" : "/", places[i]);
            int fd = open(path, O_WRONLY | O_CREAT, 0644);
            if (fd >= 0 && write(fd, "x", 1) == 1)
                printf("WROTE %s\n", places[i]);
        }
    if (has("fake_net") && socket(AF_INET, SOCK_STREAM, 0) >= 0)
        printf("SAW the network\n");
    if (has("fake_trace") && ptrace(PTRACE_TRACEME, 0, 0, 0) == 0)
        printf("SAW ptrace\n");
    if (has("fake_namespace") && unshare(CLONE_NEWUSER) == 0)
        printf("SAW a new namespace\n");
    if (has("fake_kill"))
        kill(-1, SIGKILL);
    if (has("fake_shm")) {
        static char bytes[1 << 20], path[64];
        long all = 0, n = 1;
        for (int i = 0; i < 200 && n > 0; i++) {
            snprintf(path, sizeof path, "/dev/shm/%d", i);
            int fd = open(path, O_WRONLY | O_CREAT, 0600);
            n = fd >= 0 ? write(fd, bytes, sizeof bytes) : 0;
            all += n > 0 ? n : 0;
            close(fd);
        }
        if (all > 100 << 20)
            printf("SAW more shared memory than there may be\n");
    }
    const char *victim = strstr(kernel_ptx, "fake_victim_");
    if (victim)
        others(atoi(victim + strlen("fake_victim_")));
    if (has("fake_linger")) {
        int fd = open("/tmp/left-by-a-run", O_RDWR | O_CREAT | O_EXCL, 0600);
        if (fd < 0)
            printf("SAW what an earlier run left\n");
    }
    fflush(stdout);
}
