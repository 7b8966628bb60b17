/**
 * @file test_meant.c
 * What of a student's file a part can come to run (grader/build/meant.h): edits that reach f, and edits that do not.
 */
#include <stdlib.h>
#include <string.h>

#include "build/meant.h"
#include "base/text.h"
#include "unit.h"

static struct spec_kernel entries[] = {{"f", ""}, {"g", ""}};
static const struct spec spec = {.functions = entries, .functions_count = 2};

/** @return 0: nothing can be said of the text */
static uint64_t hash_of(const char *source)
{
    static char name[] = "f";
    char *calls[] = {name};
    uint64_t h = 0;
    struct meant *m = meant_read(source, &spec);
    if (m && !meant_hash(m, calls, 1, &h))
        h = 0;
    meant_free(m);
    return h;
}

struct edit {
    const char *before, *after;
};

static void test_does_not_reach(void)
{
    static const struct edit rows[] = {
        {"void f() { g(); }", "// more\nvoid f()\n{\n    g(); /* and g */\n}\n"},
        {"void f() {}", "void f() {}\nvoid h() {}"},
        {"void f() {}\nvoid h() { f(); }", "void f() {}\nvoid h() { f(); f(); }"},
        {"void h() {}\nvoid f() {}", "\n\nvoid f() {}"},
        {"int h(int i) { return i; }\nvoid f() { g(); }", "int h(int i) { return i + 1; }\nvoid f() { g(); }"},
        {"extern \"C\" void g() {}\nextern \"C\" void f() {}", "extern \"C\" void g() { f(); }\nextern \"C\" void f() {}"},
        {"extern \"C\" {\nvoid g() {}\nvoid f() {}\n}", "extern \"C\" {\nvoid g() { f(); }\nvoid f() {}\n}"},
        {"template <class T> T h(T t) { return t; }\nvoid f() {}", "template <class T> T h(T t) { return t + 1; }\nvoid f() {}"},
        {"namespace n { void h() {} }\nvoid f() {}", "namespace n { void h() { f(); } }\nvoid f() {}"},
        {"__global__ void __launch_bounds__(128) k(int *p) { *p = 1; }\nvoid f() {}", "__global__ void __launch_bounds__(256) k(int *p) { *p = 2; }\nvoid f() {}"},
        {"#define N 1\n__global__ void __launch_bounds__(N, 2) k(int *p) { *p = 1; }\nvoid f() {}", "#define N 1\n__global__ void __launch_bounds__(N, 2) k(int *p) { *p = 2; }\nvoid f() {}"},
        {"#define N 1 // one\nvoid f() {}", "#define N 1 /* one,\n   still */\nvoid f() {}"},
        {"void f() { g(\"a  b\"); }", "void f()\n{ g( \"a  b\" ); }"},
        {"void f() {}\n#define N 1\nvoid h() {}", "void f() {}\n#define N 2\nvoid h() {}"},
        {"void h() { g('\\''); }\nvoid f() {}", "void h() { g('\"'); }\nvoid f() {}"},
        {"void h() { g(R\"(})\"); }\nvoid f() {}", "void h() { g(R\"(}})\"); }\nvoid f() {}"},
        {"void h() { g(1'000'000); }\nvoid f() {}", "void h() { g(1'000'001); }\nvoid f() {}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t a = hash_of(rows[i].before), b = hash_of(rows[i].after);
        if (!a || a != b)
            printf("reached: %s\n->\n%s\n", rows[i].before, rows[i].after);
        CU_ASSERT(a && a == b);
    }
}

static void test_reaches(void)
{
    static const struct edit rows[] = {
        {"void f() { g(1); }", "void f() { g(2); }"},
        {"void f() { g(\"a b\"); }", "void f() { g(\"a  b\"); }"},
        {"void f() { a b; }", "void f() { ab; }"},
        {"void h() { g(1); }\nvoid f() { h(); }", "void h() { g(2); }\nvoid f() { h(); }"},
        {"void i() { g(1); }\nvoid h() { i(); }\nvoid f() { h(); }", "void i() { g(2); }\nvoid h() { i(); }\nvoid f() { h(); }"},
        {"int h() { return 1; }\nint x = h();\nvoid f() {}", "int h() { return 2; }\nint x = h();\nvoid f() {}"},
        {"int x = 1;\nvoid f() {}", "int x = 2;\nvoid f() {}"},
        {"void f() {}", "struct s { s(); } one;\nvoid f() {}"},
        {"struct s { void h() { g(1); } };\nvoid f() { s x; }", "struct s { void h() { g(2); } };\nvoid f() { s x; }"},
        {"struct s { void h(); };\nvoid s::h() { g(1); }\nvoid f() {}", "struct s { void h(); };\nvoid s::h() { g(2); }\nvoid f() {}"},
        {"int h(int i) { return 1; }\nvoid f() { h(1); }", "int h(int i) { return 1; }\nint h(long i) { return 2; }\nvoid f() { h(1); }"},
        {"int operator+(s a, s b) { return 1; }\nvoid f() {}", "int operator+(s a, s b) { return 2; }\nvoid f() {}"},
        {"int *begin(s &x) { return 0; }\nvoid f() { for (int i : x) g(i); }", "int *begin(s &x) { return x; }\nvoid f() { for (int i : x) g(i); }"},
        {"#define N 1\nvoid f() { g(N); }", "#define N 2\nvoid f() { g(N); }"},
        {"#define N 1 \\\n    + 1\nvoid f() { g(N); }", "#define N 1 \\\n    + 2\nvoid f() { g(N); }"},
        {"#define CALL h()\nvoid h() { g(1); }\nvoid f() { CALL; }", "#define CALL h()\nvoid h() { g(2); }\nvoid f() { CALL; }"},
        {"#define N 1\nvoid f() {}", "void f() {}\n#define N 1\nvoid h() {}"},
        {"#include <a>\nvoid f() {}", "#include <b>\nvoid f() {}"},
        {"void f() { for (;;) g(); }", "void f() {\n#pragma unroll\nfor (;;) g(); }"},
        {"void h() { g(1); }\nvoid f() { asm(\"call h;\"); }", "void h() { g(2); }\nvoid f() { asm(\"call h;\"); }"},
        {"#define KERNEL(n) __global__ void n\nKERNEL(h)(int *p) { *p = 1; }\nvoid f() { h(); }",
         "#define KERNEL(n) __global__ void n\nKERNEL(h)(int *p) { *p = 2; }\nvoid f() { h(); }"},
        {"__global__ void __launch_bounds__(128) k(int *p) { *p = 1; }\nvoid f() { k(); }", "__global__ void __launch_bounds__(256) k(int *p) { *p = 1; }\nvoid f() { k(); }"},
        {"__attribute__((used)) void h() { g(1); }\nvoid f() {}", "__attribute__((used)) void h() { g(2); }\nvoid f() {}"},
        {"extern \"C\" void *malloc(unsigned long n) { return 0; }\nvoid f() {}", "extern \"C\" void *malloc(unsigned long n) { return x; }\nvoid f() {}"},
        {"extern \"C\" {\nvoid free(void *p) {}\n}\nvoid f() {}", "extern \"C\" {\nvoid free(void *p) { g(p); }\n}\nvoid f() {}"},
        {"template <> int h<1>() { return 1; }\nvoid f() {}", "template <> int h<1>() { return 2; }\nvoid f() {}"},
        {"using namespace n;\nvoid f() { g(); }", "void f() { g(); }"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t a = hash_of(rows[i].before), b = hash_of(rows[i].after);
        if (!a || !b || a == b)
            printf("not reached: %s\n->\n%s\n", rows[i].before, rows[i].after);
        CU_ASSERT(a && b && a != b);
    }
}

/** Nothing can be said of these. */
static void test_hiding(void)
{
    static const char *const rows[] = {
        "#define CAT(a, b) a ## b\nvoid f() {}",
        "#  if N\nvoid f() {}\n#endif",
        "#ifdef N\n#else\n#endif\nvoid f() {}",
        "#include \"own.h\"\nvoid f() {}",
        "#include\"own.h\"\nvoid f() {}",
        "#undef N\nvoid f() {}",
        "void f() { g(__LINE__); }",
        "#define HERE __LINE__\nvoid f() { g(HERE); }",
        "__attribute__((constructor)) void h() {}\nvoid f() {}",
        "#define FIRST __attribute__((constructor))\nFIRST void h() {}\nvoid f() {}",
        "void f() { asm(\"call _Z1hv;\"); }",
        "void f() { g(\"); }",
        "void f() { /* }",
        "void f() { { }",
        "void h() {}",
        "void f();",
        "",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (hash_of(rows[i]))
            printf("said: %s\n", rows[i]);
        CU_ASSERT_EQUAL(hash_of(rows[i]), 0);
    }
}

static void test_alone(void)
{
    static char name[] = "f", other[] = "other";
    char *calls[] = {name, other};
    const char *source = "#define N 1 // {\nint h(int i) { return i; }\nint i(int) { return N; }\nvoid f() { i(1); }\n// }\nvoid g()\n{\n}\n";
    struct meant *m = meant_read(source, &spec);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    char *alone = meant_alone(m, calls, 1);
    CU_ASSERT_STRING_EQUAL(alone, "#define N 1 // {\nint h(int i) { *(volatile int *)4 = 0; }\nint i(int) { return N; }\nvoid f() { i(1); }\n// }\nvoid g()\n"
                                  "{ *(volatile int *)4 = 0; }\n");
    CU_ASSERT_PTR_NULL(meant_alone(m, calls, 2));
    free(alone);
    meant_free(m);
}

UNIT_MAIN("meant", {"an edit that does not reach f", test_does_not_reach}, {"an edit that does", test_reaches}, {"nothing can be said", test_hiding},
          {"all else emptied", test_alone})
