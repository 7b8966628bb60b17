// nvcc: -lcuda -ldl
// Linking at run time by nvJitLink's interface: two parts of PTX become one module, which runs; what is missing, what is no
// PTX, and a wrong option are refused with a line.
#include "driver.cuh"
#include <cstdint>
#include <dlfcn.h>

typedef struct jit_link *jit;
static int (*create)(jit *, uint32_t, const char **);
static int (*destroy)(jit *);
static int (*add)(jit, int, const void *, size_t, const char *);
static int (*complete)(jit);
static int (*cubin_size)(jit, size_t *);
static int (*cubin)(jit, void *);
static int (*log_size)(jit, size_t *);
static int (*log_of)(jit, char *);
static int (*version)(unsigned *, unsigned *);
enum { INPUT_PTX = 2, INPUT_LTOIR = 3 };

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
static const char caller[] = HEAD
    ".extern .func (.param .b32 r) twice(.param .b32 x);\n"
    ".visible .entry k(.param .u64 p) { .reg .b32 %r<3>; .reg .b64 %a<4>; ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x;\n"
    "{ .param .b32 in; .param .b32 out; st.param.b32 [in], %r1; call (out), twice, (in); ld.param.b32 %r2, [out]; }\n"
    "mul.wide.u32 %a2, %r1, 4; add.u64 %a3, %a1, %a2; st.global.u32 [%a3], %r2; ret; }\n";
static const char called[] = HEAD
    ".visible .func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %r<2>; ld.param.b32 %r0, [x]; add.u32 %r1, %r0, %r0;\n"
    "st.param.b32 [r], %r1; ret; }\n";

template <typename F> static void find(void *lib, F *f, const char *name)
{
    *(void **)f = dlsym(lib, name);
    CHECK(*f != nullptr);
}

static jit begin()
{
    const char *options[] = {"-arch=sm_90"};
    jit l;
    CHECK(create(&l, 1, options) == 0);
    return l;
}

static void two_parts()
{
    jit l = begin();
    size_t bytes;
    char log[8192];
    CHECK(cubin_size(l, &bytes) != 0); // nothing is linked yet
    CHECK(add(l, INPUT_PTX, caller, sizeof caller, "caller") == 0);
    CHECK(add(l, INPUT_PTX, called, sizeof called, "called") == 0);
    CHECK(complete(l) == 0 && log_of(l, log) == 0 && !log[0]);
    CHECK(cubin_size(l, &bytes) == 0 && bytes > 0);
    char *code = (char *)malloc(bytes + 1);
    CHECK(cubin(l, code) == 0);
    code[bytes] = 0;
    CHECK(destroy(&l) == 0 && !l);
    CUmodule m;
    CUfunction k;
    CUdeviceptr p;
    int out[32];
    CU(cuModuleLoadData(&m, code));
    CU(cuModuleGetFunction(&k, m, "k"));
    CU(cuMemAlloc(&p, sizeof out));
    void *arguments[] = {&p};
    CU(cuLaunchKernel(k, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL));
    CU(cuMemcpyDtoH(out, p, sizeof out));
    for (int i = 0; i < 32; i++)
        CHECK(out[i] == 2 * i);
    CU(cuMemFree(p));
    CU(cuModuleUnload(m));
    free(code);
}

// 100 values at once, in kernels of which one says itself how many registers it may have.
static char many[16384];
static void make_many()
{
    const char *names[] = {"free_", "own"}, *bounds[] = {"", ".maxnreg 48 "};
    char *at = many + sprintf(many, HEAD);
    for (int k = 0; k < 2; k++) {
        at += sprintf(at, ".visible .entry %s(.param .u64 p) %s{ .reg .b32 %%r<100>; .reg .b64 %%a; ld.param.u64 %%a, [p];\n", names[k], bounds[k]);
        for (int i = 0; i < 100; i++)
            at += sprintf(at, "ld.volatile.u32 %%r%d, [%%a+%d];\n", i, 4 * i);
        for (int i = 99; i >= 0; i--)
            at += sprintf(at, "st.volatile.u32 [%%a+%d], %%r%d;\n", 4 * i, i);
        at += sprintf(at, "ret; }\n");
    }
}

static int registers_of(const void *code, const char *name, unsigned count, CUjit_option *options, void **values)
{
    CUmodule m;
    CUfunction f;
    int n;
    CU(cuModuleLoadDataEx(&m, code, count, options, values));
    CU(cuModuleGetFunction(&f, m, name));
    CU(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
    CU(cuModuleUnload(m));
    return n;
}

// As an H100's driver: at least 24, not rounded, and not of a kernel that has a bound of its own. 0 is refused.
static void registers()
{
    make_many();
    CHECK(registers_of(many, "free_", 0, NULL, NULL) >= 64 && registers_of(many, "own", 0, NULL, NULL) == 48);
    for (long most : {8, 38, 57, 0}) {
        CUjit_option option = CU_JIT_MAX_REGISTERS;
        void *value = (void *)most, *code;
        CUlinkState s;
        CUmodule m;
        if (!most) {
            DRIVER_GIVES(cuModuleLoadDataEx(&m, many, 1, &option, &value), CUDA_ERROR_INVALID_VALUE);
            DRIVER_GIVES(cuLinkCreate(1, &option, &value, &s), CUDA_ERROR_INVALID_VALUE);
            break;
        }
        int want = most < 24 ? 24 : (int)most;
        CHECK(registers_of(many, "free_", 1, &option, &value) == want && registers_of(many, "own", 1, &option, &value) == 48);
        for (int own = 0; own < 2; own++) { // the link's option, and one of what is added
            CU(cuLinkCreate(!own, &option, &value, &s));
            CU(cuLinkAddData(s, CU_JIT_INPUT_PTX, many, strlen(many) + 1, "many", own, &option, &value));
            CU(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)called, sizeof called, "called", 0, NULL, NULL));
            CU(cuLinkComplete(s, &code, NULL));
            CHECK(registers_of(code, "free_", 0, NULL, NULL) == want && registers_of(code, "own", 0, NULL, NULL) == 48);
            CU(cuLinkDestroy(s));
        }
    }
    const char *options[] = {"-arch=sm_90", "-maxrregcount=38"};
    jit l;
    size_t bytes;
    CHECK(create(&l, 2, options) == 0 && add(l, INPUT_PTX, many, strlen(many) + 1, "many") == 0);
    CHECK(complete(l) == 0 && cubin_size(l, &bytes) == 0);
    char *code = (char *)calloc(1, bytes + 1);
    CHECK(cubin(l, code) == 0 && destroy(&l) == 0);
    CHECK(registers_of(code, "free_", 0, NULL, NULL) == 38);
    free(code);
}

static void refusals()
{
    const char *other = "-maxrregcount=32", *wrong = "arch";
    char log[8192];
    size_t bytes;
    jit l;
    CHECK(create(&l, 1, &other) == 2); // no -arch
    CHECK(create(&l, 1, &wrong) == 1);
    CHECK(create(NULL, 0, NULL) == 3);
    l = begin();
    CHECK(add(l, INPUT_LTOIR, caller, sizeof caller, "lto") == 18);
    CHECK(log_size(l, &bytes) == 0 && bytes > 1 && bytes < sizeof log);
    CHECK(log_of(l, log) == 0 && strstr(log, "LTO-IR"));
    CHECK(destroy(&l) == 0);
    l = begin();
    CHECK(add(l, INPUT_PTX, caller, sizeof caller, "caller") == 0);
    CHECK(complete(l) != 0); // twice() is nowhere
    CHECK(log_of(l, log) == 0 && strstr(log, "twice"));
    CHECK(destroy(&l) == 0);
    CHECK(destroy(&l) == 3);
}

int main(void)
{
    CUcontext c;
    unsigned major, minor;
    CU(cuInit(0));
    CU(cuDevicePrimaryCtxRetain(&c, 0));
    CU(cuCtxSetCurrent(c));
    void *lib = dlopen("libnvJitLink.so.13", RTLD_NOW | RTLD_NOLOAD); // libcuda.so.1 has opened it
    CHECK(lib != nullptr);
    void *driver = dlopen("libcuda.so", RTLD_NOW); // as Taichi opens it
    CHECK(driver != nullptr && driver == dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD));
    find(lib, &create, "nvJitLinkCreate");
    find(lib, &destroy, "__nvJitLinkDestroy_13_0");
    find(lib, &add, "nvJitLinkAddData");
    find(lib, &complete, "__nvJitLinkComplete_13_5");
    find(lib, &cubin_size, "nvJitLinkGetLinkedCubinSize");
    find(lib, &cubin, "nvJitLinkGetLinkedCubin");
    find(lib, &log_size, "nvJitLinkGetErrorLogSize");
    find(lib, &log_of, "nvJitLinkGetErrorLog");
    find(lib, &version, "nvJitLinkVersion");
    CHECK(version(&major, &minor) == 0 && major == 12 && minor < 3); // too old for LTO-IR
    two_parts();
    registers();
    refusals();
    puts("ok");
    return 0;
}
