/**
 * @file values.c
 * Values that nobody has made, and where they are used.
 */
#include <string.h>

#include "report/finding.h"
#include "report/words/words.h"

static const char *use(const char *op)
{
    return !strcmp(op, "branch")    ? "branches on the value"
           : !strcmp(op, "address") ? "uses the value as an address"
                                    : "stores a result computed from it";
}

void words_undefined(struct finding *f)
{
    const struct undefined_facts *u = &f->facts.undefined;
    int line = f->accesses[0].line;
    bool shuffled = f->cause == CAUSE_NO_SUCH_LANE;
    char user[24] = "";
    if (u->reader != u->user)
        put(user, sizeof user, "thread %d ", u->user);
    say(f, "Thread %d of block %llu %s (line %d) and %s%s (line %d).", u->reader, (unsigned long long)u->block,
        shuffled ? "takes a value by a shuffle from a lane that takes no part"
                 : "reads memory that nothing has written",
        line, user, use(f->accesses[1].op), f->accesses[1].line);
    if (shuffled) {
        say_rule(f, "what a shuffle gives from a lane that takes no part is undefined");
        say_try(f, "let every lane that is read from reach line %d, with a neutral value if it has none", line);
    } else {
        say_try(f, "initialise it before line %d", line);
    }
}
