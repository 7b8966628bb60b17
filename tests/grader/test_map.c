/**
 * @file test_map.c
 * What needs what: a tree by the specs' `needs`.
 */
#include "course/map.h"
#include "unit.h"

static void test_tree(void)
{
    char lab00[] = "lab00", lab01[] = "lab01", lab02[] = "lab02", lab09[] = "lab09";
    char *of_2[] = {lab09, lab01, lab00}, *of_3[] = {lab00}, *of_1[] = {lab02};
    char row[] = "row", sum[] = "sum", scan[] = "scan", sort[] = "sort";
    struct spec specs[] = {{.title = row},
                           {.title = sum, .needs = of_1, .needs_count = 1}, // one that comes later
                           {.title = scan, .needs = of_2, .needs_count = 3},
                           {.title = sort, .needs = of_3, .needs_count = 1}};
    struct map_lab labs[] = {{lab00, &specs[0]}, {lab01, &specs[1]}, {lab02, &specs[2]}, {"lab03", &specs[3]},
                             {"lab04", NULL}};
    struct text out = {0};
    map_write(labs, 5, &out);
    CU_ASSERT_STRING_EQUAL(text_str(&out), "\nWhat needs what\n"
                                           "  lab00  row\n"
                                           "    lab03  sort\n"
                                           "  lab01  sum\n"
                                           "    lab02  scan  (and lab00)\n"
                                           "  lab04  \n");
    text_free(&out);
}

static void test_nothing_needed(void)
{
    char row[] = "row";
    struct spec s = {.title = row};
    struct map_lab labs[] = {{"lab00", &s}, {"lab01", &s}};
    struct text out = {0};
    map_write(labs, 2, &out);
    CU_ASSERT_STRING_EQUAL(text_str(&out), "");
    text_free(&out);
}

UNIT_MAIN("map", {"tree", test_tree}, {"nothing needed", test_nothing_needed})
