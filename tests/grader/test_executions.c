/**
 * @file test_executions.c
 * The execution that a wrong prediction is answered with: the right one of several, in words, and none where
 * there is none to show.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/executions.h"
#include "unit.h"

#define STORE(block, name, value)                                                                  \
    "{\"op\":\"store\",\"block\":[" block ",0,0],\"thread\":[0,0,0],\"object\":\"alloc1\",\"offset\":0,\"part\":\"." name \
    "\",\"value\":" value "}"
#define LOAD(block, name, value, from)                                                             \
    "{\"op\":\"load\",\"block\":[" block ",0,0],\"thread\":[0,0,0],\"object\":\"alloc1\",\"offset\":0,\"part\":\"." name \
    "\",\"value\":" value ",\"from\":" from "}"
#define FENCE(block) "{\"op\":\"fence\",\"order\":\"sc.gpu\",\"block\":[" block ",0,0],\"thread\":[0,0,0]}"
#define OUTCOME(kernel, events)                                                                    \
    "{\"kind\":\"outcome\",\"level\":\"info\",\"kernel\":\"" kernel "\",\"events\":[" events "]}\n"

static const char findings[] =
    "{\"kind\":\"ordering\",\"level\":\"warning\",\"kernel\":\"mp\"}\n"
    "no JSON\n"
    OUTCOME("mp", STORE("0", "x", "1") "," LOAD("1", "y", "1", "2") "," STORE("0", "y", "1") "," LOAD("1", "x", "1", "0"))
    OUTCOME("sb", LOAD("0", "y", "1", "0") "," LOAD("1", "x", "0", "-1"))
    OUTCOME("mp", STORE("0", "x", "1") "," LOAD("1", "y", "1", "2") "," FENCE("0") "," STORE("0", "y", "1") ","
                      LOAD("1", "x", "0", "-1"));

static char path[] = "/tmp/test_executions.XXXXXX";

static void check(const char *differs, const char *words)
{
    char *got = executions_explain(path, differs);
    if (words)
        CU_ASSERT_STRING_EQUAL(got ? got : "", words);
    if (!words)
        CU_ASSERT_PTR_NULL(got);
    free(got);
}

static void test_shown(void)
{
    check("mp: ab = 10 (1: can be, 0: cannot be): expected 1, got 0",
          "It can be: block 0 writes x = 1, fence, writes y = 1; block 1 reads y = 1, reads x = 0 (as it was).");
    check("sb: ab = 10 (1: can be, 0: cannot be): expected 1, got 0",
          "It can be: block 0 reads y = 1; block 1 reads x = 0 (as it was).");
}

static void test_not_shown(void)
{
    check("mp: ab = 10 (1: can be, 0: cannot be): expected 0, got 1", NULL);
    check("mp: ab = 01 (1: can be, 0: cannot be): expected 1, got 0", NULL);
    check("mp: abc = 100 (1: can be, 0: cannot be): expected 1, got 0", NULL);
    check("iriw: ab = 10 (1: can be, 0: cannot be): expected 1, got 0", NULL);
    check("element 17 of sum: expected 1, got 0", NULL);
    unlink(path);
    check("mp: ab = 10 (1: can be, 0: cannot be): expected 1, got 0", NULL);
}

static void test_all(void)
{
    int fd = mkstemp(path);
    CU_ASSERT(fd >= 0 && write(fd, findings, sizeof findings - 1) == (ssize_t)sizeof findings - 1);
    close(fd);
    test_shown();
    test_not_shown();
}

UNIT_MAIN("executions", {"shown where one ends so, and only there", test_all})
