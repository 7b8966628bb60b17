/**
 * @file test_lean.c
 * What of a head a file needs (grader/build/lean.h): each kind of declaration once where it is meant and once where it is not.
 */
#include <stdlib.h>
#include <string.h>

#include "build/lean.h"
#include "base/text.h"
#include "unit.h"

static void test_kept(void)
{
    static const struct {
        const char *head, *rest;
        const char *kept, *left; /**< words that must be in the lean head, and that must not; NULL: none */
    } rows[] = {
        {"int a();\nint b();", "int x = a();", "a", "b"},
        {"int a(int);\nint a(float);", "int x = a(1);", "float", NULL},
        {"int b();\ninline int a() { return b(); }\ninline int c() { return b(); }", "int x = a();", "b()", "c"},
        {"struct s { int i; };\nstruct t { int j; };", "s x;", "int i", "int j"},
        {"struct s { int i; } one, two;", "int x = two.i;", "one", NULL},
        {"typedef struct { int i; } s;", "s x;", "int i", NULL},
        {"typedef struct { int i; } s;", "int i;", NULL, "int i"},
        {"typedef struct s t;\nstruct s { int i; };", "t *x;", "int i", NULL},
        {"enum e { one, two };", "int x = two;", "one", NULL},
        {"enum { one, two };\nenum { three };", "int x = two;", "one", "three"},
        {"typedef int a, *b;\ntypedef int c;", "b x;", "a", "c"},
        {"typedef int (*f)(int);", "f x;", "f", NULL},
        {"using a = int;\nusing b = int;", "a x;", "a", "b"},
        {"namespace n { int a(); int b(); }\nusing n::a;\nusing n::b;", "int x = a();", "using n::a", "n::b"},
        {"namespace n { int a(); }\nusing namespace n;", "int x;", "using namespace n;", "a()"},
        {"namespace n { int a(); }\nnamespace m = n;", "int x;", "namespace m", "a()"},
        {"inline namespace n { int a(); }", "int x = a();", "inline namespace n", NULL},
        {"extern \"C\" { int a(); int b(); }\nextern \"C\" int c();", "int x = a();", "extern \"C\" { int a", "c"},
        {"extern const int a = 1, b = 2;\nextern int c[3];", "int x = b;", "a", "c[3]"},
        {"extern struct f *out;", "void *x = out;", "out", NULL},
        {"template <class T> struct s {};\ntemplate <> struct s<int> { int i; };\ntemplate <class T> struct s<T *> { int j; };", "s<int> x;", "int i", NULL},
        {"template <class T> struct s {};\nstruct h {};\ntemplate <> struct s<h> { int i; };", "s<int> x;", "struct s", "int i"},
        {"template <class T> struct s {};\nstruct h {};\ntemplate <> struct s<h> { int i; };", "s<int> x; h y;", "int i", NULL},
        {"template <class T> int v = 0;\nstruct h {};\ntemplate <> inline int v<h> = 7;", "int x = v<int>;", "v", "7"},
        {"template <class T> struct s { void f(); int i; };\ntemplate <class T> void s<T>::f() { i = 7; }\ntemplate <class T> struct t { void f(); };\n"
         "template <class T> void t<T>::f() { }", "s<int> x;", "i = 7", "t<T>"},
        {"struct s { s &operator=(int); };\ns &s::operator=(int) { return *this; }\nstruct t { t(); };\nt::t() {}", "s x;", "s::operator", "t::t"},
        {"struct s { struct id; };\nstruct s::id { int i; };\nstruct t { struct id; };\nstruct t::id { int j; };", "s x; int id;", "int i", "int j"},
        {"namespace n { struct s; int f(); extern int v; struct t {}; int operator+(t, t); }\nstruct n::s { int i; };\nint n::f() { return 7; }\nint n::v = 8;\n"
         "int n::operator+(n::t, n::t) { return 9; }", "n::s x;", "int i", "return 7"},
        {"namespace n { int f(); extern int v; }\nint n::f() { return 7; }\nint n::v = 8;", "int x = n::v;", "v = 8", "return 7"},
        {"struct s {};\nbool operator<(const s &a, const s &b);\nbool operator==(const s &, const s &);\nstruct h {};\nbool operator<=(const h &, const h &);", "s x;", "operator==",
         "operator<="},
        {"struct h {};\nint f(const h *p);\nint f(int i);", "int x = f(1);", "f(int", "const h"},
        {"struct h {};\nint f(int h, int *h, h);\nint f(int h = 1);", "int x = f(1);", "f(int h = 1)", NULL},
        {"struct h {};\nint f(const h *p);\nint f(int);", "h *y; int x = f(y);", "const h", NULL},
        {"enum h { a };\nint f(int, h b = a);\nstruct g;\nint f(int, g, h b = a);", "int x = f(1);", "int f(int, h", "f(int, g"},
        {"struct h { int i; };\nint f(h);\nint f(int);", "int x = f({1});", "f(h)", NULL},
        {"struct h { int i; };\nint f(h);\nint f(int);", "int x[2] = {f(1), f(2)};", "f(int)", "f(h)"},
        {"template <class T> struct id { typedef T type; };\ntemplate <class T> int f(T, typename id<T>::type);", "int x = f(1, 2);", "type);", NULL},
        {"__attribute__((noinline)) int a();\nint noinline();", "int x = a();", "a", "int noinline"},
        {"[[deprecated]] int a();\nint deprecated();", "int x = a();", "a", "int deprecated"},
        {"struct __attribute__((aligned(N))) s {};\nenum { N = 8 };", "s x;", "N = 8", NULL},
        {"static_assert(1, \"\");\nint a();", "int x;", NULL, "static_assert"},
        {"#pragma nv_exec_check_disable\nint a();\n#pragma GCC visibility push(default)\nint b();", "int x;", "visibility", "nv_exec"},
        {"#pragma nv_exec_check_disable\ntemplate <class T> int a(T);", "int x = a(1);", "nv_exec", NULL},
        {"template <class T> int begin(T &);\ntemplate <class T> int get(T &);", "void f(int (&a)[2]) { for (int i : a) ; }", "begin", "get"},
        {"template <class T> int begin(T &);\ntemplate <class T> int get(T &);", "void f(int (&a)[2]) { for (int i = a ? 1 : 2; ;) ; }", "\n", NULL},
        {"template <class T> int begin(T &);\ntemplate <class T> int get(T &);", "void f(int (&a)[2]) { const auto &[b, c] = a; }", "get", "begin"},
        {"const char *a = \"} ; // R\";\nchar b = '\\'';\nconst char *c = R\"x(;\" } )x\";\nint d();", "int x = d();", "d", "b"},
        {"template <int N, bool B = (N < 3)> struct s {};\ntemplate <class T> struct t : s<int(T(1)) < 2> {};\nint d();", "t<int> x;", "struct t", "d"},
        {"struct s { s() : a{1} { } int a; };\ninline s f() { return s(); }\nint d();", "s x = f();", "f", "d"},
        {"int operator\"\"_s(const char *, unsigned long);\nint operator\"\"_n(unsigned long long);", "int x = \"a\"_s; int _n;", "_s", "_n"},
        {"int operator\"\"_s(const char *, unsigned long);\nint operator\"\" _n(unsigned long long);", "int x = 0x10_n;", "_n", "_s"},
        {"template <class T, class U> bool w = v<T, U>;\ntemplate <class T, class U> bool v = 7;", "template <class T> int x;", NULL, "7"},
        {"int f();\nnamespace n { int f(int); int g(); }\nextern \"C\" { int g(); }\nint g(float);", "int x = n::f(1) + n::g();", "int g();", "int f();"},
        {"int f();\nnamespace n { using ::f; int f(int); }", "int x = n::f();", "int f();", NULL},
        {"int f();\nnamespace n { int f(int); }", "int x = n::f(1); int g() { return ::f(); }", "int f();", NULL},
        {"namespace n { struct s { void f(); }; }\nvoid n::s::f() {}", "n::s x;", "n::s::f", NULL},
        {"class initializer_list;\nint d();", "int x;", "initializer_list", "d"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = lean_head(rows[i].head, rows[i].rest);
        bool ok = text && (!rows[i].kept || strstr(text, rows[i].kept)) && (!rows[i].left || !strstr(text, rows[i].left));
        if (!ok)
            printf("%s\n--\n%s\n--\n%s\n", rows[i].head, rows[i].rest, text ? text : "not understood");
        CU_ASSERT_TRUE(ok);
        free(text);
    }
}

static void test_lines(void)
{
    char *text = lean_head("# 1 \"/a.h\" 1 3\nint a();\nint b();\n\nint c();\n# 7 \"/b.h\" 2 3 4\nint d(\n);\nnamespace n {\nint e();\n\tint g(); int f();\n}\n",
                           "int x = a() + c() + d() + f();");
    CU_ASSERT_STRING_EQUAL_FATAL(text, "\n# 1 \"/a.h\" 3\nint a();\n# 4 \"/a.h\" 3\nint c();\n# 7 \"/b.h\" 3 4\nint d(\n);\nnamespace n {\n# 11 \"/b.h\" 3 4\n\t         int f();\n}\n");
    free(text);
}

static void test_not_understood(void)
{
    static const char *const heads[] = {"int a() {", "}", "int a)", "namespace n {", "int a", "template <class T int a();", "const char *a = \"\n;", "const char *a = R\"x( ;"};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        char *text = lean_head(heads[i], "int x;");
        CU_ASSERT_PTR_NULL(text);
        free(text);
    }
    CU_ASSERT_PTR_NULL(lean_head("int a();", "const char *x = \"\n;"));
}

/** A text of some of these pieces, in any order. */
static void mix(char *text, unsigned *seed)
{
    static const char *const pieces[] = {"(", ")", "[", "]", "{", "}", "<", ">", ";", ",", "=", ":", "::", "template", "class", "enum", "typedef", "using", "namespace", "extern",
        "\"C\"", "\"", "'", "operator", "__attribute__", "for", "auto", "int", "a", "~", "*", "->", ".", "1u", "R\"(x)\"", "\n", "\n# 3 \"f\" 3\n", "\n# 9\n", "\n#pragma x\n",
        "\n#pragma nv_exec_check_disable\n", "static_assert", "[[d]]", "\\", "int a();", "struct a {};", "namespace c {", "}", "template <> struct b<a> { int c; };", "enum { a, b };"};
    *text = 0;
    for (int n = 0; n < 100 && ((*seed = *seed * 1103515245 + 12345) >> 16 & 31); n++) {
        strcat(text, pieces[(*seed >> 8) % (sizeof pieces / sizeof pieces[0])]);
        strcat(text, " ");
    }
}

static void test_any(void)
{
    char head[8192], rest[8192];
    unsigned seed = 1;
    int understood = 0;
    for (int i = 0; i < 2000; i++) {
        mix(head, &seed);
        mix(rest, &seed);
        char *text = lean_head(head, rest);
        understood += text != NULL;
        free(text);
    }
    CU_ASSERT_TRUE(understood > 0);
}

UNIT_MAIN("lean", {"what is kept and what is left out", test_kept}, {"lines are those of their files", test_lines}, {"a head that is not understood", test_not_understood}, {"whatever stands there", test_any})
