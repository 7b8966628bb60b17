/**
 * @file test_lexer.c
 * Tokens: what each spelling becomes, where it stands, and what is refused.
 */
#include <string.h>

#include "parse/lexer.h"
#include "unit.h"

/** Reads one token of `text`. */
static struct token first(const char *text)
{
    struct lexer lx;
    struct token t;
    lexer_init(&lx, text, strlen(text));
    lexer_next(&lx, &t);
    return t;
}

static void test_numbers(void)
{
    static const struct {
        const char *text;
        enum token_kind kind;
        uint64_t bits;
        bool is_unsigned;
    } cases[] = {
        {"0", TOKEN_INT, 0, false},
        {"42", TOKEN_INT, 42, false},
        {"42U", TOKEN_INT, 42, true},
        {"0x1F", TOKEN_INT, 0x1f, false},
        {"0Xffffffffffffffff", TOKEN_INT, UINT64_MAX, true},
        {"9223372036854775807", TOKEN_INT, INT64_MAX, false},
        {"9223372036854775808", TOKEN_INT, 1ull << 63, true},
        {"017", TOKEN_INT, 15, false},
        {"0b1011", TOKEN_INT, 11, false},
        {"0b11U", TOKEN_INT, 3, true},
        {"0f3F800000", TOKEN_FLOAT32, 0x3f800000, false},
        {"0F7fC00000", TOKEN_FLOAT32, 0x7fc00000, false},
        {"0d3FF0000000000000", TOKEN_FLOAT64, 0x3ff0000000000000, false},
        {"1.0", TOKEN_FLOAT64, 0x3ff0000000000000, false},
        {".5", TOKEN_FLOAT64, 0x3fe0000000000000, false},
        {"1e2", TOKEN_FLOAT64, 0x4059000000000000, false},
        {"2.5E-1", TOKEN_FLOAT64, 0x3fd0000000000000, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct token t = first(cases[i].text);
        CU_ASSERT_EQUAL(t.kind, cases[i].kind);
        CU_ASSERT_EQUAL(t.bits, cases[i].bits);
        CU_ASSERT_EQUAL(t.is_unsigned, cases[i].is_unsigned);
        CU_ASSERT_EQUAL(t.len, strlen(cases[i].text));
    }
}

static void test_refused(void)
{
    static const char *const texts[] = {
        "18446744073709551616", "0x", "0xg", "08", "0b2", "0b", "0f3F80000", "0f3F8000000",
        "0d3FF", "12ab", "1.0x", "\"open", "\"open\n\"", "/* open", "#include \"x\"", "#define X 1",
        "`", "\\", "\x01", "'", "$",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct token t = first(texts[i]);
        CU_ASSERT_EQUAL(t.kind, TOKEN_ERROR);
        CU_ASSERT_PTR_NOT_NULL(t.message);
        CU_ASSERT_EQUAL(t.column, 1);
    }
}

static void test_names(void)
{
    static const char *const texts[] = {"a", "%r1", "_", "__x", "$L__BB0_1", "%", "_ZN3fooE$1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct token t = first(texts[i]);
        bool is_operator = !strcmp(texts[i], "%");
        CU_ASSERT_EQUAL(t.kind, is_operator ? TOKEN_PUNCT : TOKEN_NAME);
        CU_ASSERT_EQUAL(t.len, strlen(texts[i]));
    }
}

/** Writes all tokens as "kind:text " and returns the last one's kind. */
static enum token_kind spell(const char *text, char *out, size_t size)
{
    struct lexer lx;
    struct token t;
    size_t used = 0;
    out[0] = '\0';
    lexer_init(&lx, text, strlen(text));
    for (lexer_next(&lx, &t); t.kind != TOKEN_END && t.kind != TOKEN_ERROR; lexer_next(&lx, &t))
        used += (size_t)snprintf(out + used, size - used, "%.1s:%.*s ", token_kind_name(t.kind),
                                 (int)t.len, t.start);
    return t.kind;
}

static void test_streams(void)
{
    static const struct {
        const char *text, *tokens;
    } cases[] = {
        {"ld.global.v4.f32 {%f1,_}, [%rd1+-16];",
         "n:ld d:global d:v4 d:f32 o:{ n:%f1 o:, n:_ o:} o:, o:[ n:%rd1 o:+ o:- i:16 o:] o:; "},
        {"cp.async.bulk.shared::cluster.L2::cache_hint",
         "n:cp d:async d:bulk d:shared::cluster d:L2::cache_hint "},
        {"tex.2d.v4 %tid.x", "n:tex d:2d d:v4 n:%tid d:x "},
        {"a: b ::", "n:a o:: n:b o:: o:: "},
        {"@!%p1 bra L;", "o:@ o:! n:%p1 n:bra n:L o:; "},
        {"%r1|%p2", "n:%r1 o:| n:%p2 "},
        {"7%3 (7)%3 , %3", "i:7 o:% i:3 o:( i:7 o:) o:% i:3 o:, n:%3 "},
        {"1<<2>=3||4&&5!=6", "i:1 o:<< i:2 o:>= i:3 o:|| i:4 o:&& i:5 o:!= i:6 "},
        {".file 1 \"a\\\"b.cu\"", "d:file i:1 s:\"a\\\"b.cu\" "},
        {"a // b\n/* c\n d */ e", "n:a n:e "},
        {"# 1 \"x.cu\"\n#line 7\na", "n:a "},
        {"a /**/ b/*/*/c", "n:a n:b n:c "},
        {"", ""},
    };
    char out[512];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CU_ASSERT_EQUAL(spell(cases[i].text, out, sizeof out), TOKEN_END);
        CU_ASSERT_STRING_EQUAL(out, cases[i].tokens);
    }
}

static void test_places(void)
{
    static const char text[] = "a\n  b /* x\n y */ c\r\n\td";
    static const int places[][2] = {{1, 1}, {2, 3}, {3, 7}, {4, 2}};
    struct lexer lx;
    struct token t;
    lexer_init(&lx, text, sizeof text - 1);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        lexer_next(&lx, &t);
        CU_ASSERT_EQUAL(t.line, places[i][0]);
        CU_ASSERT_EQUAL(t.column, places[i][1]);
    }
    lexer_next(&lx, &t);
    CU_ASSERT_EQUAL(t.kind, TOKEN_END);
    lexer_next(&lx, &t);
    CU_ASSERT_EQUAL(t.kind, TOKEN_END);
}

/** An error stays where it is: a parser that asks again is not led past it. */
static void test_error_stays(void)
{
    struct lexer lx;
    struct token t;
    lexer_init(&lx, "a ` b", 5);
    lexer_next(&lx, &t);
    for (int i = 0; i < 3; i++) {
        lexer_next(&lx, &t);
        CU_ASSERT_EQUAL(t.kind, TOKEN_ERROR);
        CU_ASSERT_EQUAL(t.column, 3);
    }
}

UNIT_MAIN("lexer", {"numbers", test_numbers}, {"what is refused", test_refused},
          {"names", test_names}, {"token streams", test_streams}, {"places", test_places},
          {"an error stays", test_error_stays})
