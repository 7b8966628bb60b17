/**
 * @file translator_process.c
 * See translator.h: the translator's side, a process that reads texts and writes object files.
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compile/llvm.h"
#include "compile/translation.h"
#include "compile/translator.h"

/** It holds LLVM's memory, and starts anew in 20 ms. */
#define IDLE_MS 2000
#define MAX_TEXT ((uint64_t)1 << 28)

static bool answer(const char *text, size_t length)
{
    char why[256] = "";
    size_t bytes = 0;
    void *object = llvm_object(text, length, &bytes, why, sizeof why);
    struct translation t = {.bytes = object ? bytes : strlen(why), .is_object = object != NULL, .never = !llvm_available()};
    bool told = translation_write(1, &t, sizeof t) && translation_write(1, object ? object : why, t.bytes);
    free(object);
    return told;
}

static bool another(void)
{
    struct pollfd in = {.fd = 0, .events = POLLIN};
    return poll(&in, 1, IDLE_MS) > 0;
}

/** Nobody waits for an object file any more when the program has ended. */
static void *watch(void *unused)
{
    struct pollfd in = {.fd = 0};
    while (poll(&in, 1, -1) <= 0 || !(in.revents & (POLLHUP | POLLERR)))
        ;
    _exit(0);
    return unused;
}

int translator_serve(bool gently)
{
    struct translation ask;
    pthread_t thread;
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
    if (gently && nice(10) < 0)
        gently = false; /* as well */
    while (another() && translation_read(0, &ask, sizeof ask)) {
        char *text = ask.bytes <= MAX_TEXT ? malloc(ask.bytes + 1) : NULL;
        bool ok = text && translation_read(0, text, ask.bytes) && answer(text, ask.bytes);
        free(text);
        if (!ok)
            return 1;
    }
    return 0;
}
