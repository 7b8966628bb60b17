/**
 * @file contents.c
 * What memory holds that nobody has written: in checked mode poison, made when somebody first looks.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "memory/followed.h"
#include "memory/pages.h"
#include "memory/space.h"

#define POISON_CHUNK (16ull << 20)
#define POISON_MAPPED (64ull << 20) /* from here on poison is mapped, not written */
#define SHARED_POISONED (1ull << 30) /* up to here what the host shares is filled with it: it has two mappings, so that pages cannot be taken when they are written */

bool contents_may_be_file(uint64_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || bytes <= limit.rlim_cur;
}

/** Maps poison over whole chunks of a private mapping: pages are taken when they are written, not before.
 *  @return how many bytes now hold it */
static uint64_t map_poison(void *at, uint64_t bytes)
{
    static int fd = -1;
    uint64_t done = 0;
    if (fd < 0 && contents_may_be_file(POISON_CHUNK) && (fd = memfd_create("poison", MFD_CLOEXEC)) >= 0) {
        void *p = ftruncate(fd, POISON_CHUNK) == 0
                      ? mmap(NULL, POISON_CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
        if (p == MAP_FAILED) {
            close(fd);
            fd = -1;
        } else {
            memset(p, POISON_BYTE, POISON_CHUNK);
            munmap(p, POISON_CHUNK);
        }
    }
    while (fd >= 0 && bytes - done >= POISON_CHUNK &&
           mmap((uint8_t *)at + done, POISON_CHUNK, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, fd, 0) != MAP_FAILED)
        done += POISON_CHUNK;
    return done;
}

/** Huge allocations are seldom used as a whole, so theirs takes no memory. */
void contents_poison(struct allocation *a)
{
    uint64_t done = a->blank && a->bytes >= POISON_MAPPED ? map_poison(a->host, a->bytes) : 0;
    memset(a->host + done, POISON_BYTE, a->bytes - done);
    a->blank = false;
}

bool contents_are_unknown(const struct allocation *a)
{
    return (a->kind == ALLOC_MANAGED || a->kind == ALLOC_HOST) && a->bytes > SHARED_POISONED;
}

bool contents_are_poison(const struct allocation *a)
{
    return a->blank || !a->bytes || (a->host[0] == POISON_BYTE && !memcmp(a->host, a->host + 1, a->bytes - 1));
}

/** Where this thread's faults are not followed, what checkers know of the bytes is to be open, too. */
static void *opened(const struct memory *m, struct allocation *a, uint64_t address, uint64_t bytes)
{
    struct pages *followed = a ? m->backing.data[a->id].followed[FOLLOWED_BYTES] : NULL;
    if (followed && !pages_may_be_closed())
        memory_open_all();
    else if (followed)
        pages_open(followed, address - a->base, bytes);
    return a ? allocation_bytes(a) + (address - a->base) : NULL;
}

void *memory_change(const struct memory *m, uint64_t address, uint64_t bytes)
{
    return opened(m, memory_holds(m, address, bytes), address, bytes);
}

void *memory_overwrite(const struct memory *m, uint64_t address, uint64_t bytes)
{
    struct allocation *a = memory_holds(m, address, bytes);
    if (a && bytes == a->bytes)
        a->blank = false;
    return opened(m, a, address, bytes);
}
