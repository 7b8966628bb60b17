/**
 * @file one_memory.c
 * Two names of one memory.
 */
#include "report/finding.h"
#include "report/words/words.h"

void words_names(struct finding *f)
{
    const struct names_facts *n = &f->facts.names;
    char block[48], thread[48], first[64], other[64];
    put_block(block, sizeof block, &f->accesses[1]);
    put_thread(thread, sizeof thread, &f->accesses[1]);
    put_plain(first, sizeof first, n->first);
    put_plain(other, sizeof other, n->other);
    say(f, "Block %s thread %s reads by the name \"%s\" on line %d what line %d has stored by \"%s\": that overwrote what line %d stored "
           "by \"%s\" before anybody had read it.",
        block, thread, first, f->accesses[1].line, f->accesses[0].line, other, n->line, first);
    say_rule(f, "all `extern __shared__` names begin where a block's dynamic shared memory does (CUDA C++ Programming Guide, __shared__)");
    say_try(f, "the names are the same memory: one array, and for the second a pointer at an offset behind the first");
}
