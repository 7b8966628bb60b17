/**
 * @file test_runtime_api.c
 * The rows of api.def: no symbol twice, columns that agree, a document that is up to date.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/api_document.h"
#include "runtime/api_rows.h"
#include "unit.h"

static const struct {
    const char *name, *since, *twin, *here, *remote;
    int parameters;
} rows[] = {
#define ONE(...) +1
#define ONE_VAL ONE
#define ONE_OUT ONE
#define ONE_IN ONE
#define ONE_OUTS ONE
#define ONE_INS ONE
#define ONE_LIST ONE
#define ONE_STRING ONE
#define API(name, since, twin, here, remote, ...)                                                  \
    {#name, #since, #twin, #here, #remote, 0 EACH(ONE, __VA_ARGS__)},
#include "runtime/api.def"
#undef API
};
#define ROWS ((int)(sizeof rows / sizeof rows[0]))

static void test_once(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(rows[i].name, rows[k].name)) {
                fprintf(stderr, "%s has two rows\n", rows[i].name);
                CU_FAIL("a symbol has two rows");
            }
}

static void test_columns(void)
{
    for (int i = 0; i < ROWS; i++) {
        bool twin = strcmp(rows[i].twin, "none") != 0, runs = !strcmp(rows[i].here, "runs");
        bool made = (twin && runs) || !strcmp(rows[i].remote, "sent") || !strcmp(rows[i].remote, "wrapped");
        char *end;
        double since = strtod(rows[i].since, &end);
        bool release = !*end && since >= 11.7 && since < 14;
        /* What is refused here is refused there; parameters stand where something is made from them. */
        if ((!runs && strcmp(rows[i].remote, "refused")) || (!made && rows[i].parameters) ||
            (twin && runs && !rows[i].parameters) || (!release && strcmp(rows[i].since, "softgpu"))) {
            fprintf(stderr, "%s\n", rows[i].name);
            CU_FAIL("a row's columns do not agree");
        }
    }
}

/** From the list's heading to the end, the document is what `softgpu --calls` says. */
static void check_document(const char *path, void (*document)(FILE *out))
{
    static char kept[1 << 20];
    char *made = NULL;
    size_t size, made_size;
    FILE *out = open_memstream(&made, &made_size), *f = fopen(path, "r");
    document(out);
    fclose(out);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    size = fread(kept, 1, sizeof kept - 1, f);
    fclose(f);
    kept[size] = '\0';
    const char *list = strstr(kept, API_DOCUMENT_HEADING);
    CU_ASSERT(size < sizeof kept - 1 && list && !strcmp(list, made));
    free(made);
}

static void test_document(void)
{
    check_document("docs/runtime.md", api_document);
    check_document("docs/driver.md", driver_document);
}

UNIT_MAIN("runtime_api", {"each symbol has one row", test_once}, {"columns agree", test_columns},
          {"document", test_document})
