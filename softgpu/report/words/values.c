/**
 * @file values.c
 * Values that nobody has made, and where they are used.
 */
#include <string.h>

#include "host/call_site.h"
#include "report/finding.h"
#include "report/words/words.h"

static const char *use(const char *op)
{
    return !strcmp(op, "branch")    ? "branches on the value"
           : !strcmp(op, "address") ? "uses the value as an address"
                                    : "stores a result computed from it";
}

static void words_unset(struct finding *f)
{
    const struct undefined_facts *u = &f->facts.undefined;
    int line = f->accesses[0].line;
    char whose[40] = "that it has not set";
    if (u->reader != u->user)
        put(whose, sizeof whose, "that thread %d has not set", u->reader);
    say(f, "Thread %d of block %llu takes a variable %s and %s (line %d).", u->user, (unsigned long long)u->block, whose,
        use(f->accesses[0].op), line);
    say_try(f, "give the variables that line %d uses a value where they are declared, or on every way there", line);
}

void words_undefined(struct finding *f)
{
    const struct undefined_facts *u = &f->facts.undefined;
    int line = f->accesses[0].line;
    bool shuffled = f->cause == CAUSE_NO_SUCH_LANE;
    if (f->cause == CAUSE_UNSET) {
        words_unset(f);
        return;
    }
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

void words_product(struct finding *f)
{
    const struct undefined_facts *u = &f->facts.undefined;
    int line = f->accesses[0].line, other = f->accesses[1].line;
    if (f->cause == CAUSE_PRODUCT_UNFENCED) {
        say(f, "Thread %d of block %llu comes to the wgmma of line %d without a wgmma.fence: what its registers hold need not "
               "have reached it.", u->user, (unsigned long long)u->block, line);
        say_rule(f, "wgmma.fence comes before the first wgmma.mma_async, and after registers that it uses were touched (PTX ISA "
                    "9.7.15.7.1)");
        say_try(f, "wgmma.fence (CUTLASS: warpgroup_arrive) before line %d", line);
        return;
    }
    if (f->cause == CAUSE_PRODUCT_FLIES)
        say(f, "Thread %d of block %llu uses on line %d a register that the wgmma of line %d has yet to write.", u->user,
            (unsigned long long)u->block, other, line);
    else
        say(f, "Thread %d of block %llu writes on line %d a register that the wgmma of line %d still reads.", u->user,
            (unsigned long long)u->block, other, line);
    say_rule(f, "registers of wgmma.mma_async are not touched before wgmma.wait_group has waited for its group");
    say_try(f, "wgmma.commit_group and wgmma.wait_group between line %d and line %d", line, other);
}

static void put_line(char *out, size_t size, const struct finding_access *a)
{
    struct call_site at = {.file = a->file, .line = a->line};
    put_site(out, size, &at);
}

void words_taken(struct finding *f)
{
    const struct undefined_facts *u = &f->facts.undefined;
    bool stored = f->cause == CAUSE_UNDEFINED_TAKEN;
    const struct finding_access *by = &f->accesses[stored];
    char place[96], line[208], first[32] = "";
    put_place(place, sizeof place, f);
    put_line(line, sizeof line, by);
    if (!stored && !strcmp(by->op, "host load")) {
        say(f, "The host reads%.100s memory that nothing has written, at %s.", line, place);
        say_try(f, "write it first, by the host, by a copy to it, or by a kernel with this pointer that has been waited for; does the kernel write all "
                   "that is read?");
        return;
    }
    if (!stored) {
        say(f, "Of %llu bytes that %s%.100s takes to the host, nothing has written %llu bytes, the first at %s.",
            (unsigned long long)u->of, by->op, line, (unsigned long long)u->bytes, place);
        if (u->bytes == u->of)
            say_try(f, "first launch the kernel that writes it, with this pointer; does it write there at all?");
        else
            say_try(f, "copy only what has been written, or set the rest with cudaMemset first");
        return;
    }
    if (u->unset) {
        say(f, "Thread %d of block %llu stores a variable that it has not set (line %d); %s%.100s takes that value to the host, from %s.",
            u->reader, (unsigned long long)u->block, f->accesses[0].line,
            strcmp(by->op, "host load") ? by->op : "a read by the host", line, place);
        say_try(f, "give the variable that line %d stores a value where it is declared, or on every way there", f->accesses[0].line);
        return;
    }
    if (u->stored_line != f->accesses[0].line)
        put(first, sizeof first, " on line %d", u->stored_line);
    say(f, "Thread %d of block %llu reads memory that nothing has written (line %d) and stores it%s; %s%.100s takes that "
           "value to the host, from %s.",
        u->reader, (unsigned long long)u->block, f->accesses[0].line, first,
        strcmp(by->op, "host load") ? by->op : "a read by the host", line, place);
    say_try(f, "initialise it before line %d, or leave out what has no value", f->accesses[0].line);
}
