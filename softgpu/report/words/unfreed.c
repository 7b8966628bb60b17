/**
 * @file unfreed.c
 * Memory that was never freed.
 */
#include "report/finding.h"
#include "report/words/words.h"

void words_left(struct finding *f)
{
    unsigned long long bytes = f->facts.left.bytes;
    if (f->cause == CAUSE_NOT_FREED_BY_KERNEL) {
        say(f, "%llu bytes that a kernel took by malloc or new were never freed.", bytes);
        say_rule(f, "every malloc has its free");
        say_try(f, "free it, or delete, in a kernel before the program ends");
        return;
    }
    char made[208];
    put_site(made, sizeof made, f->made);
    say(f, "%s, %llu bytes of device memory%s, was never freed.", f->object, bytes, made);
    say_try(f, "cudaFree before the program ends");
}
