/**
 * @file slurm.c
 * See slurm.h. Polling squeue, since `sbatch --wait` takes about twice as long.
 */
#include "class/slurm.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/child.h"

#define POLL_SECONDS 2

/** A word for sh, in single quotes. */
static void quoted(struct text *out, const char *s)
{
    text_puts(out, "'");
    for (; *s; s++)
        if (*s == '\'')
            text_puts(out, "'\\''");
        else
            text_add(out, s, 1);
    text_puts(out, "'");
}

/** The script that each task runs: this same binary on its slice. */
static char *script(const struct kit *k, const struct options *o, const char *lab,
                    const struct class *c)
{
    struct text t = {0};
    char *folder = realpath(c->folder, NULL), *report = realpath(c->report, NULL);
    text_puts(&t, "#!/bin/sh\nexec ");
    char *binary = realpath("/proc/self/exe", NULL);
    quoted(&t, binary ? binary : "grade");
    text_puts(&t, " --root ");
    quoted(&t, k->root);
    text_printf(&t, " %s --submissions ", lab);
    quoted(&t, folder ? folder : c->folder);
    text_puts(&t, " --report ");
    quoted(&t, report ? report : c->report);
    text_printf(&t, " --seed %08x --jobs 1 --slice \"$SLURM_ARRAY_TASK_ID/%d\"", c->seed,
                o->slurm);
    if (o->device == DEVICE_GPU)
        text_puts(&t, " --device gpu");
    if (o->sandbox)
        text_printf(&t, " --sandbox %c", o->sandbox);
    if (o->require_sandbox)
        text_printf(&t, " --require-sandbox %c", o->require_sandbox);
    text_puts(&t, "\n");
    free(binary);
    free(folder);
    free(report);
    return t.data;
}

static char *find_program(const char *name)
{
    const char *path = getenv("PATH");
    char *all = text_dup(path ? path : "/usr/bin:/bin"), *save = NULL, *found = NULL;
    for (char *dir = strtok_r(all, ":", &save); dir && !found; dir = strtok_r(NULL, ":", &save)) {
        found = text_format("%s/%s", dir, name);
        if (access(found, X_OK)) {
            free(found);
            found = NULL;
        }
    }
    free(all);
    return found;
}

/** Runs a Slurm command with our environment (it finds its configuration there). */
static bool run_command(char *const *argv, char **output, struct trouble *t)
{
    char *program = find_program(argv[0]);
    if (!program) {
        trouble_set(t, "%s is not installed", argv[0]);
        trouble_todo(t, "apt-get install slurm-client, or leave --slurm out");
        return false;
    }
    char *words[24] = {program};
    for (int i = 1; argv[i] && i < 23; i++)
        words[i] = argv[i];
    struct child c = {.argv = words, .env = environ, .keep_fd = -1,
                      .limits = {120, 60, 1024, 1024, 1024, 64}};
    child_run(&c);
    bool ok = c.end == CHILD_EXITED && c.code == 0;
    if (ok)
        *output = text_dup(text_str(&c.out));
    else
        trouble_set(t, "%s failed: %.300s", argv[0], text_str(&c.err));
    child_clear(&c);
    free(program);
    return ok;
}

static bool submit(const struct options *o, const struct class *c, const char *path, char **job,
                   struct trouble *t)
{
    char *array = text_format("--array=0-%d", o->slurm - 1);
    char *log = text_format("--output=%s/slurm-%%a.log", c->report), *output = NULL;
    char *argv[] = {"sbatch", "--parsable", "--job-name=fencepost", "--cpus-per-task=1", array, log,
                    o->gpus ? "--gres=gpu:1" : (char *)path, o->gpus ? (char *)path : NULL, NULL};
    bool ok = run_command(argv, &output, t);
    if (ok && !isdigit((unsigned char)*output))
        ok = trouble_set(t, "sbatch said \"%.100s\", not a job's number", output);
    if (ok)
        *job = text_format("%.*s", (int)strspn(output, "0123456789"), output);
    free(output);
    free(array);
    free(log);
    return ok;
}

/** Until the queue does not know the job any more. */
static bool wait_for(const char *job, struct trouble *t)
{
    char *argv[] = {"squeue", "--noheader", "--format=%i", "--me", NULL, NULL};
    bool there = true, ok = true;
    while (there && ok) {
        char *output = NULL;
        ok = run_command(argv, &output, t);
        there = ok && strstr(output, job);
        free(output);
        if (there)
            sleep(POLL_SECONDS);
    }
    return ok;
}

bool slurm_run(const struct kit *k, const struct options *o, const char *lab,
               const struct class *c, struct trouble *t)
{
    char *text = script(k, o, lab, c), *path = text_format("%s/slurm.sh", c->report), *job = NULL;
    bool ok = text_put_file(path, text, strlen(text), t);
    ok = ok && submit(o, c, path, &job, t);
    if (ok)
        printf("Slurm job %s: %d tasks\n", job, o->slurm);
    fflush(stdout);
    ok = ok && wait_for(job, t);
    free(job);
    free(text);
    free(path);
    return ok;
}
