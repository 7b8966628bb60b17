/**
 * @file steps.c
 * The two passes over a file, the host's (preprocessor, cudafe++) and the device's (preprocessor, cicc, fatbinary), are chains that run side by side; the
 * host's compiler waits for both. See steps.h.
 *
 * The commands are nvcc's own, word for word, but for one: the name of the module, which the host's pass makes and the device's reads, is made here first.
 */
#include "build/steps.h"
#include "build/headers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_STEPS 16
#define MAX_SOURCE (1u << 20)
#define MAX_WORDS (256u << 10)
#define MAKES_NAME "--gen_module_id_file "
#define NAME_FILE "--module_id_file_name \""

enum kind { PREPROCESS, HOST_PASS, DEVICE_PASS, CHECK, BINARY, CLEAN, HOST_COMPILE, UNKNOWN };

struct step {
    enum kind kind;
    char *command;
    pid_t pid;
    bool ended;
    int status; /**< as of waitpid() */
};

/** In nvcc's order: the host's preprocessor and cudafe++, if it makes an object; then the device's. */
struct steps {
    struct step list[MAX_STEPS];
    int count;
    const char *headers; /**< the folder of a kept head, which the passes begin with; NULL: none */
    bool lean;           /**< with what the file needs of it alone (lean.h) */
    bool apart;          /**< what was made cannot be put behind it */
    bool tells;          /**< once, before the host's compiler */
};

static enum kind kind_of(const char *command)
{
    static const struct {
        const char *begin, *word;
        enum kind kind;
    } known[] = {{"gcc ", " -E ", PREPROCESS},          {"gcc ", " -c ", HOST_COMPILE}, {"cudafe++ ", " ", HOST_PASS},
                 {"\"$CICC_PATH/cicc\" ", " ", DEVICE_PASS}, {"ptxas ", " ", CHECK},    {"fatbinary ", " ", BINARY},
                 {"rm ", " ", CLEAN}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strncmp(command, known[i].begin, strlen(known[i].begin)) && strstr(command, known[i].word))
            return known[i].kind;
    return UNKNOWN;
}

/** What a program prints on stderr; NULL if it does not end with 0. */
static char *words_of(char *const *argv)
{
    struct text all = {0};
    int ends[2], status = 0;
    char buffer[8192];
    if (pipe2(ends, O_CLOEXEC))
        return NULL;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], 2);
        execv(argv[0], argv);
        _exit(127);
    }
    close(ends[1]);
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0 && all.len < MAX_WORDS;)
        text_add(&all, buffer, (size_t)n);
    close(ends[0]);
    bool ok = pid > 0 && waitpid(pid, &status, 0) == pid && status == 0 && all.len;
    if (!ok)
        text_free(&all);
    return ok ? all.data : NULL;
}

/** `#$ NAME=VALUE` goes into the environment, as nvcc has it for its steps. */
static bool is_setting(char *line)
{
    size_t name = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    if (!name || line[name] != '=')
        return false;
    line[name] = 0;
    setenv(line, line + name + 1, 1);
    return true;
}

/** The steps of `nvcc --dryrun`. @return false if it is no list that is known here */
static bool list_steps(struct steps *s, char *const *argv)
{
    int n = 0;
    while (argv[n])
        n++;
    char **dry = text_zalloc((size_t)n + 2, sizeof *dry), *save = NULL;
    memcpy(dry + 1, argv, (size_t)n * sizeof *dry);
    dry[0] = argv[0];
    dry[1] = (char *)"--dryrun";
    char *words = words_of(dry);
    bool ok = words != NULL;
    for (char *line = ok ? strtok_r(words, "\n", &save) : NULL; line && ok; line = strtok_r(NULL, "\n", &save)) {
        ok = !strncmp(line, "#$ ", 3);
        if (!ok || is_setting(line + 3))
            continue;
        enum kind kind = kind_of(line + 3);
        ok = kind != UNKNOWN && s->count < MAX_STEPS;
        if (ok && kind != CLEAN)
            s->list[s->count++] = (struct step){.kind = kind, .command = text_dup(line + 3)};
    }
    free(words);
    free(dry);
    return ok;
}

/** Is it one device pass, with or without a host's before it and its compiler behind it? */
static bool is_known(const struct steps *s)
{
    static const enum kind object[] = {PREPROCESS, HOST_PASS, PREPROCESS, DEVICE_PASS, CHECK, BINARY, HOST_COMPILE};
    const enum kind *want = object;
    int rest = 7;
    if (s->count && s->list[s->count - 1].kind != HOST_COMPILE) {
        want += 2;
        rest = 3;
    }
    for (int i = 0; i < s->count; i++, want++, rest--) {
        if (rest && *want == CHECK && s->list[i].kind != CHECK) { /* where code for a device itself is made, or a later architecture's */
            want++;
            rest--;
        }
        if (!rest || *want != s->list[i].kind)
            return false;
    }
    return !rest || (rest == 1 && *want == CHECK);
}

/** Gives the module a name that both passes find in the file that one would have made. @return false if that cannot be done */
static bool name_module(struct step *host, const char *source)
{
    char *makes = strstr(host->command, MAKES_NAME), *at = strstr(host->command, NAME_FILE);
    const char *why;
    size_t len;
    char *text = text_read_file(source, MAX_SOURCE, &len, &why), folder[4096] = "";
    if (!makes || !at || !text || !getcwd(folder, sizeof folder)) {
        free(text);
        return false;
    }
    at += strlen(NAME_FILE);
    char *file = text_format("%.*s", (int)strcspn(at, "\""), at);
    char *name = text_format("_%08x_9_kernel_cu_%08x", (unsigned)text_hash(TEXT_HASH_START, text, len),
                             (unsigned)text_hash(TEXT_HASH_START, folder, strlen(folder)));
    memset(makes, ' ', strlen(MAKES_NAME));
    bool ok = text_write_file(file, name, strlen(name));
    free(name);
    free(file);
    free(text);
    return ok;
}

static char *errors_file(int step)
{
    return text_format("steps.%d", step);
}

static bool is_hosts(const struct steps *s, int i)
{
    return s->list[i + 1].kind == HOST_PASS;
}

/** Runs a command by a shell, as nvcc does. */
static void become(const char *command)
{
    char *line = text_format("exec %s", command), *argv[] = {"/bin/sh", "-c", line, NULL};
    execv(argv[0], argv);
    _exit(126);
}

/** Preprocesses the rest and puts it behind the head. @return the exit status */
static int preprocess(const struct steps *s, int number, const char *command)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        become(command);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && status == 0 && prefix_join(s->list[number].command, s->headers, is_hosts(s, number), s->lean) ? 0 : 1;
}

static bool start(struct steps *s, int number)
{
    struct step *step = &s->list[number];
    char *file = errors_file(number), *command = NULL;
    if (s->headers && step->kind == PREPROCESS)
        command = prefix_command(step->command, s->headers, is_hosts(s, number));
    s->apart |= s->headers && step->kind == PREPROCESS && !command;
    step->pid = fork();
    if (step->pid == 0) {
        int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (fd < 0 || dup2(fd, 2) != 2)
            _exit(126);
        if (command)
            _exit(preprocess(s, number, command));
        become(step->command);
    }
    free(file);
    free(command);
    if (step->kind == HOST_COMPILE && s->tells)
        s->tells = write(1, "\n", 1) < 0;
    return step->pid > 0;
}

static bool has_failed(const struct step *step)
{
    return step->ended && step->status != 0;
}

/** The step that a chain's next one waits for; NULL: none does. */
static const struct step *before(const struct steps *s, int i)
{
    return i == 0 || (s->list[i].kind == PREPROCESS) ? NULL : &s->list[i - 1];
}

static bool may_start(const struct steps *s, int i)
{
    const struct step *first = before(s, i);
    if (s->apart || s->list[i].pid || (first && (!first->ended || has_failed(first))))
        return false;
    for (int n = 0; n < i && s->list[i].kind == HOST_COMPILE; n++)
        if (!s->list[n].ended || has_failed(&s->list[n]))
            return false;
    return true;
}

/** A step of a file with a kept head has ended. Of its failures only those that a pass tells of the rest behind the whole of it are as nvcc has them. */
static void finish(struct steps *s, int i)
{
    enum kind kind = s->list[i].kind;
    if (s->headers && has_failed(&s->list[i]))
        s->apart |= s->lean || (kind != HOST_PASS && kind != DEVICE_PASS && kind != CHECK);
    else if (s->headers && kind == HOST_PASS)
        s->apart |= !prefix_shorten(s->list[s->count - 1].command, s->headers, s->lean) && s->lean;
}

/** Runs all that can be. @return false if something could not be started */
static bool run(struct steps *s)
{
    for (;;) {
        int status, running = 0;
        for (int i = 0; i < s->count; i++) {
            if (may_start(s, i) && !start(s, i))
                return false;
            running += s->list[i].pid && !s->list[i].ended;
        }
        if (!running)
            return true;
        pid_t pid = wait(&status);
        if (pid < 0 && errno != EINTR)
            return false;
        for (int i = 0; i < s->count && pid > 0; i++)
            if (s->list[i].pid == pid) {
                s->list[i].ended = true;
                s->list[i].status = status;
                finish(s, i);
            }
    }
}

/** Says what nvcc would have: of the steps up to the first that failed. @return the exit status; -1 if nvcc would add words of its own */
static int tell(const struct steps *s)
{
    for (int i = 0; i < s->count && s->list[i].ended; i++) {
        char *file = errors_file(i);
        const char *why;
        size_t len = 0;
        char *said = text_read_file(file, 16u << 20, &len, &why);
        bool told = !said || fwrite(said, 1, len, stderr) == len;
        free(said);
        free(file);
        if (!told || !WIFEXITED(s->list[i].status))
            return -1;
        if (has_failed(&s->list[i]))
            return WEXITSTATUS(s->list[i].status);
    }
    return s->count && s->list[s->count - 1].ended ? 0 : -1;
}

/** Ended by a signal, or not ended: then nvcc is asked, before anything was said. */
static bool is_plain(const struct steps *s)
{
    for (int i = 0; i < s->count; i++)
        if (s->list[i].ended && (!WIFEXITED(s->list[i].status) || WEXITSTATUS(s->list[i].status) > 125))
            return false;
    return true;
}

char *steps_program(const struct kit *k)
{
    char *bin = kit_tools(k);
    char *cicc = text_format("%s/../nvvm/bin/cicc", bin), *front = text_format("%s/cudafe++", bin), own[4096];
    ssize_t len = readlink("/proc/self/exe", own, sizeof own);
    const char *name = len > 0 ? memrchr(own, '/', (size_t)len) : NULL;
    bool known = name && own + len - name == 6 && !memcmp(name, "/grade", 6) && !access(cicc, X_OK) && !access(front, X_OK);
    free(bin);
    free(cicc);
    free(front);
    return known ? text_format("%.*s", (int)len, own) : NULL;
}

/** Puts what was preprocessed behind the whole head; all else is to be run again. */
static void take_whole(struct steps *s)
{
    for (int i = 0; i < s->count; i++) {
        struct step *step = &s->list[i];
        bool whole = s->headers && s->lean && step->kind == PREPROCESS && step->ended && !has_failed(step) &&
                     prefix_join(step->command, s->headers, is_hosts(s, i), false);
        if (!whole)
            *step = (struct step){.kind = step->kind, .command = step->command};
    }
}

/** Runs them behind what they need of a kept head, if there is one, or all of it, or as they are. */
static bool run_either(struct steps *s)
{
    for (;;) {
        bool ok = run(s);
        if (!ok || !s->apart)
            return ok;
        take_whole(s);
        s->headers = s->lean ? s->headers : NULL;
        s->lean = s->apart = false;
    }
}

/** @return the exit status; -1: nvcc is to be run */
static int run_steps(struct steps *s)
{
    bool host = s->list[1].kind == HOST_PASS;
    return (!host || name_module(&s->list[1], "kernel.cu")) && run_either(s) && is_plain(s) ? tell(s) : -1;
}

static int make_headers(struct steps *s)
{
    bool host = s->list[1].kind == HOST_PASS;
    const struct step *first = s->list, *last = &s->list[s->count - 1];
    bool ok = host ? name_module(&s->list[1], "kernel.cu") && prefix_make(first[0].command, first[1].command, last->command, first[2].command)
                   : prefix_make(NULL, NULL, NULL, first[0].command);
    return ok ? 0 : 1;
}

int steps_main(char *const *argv)
{
    struct steps s = {0};
    s.tells = !strcmp(argv[0], STEPS_TELL) && argv[1];
    argv += s.tells;
    bool make = !strcmp(argv[0], STEPS_MAKE), use = !strcmp(argv[0], STEPS_HEADERS) && argv[1];
    if (use)
        s.headers = argv[1];
    s.lean = use;
    argv += make + 2 * use;
    int status = !argv[0] || !list_steps(&s, argv) || !is_known(&s) ? -1 : make ? make_headers(&s) : run_steps(&s);
    for (int i = 0; i < s.count; i++) {
        if (s.list[i].pid > 0 && !s.list[i].ended)
            kill(s.list[i].pid, SIGKILL);
        free(s.list[i].command);
    }
    if (status >= 0 || make)
        return status < 0 ? 1 : status;
    execv(argv[0], argv);
    return 127;
}
