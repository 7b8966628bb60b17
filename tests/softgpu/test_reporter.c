/**
 * @file test_reporter.c
 * The findings file: errors displace warnings, and only a complete file has a closing record.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "options/options.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "unit.h"

static char path[64] = "/tmp/reporter.XXXXXX";
static char text[1 << 20];

static struct reporter *open_one(bool end, uint64_t max)
{
    struct options o;
    memset(&o, 0, sizeof o);
    o.json_path = path;
    o.json_end = end;
    o.max_findings = max;
    return reporter_open(&o);
}

static void report(struct reporter *r, enum finding_level level, int line, const char *file)
{
    char number[32];
    struct finding f = {.kind = FIND_UNSUPPORTED, .level = level, .cause = CAUSE_UNKNOWN_INSTRUCTION,
                        .access_count = 1, .accesses = {{.op = "store", .file = file, .line = line}}};
    snprintf(number, sizeof number, "number %d", line);
    f.facts.fault.text = number;
    report_finding(r, &f);
}

/** The file's text; the reporter is closed. */
static const char *end(struct reporter *r)
{
    reporter_end(r);
    reporter_close(r);
    FILE *f = fopen(path, "r");
    text[f ? fread(text, 1, sizeof text - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    return text;
}

static void errors_displace_warnings(void)
{
    struct reporter *r = open_one(false, 4);
    for (int i = 1; i <= 6; i++)
        report(r, LEVEL_WARNING, i, "k.cu");
    report(r, LEVEL_ERROR, 100, "k.cu");
    report(r, LEVEL_ERROR, 101, "k.cu");
    report(r, LEVEL_ERROR, 101, "k.cu");
    CU_ASSERT_EQUAL(reporter_count(r, LEVEL_ERROR), 2);
    const char *t = end(r);
    CU_ASSERT(strstr(t, "number 100") && strstr(t, "number 101") && strstr(t, "number 1\""));
    CU_ASSERT(!strstr(t, "number 3") && !strstr(t, "number 5"));
    CU_ASSERT(strstr(t, "\"kind\":\"incomplete\"") != NULL);
    CU_ASSERT(strstr(t, "\"kind\":\"end\"") == NULL); /* not asked for */
}

static void errors_stay(void)
{
    struct reporter *r = open_one(false, 2);
    for (int i = 1; i <= 3; i++)
        report(r, LEVEL_ERROR, i, "k.cu");
    report(r, LEVEL_WARNING, 4, "k.cu");
    const char *t = end(r);
    CU_ASSERT(strstr(t, "number 1") && strstr(t, "number 2"));
    CU_ASSERT(!strstr(t, "number 3") && !strstr(t, "number 4"));
}

static void closing_record(void)
{
    struct reporter *r = open_one(true, 0);
    report(r, LEVEL_ERROR, 1, "k.cu");
    report_line(r, "{\"kind\":\"outcome\",\"level\":\"info\"}");
    const char *t = end(r), *closing = strstr(t, "{\"kind\":\"end\",\"level\":\"info\",\"lines\":2,");
    CU_ASSERT(closing && !strchr(closing, '\n')[1]);
    CU_ASSERT(strstr(end(open_one(true, 0)), "\"lines\":0") == text + strlen("{\"kind\":\"end\",\"level\":\"info\","));
}

static void lost_findings(void)
{
    struct rlimit old, none;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    none = (struct rlimit){0, old.rlim_max};
    struct reporter *r = open_one(true, 0);
    setrlimit(RLIMIT_FSIZE, &none);
    report(r, LEVEL_ERROR, 1, "k.cu");
    setrlimit(RLIMIT_FSIZE, &old);
    CU_ASSERT(strstr(end(r), "\"kind\":\"end\"") == NULL);
    signal(SIGXFSZ, SIG_DFL);
}

/** Writes until there is no room left. */
static bool fill_disk(const char *name)
{
    static const char block[4096];
    int fd = open(name, O_WRONLY | O_CREAT, 0600);
    if (fd < 0)
        return false;
    while (write(fd, block, sizeof block) > 0) {
    }
    while (write(fd, block, 1) > 0) {
    }
    close(fd);
    return true;
}

enum { NO_MOUNT = 77 };

static bool write_text(const char *file, const char *what)
{
    FILE *f = fopen(file, "w");
    bool ok = f && fputs(what, f) >= 0;
    return f && !fclose(f) && ok;
}

/** A file system of its own in the folder, seen by this process alone. */
static bool mount_small(const char *folder, const char *size)
{
    char uid[32], gid[32];
    snprintf(uid, sizeof uid, "0 %u 1", (unsigned)geteuid());
    snprintf(gid, sizeof gid, "0 %u 1", (unsigned)getegid());
    return !unshare(CLONE_NEWUSER | CLONE_NEWNS) && write_text("/proc/self/setgroups", "deny") &&
           write_text("/proc/self/uid_map", uid) && write_text("/proc/self/gid_map", gid) &&
           !mount("tmpfs", folder, "tmpfs", 0, size);
}

/** In a file system of 16 KiB of its own: full while something is found, and with room again before the end. */
static int on_full_disk(const char *folder)
{
    char filler[64];
    if (!mount_small(folder, "size=16k"))
        return NO_MOUNT;
    snprintf(path, sizeof path, "%s/findings", folder);
    snprintf(filler, sizeof filler, "%s/filler", folder);
    struct reporter *r = open_one(true, 0);
    if (!r || !fill_disk(filler))
        return 1;
    for (int i = 1; i <= 100; i++) /* more than a page that is there already could take */
        report(r, LEVEL_ERROR, i, "k.cu");
    unlink(filler);
    return strstr(end(r), "\"kind\":\"end\"") ? 2 : 0;
}

/** The same with room for all: there is a closing record. */
static int on_empty_disk(const char *folder)
{
    if (!mount_small(folder, "size=4m"))
        return NO_MOUNT;
    snprintf(path, sizeof path, "%s/findings", folder);
    struct reporter *r = open_one(true, 0);
    for (int i = 1; r && i <= 100; i++)
        report(r, LEVEL_ERROR, i, "k.cu");
    return r && strstr(end(r), "\"kind\":\"end\"") ? 0 : 2;
}

/** Runs it in a process of its own, since it leaves its name spaces. Where none can be made there is nothing to see. */
static int in_child(int (*f)(const char *), const char *folder)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(f(folder));
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    if (WEXITSTATUS(status) != NO_MOUNT)
        return WEXITSTATUS(status);
    printf("reporter: no file system of one's own here, a full one was not tried\n");
    return 0;
}

static void full_disk(void)
{
    char folder[] = "/tmp/reporter_full.XXXXXX";
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    fflush(NULL);
    CU_ASSERT_EQUAL(in_child(on_full_disk, folder), 0);
    CU_ASSERT_EQUAL(in_child(on_empty_disk, folder), 0);
    rmdir(folder);
}

static void long_names(void)
{
    static char name[60001];
    memset(name, 'x', sizeof name - 1);
    memcpy(name + sizeof name - 10, "/kernel.cu", 10);
    name[60000] = '\0';
    struct reporter *r = open_one(true, 0);
    for (int i = 1; i <= 200; i++)
        report(r, LEVEL_WARNING, i, name);
    CU_ASSERT(strlen(end(r)) < 400000);
    CU_ASSERT(strstr(text, "\"lines\":200") != NULL);
}

static void report_order(struct reporter *r, enum finding_level level)
{
    struct finding f = {.kind = FIND_ORDERING, .level = level, .cause = CAUSE_RELAXED, .access_count = 2,
                        .accesses = {{.op = "store", .file = "a.cu", .line = 1}, {.op = "load", .file = "a.cu", .line = 2}}};
    report_finding(r, &f);
}

static void doubts_end_with_an_error(void)
{
    struct reporter *r = open_one(true, 0);
    report_order(r, LEVEL_WARNING);
    report_order(r, LEVEL_WARNING);
    end(r);
    CU_ASSERT(strstr(text, "is not known") != NULL);
    r = open_one(true, 0);
    report_order(r, LEVEL_WARNING);
    report_order(r, LEVEL_ERROR);
    end(r);
    CU_ASSERT(strstr(text, "is not known") == NULL);
    CU_ASSERT(strstr(text, "changed the result") != NULL);
}

/** A missing fence before the signal on line 9: of data on that line, between threads so far apart. */
static void report_fence(struct reporter *r, int line, bool same_block, enum finding_level level)
{
    struct finding f = {.kind = FIND_MISSING_RELEASE, .level = level, .cause = CAUSE_NOT_RELEASED, .access_count = 2,
                        .accesses = {{.op = "store", .file = "a.cu", .line = line}, {.op = "load", .file = "a.cu", .line = line + 100}}};
    f.facts.race = (struct race_facts){.same_block = same_block, .signal_line = 9, .advice = TRY_FENCE_BEFORE_SIGNAL, .lines = {9}};
    report_finding(r, &f);
}

static int times(const char *in, const char *word)
{
    int n = 0;
    for (const char *at = in; (at = strstr(at, word)); at += strlen(word))
        n++;
    return n;
}

static void advice_for_all_pairs(void)
{
    struct reporter *r = open_one(true, 0);
    report_fence(r, 1, true, LEVEL_ERROR);
    CU_ASSERT_EQUAL(times(end(r), "__threadfence_block() right"), 1);
    r = open_one(true, 0); /* another pair of the same lines, of two blocks */
    report_fence(r, 1, true, LEVEL_ERROR);
    report_fence(r, 1, false, LEVEL_ERROR);
    report_fence(r, 1, true, LEVEL_ERROR);
    CU_ASSERT_EQUAL(times(end(r), "__threadfence() right"), 1);
    r = open_one(true, 0); /* of other lines: one fence for both */
    report_fence(r, 1, true, LEVEL_ERROR);
    report_fence(r, 2, false, LEVEL_ERROR);
    CU_ASSERT_EQUAL(times(end(r), "__threadfence() right"), 2);
    r = open_one(true, 0); /* what is only doubted does not take the place of what mends an error */
    report_fence(r, 1, true, LEVEL_ERROR);
    report_fence(r, 1, false, LEVEL_WARNING);
    CU_ASSERT_EQUAL(times(end(r), "__threadfence_block() right"), 1);
}

/** A barrier that is missing between lines 4 and 6, or on the way back. */
static void report_barrier(struct reporter *r, bool back, bool same_warp)
{
    struct finding f = {.kind = FIND_DATA_RACE, .cause = CAUSE_UNORDERED, .access_count = 2,
                        .accesses = {{.op = "store", .file = "a.cu", .line = back ? 6 : 4}, {.op = "load", .file = "a.cu", .line = back ? 4 : 6}}};
    f.facts.race = (struct race_facts){.conflict = back ? READ_THEN_WRITE : WRITE_THEN_READ, .same_block = true, .same_warp = same_warp,
                                       .advice = back ? TRY_BARRIER_IN_LOOP : TRY_BARRIER, .lines = {back ? 6 : 4, back ? 4 : 6}};
    report_finding(r, &f);
}

static void advice_there_and_back(void)
{
    struct reporter *r = open_one(true, 0);
    report_barrier(r, false, false);
    report_barrier(r, true, false);
    report_barrier(r, false, false);
    end(r);
    CU_ASSERT(times(text, ". Also: ") == 1 && times(text, "between line 4 and line 6") == 1 && times(text, "comes to line 4 again") == 1);
    r = open_one(true, 0);
    report_barrier(r, false, true);
    report_barrier(r, false, false);
    end(r);
    CU_ASSERT(times(text, ". Also: ") == 0 && times(text, "__syncwarp") == 0);
    r = open_one(true, 0);
    report_barrier(r, false, true);
    report_barrier(r, false, true);
    CU_ASSERT_EQUAL(times(end(r), "__syncwarp"), 1);
}

/** A barrier that is missing between two lines: which lines of the file are said to mend which. */
static void report_between(struct reporter *r, int first, int second, bool same_warp, enum finding_level level)
{
    struct finding f = {.kind = FIND_DATA_RACE, .level = level, .cause = CAUSE_UNORDERED, .access_count = 2,
                        .accesses = {{.op = "store", .file = "a.cu", .line = first}, {.op = "load", .file = "a.cu", .line = second}}};
    f.facts.race = (struct race_facts){.same_block = true, .same_warp = same_warp, .advice = TRY_BARRIER, .lines = {first, second}};
    report_finding(r, &f);
}

static void one_change_for_several(void)
{
    struct reporter *r = open_one(true, 0);
    report_between(r, 4, 9, false, LEVEL_ERROR);  /* 1 */
    report_between(r, 4, 6, false, LEVEL_ERROR);  /* 2: the smallest place */
    report_between(r, 2, 6, false, LEVEL_ERROR);  /* 3 */
    report_between(r, 2, 9, false, LEVEL_ERROR);  /* 4: has no end with 2, but with 1 and 3 */
    end(r);
    CU_ASSERT(times(text, "\"mended_by\":2,") == 3 && times(text, "mended_by") == 3);
    r = open_one(true, 0); /* places that have nothing in common, or may lie in a loop of their own; what a barrier of the warp need not mend; graver ones */
    report_between(r, 4, 6, true, LEVEL_ERROR);
    report_between(r, 6, 9, true, LEVEL_ERROR);
    report_between(r, 1, 12, true, LEVEL_ERROR);
    report_between(r, 4, 7, false, LEVEL_ERROR);
    report_between(r, 20, 21, false, LEVEL_WARNING);
    report_between(r, 20, 22, false, LEVEL_ERROR);
    CU_ASSERT_EQUAL(times(end(r), "mended_by"), 0);
    r = open_one(true, 0); /* the same fence; and one of two */
    report_fence(r, 1, false, LEVEL_ERROR);
    report_fence(r, 2, false, LEVEL_ERROR);
    CU_ASSERT_EQUAL(times(end(r), "\"mended_by\":1,"), 1);
}

/** Counts on a line and looks on another one, or the look may come before another's count. */
static void report_count(struct reporter *r, enum finding_cause cause, enum late_act late, int second)
{
    struct finding f = {.kind = FIND_ORDERING, .level = LEVEL_ERROR, .cause = cause, .access_count = 2,
                        .accesses = {{.op = "atomic", .file = "a.cu", .line = 3}, {.op = "atomic", .file = "a.cu", .line = second}}};
    f.facts.race = (struct race_facts){.same_block = true, .late = late};
    report_finding(r, &f);
}

static void what_a_count_returns(void)
{
    struct reporter *r = open_one(true, 0);
    report_count(r, CAUSE_ACTED_LATE, LATE_BOTH_FIND, 4);
    report_count(r, CAUSE_SAME_PHASE, LATE_OVERWRITES, 4);
    CU_ASSERT_EQUAL(times(end(r), "\"mended_by\":1,"), 1);
    r = open_one(true, 0); /* another look; another act */
    report_count(r, CAUSE_ACTED_LATE, LATE_BOTH_FIND, 4);
    report_count(r, CAUSE_SAME_PHASE, LATE_OVERWRITES, 5);
    CU_ASSERT_EQUAL(times(end(r), "mended_by"), 0);
    r = open_one(true, 0);
    report_count(r, CAUSE_ACTED_LATE, LATE_OVERWRITES, 4);
    report_count(r, CAUSE_SAME_PHASE, LATE_OVERWRITES, 4);
    CU_ASSERT_EQUAL(times(end(r), "mended_by"), 0);
}

/** Of two blocks: a launch of its own from the later line on. */
static void report_launch(struct reporter *r, int first, int second)
{
    struct finding f = {.kind = FIND_DATA_RACE, .level = LEVEL_ERROR, .cause = CAUSE_UNORDERED, .access_count = 2,
                        .accesses = {{.op = "store", .file = "a.cu", .line = first}, {.op = "load", .file = "a.cu", .line = second}}};
    f.facts.race = (struct race_facts){.advice = TRY_OTHER_LAUNCH, .lines = {second, first}};
    report_finding(r, &f);
}

static void one_launch_for_several(void)
{
    struct reporter *r = open_one(true, 0);
    report_launch(r, 4, 9);
    report_launch(r, 5, 10);
    report_launch(r, 4, 12);
    end(r);
    CU_ASSERT(times(text, "\"mended_by\":1,") == 2 && times(text, "mended_by") == 2);
    r = open_one(true, 0); /* written behind that line, read before it, the other way about */
    report_launch(r, 4, 9);
    report_launch(r, 10, 12);
    report_launch(r, 3, 8);
    report_launch(r, 20, 19);
    end(r);
    CU_ASSERT(times(text, "\"mended_by\":3,") == 1 && times(text, "mended_by") == 1);
}

int main(void)
{
    static const struct unit_test tests[] = {{"errors displace warnings", errors_displace_warnings},
                                             {"errors stay", errors_stay},
                                             {"one launch for several", one_launch_for_several}, {"what a count returns", what_a_count_returns},
                                             {"a closing record", closing_record},
                                             {"none where a finding was lost", lost_findings},
                                             {"none where the disk was full", full_disk},
                                             {"names of any length", long_names},
                                             {"doubts end with an error", doubts_end_with_an_error},
                                             {"advice for all pairs of the lines", advice_for_all_pairs},
                                             {"advice for the ways there and back", advice_there_and_back},
                                             {"one change for several", one_change_for_several}};
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    int status = unit_main("reporter", tests, sizeof tests / sizeof tests[0]);
    unlink(path);
    return status;
}
