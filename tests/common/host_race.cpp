// Host threads in and out of order: each pair is a wrong program and its right twin. Compiled with
// -fsanitize=thread and linked with the harness library, whose hooks take the place of gcc's runtime.
#include <atomic>
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <condition_variable>
#include <pthread.h>
#include <semaphore.h>
#include <shared_mutex>
#include <thread>
#include <vector>

extern "C" {
void host_race_begin(void);
int host_race_end(void);
}

static int data;
static thread_local int seen;

static void volatile_flag()
{
    volatile bool ready = false;
    std::thread t([&] { data = 1, ready = true; });
    while (!ready)
        ;
    t.join();
}
static void atomic_flag()
{
    std::atomic<bool> ready{false};
    std::thread t([&] { data = 1, ready = true; });
    while (!ready)
        ;
    data++;
    t.join();
}
static void relaxed_flag()
{
    std::atomic<bool> ready{false};
    std::thread t([&] { data = 1, ready.store(true, std::memory_order_relaxed); });
    while (!ready.load(std::memory_order_relaxed))
        ;
    data++;
    t.join();
}
static void relaxed_flag_fences()
{
    std::atomic<bool> ready{false};
    std::thread t([&] {
        data = 1;
        std::atomic_thread_fence(std::memory_order_release);
        ready.store(true, std::memory_order_relaxed);
    });
    while (!ready.load(std::memory_order_relaxed))
        ;
    std::atomic_thread_fence(std::memory_order_acquire);
    data++;
    t.join();
}
static void both_write()
{
    std::thread t([] { data = 1; });
    data = 2;
    t.join();
}
static void joined_first()
{
    std::thread t([] { data = 1; });
    t.join();
    data = 2;
}
static void last_bytes_of_one_word()
{
    static char word[8];
    std::thread t([] {
        for (int i = 0; i < 5; i++)
            word[i] = 1;
    });
    word[4] = 1;
    t.join();
}
static void bytes_side_by_side()
{
    static bool word[8];
    std::thread t([] { word[3] = true; });
    word[4] = true;
    t.join();
}
static void other_mutex()
{
    std::mutex a, b;
    std::thread t([&] { std::lock_guard<std::mutex> l(a); data++; });
    { std::lock_guard<std::mutex> l(b); data++; }
    t.join();
}
static void same_mutex()
{
    std::mutex a;
    std::thread t([&] { std::lock_guard<std::mutex> l(a); data++; });
    { std::lock_guard<std::mutex> l(a); data++; }
    t.join();
}
static void volatile_under_mutex()
{
    std::mutex m;
    volatile bool ready = false;
    std::thread t([&] { std::lock_guard<std::mutex> l(m); ready = true; });
    for (bool done = false; !done;) {
        std::lock_guard<std::mutex> l(m);
        done = ready;
    }
    t.join();
}
static void condition_variable()
{
    std::mutex m;
    std::condition_variable c;
    bool ready = false;
    std::thread t([&] {
        data = 1;
        std::lock_guard<std::mutex> l(m);
        ready = true;
        c.notify_one();
    });
    std::unique_lock<std::mutex> l(m);
    c.wait(l, [&] { return ready; });
    data++;
    l.unlock();
    t.join();
}
static void condition_variable_timed()
{
    std::mutex m;
    std::condition_variable c;
    bool ready = false;
    std::thread t([&] {
        data = 1;
        std::lock_guard<std::mutex> l(m);
        ready = true;
        c.notify_one();
    });
    std::unique_lock<std::mutex> l(m);
    while (!c.wait_for(l, std::chrono::seconds(1), [&] { return ready; }))
        ;
    data++;
    l.unlock();
    t.join();
}
static void promise()
{
    std::promise<int> p;
    std::thread t([&] { data = 1, p.set_value(2); });
    data += p.get_future().get();
    t.join();
}
static void async()
{
    auto f = std::async(std::launch::async, [] { return data++; });
    data = f.get();
}
static void shared_mutex()
{
    std::shared_mutex m;
    std::thread t([&] { std::shared_lock<std::shared_mutex> l(m); seen = data; });
    { std::unique_lock<std::shared_mutex> l(m); data++; }
    t.join();
}
static void semaphore()
{
    sem_t s;
    sem_init(&s, 0, 0);
    std::thread t([&] { data = 1, sem_post(&s); });
    while (sem_wait(&s) != 0)
        ;
    data++;
    t.join();
    sem_destroy(&s);
}
static void barrier()
{
    pthread_barrier_t b;
    pthread_barrier_init(&b, nullptr, 2);
    std::thread t([&] { data = 1, pthread_barrier_wait(&b); });
    pthread_barrier_wait(&b);
    data++;
    t.join();
    pthread_barrier_destroy(&b);
}
static void call_once()
{
    static std::once_flag flag;
    std::thread t([] { std::call_once(flag, [] { data = 1; }); seen = data; });
    std::call_once(flag, [] { data = 1; });
    seen = data;
    t.join();
}
static void shared_pointer()
{
    auto p = std::make_shared<std::vector<int>>(100, 1);
    std::thread t([p] { data = (*p)[5]; });
    t.join();
    p.reset();
}
static void memory_used_again()
{
    // What one thread has freed the other gets, with nothing between that says so.
    std::atomic<int> turn{0};
    std::thread t([&] {
        for (int i = 0; i < 1000; i++)
            delete new int(i);
        turn.store(1, std::memory_order_relaxed);
    });
    while (!turn.load(std::memory_order_relaxed))
        ;
    for (int i = 0; i < 1000; i++)
        delete new int(i);
    t.join();
}
static void compare_and_swap()
{
    std::atomic<int> lock{0};
    auto work = [&] {
        for (int i = 0; i < 100; i++) {
            for (int free = 0; !lock.compare_exchange_weak(free, 1, std::memory_order_acquire); free = 0)
                ;
            data++;
            lock.store(0, std::memory_order_release);
        }
    };
    std::thread t(work);
    work();
    t.join();
}

// What nvcc writes for a kernel launch: a variable of the stub's own, set by each launch.
static void __device_stub__Z6kernelv()
{
    static volatile char *volatile __f;
    __f = (volatile char *)__device_stub__Z6kernelv;
}
static void launch_stub()
{
    std::thread t([] { __device_stub__Z6kernelv(); });
    __device_stub__Z6kernelv();
    t.join();
}
static void own_variable_in_two()
{
    struct own {
        static void set()
        {
            static volatile char *volatile __f;
            __f = (volatile char *)set;
        }
    };
    std::thread t([] { own::set(); });
    own::set();
    t.join();
}
// The variable of a function that the first caller initialises, as of a launch stub the kernel's handle.
template <int N> static int first_call()
{
    static int made = [] { std::this_thread::yield(); return data + N; }();
    return made;
}
template <int N> static void static_variable()
{
    std::thread t([] { seen += first_call<N>(); });
    seen += first_call<N>();
    t.join();
}
static void static_variables()
{
    static_variable<0>(), static_variable<1>(), static_variable<2>(), static_variable<3>();
}

int main()
{
#define CASE(name, races) {#name, name, races}
    static const struct {
        const char *name;
        void (*run)();
        bool races;
    } cases[] = {
        CASE(volatile_flag, true),       CASE(atomic_flag, false),
        CASE(relaxed_flag, true),        CASE(relaxed_flag_fences, false),
        CASE(both_write, true),          CASE(joined_first, false),
        CASE(last_bytes_of_one_word, true), CASE(bytes_side_by_side, false),
        CASE(other_mutex, true),         CASE(same_mutex, false),
        CASE(volatile_under_mutex, false), CASE(condition_variable, false),
        CASE(condition_variable_timed, false), CASE(promise, false),
        CASE(async, false),              CASE(shared_mutex, false),
        CASE(semaphore, false),          CASE(barrier, false),
        CASE(call_once, false),          CASE(shared_pointer, false),
        CASE(memory_used_again, false),  CASE(compare_and_swap, false),
        CASE(launch_stub, false),        CASE(own_variable_in_two, true),
        CASE(static_variables, false),
    };
    int passed = 0, failed = 0;
    for (const auto &c : cases)
        for (int i = 0; i < 20; i++) {
            host_race_begin();
            c.run();
            int races = host_race_end();
            if (c.races == (races > 0)) {
                passed++;
                continue;
            }
            failed++;
            printf("FAIL: %s: %d races\n", c.name, races);
            break;
        }
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
