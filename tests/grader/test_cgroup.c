/**
 * @file test_cgroup.c
 * Jobs in groups of cgroup v2: what is written where, over a folder that looks like a hierarchy; and, where this machine lets us
 * make groups, that the processes are really in them and end with them.
 */
#include "sandbox/cgroup.h"
#include "sandbox/sandbox.h"
#include "unit.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct child_limits limits = {.seconds = 60, .cpu_seconds = 60, .memory_mib = 300, .file_kib = 64,
                                           .output_kib = 64, .processes = 60};

static void write_to(const char *folder, const char *name, const char *text)
{
    char *path = text_format("%s/%s", folder, name);
    CU_ASSERT_FATAL(text_write_file(path, text, strlen(text)));
    free(path);
}

static char *read_from(const char *folder, const char *name)
{
    char *path = text_format("%s/%s", folder, name);
    const char *why;
    size_t len;
    char *text = text_read_file(path, 4096, &len, &why);
    free(path);
    return text ? text : text_dup("");
}

/** Does the file say this? */
static bool says(const char *folder, const char *name, const char *text)
{
    char *there = read_from(folder, name);
    bool same = !strcmp(there, text);
    free(there);
    return same;
}

/** A folder with what the kernel would have put there; "below" it a group that we are in. */
static char *hierarchy(const char *controllers, const char *enabled)
{
    char *root = text_dup("/tmp/test_cgroup.XXXXXX");
    CU_ASSERT_FATAL(mkdtemp(root) != NULL);
    char *below = text_format("%s/below", root);
    CU_ASSERT_FATAL(mkdir(below, 0700) == 0);
    for (int i = 0; i < 2; i++) {
        write_to(i ? below : root, "cgroup.controllers", controllers);
        write_to(i ? below : root, "cgroup.subtree_control", i ? "" : enabled);
    }
    free(below);
    return root;
}

/** In a process of its own, since a grader opens once: 0 if `test` holds. */
static int apart(int (*test)(const char *root), const char *root)
{
    int status = -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        exit(test(root));
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static struct child run(const char *script)
{
    char *argv[] = {"/bin/sh", "-c", (char *)script, NULL}, *env[] = {"PATH=/usr/bin:/bin", NULL};
    struct child c = {.argv = argv, .env = env, .folder = "/", .limits = limits};
    child_run(&c);
    return c;
}

/** A job's folder has the limits and the child; the kernel's word on memory is the verdict. */
static int limits_are_set(const char *root)
{
    if (!cgroup_open(root, "/below", CGROUP_CONTROLLERS) || !strstr(cgroup_folder(), "/below/fencepost-"))
        return 1;
    if (!strstr(sandbox_name(), " by cgroup"))
        return 7;
    struct cgroup_job g;
    if (!says(cgroup_folder(), "cgroup.subtree_control", "+memory +pids") || !cgroup_make(&g, 300, 64) || !cgroup_enter(&g))
        return 2;
    if (!says(g.folder, "memory.max", "314572800") || !says(g.folder, "pids.max", "64") || !says(g.folder, "cgroup.procs", "0") ||
        !says(g.folder, "memory.swap.max", "0") || !says(g.folder, "memory.oom.group", "1"))
        return 3;
    write_to(g.folder, "memory.events", "low 0\nmax 7\noom 1\noom_kill 2\n");
    if (!cgroup_end(&g) || g.folder || cgroup_end(&g))
        return 4;
    if (!cgroup_make(&g, 300, 64))
        return 5;
    write_to(g.folder, "memory.events", "low 0\nmax 7\noom 0\noom_kill 0\n");
    return cgroup_end(&g) ? 6 : 0;
}

/** The same of a child: it enters its group, and that one's word on memory becomes how it ended. */
static int children_have_groups(const char *root)
{
    if (!cgroup_open(root, "/below", CGROUP_CONTROLLERS))
        return 1;
    char *starves = text_format("for g in %s/job-*; do echo oom_kill 1 >$g/memory.events; done", cgroup_folder());
    struct child calm = run("exit 3"), starved = run(starves);
    bool ok = calm.end == CHILD_EXITED && calm.code == 3 && starved.end == CHILD_MEMORY_LIMIT;
    free(starves);
    child_clear(&calm);
    child_clear(&starved);
    return ok ? 0 : 2;
}

/** Our own group has no memory to give: the one above, which counts already, does. */
static int beside(const char *root)
{
    char *below = text_format("%s/below", root);
    write_to(below, "cgroup.controllers", "pids");
    free(below);
    return cgroup_open(root, "/below", CGROUP_CONTROLLERS) && !strstr(cgroup_folder(), "/below/") ? 0 : 1;
}

static int not_to_be_had(const char *root)
{
    struct cgroup_job g;
    bool none = !cgroup_open(root, "/below", CGROUP_CONTROLLERS) && !cgroup_folder() && cgroup_make(&g, 1, 1) &&
                !g.folder && cgroup_enter(&g) && !cgroup_end(&g);
    struct child c = run("exit 4");
    none &= !strstr(sandbox_name(), "cgroup");
    child_clear(&c);
    return none && c.end == CHILD_EXITED && c.code == 4 ? 0 : 1;
}

static void test_folder(void)
{
    static const struct {
        const char *controllers, *enabled;
        int (*test)(const char *root);
    } rows[] = {{"cpu memory pids", "", limits_are_set},     {"cpu memory pids", "", children_have_groups},
                {"cpu memory pids", "memory pids", beside},  {"cpu pids", "", not_to_be_had},
                {"", "", not_to_be_had}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *root = hierarchy(rows[i].controllers, rows[i].enabled);
        CU_ASSERT_EQUAL(apart(rows[i].test, root), 0);
        text_remove_tree(root);
        free(root);
    }
    CU_ASSERT_EQUAL(apart(not_to_be_had, "/nowhere"), 0);
}

static int groups_in(const char *folder)
{
    int count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        count += !strncmp(e->d_name, "fencepost-", 10) || !strncmp(e->d_name, "job-", 4);
    if (dir)
        closedir(dir);
    return count;
}

/** The kernel's own: a process is in its job's group, what it leaves behind ends with it, and no group is left. */
static int really_there(const char *root)
{
    struct child c = run("grep ^0:: /proc/self/cgroup; setsid sleep 600 >/dev/null 2>&1 &");
    bool ok = strstr(text_str(&c.out), "/fencepost-") && strstr(text_str(&c.out), "/job-");
    (void)root;
    child_clear(&c);
    return ok && groups_in(cgroup_folder()) == 0 ? 0 : 1;
}

static int killed_grader(const char *root)
{
    if (!cgroup_open(root, NULL, ""))
        return 1;
    struct cgroup_job g;
    _exit(cgroup_make(&g, 1, 1) ? 0 : 2); /* nothing is removed */
}

static int next_grader(const char *root)
{
    if (!cgroup_open(root, NULL, ""))
        return 77;
    int status = really_there(root);
    char *base = text_dup(cgroup_folder());
    *strrchr(base, '/') = 0;
    pid_t pid = fork(); /* another one beside us: ours is not removed */
    if (pid == 0) {
        bool two = cgroup_open(root, NULL, "") && groups_in(base) == 2;
        free(base);
        exit(two ? 0 : 1);
    }
    int other;
    waitpid(pid, &other, 0);
    bool one = groups_in(base) == 1;
    free(base);
    return status ? status : other || !one ? 2 : 0;
}

static void test_kernel(void)
{
    int first = apart(killed_grader, NULL);
    if (first == 1)
        return; /* no groups for us here */
    CU_ASSERT_EQUAL(first, 0);
    CU_ASSERT_EQUAL(apart(next_grader, NULL), 0);
}

UNIT_MAIN("cgroup", {"over a folder", test_folder}, {"by the kernel", test_kernel})
