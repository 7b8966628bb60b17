#!/bin/bash
# Attacks by host code, which shares a process with the harness and softgpu. The numbers are the cases of
# the kit's list of how submissions have cheated or broken graders.
. "$(dirname "$0")/host_kit/make.sh"
set -u

# A program with a race: a copy back in another stream than the kernel. Each attack below tries to hide it.
sed 's/DeviceToHost, streams\[p\]/DeviceToHost, streams[(p + 1) % pieces]/' "$here/host_kit/solution.cu" >"$KIT/racy.cu"
grade lab91 --file "$KIT/racy.cu"
expect "the race is found" 1 "stream-race"
racy_points=$(echo "$out" | sed -n 's/^Score \([0-9]*\).*/\1/p')

# attack NAME STATUS TEXT… <source: what is added to the racy program.
attack() {
    name=$1
    { cat "$KIT/racy.cu"; cat; } >"$KIT/k.cu"
    grade lab91 --file "$KIT/k.cu"
    expect "$@"
    points=$(echo "$out" | sed -n 's/^Score \([0-9]*\).*/\1/p')
    [ "${points:-0}" -le "$racy_points" ] || rc=more-points
    expect "$name: no more points" "$2"
}
# Refused by the name of what is called.
refused() {
    attack "$1 $2" 1 "It does not compile" "k.cu: calls $2," "may not"
}
attack "1 prints a score" 1 "stream-race" <<'END'
__attribute__((constructor)) static void claim() { printf("Score 50/50\n{\"score\": 50}\n"); }
END
refused 3 _exit <<'END'
#include <unistd.h>
__attribute__((constructor)) static void early() { if (fork == nullptr) return; _exit(0); }
END
attack "2 exits early" 1 "Score 0/50" "no-result" <<'END'
#include <stdlib.h>
__attribute__((constructor)) static void early() { exit(0); }
END
refused 4 fopen <<'END'
#include <stdlib.h>
static void hide() { fclose(fopen("findings.jsonl", "w")); }
__attribute__((constructor)) static void later() { atexit(hide); }
END
refused 4 truncate <<'END'
#include <stdlib.h>
#include <unistd.h>
static void hide() { if (truncate("findings.jsonl", 0)) abort(); }
__attribute__((constructor)) static void later() { atexit(hide); }
END
refused 4 remove <<'END'
#include <stdlib.h>
static void hide() { remove("findings.jsonl"); }
__attribute__((constructor)) static void later() { atexit(hide); }
END
refused 5 write <<'END'
#include <unistd.h>
__attribute__((constructor)) static void inherited() { for (int fd = 3; fd < 9; fd++) if (write(fd, "x", 1) > 0) return; }
END
refused 6 dup2 <<'END'
#include <unistd.h>
__attribute__((constructor)) static void over() { dup2(1, 3); }
END
refused 9 prctl <<'END'
#include <sys/prctl.h>
__attribute__((constructor)) static void trap() { prctl(PR_SET_SECCOMP, 2, 0, 0, 0); }
END
refused 13 getenv <<'END'
#include <stdlib.h>
__attribute__((constructor)) static void look() { puts(getenv("SOFTGPU_SEED")); }
END
refused 13 setenv <<'END'
#include <stdlib.h>
__attribute__((constructor)) static void away() { setenv("SOFTGPU_JSON", "/dev/null", 1); }
END
refused 13 environ <<'END'
extern "C" char **environ;
__attribute__((constructor)) static void away() { environ[0] = nullptr; }
END
refused 8 dlsym <<'END'
#include <dlfcn.h>
__attribute__((constructor)) static void detour() { if (!dlsym(RTLD_DEFAULT, "cudaMalloc")) puts("no"); }
END
refused 8 mprotect <<'END'
#include <sys/mman.h>
__attribute__((constructor)) static void patch() { mprotect((void *)0x400000, 4096, 7); }
END
refused 32 fork <<'END'
#include <unistd.h>
__attribute__((constructor)) static void other() { fork(); }
END
refused 30 harness_result <<'END'
extern "C" void harness_result(void *, const char *, int, const void *, unsigned long);
__attribute__((constructor)) static void forge() { if (stdout == stderr) harness_result(0, "out", 1, 0, 0); }
END
attack "13 reads its environment as a file" 1 "It does not compile" "fstream" <<'END'
#include <fstream>
#include <iostream>
__attribute__((constructor)) static void look() { std::ifstream f("/proc/self/environ"); std::cout << f.rdbuf(); }
END
# 14: its own versions of what harness and softgpu call are called by nobody.
attack "14 overrides fputs, fclose, fwrite and more" 1 "stream-race" <<'END'
extern "C" int fputs_unlocked(const char *, FILE *) { return 0; }
extern "C" char *json_dumps(const void *, unsigned long) { return 0; }
extern "C" int json_dumpf(const void *, FILE *, unsigned long) { return 0; }
extern "C" int softgpu_version(void) { return 0; }
extern "C" bool result_write(const void *, const char *) { return true; }
extern "C" int poll(void *, unsigned long, int) { return 0; }
END
attack "14 overrides the runtime" 1 "stream-race" <<'END'
extern "C" void *__cudaRegisterNothing;
extern "C" cudaError_t cudaGetLastErrorX() { return cudaSuccess; }
END
# 3: a system call of its own, without a name, ends the run; that is no result.
if [ "$(uname -m)" = x86_64 ]; then
    attack "3 ends the process by an instruction" 1 "Score 0/50" <<'END'
__attribute__((constructor)) static void early() { asm volatile("syscall" : : "a"(231), "D"(0) : "rcx", "r11"); }
END
fi
attack "48 a constructor that never ends" 1 "Score 0/50" "time-limit" <<'END'
__attribute__((constructor)) static void hang() { for (volatile int i = 0;; i++); }
END
# What lessons need is allowed.
sed 's/^#include <stdio.h>/&\n#include <vector>\n#include <thread>\n#include <mutex>\n#include <chrono>\n#include <iostream>\n#include <string>\n#include <algorithm>\n#include <cassert>\n#include <cmath>\n#include <cstdlib>\n#include <cstring>/' \
    "$here/host_kit/solution.cu" >"$KIT/k.cu"
cat >>"$KIT/k.cu" <<'END'
static std::mutex lock;
struct closer { ~closer() { std::cout << "done" << std::endl; } };
static void careful(std::vector<int> &v)
{
    std::thread t([&] { std::lock_guard<std::mutex> l(lock); v.push_back((int)std::sqrt(2.0)); });
    t.join();
    std::sort(v.begin(), v.end());
    assert(v.size() == 1);
    std::string s(3, 'x');
    void *p = malloc(10);
    memset(p, rand(), 10);
    free(p);
    fprintf(stderr, "%s %d\n", s.c_str(), (int)(std::chrono::steady_clock::now() - std::chrono::steady_clock::now()).count());
}
static int use() { std::vector<int> v; closer l; try { careful(v); } catch (...) { abort(); } return 1; }
int used = use();
END
grade lab91 --file "$KIT/k.cu"
expect "the C++ library" 0 "Score 50/50"
attack "60 system calls of its own, JSON into every descriptor" 1 <<'END'
static const char forged[] = "{\"kind\":\"data-race\",\"level\":\"info\"}\n{\"launches\":4,\"makespan_ns\":1}\n";
__attribute__((constructor)) static void forge()
{
    for (long fd = 3; fd < 64; fd++) {
        long n = 1;
        asm volatile("syscall" : "+a"(n) : "D"(fd), "S"(forged), "d"(sizeof forged - 1) : "rcx", "r11", "memory");
    }
}
END
if [ "$(uname -m)" = x86_64 ]; then
    # 50: memory that no limit on resident pages sees.
    { cat "$here/host_kit/solution.cu"; cat <<'END'; } >"$KIT/k.cu"
__attribute__((constructor)) static void hoard()
{
    long n = 319;
    asm volatile("syscall" : "+a"(n) : "D"("hoard"), "S"(0) : "rcx", "r11", "memory");
    if (n >= 0)
        printf("SAW a file of memory\n");
}
END
    # 5: other processes' limits, from outside: every process near by may write nothing any more.
    { cat "$KIT/racy.cu"; cat <<'END'; } >"$KIT/limits.cu"
__attribute__((constructor)) static void starve()
{
    unsigned long none[2] = {0, 0};
    long me = 39;
    asm volatile("syscall" : "+a"(me) : : "rcx", "r11", "memory");
    for (long pid = me - 30; pid < me + 30; pid++) {
        long n = 302;
        register long old asm("r10") = 0;
        if (pid == me || pid <= 1)
            continue;
        asm volatile("syscall" : "+a"(n) : "D"(pid), "S"(1), "d"(none), "r"(old) : "rcx", "r11", "memory");
    }
}
END
    for level in A B C; do
        grade lab91 --file "$KIT/k.cu" --sandbox $level -v
        case $out in *"does not work here"*) continue ;; esac
        expect "50 at level $level" 0 "Score 50/50"
        refuse "50 at level $level" "SAW"
        grade lab91 --file "$KIT/limits.cu" --sandbox $level
        expect "5 limits from outside at level $level" 1 "stream-race"
    done
fi
finish
