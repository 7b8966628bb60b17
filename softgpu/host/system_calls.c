/**
 * @file system_calls.c
 * Reading and writing through a buffer of our own; see system_calls.h.
 *
 * The tables are those of the dynamic linker (System V ABI, "Dynamic Linking": JUMP_SLOT and GLOB_DAT relocations of x86-64).
 * Not caught: calls that the C library makes itself for other functions than these, and the kernel's rarer ways to memory (ioctl, io_uring).
 */
#include "host/system_calls.h"

#include "host/ending.h"

#if defined __x86_64__ && !defined __SANITIZE_ADDRESS__

#include <assert.h>
#include <elf.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE 4096u

static bool (*is_shared)(uintptr_t address);
static void (*is_handled)(void);

/* Also where it is not closed now: another thread may issue work that closes it while the kernel waits for a file's bytes. */
static bool watchable(const void *buffer, size_t bytes)
{
    int error = errno;
    bool found = bytes && (is_shared((uintptr_t)buffer) || is_shared((uintptr_t)buffer + bytes - 1));
    errno = error;
    return found;
}

/* One instruction, which whoever watches does a page at a time. */
static void copy(void *to, const void *from, size_t bytes)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

/** What stands in for a buffer. */
struct between {
    void *own;     /**< NULL: the buffer can be used itself */
};

/** For bytes that the kernel is to read, `from` the buffer, or to write. */
static struct between between(const void *buffer, size_t bytes, bool from)
{
    struct between b = {watchable(buffer, bytes) ? malloc(bytes) : NULL};
    if (b.own && from)
        copy(b.own, buffer, bytes);
    return b;
}

static void give(struct between b, void *buffer, ssize_t got)
{
    int error = errno;
    if (b.own && got > 0)
        copy(buffer, b.own, (size_t)got);
    free(b.own);
    errno = error;
}

/* READS, WRITES: a function of the C library that has `bytes` bytes written to `buffer`, or read from it; `rest`: its other arguments. */
#define READS(name, parameters, buffer, bytes, call)                                                                              \
    static ssize_t our_##name parameters                                                                                          \
    {                                                                                                                             \
        struct between b = between(buffer, bytes, false);                                                                         \
        void *at = b.own ? b.own : buffer;                                                                                    \
        ssize_t got = call;                                                                                                       \
        give(b, buffer, got < (ssize_t)(bytes) ? got : (ssize_t)(bytes)); /* with MSG_TRUNC there was more */                     \
        return got;                                                                                                               \
    }
#define WRITES(name, parameters, buffer, bytes, call)                                                                             \
    static ssize_t our_##name parameters                                                                                          \
    {                                                                                                                             \
        struct between b = between(buffer, bytes, true);                                                                          \
        const void *at = b.own ? b.own : buffer;                                                                              \
        ssize_t got = call;                                                                                                       \
        give(b, NULL, 0);                                                                                                         \
        return got;                                                                                                               \
    }

READS(read, (int fd, void *buffer, size_t n), buffer, n, read(fd, at, n))
READS(pread, (int fd, void *buffer, size_t n, off_t where), buffer, n, pread(fd, at, n, where))
READS(recv, (int fd, void *buffer, size_t n, int flags), buffer, n, recv(fd, at, n, flags))
READS(recvfrom, (int fd, void *buffer, size_t n, int flags, struct sockaddr *from, socklen_t *length), buffer, n,
      recvfrom(fd, at, n, flags, from, length))
READS(read_chk, (int fd, void *buffer, size_t n, size_t room), buffer, n, (n > room ? abort() : (void)0, read(fd, at, n)))
READS(pread_chk, (int fd, void *buffer, size_t n, off_t where, size_t room), buffer, n,
      (n > room ? abort() : (void)0, pread(fd, at, n, where)))
WRITES(write, (int fd, const void *buffer, size_t n), buffer, n, write(fd, at, n))
WRITES(pwrite, (int fd, const void *buffer, size_t n, off_t where), buffer, n, pwrite(fd, at, n, where))
WRITES(send, (int fd, const void *buffer, size_t n, int flags), buffer, n, send(fd, at, n, flags))
WRITES(sendto, (int fd, const void *buffer, size_t n, int flags, const struct sockaddr *to, socklen_t length), buffer, n,
       sendto(fd, at, n, flags, to, length))

static size_t our_fread(void *buffer, size_t size, size_t count, FILE *f)
{
    struct between b = between(buffer, size * count, false);
    size_t got = fread(b.own ? b.own : buffer, size, count, f);
    give(b, buffer, (ssize_t)(got * size));
    return got;
}

static size_t our_fread_chk(void *buffer, size_t room, size_t size, size_t count, FILE *f)
{
    if (size * count > room)
        abort();
    return our_fread(buffer, size, count, f);
}

static size_t our_fwrite(const void *buffer, size_t size, size_t count, FILE *f)
{
    struct between b = between(buffer, size * count, true);
    size_t put = fwrite(b.own ? b.own : buffer, size, count, f);
    give(b, NULL, 0);
    return put;
}

/* Several buffers become one. @return the bytes of all, 0 where none may be closed */
static size_t gathered(const struct iovec *v, int count)
{
    size_t all = 0;
    bool any = false;
    for (int i = 0; i < count; i++) {
        any |= watchable(v[i].iov_base, v[i].iov_len);
        all += v[i].iov_len;
    }
    return any ? all : 0;
}

/** Room for all of several buffers, and what they hold if `from` is set; NULL where none may be closed. */
static char *joined(const struct iovec *v, int count, bool from, size_t *all)
{
    size_t done = 0;
    char *one = (*all = gathered(v, count)) ? malloc(*all) : NULL;
    for (int i = 0; one && from && i < count; done += v[i++].iov_len)
        copy(one + done, v[i].iov_base, v[i].iov_len);
    return one;
}

/** Into the buffers what has been got for them; ends the use of `one`. */
static ssize_t dealt(const struct iovec *v, int count, char *one, ssize_t got)
{
    int error = errno;
    size_t done = 0;
    for (int i = 0; one && got > 0 && i < count && done < (size_t)got; i++) {
        size_t left = (size_t)got - done, n = v[i].iov_len < left ? v[i].iov_len : left;
        copy(v[i].iov_base, one + done, n);
        done += n;
    }
    free(one);
    errno = error;
    return got;
}

static ssize_t our_readv(int fd, const struct iovec *v, int count)
{
    size_t all;
    char *one = joined(v, count, false, &all);
    return dealt(v, count, one, one ? read(fd, one, all) : readv(fd, v, count));
}

static ssize_t our_writev(int fd, const struct iovec *v, int count)
{
    size_t all;
    char *one = joined(v, count, true, &all);
    return dealt(v, 0, one, one ? write(fd, one, all) : writev(fd, v, count));
}

static ssize_t our_preadv(int fd, const struct iovec *v, int count, off_t where)
{
    size_t all;
    char *one = joined(v, count, false, &all);
    return dealt(v, count, one, one ? pread(fd, one, all, where) : preadv(fd, v, count, where));
}

static ssize_t our_pwritev(int fd, const struct iovec *v, int count, off_t where)
{
    size_t all;
    char *one = joined(v, count, true, &all);
    return dealt(v, 0, one, one ? pwrite(fd, one, all, where) : pwritev(fd, v, count, where));
}

static ssize_t our_recvmsg(int fd, struct msghdr *m, int flags)
{
    size_t all, count = m->msg_iovlen;
    struct iovec *v = m->msg_iov, whole = {joined(v, (int)count, false, &all), all};
    if (!whole.iov_base)
        return recvmsg(fd, m, flags);
    m->msg_iov = &whole, m->msg_iovlen = 1;
    ssize_t got = recvmsg(fd, m, flags);
    m->msg_iov = v, m->msg_iovlen = count;
    dealt(v, (int)count, whole.iov_base, got < (ssize_t)all ? got : (ssize_t)all);
    return got; /* with MSG_TRUNC more than there is room for */
}

static ssize_t our_sendmsg(int fd, const struct msghdr *m, int flags)
{
    size_t all;
    struct msghdr one = *m;
    struct iovec whole = {joined(m->msg_iov, (int)m->msg_iovlen, true, &all), all};
    one.msg_iov = &whole, one.msg_iovlen = 1;
    return dealt(NULL, 0, whole.iov_base, sendmsg(fd, whole.iov_base ? &one : m, flags));
}

/* ---- Handlers ---- */

static int our_sigaction(int number, const struct sigaction *to, struct sigaction *was)
{
    if (number == SIGSEGV && to && is_handled)
        is_handled();
    return sigaction(number, to, was);
}

static void (*our_signal(int number, void (*to)(int)))(int)
{
    if (number == SIGSEGV && is_handled)
        is_handled();
    return signal(number, to);
}

/* ---- The tables ---- */

struct replaced {
    const char *name;
    void *ours;
};

static bool follows_ends;
static const struct replaced ends[] = {{"abort", ending_abort}, {"__assert_fail", ending_assert_fail}, {"_exit", ending_exit}, {"_Exit", ending_exit}};
static const struct replaced calls[] = {{"read", our_read}, {"__read", our_read}, {"write", our_write}, {"__write", our_write},
             {"pread", our_pread}, {"pread64", our_pread}, {"pwrite", our_pwrite}, {"pwrite64", our_pwrite},
             {"recv", our_recv}, {"recvfrom", our_recvfrom}, {"send", our_send}, {"sendto", our_sendto},
             {"readv", our_readv}, {"writev", our_writev}, {"preadv", our_preadv}, {"preadv64", our_preadv}, {"pwritev", our_pwritev},
             {"pwritev64", our_pwritev}, {"recvmsg", our_recvmsg}, {"sendmsg", our_sendmsg}, {"fread", our_fread}, {"fread_unlocked", our_fread},
             {"fwrite", our_fwrite}, {"fwrite_unlocked", our_fwrite}, {"__read_chk", our_read_chk},
             {"__pread_chk", our_pread_chk}, {"__pread64_chk", our_pread_chk}, {"__fread_chk", our_fread_chk}, {"sigaction", our_sigaction}, {"__sigaction", our_sigaction},
             {"signal", our_signal}, {"bsd_signal", our_signal}};

static void *ours_of(const char *name)
{
    for (size_t i = 0; is_shared && i < sizeof calls / sizeof *calls; i++)
        if (name[0] == calls[i].name[0] && name[1] == calls[i].name[1] && !strcmp(name, calls[i].name)) /* two letters tell most apart */
            return calls[i].ours;
    for (size_t i = 0; follows_ends && i < sizeof ends / sizeof *ends; i++)
        if (!strcmp(name, ends[i].name))
            return ends[i].ours;
    return NULL;
}

/** What of an object's dynamic section is asked. */
struct tables {
    uintptr_t base;
    const Elf64_Sym *symbols;
    const char *strings;
    const Elf64_Rela *lists[2];
    size_t bytes[2];
    uintptr_t readonly, readonly_end;   /**< after relocation */
};

static void put(const struct tables *t, const Elf64_Rela *r)
{
    uint64_t type = ELF64_R_TYPE(r->r_info);
    void *ours = type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT
                     ? ours_of(t->strings + t->symbols[ELF64_R_SYM(r->r_info)].st_name) : NULL;
    uintptr_t slot = t->base + r->r_offset, page = slot & ~(uintptr_t)(PAGE - 1);
    bool readonly = slot >= t->readonly && slot < t->readonly_end;
    if (!ours || (readonly && mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE)))
        return;
    __atomic_store_n((void **)slot, ours, __ATOMIC_RELEASE);
    if (readonly)
        mprotect((void *)page, PAGE, PROT_READ);
}

static void ask_dynamic(struct tables *t, const Elf64_Dyn *d)
{
    for (; d->d_tag != DT_NULL; d++) {
        uintptr_t p = d->d_un.d_ptr < t->base ? t->base + d->d_un.d_ptr : d->d_un.d_ptr; /* the vdso's are not relocated */
        switch (d->d_tag) {
        case DT_SYMTAB: t->symbols = (const Elf64_Sym *)p; break;
        case DT_STRTAB: t->strings = (const char *)p; break;
        case DT_RELA: t->lists[0] = (const Elf64_Rela *)p; break;
        case DT_RELASZ: t->bytes[0] = d->d_un.d_val; break;
        case DT_JMPREL: t->lists[1] = (const Elf64_Rela *)p; break;
        case DT_PLTRELSZ: t->bytes[1] = d->d_un.d_val; break;
        default: break;
        }
    }
}

static bool holds(const struct dl_phdr_info *o, const void *address)
{
    for (int i = 0; i < o->dlpi_phnum; i++) {
        const Elf64_Phdr *h = &o->dlpi_phdr[i];
        if (h->p_type == PT_LOAD && (uintptr_t)address - (o->dlpi_addr + h->p_vaddr) < h->p_memsz)
            return true;
    }
    return false;
}

/** Objects that had been loaded when all were last looked at. */
static unsigned long long seen;

static int follow_object(struct dl_phdr_info *o, size_t size, void *unused)
{
    (void)size, (void)unused;
    struct tables t = {.base = o->dlpi_addr};
    if (o->dlpi_adds == seen)
        return 1; /* no more than then */
    if (holds(o, (const void *)(uintptr_t)system_calls_follow) || holds(o, (const void *)(uintptr_t)gnu_get_libc_version))
        return 0;
    for (int i = 0; i < o->dlpi_phnum; i++) {
        const Elf64_Phdr *h = &o->dlpi_phdr[i];
        if (h->p_type == PT_DYNAMIC)
            ask_dynamic(&t, (const Elf64_Dyn *)(o->dlpi_addr + h->p_vaddr));
        if (h->p_type == PT_GNU_RELRO) {
            t.readonly = o->dlpi_addr + h->p_vaddr;
            t.readonly_end = (t.readonly + h->p_memsz) & ~(uintptr_t)(PAGE - 1);
        }
    }
    for (int l = 0; l < 2 && t.symbols && t.strings; l++)
        for (size_t i = 0; t.lists[l] && i < t.bytes[l] / sizeof(Elf64_Rela); i++)
            put(&t, &t.lists[l][i]);
    return 0;
}

static int count_objects(struct dl_phdr_info *o, size_t size, void *count)
{
    (void)size;
    *(unsigned long long *)count = o->dlpi_adds;
    return 1;
}

static void follow(void)
{
    unsigned long long now = 0;
    dl_iterate_phdr(follow_object, NULL);
    dl_iterate_phdr(count_objects, &now);
    seen = now;
}

void system_calls_follow(bool (*shared)(uintptr_t address), void (*handles)(void))
{
    if (!is_shared)
        seen = 0; /* of what was looked at other functions were asked for */
    is_shared = shared;
    is_handled = handles;
    follow();
}

void system_calls_follow_ends(void (*ending)(void))
{
    ending_told(ending);
    follows_ends = ending;
    if (ending)
        follow();
}

#else

void system_calls_follow(bool (*shared)(uintptr_t address), void (*handles)(void))
{
    (void)shared, (void)handles;
}

void system_calls_follow_ends(void (*ending)(void))
{
    (void)ending;
}

#endif
