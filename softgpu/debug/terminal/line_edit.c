/**
 * @file line_edit.c
 * See line_edit.h. Of libedit its interface that is like GNU readline's.
 */
#include "debug/terminal/line_edit.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/list.h"

typedef char *generator_fn(const char *text, int state);
typedef char **attempt_fn(const char *text, int start, int end);

/** What we use of it; `readline` NULL: it is not there. */
static struct {
    char *(*readline)(const char *prompt);
    int (*add_history)(const char *line);
    char **(*matches)(const char *text, generator_fn *generator);
    attempt_fn **attempt;
    int *over, *behind;      /**< what is put behind a whole word */
    char **buffer;
} edit;

static void (*known_words)(void *self, const char *before, void (*offer)(const char *word));
static void *words_self;
static LIST(char *) offered;

void line_words(void (*words)(void *self, const char *before, void (*offer)(const char *word)), void *self)
{
    known_words = words;
    words_self = self;
}

static void offer(const char *word)
{
    *LIST_PUSH(&offered) = strdup(word);
}

static void forget(void)
{
    for (int i = 0; i < offered.count; i++)
        free(offered.data[i]);
    offered.count = 0;
}

/** The next one that begins with `text`; the library frees it. */
static char *generate(const char *text, int state)
{
    static int next;
    if (!state)
        next = 0;
    while (next < offered.count) {
        const char *word = offered.data[next++];
        if (!strncmp(word, text, strlen(text)))
            return strdup(word);
    }
    return NULL;
}

static char **attempt(const char *text, int start, int end)
{
    (void)end;
    char *before = strndup(*edit.buffer, (size_t)(start > 0 ? start : 0));
    forget();
    if (edit.behind)
        *edit.behind = start ? '\0' : ' ';
    if (before && known_words)
        known_words(words_self, before, offer);
    free(before);
    if (offered.count)
        *edit.over = 1; /* else: names of files */
    return offered.count ? edit.matches(text, generate) : NULL;
}

static void load(void)
{
    static const char *const names[] = {"libedit.so.2", "libedit.so.0"};
    static bool tried;
    void *library = NULL;
    const char *kind = getenv("TERM");
    if (tried)
        return;
    tried = true;
    if (!isatty(STDOUT_FILENO) || !kind || !strcmp(kind, "dumb"))
        return;
    for (int i = 0; !library && i < 2; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return;
    *(void **)&edit.add_history = dlsym(library, "add_history");
    *(void **)&edit.matches = dlsym(library, "rl_completion_matches");
    edit.attempt = dlsym(library, "rl_attempted_completion_function");
    edit.over = dlsym(library, "rl_attempted_completion_over");
    edit.behind = dlsym(library, "rl_completion_append_character");
    edit.buffer = dlsym(library, "rl_line_buffer");
    if (!edit.add_history || !edit.matches || !edit.attempt || !edit.over || !edit.buffer)
        return;
    *edit.attempt = attempt;
    *(void **)&edit.readline = dlsym(library, "readline");
}

char *line_read(FILE *in)
{
    char *line = NULL;
    size_t room = 0;
    if (getline(&line, &room, in) >= 0)
        return line;
    free(line);
    return NULL;
}

char *line_ask(const char *prompt, FILE *in)
{
    char *line;
    load();
    if (edit.readline) {
        line = edit.readline(prompt);
        if (line && *line)
            edit.add_history(line);
    } else {
        printf("%s", prompt);
        fflush(stdout);
        line = line_read(in);
    }
    if (!line)
        printf("\n");
    return line;
}
