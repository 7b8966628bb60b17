/* Lists of runs (remote/runs.h): what is a list, and what is told of which run. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remote/runs.h"
#include "unit.h"

static char folder[] = "/tmp/runs.XXXXXX", path[64], told[64];
static struct runs runs;

static bool is_read(const char *words, size_t bytes)
{
    FILE *f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(fwrite(words, 1, bytes, f), bytes);
    fclose(f);
    return runs_read(&runs, path);
}

#define READ(words) is_read(words, sizeof(words) - 1)

static void test_lists(void)
{
    CU_ASSERT_FALSE(runs_read(&runs, "/nowhere/at/all"));
    CU_ASSERT_FALSE(READ(""));
    CU_ASSERT_FALSE(READ("0\0/f\0A=1\0")); /* no end */
    CU_ASSERT_FALSE(READ("0\0/f\0A=1"));   /* nor of the word */
    CU_ASSERT_FALSE(READ("0\0\0"));         /* no folder */
    CU_ASSERT_FALSE(READ("\0"));
    CU_ASSERT_TRUE_FATAL(READ("7\0/f\0A=1\0B=\0\0" "8\0/g\0\0"));
    CU_ASSERT_EQUAL(runs.count, 2);
    CU_ASSERT_STRING_EQUAL(runs.at[0].number, "7");
    CU_ASSERT_STRING_EQUAL(runs.at[0].folder, "/f");
    CU_ASSERT_STRING_EQUAL(runs.at[0].environment[1], "B=");
    CU_ASSERT_PTR_NULL(runs.at[0].environment[2]);
    CU_ASSERT_STRING_EQUAL(runs.at[1].folder, "/g");
    CU_ASSERT_PTR_NULL(runs.at[1].environment[0]);
    CU_ASSERT_FALSE(READ("7\0/f\0A=1\0\0" "8\0/g\0"));
    char many[RUNS_MOST + 1][6];
    memset(many, 0, sizeof many);
    for (int i = 0; i <= RUNS_MOST; i++)
        memcpy(many[i], "1\0/f\0", 6);
    CU_ASSERT_TRUE(is_read(many[0], sizeof many - sizeof *many));
    CU_ASSERT_FALSE(is_read(many[0], sizeof many));
}

/** What each run does, in its process. */
static void act(int which)
{
    char here[64];
    if (!getcwd(here, sizeof here) || strcmp(here, folder) || !getenv("WHICH") || atoi(getenv("WHICH")) != which)
        _exit(9);
    switch (which) {
    case 1: _exit(3);
    case 2: printf("a word\n"), exit(0);
    case 3: fprintf(stderr, "a word\n"), _exit(0);
    case 4: raise(SIGKILL); break;
    case 5: /* one that stays keeps the run's output open */
        if (fork() == 0)
            pause();
        break;
    case 6: close(1), close(2); break;
    case 7: printf("%d\n", which), fflush(stdout), pause(); break; /* is not waited for */
    default: break;
    }
    _exit(0);
}

static void make_all(const char *list)
{
    int out = open(told, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (out < 0 || dup2(out, 1) != 1 || !runs_read(&runs, list))
        _exit(1);
    for (int i = 0; i < runs.count; i++)
        if (runs_fork(&runs.at[i]))
            act(i);
    fflush(stdout);
    _exit(0);
}

static void test_told(void)
{
    char words[4096], line[64];
    size_t bytes = 0;
    for (int i = 0; i < 9; i++)
        bytes += (size_t)snprintf(words + bytes, sizeof words - bytes, "%d%c%s%cWHICH=%d%c%c", 10 * i, 0, folder, 0, i, 0, 0);
    CU_ASSERT_TRUE_FATAL(is_read(words, bytes));
    CU_ASSERT_EQUAL_FATAL(runs.count, 9);
    int status = -1;
    pid_t all = fork();
    if (all == 0) {
        setpgid(0, 0);
        make_all(path);
    }
    CU_ASSERT_EQUAL(waitpid(all, &status, 0), all);
    CU_ASSERT_EQUAL(status, 0);
    kill(-all, SIGKILL);
    FILE *f = fopen(told, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    static const int well[] = {0, 50, 60, 80};
    for (unsigned i = 0; i < sizeof well / sizeof *well; i++) {
        int number = -1;
        double seconds = -1;
        CU_ASSERT_PTR_NOT_NULL_FATAL(fgets(line, sizeof line, f));
        CU_ASSERT_EQUAL(sscanf(line, "%d %lf", &number, &seconds), 2);
        CU_ASSERT_EQUAL(number, well[i]);
        CU_ASSERT_TRUE(seconds >= 0);
    }
    CU_ASSERT_PTR_NULL(fgets(line, sizeof line, f));
    fclose(f);
}

static void test_end(void)
{
    unlink(path);
    unlink(told);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

static void test_begin(void)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/list", folder);
    snprintf(told, sizeof told, "%s/told", folder);
}

UNIT_MAIN("runs", {"begin", test_begin}, {"lists", test_lists}, {"told", test_told}, {"end", test_end})
