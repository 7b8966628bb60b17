/**
 * @file outside.c
 * See state/outside.h.
 */
#include "runtime/state/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/reporter.h"
#include "runtime/state/execution.h"
#include "runtime/state/runtime.h"

#define PAGE 4096ull
#define MAGIC 0x6f75747369646531ull

static uint64_t whole_pages(uint64_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

int outside_create(struct outside_name *name)
{
    uint64_t end = whole_pages(name->bytes);
    int fd = memfd_create("softgpu", MFD_CLOEXEC);
    name->magic = MAGIC;
    name->process = getpid();
    name->descriptor = fd;
    if (fd >= 0 && ftruncate(fd, (off_t)(end + PAGE)) == 0 &&
        getrandom(name->key, sizeof name->key, 0) == (ssize_t)sizeof name->key &&
        pwrite(fd, name, sizeof *name, (off_t)end) == (ssize_t)sizeof *name)
        return fd;
    runtime_say("nothing can be shared with other processes here: no memory file (%s)", strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

bool outside_name_of(int fd, struct outside_name *name)
{
    struct stat s;
    return fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && (uint64_t)s.st_size > PAGE && s.st_size % (off_t)PAGE == 0 &&
           pread(fd, name, sizeof *name, s.st_size - (off_t)PAGE) == (ssize_t)sizeof *name && name->magic == MAGIC &&
           name->bytes <= (uint64_t)s.st_size && whole_pages(name->bytes) + PAGE == (uint64_t)s.st_size;
}

int outside_open(const struct outside_name *name, enum outside_kind kind)
{
    char path[64];
    struct outside_name found;
    if (name->magic != MAGIC || name->kind != kind)
        return -1;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", name->process, name->descriptor);
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && (errno == EACCES || errno == EPERM))
        runtime_say("process %d does not let this one see what it shares: another user's, or a sandbox", name->process);
    if (fd >= 0 && outside_name_of(fd, &found) && !memcmp(&found, name, sizeof found))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

void *outside_map(int fd, uint64_t bytes)
{
    void *p = mmap(NULL, whole_pages(bytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    return p == MAP_FAILED ? NULL : p;
}

void outside_more(void)
{
    runtime.shared_outside++;
    memory_set_outside(machine_memory(runtime.machine), true);
    if (runtime.options.check)
        report_incomplete(machine_reporter(runtime.machine), INCOMPLETE_PROCESSES);
    engine_start_background();
}

void outside_less(void)
{
    if (--runtime.shared_outside == 0 && runtime.machine)
        memory_set_outside(machine_memory(runtime.machine), false);
}
