/**
 * @file host_hooks.c
 * The calls that -fsanitize=thread puts into a student's file, and those of the C library that order host
 * threads: each tells host_race.h and goes on as if it were not here.
 *
 * This takes the place of gcc's own runtime (libtsan), which wants terabytes of address space and a say in where
 * the program lies, and neither is to be had in a sandbox. An atomic's memory order is taken for at least as strong as it
 * says: acquire or release where it names one of the two, with the address for the meeting place.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host_race.h"

// ---- memory ----

void __tsan_init(void);
void __tsan_init(void)
{
}

#define ACCESS(name, bytes, write)                                                                 \
    void __tsan_##name(void *p);                                                                   \
    void __tsan_##name(void *p)                                                                    \
    {                                                                                              \
        host_race_access(p, bytes, write, false);                                                  \
    }
#define ACCESSES(bytes)                                                                            \
    ACCESS(read##bytes, bytes, false)                                                              \
    ACCESS(write##bytes, bytes, true)                                                              \
    ACCESS(unaligned_read##bytes, bytes, false)                                                    \
    ACCESS(unaligned_write##bytes, bytes, true)                                                    \
    ACCESS(volatile_read##bytes, bytes, false)                                                     \
    ACCESS(volatile_write##bytes, bytes, true)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *p, size_t bytes);
void __tsan_read_range(void *p, size_t bytes)
{
    host_race_access(p, bytes, false, false);
}

void __tsan_write_range(void *p, size_t bytes);
void __tsan_write_range(void *p, size_t bytes)
{
    host_race_access(p, bytes, true, false);
}

/** Which class an object is of: set again by each destructor on the way, to what it was. */
void __tsan_vptr_update(void *p, void *value);
void __tsan_vptr_update(void *p, void *value)
{
    (void)p, (void)value;
}

/** clang has a call for looking at it, too: no more of an access than setting it. */
void __tsan_vptr_read(void *p);
void __tsan_vptr_read(void *p)
{
    (void)p;
}

// ---- atomics ----

static bool acquires(int order)
{
    return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

static bool releases(int order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/** Before the operation, which is then made under the lock. */
static void begin_atomic(const volatile void *p, size_t bytes, bool write, int order)
{
    host_race_lock();
    host_race_access(p, bytes, write, true);
    if (write && releases(order))
        host_race_release(p);
    if (acquires(order))
        host_race_acquire(p);
}

typedef unsigned __int128 u128;
#define u8 uint8_t
#define u16 uint16_t
#define u32 uint32_t
#define u64 uint64_t

/* All of a student's atomics come here, so that under the lock a plain operation does for 16 bytes. */
#define ATOMIC_LOAD_STORE(bits)                                                                    \
    u##bits __tsan_atomic##bits##_load(const volatile u##bits *p, int order);                      \
    u##bits __tsan_atomic##bits##_load(const volatile u##bits *p, int order)                       \
    {                                                                                              \
        begin_atomic(p, sizeof *p, false, order);                                                  \
        u##bits v = *p;                                                                            \
        host_race_unlock();                                                                        \
        return v;                                                                                  \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile u##bits *p, u##bits v, int order);                   \
    void __tsan_atomic##bits##_store(volatile u##bits *p, u##bits v, int order)                    \
    {                                                                                              \
        begin_atomic(p, sizeof *p, true, order);                                                   \
        *p = v;                                                                                    \
        host_race_unlock();                                                                        \
    }
#define ATOMIC_UPDATE(bits, name, result)                                                          \
    u##bits __tsan_atomic##bits##_##name(volatile u##bits *p, u##bits v, int order);               \
    u##bits __tsan_atomic##bits##_##name(volatile u##bits *p, u##bits v, int order)                \
    {                                                                                              \
        begin_atomic(p, sizeof *p, true, order);                                                   \
        u##bits old = *p;                                                                          \
        *p = (u##bits)(result);                                                                    \
        host_race_unlock();                                                                        \
        return old;                                                                                \
    }
#define ATOMIC_COMPARE(bits, name)                                                                 \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile u##bits *p, u##bits *expected,      \
                                                      u##bits v, int order, int failure);          \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile u##bits *p, u##bits *expected,      \
                                                      u##bits v, int order, int failure)           \
    {                                                                                              \
        host_race_lock();                                                                          \
        u##bits old = *p;                                                                          \
        bool same = old == *expected;                                                              \
        begin_atomic(p, sizeof *p, same, same ? order : failure);                                  \
        if (same)                                                                                  \
            *p = v;                                                                                \
        else                                                                                       \
            *expected = old;                                                                       \
        host_race_unlock();                                                                        \
        host_race_unlock();                                                                        \
        return same;                                                                               \
    }
#define ATOMICS(bits)                                                                              \
    ATOMIC_LOAD_STORE(bits)                                                                        \
    ATOMIC_UPDATE(bits, exchange, v)                                                               \
    ATOMIC_UPDATE(bits, fetch_add, old + v)                                                        \
    ATOMIC_UPDATE(bits, fetch_sub, old - v)                                                        \
    ATOMIC_UPDATE(bits, fetch_and, old &v)                                                         \
    ATOMIC_UPDATE(bits, fetch_or, old | v)                                                         \
    ATOMIC_UPDATE(bits, fetch_xor, old ^ v)                                                        \
    ATOMIC_UPDATE(bits, fetch_nand, ~(old & v))                                                    \
    ATOMIC_COMPARE(bits, strong)                                                                   \
    ATOMIC_COMPARE(bits, weak)
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
ATOMICS(128)

/** Any two fences are taken to meet. */
void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    static const int fences;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (releases(order))
        host_race_release(&fences);
    if (acquires(order))
        host_race_acquire(&fences);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// ---- threads ----

/** The library's own function. Of two versions of a symbol the newer: the older one's objects are others. */
static void *real(const char *name)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.3.2"};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        void *p = dlvsym(RTLD_NEXT, name, versions[i]);
        if (p)
            return p;
    }
    return dlsym(RTLD_NEXT, name);
}

#define REAL(name)                                                                                 \
    ({                                                                                             \
        static __typeof__(&name) real_;                                                            \
        __typeof__(&name) p_ = __atomic_load_n(&real_, __ATOMIC_RELAXED);                          \
        if (!p_) {                                                                                 \
            p_ = (__typeof__(&name))real(#name);                                                   \
            __atomic_store_n(&real_, p_, __ATOMIC_RELAXED);                                        \
        }                                                                                          \
        p_;                                                                                        \
    })

/** Threads that were started while somebody watched, by number. */
static struct {
    pthread_t thread;
    bool live;
} started[64];

struct start {
    void *(*run)(void *);
    void *argument;
    int number;
};

static void *run_thread(void *argument)
{
    struct start start = *(struct start *)argument;
    free(argument);
    host_race_enter(start.number);
    return start.run(start.argument);
}

/** Is this the CUDA runtime's or the driver's own business? */
static bool is_the_runtimes(void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libcuda");
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    struct start *start = malloc(sizeof *start);
    if (!start)
        return REAL(pthread_create)(thread, attributes, run, argument);
    *start = (struct start){run, argument,
                            is_the_runtimes(__builtin_return_address(0)) ? -1 : host_race_fork()};
    int number = start->number;
    int status = REAL(pthread_create)(thread, attributes, run_thread, start);
    if (status)
        free(start);
    else if (number >= 0 && number < 64) {
        started[number].thread = *thread;
        started[number].live = true;
    }
    return status;
}

int pthread_join(pthread_t thread, void **result)
{
    int status = REAL(pthread_join)(thread, result);
    for (int i = 0; status == 0 && i < 64; i++)
        if (started[i].live && pthread_equal(started[i].thread, thread)) {
            started[i].live = false;
            host_race_join(i);
        }
    return status;
}

// ---- what orders them ----

/** Waits for or takes an object: what was released there comes before what follows. */
#define TAKES(name, object, parameters, ...)                                                       \
    int name parameters                                                                            \
    {                                                                                              \
        int status = REAL(name)(__VA_ARGS__);                                                      \
        if (status == 0)                                                                           \
            host_race_acquire(object);                                                             \
        return status;                                                                             \
    }
/** Gives it back. */
#define GIVES(name, object, parameters, ...)                                                       \
    int name parameters                                                                            \
    {                                                                                              \
        host_race_release(object);                                                                 \
        return REAL(name)(__VA_ARGS__);                                                            \
    }
/** Gives it back for a while. */
#define LENDS(name, object, parameters, ...)                                                       \
    int name parameters                                                                            \
    {                                                                                              \
        host_race_release(object);                                                                 \
        int status = REAL(name)(__VA_ARGS__);                                                      \
        host_race_acquire(object);                                                                 \
        return status;                                                                             \
    }

TAKES(pthread_mutex_lock, m, (pthread_mutex_t * m), m)
TAKES(pthread_mutex_trylock, m, (pthread_mutex_t * m), m)
TAKES(pthread_mutex_timedlock, m, (pthread_mutex_t * m, const struct timespec *t), m, t)
GIVES(pthread_mutex_unlock, m, (pthread_mutex_t * m), m)
TAKES(pthread_spin_lock, m, (pthread_spinlock_t * m), m)
TAKES(pthread_spin_trylock, m, (pthread_spinlock_t * m), m)
GIVES(pthread_spin_unlock, m, (pthread_spinlock_t * m), m)
TAKES(pthread_rwlock_rdlock, m, (pthread_rwlock_t * m), m)
TAKES(pthread_rwlock_tryrdlock, m, (pthread_rwlock_t * m), m)
TAKES(pthread_rwlock_wrlock, m, (pthread_rwlock_t * m), m)
TAKES(pthread_rwlock_trywrlock, m, (pthread_rwlock_t * m), m)
GIVES(pthread_rwlock_unlock, m, (pthread_rwlock_t * m), m)
LENDS(pthread_cond_wait, m, (pthread_cond_t * c, pthread_mutex_t *m), c, m)
LENDS(pthread_cond_timedwait, m, (pthread_cond_t * c, pthread_mutex_t *m, const struct timespec *t),
      c, m, t)
LENDS(pthread_cond_clockwait, m,
      (pthread_cond_t * c, pthread_mutex_t *m, clockid_t clock, const struct timespec *t), c, m,
      clock, t)
LENDS(pthread_barrier_wait, b, (pthread_barrier_t * b), b)
GIVES(sem_post, s, (sem_t * s), s)
TAKES(sem_wait, s, (sem_t * s), s)
TAKES(sem_trywait, s, (sem_t * s), s)
TAKES(sem_timedwait, s, (sem_t * s, const struct timespec *t), s, t)

static __thread struct {
    pthread_once_t *object;
    void (*run)(void);
} once;

static void run_once(void)
{
    pthread_once_t *object = once.object;
    once.run();
    host_race_release(object);
}

int pthread_once(pthread_once_t *object, void (*run)(void))
{
    __typeof__(once) outer = once;
    once.object = object;
    once.run = run;
    int status = REAL(pthread_once)(object, run_once);
    once = outer;
    host_race_acquire(object);
    return status;
}

/** A function's static variable, of which the compiler's code reads the first byte as an atomic; the rest is the
 *  C++ library's. */
int __cxa_guard_acquire(uint64_t *guard);
int __cxa_guard_acquire(uint64_t *guard)
{
    int is_first = REAL(__cxa_guard_acquire)(guard);
    host_race_acquire(guard);
    return is_first;
}

void __cxa_guard_release(uint64_t *guard);
void __cxa_guard_release(uint64_t *guard)
{
    host_race_release(guard);
    REAL(__cxa_guard_release)(guard);
}

// ---- memory that is used again ----

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);

void *malloc(size_t bytes)
{
    void *p = __libc_malloc(bytes);
    if (p)
        host_race_forget(p, bytes);
    return p;
}

void *calloc(size_t count, size_t bytes)
{
    void *p = __libc_calloc(count, bytes);
    if (p)
        host_race_forget(p, count * bytes);
    return p;
}
