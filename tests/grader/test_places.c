/**
 * @file test_places.c
 * Letters at the ends of lines, and what a student says of them: what counts beside what does not.
 */
#include "score/places.h"
#include "unit.h"

static void test_labels(void)
{
    const char *source = "a = 1; // (a)\n"
                         "b = 2; // why   (b)\n"
                         "c = f(d); // (c)\r\n"
                         "\n"
                         "d(e);\n"
                         "// (A) // (1) // (x, y)\n"
                         "last = 1; // (z)";
    const char expected[] = {0, 'a', 0, 'c', 0, 0, 0, 'z', 0};
    for (int line = 0; line < (int)sizeof expected; line++)
        CU_ASSERT_EQUAL(places_label(source, line), expected[line]);
    CU_ASSERT_EQUAL(places_label(source, -1), 0);
}

static const struct {
    const char *source, *said; /**< said: two letters, "" for nothing */
} rows[] = {
    {"// places it: a b\n", "ab"},
    {"// places it: b a\n", "ab"},
    {"/* places it: (c), (a). */ x y z", "ac"},
    {"// places it: A and D\n", "ad"},
    {"// places it: b\n", "bb"},
    {"// places it: b b", "bb"},
    {"// places it: ? ?\n", ""},
    {"// places it: a ?\n", ""},
    {"// places it:\n// a b\n", ""},
    {"// places it: a b c\n", ""},
    {"// places it: ab\n", ""},
    {"// places it: line 12\n", ""},
    {"// places its: a b\n", ""},
    {"", ""},
    {"// places it: a b\n// places it: c d\n", "cd"},
    {"// places it: a b\n// places it: ? ?\n", ""},
};

static void test_said(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct places said = {{0}};
        bool found = places_said(rows[i].source, "it", &said);
        bool right = found ? said.letter[0] == rows[i].said[0] && said.letter[1] == rows[i].said[1]
                           : !rows[i].said[0];
        if (!right)
            fprintf(stderr, "row %zu: %d %.2s\n", i, found, said.letter);
        CU_ASSERT(right);
    }
}

UNIT_MAIN("places", {"labels", test_labels}, {"what is said", test_said})
