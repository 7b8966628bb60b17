/**
 * @file unit.h
 * A CUnit program in one line: `UNIT_MAIN("lexer", {"numbers", test_numbers}, …)`.
 * Exit status 0 when every assertion held.
 */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>

struct unit_test {
    const char *name;
    CU_TestFunc run;
};

static inline int unit_main(const char *suite, const struct unit_test *tests, int count)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 2;
    CU_pSuite s = CU_add_suite(suite, NULL, NULL);
    for (int i = 0; s && i < count; i++)
        if (!CU_add_test(s, tests[i].name, tests[i].run))
            s = NULL;
    if (s) {
        CU_basic_set_mode(CU_BRM_NORMAL);
        CU_basic_run_tests();
    }
    int failed = !s || CU_get_number_of_failures() > 0 || CU_get_number_of_tests_run() == 0;
    CU_cleanup_registry();
    return failed;
}

#define UNIT_MAIN(suite, ...)                                                                      \
    int main(void)                                                                                 \
    {                                                                                              \
        static const struct unit_test tests[] = {__VA_ARGS__};                                     \
        return unit_main(suite, tests, (int)(sizeof tests / sizeof tests[0]));                     \
    }

#endif
