// Does a GPU do anything that the model does not allow? Random small kernels with the outcomes of softgpu's `--exhaustive` beside
// them (litmus_programs.c) run here, many instances at once, and every outcome seen is looked up.
//     build/tests/gpu/litmus_programs . 0 3000 && nvcc -O3 -arch=native -o litmus tests/gpu/litmus.cu -lcuda && ./litmus 30
// A line for each outcome that is not allowed, and at last how many of the allowed ones were seen. tests/gpu/litmus_h200.txt holds what an
// H200 gave.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#define CU(call)                                                                                                       \
    do {                                                                                                               \
        CUresult r_ = (call);                                                                                          \
        const char *s_ = "?";                                                                                          \
        if (r_) {                                                                                                      \
            cuGetErrorName(r_, &s_);                                                                                   \
            fprintf(stderr, "%s: %s\n", #call, s_);                                                                    \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { INSTANCES = 2048 };

struct test {
    std::string name, shown, text;
    unsigned blocks, threads;
    std::set<std::string> allowed, weak; // weak: of no interleaving
    std::map<std::string, long> seen;
};

static std::vector<test> tests()
{
    std::vector<test> all;
    std::ifstream in("litmus.txt");
    for (std::string line; std::getline(in, line);) {
        if (line[0] == 'k') {
            test t;
            std::istringstream(line) >> t.name >> t.blocks >> t.threads >> t.shown;
            all.push_back(t);
        } else if (line[0] == '#')
            all.back().text = line;
        else if (line[0] == '~')
            all.back().weak.insert(line.substr(1)), all.back().allowed.insert(line.substr(1));
        else
            all.back().allowed.insert(line);
    }
    return all;
}

int main(int argc, char **argv)
{
    int launches = argc > 1 ? atoi(argv[1]) : 100;
    CUdevice d;
    CUcontext c;
    CUmodule m;
    CUdeviceptr words, registers;
    CU(cuInit(0));
    CU(cuDeviceGet(&d, 0));
    CU(cuDevicePrimaryCtxRetain(&c, d));
    CU(cuCtxSetCurrent(c));
    std::ifstream in("litmus.ptx");
    std::string ptx((std::istreambuf_iterator<char>(in)), {});
    CU(cuModuleLoadData(&m, ptx.c_str()));
    CU(cuMemAlloc(&words, INSTANCES * 1024));
    CU(cuMemAlloc(&registers, INSTANCES * 32));
    std::vector<int> w(INSTANCES * 256), r(INSTANCES * 8);
    std::vector<test> all = tests();
    long runs = 0, wrong = 0, seen = 0, allowed = 0, weak = 0, weak_seen = 0, kernels = 0;
    for (test &t : all) {
        CUfunction f;
        CU(cuModuleGetFunction(&f, m, t.name.c_str()));
        void *args[] = {&words, &registers};
        for (int i = 0; i < launches; i++) {
            CU(cuMemsetD32(words, 0, INSTANCES * 256));
            CU(cuMemsetD32(registers, 0, INSTANCES * 8));
            CU(cuLaunchKernel(f, t.blocks * INSTANCES, 1, 1, t.threads, 1, 1, 0, 0, args, 0));
            CU(cuMemcpyDtoH(w.data(), words, w.size() * 4));
            CU(cuMemcpyDtoH(r.data(), registers, r.size() * 4));
            for (int k = 0; k < INSTANCES; k++) {
                char line[128];
                int n = 0;
                for (char of : t.shown)
                    n += snprintf(line + n, sizeof line - n, "%s%c=%d", n ? " " : "", of,
                                  of <= 'h' ? r[8 * k + of - 'a'] : w[256 * k + 64 * (of == 'w' ? 3 : of - 'x')]);
                t.seen[line]++;
                runs++;
            }
        }
        kernels++;
        allowed += t.allowed.size();
        weak += t.weak.size();
        for (auto &o : t.seen) {
            if (t.allowed.count(o.first))
                seen++, weak_seen += t.weak.count(o.first);
            else if (wrong++ < 200)
                printf("%s: %s is not allowed (%ld times)\n    %s\n", t.name.c_str(), o.first.c_str(), o.second, t.text.c_str());
        }
    }
    printf("%ld kernels, %ld runs: %ld outcomes that are not allowed; of %ld allowed ones %ld were seen; of %ld that no "
           "interleaving has %ld\n",
           kernels, runs, wrong, allowed, seen, weak, weak_seen);
    return wrong != 0;
}
