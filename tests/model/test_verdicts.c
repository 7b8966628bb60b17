/**
 * @file test_verdicts.c
 * Litmus tests by name, each with the outcome that it asks about: does the PTX memory model allow it? The enumeration
 * and, where there is no loop, the definitions themselves (oracle.h) must both say so. And where fences rule out what is left of two
 * writes.
 */
#include <string.h>

#include "litmus.h"
#include "model/verdict.h"
#include "oracle.h"
#include "unit.h"

struct verdict {
    const char *name, *text, *outcome;   /**< registers, in order; locations too if it names one */
    bool allowed;
};

#define FSC " F sc.gpu; "
#define FAR " F acq_rel.gpu; "

static const struct verdict verdicts[] = {
    /* Coherence. */
    {"CoRR", "W x 1 rlx.gpu | R x a rlx.gpu; R x b rlx.gpu", "a=1 b=0", false},
    {"CoRR, weak reads", "W x 1 rel.gpu | R x a; R x b", "a=1 b=0", true},
    {"CoRR, scope too small", "W x 1 rlx.cta | R x a rlx.gpu; R x b rlx.gpu", "a=1 b=0", true},
    {"CoRR, same block", "B 0 0: W x 1 rlx.cta | R x a rlx.cta; R x b rlx.cta", "a=1 b=0", false},
    {"CoWW", "W x 1; W x 2", "x=1", false},
    {"CoRW1", "R x a; W x 1", "a=1", false},
    {"CoRW2", "R x a rlx.gpu; W x 1 rlx.gpu | W x 2 rlx.gpu", "a=2 x=2", false},
    {"CoWR", "W x 1 rlx.gpu; R x a rlx.gpu | W x 2 rlx.gpu", "a=2 x=1", false},
    {"CoWR, weak", "W x 1; R x a", "a=0", false},
    {"coherence of two readers", "W x 1 rlx.gpu | W x 2 rlx.gpu | R x a rlx.gpu; R x b rlx.gpu"
     " | R x c rlx.gpu; R x d rlx.gpu", "a=1 b=2 c=2 d=1", false},
    {"coherence of two readers, weak writes", "W x 1 | W x 2 | R x a acq.sys; R x b acq.sys"
     " | R x c acq.sys; R x d acq.sys", "a=1 b=2 c=2 d=1", true},
    {"weak reads after own writes", "W x 1; R x a; R x b | W x 2", "a=2 b=1", true},
    {"weak reads after own writes, the oldest", "W x 1; W x 2; R x a | W x 3", "a=1", false},
    {"three writers of three scopes", "B 0 0 1: W x 1 rlx.cta | W x 2 rlx.gpu | W x 3 rlx.sys; R x a rlx.sys",
     "a=2 x=1", true},
    {"three writers of one scope", "B 0 0 1: W x 1 rlx.gpu | W x 2 rlx.gpu | W x 3 rlx.sys; R x a rlx.sys",
     "a=2 x=3", false},
    /* Message passing. */
    {"MP", "W x 1 rlx.gpu; W y 1 rlx.gpu | R y a rlx.gpu; R x b rlx.gpu", "a=1 b=0", true},
    {"MP+fence.acq_rel+fence.acq_rel", "W x 1;" FAR "W y 1 rlx.gpu | R y a rlx.gpu;" FAR "R x b", "a=1 b=0", false},
    {"MP+fence.sc+fence.sc", "W x 1;" FSC "W y 1 rlx.gpu | R y a rlx.gpu;" FSC "R x b", "a=1 b=0", false},
    {"MP+fence+po", "W x 1;" FSC "W y 1 rlx.gpu | R y a rlx.gpu; R x b", "a=1 b=0", true},
    {"MP+po+fence", "W x 1; W y 1 rlx.gpu | R y a rlx.gpu;" FSC "R x b", "a=1 b=0", true},
    {"MP+rel+acq", "W x 1; W y 1 rel.gpu | R y a acq.gpu; R x b", "a=1 b=0", false},
    {"MP+rel+fence", "W x 1; W y 1 rel.gpu | R y a rlx.gpu;" FAR "R x b", "a=1 b=0", false},
    {"MP+fence+acq", "W x 1;" FAR "W y 1 rlx.gpu | R y a acq.gpu; R x b", "a=1 b=0", false},
    {"MP+fence, weak signal", "W x 1;" FAR "W y 1 | R y a rlx.gpu;" FAR "R x b", "a=1 b=0", true},
    {"MP+rel.cta+acq.gpu", "W x 1; W y 1 rel.cta | R y a acq.gpu; R x b", "a=1 b=0", true},
    {"MP+rel.cta+acq.cta, same block", "B 0 0: W x 1; W y 1 rel.cta | R y a acq.cta; R x b", "a=1 b=0", false},
    {"MP+rel.sys+acq.cta", "W x 1; W y 1 rel.sys | R y a acq.cta; R x b", "a=1 b=0", true},
    {"MP+fence.cta+fence.gpu", "W x 1; F acq_rel.cta; W y 1 rlx.gpu | R y a rlx.gpu;" FAR "R x b", "a=1 b=0", true},
    {"MP+dependency", "W x 1;" FAR "W y 1 rlx.gpu | R y a rlx.gpu; if a 1; R x b", "a=1 b=0", true},
    {"MP, release then strong write", "W y 1; W x 1 rel.sys; W x 2 rlx.sys | R x a rlx.sys; F acq_rel.sys; R y b",
     "a=2 b=0", false},
    {"MP, release then strong write elsewhere", "W y 1; W z 1 rel.sys; W x 2 rlx.sys | R x a rlx.sys; F acq_rel.sys;"
     " R y b", "a=2 b=0", true},
    {"MP, strong read then acquire", "W y 1; W x 1 rel.gpu | R x a rlx.gpu; R x b acq.gpu; R y c", "a=1 b=1 c=0", false},
    {"MP+rmw between", "W x 1; W y 1 rel.gpu | add y 1 a rlx.gpu | R y b acq.gpu; R x c", "a=1 b=2 c=0", false},
    {"MP+exchange between", "W x 1; W y 1 rel.gpu | xchg y 2 a rlx.gpu | R y b acq.gpu; R x c", "a=1 b=2 c=0", false},
    {"MP+store between", "W x 1; W y 1 rel.gpu | R y a rlx.gpu; W y 2 rlx.gpu | R y b acq.gpu; R x c",
     "a=1 b=2 c=0", true},
    {"MP+red between", "W x 1; W y 1 rel.gpu | red y 1 rlx.gpu | R y b acq.gpu; R x c", "b=2 c=0", false},
    {"MP, red acquires nothing", "W x 1; W y 1 rel.gpu | red y 1 rlx.gpu;" FSC "R x a; R y b rlx.gpu", "a=0 b=2", true},
    {"MP, red releases", "W x 1; red y 1 rel.gpu | R y a acq.gpu; R x b", "a=1 b=0", false},
    {"MP, data by atomic", "W x 1 rlx.gpu; red y 1 rlx.gpu | add y 0 a rlx.gpu; add x 0 b rlx.gpu", "a=1 b=0", true},
    /* Store buffering. */
    {"SB", "W x 1 rlx.gpu; R y a rlx.gpu | W y 1 rlx.gpu; R x b rlx.gpu", "a=0 b=0", true},
    {"SB+fence.sc+fence.sc", "W x 1;" FSC "R y a | W y 1;" FSC "R x b", "a=0 b=0", false},
    {"SB+fence.sc+fence.acq_rel", "W x 1;" FSC "R y a | W y 1;" FAR "R x b", "a=0 b=0", true},
    {"SB+fence.sc.cta", "W x 1; F sc.cta; R y a | W y 1; F sc.cta; R x b", "a=0 b=0", true},
    {"SB+fence.sc.cta, same block", "B 0 0: W x 1; F sc.cta; R y a | W y 1; F sc.cta; R x b", "a=0 b=0", false},
    {"SB+fence.sc.cta+fence.sc.sys", "W x 1; F sc.cta; R y a | W y 1; F sc.sys; R x b", "a=0 b=0", true},
    {"SB+rel+acq", "W x 1 rel.gpu; R y a acq.gpu | W y 1 rel.gpu; R x b acq.gpu", "a=0 b=0", true},
    {"SB+rmw", "add x 1 c rlx.gpu; add y 0 a rlx.gpu | add y 1 d rlx.gpu; add x 0 b rlx.gpu", "a=0 b=0 c=0 d=0", true},
    {"SB+rmw.acq_rel", "add x 1 c acq_rel.gpu; add y 0 a acq_rel.gpu | add y 1 d acq_rel.gpu; add x 0 b acq_rel.gpu",
     "a=0 b=0 c=0 d=0", false},
    {"SB+bar", "B 0 0: W x 1; bar 0; R y a | W y 1; bar 0; R x b", "a=0 b=0", false},
    {"SB+bar, other blocks", "W x 1; bar 0; R y a | W y 1; bar 0; R x b", "a=0 b=0", true},
    {"3.SB", "W x 1 rlx.gpu; R y a rlx.gpu | W y 1 rlx.gpu; R z b rlx.gpu | W z 1 rlx.gpu; R x c rlx.gpu",
     "a=0 b=0 c=0", true},
    {"3.SB+fence.sc", "W x 1;" FSC "R y a | W y 1;" FSC "R z b | W z 1;" FSC "R x c", "a=0 b=0 c=0", false},
    {"R", "W x 1 rlx.gpu; W y 1 rlx.gpu | W y 2 rlx.gpu; R x a rlx.gpu", "a=0 x=1 y=2", true},
    {"R+fence.sc", "W x 1;" FSC "W y 1 rlx.gpu | W y 2 rlx.gpu;" FSC "R x a", "a=0 x=1 y=2", false},
    {"R+fence.acq_rel", "W x 1;" FAR "W y 1 rlx.gpu | W y 2 rlx.gpu;" FAR "R x a", "a=0 x=1 y=2", true},
    /* Writes. */
    {"S", "W x 2 rlx.gpu; W y 1 rlx.gpu | R y a rlx.gpu; W x 1 rlx.gpu", "a=1 x=2 y=1", true},
    {"S+rel+acq", "W x 2; W y 1 rel.gpu | R y a acq.gpu; W x 1", "a=1 x=2 y=1", false},
    {"S+rel+dependency", "W x 2; W y 1 rel.gpu | R y a rlx.gpu; W x a rlx.gpu", "a=1 x=2 y=1", true},
    {"2+2W", "W x 1 rlx.gpu; W y 2 rlx.gpu | W y 1 rlx.gpu; W x 2 rlx.gpu", "x=1 y=1", true},
    {"2+2W+fence.sc", "W x 1 rlx.gpu;" FSC "W y 2 rlx.gpu | W y 1 rlx.gpu;" FSC "W x 2 rlx.gpu", "x=1 y=1", false},
    {"2+2W+fence.acq_rel", "W x 1 rlx.gpu;" FAR "W y 2 rlx.gpu | W y 1 rlx.gpu;" FAR "W x 2 rlx.gpu", "x=1 y=1", true},
    {"2+2W+rel", "W x 1 rel.gpu; W y 2 rel.gpu | W y 1 rel.gpu; W x 2 rel.gpu", "x=1 y=1", true},
    /* Load buffering. */
    {"LB", "R x a rlx.gpu; W y 1 rlx.gpu | R y b rlx.gpu; W x 1 rlx.gpu", "a=1 b=1", true},
    {"LB, weak", "R x a; W y 1 | R y b; W x 1", "a=1 b=1", true},
    {"LB+data+po", "R x a rlx.gpu; W y a rlx.gpu | R y b rlx.gpu; W x 1 rlx.gpu", "a=1 b=1", true},
    {"LB+data+data", "R x a rlx.gpu; W y a rlx.gpu | R y b rlx.gpu; W x b rlx.gpu", "a=1 b=1", false},
    {"LB+ctrl+ctrl", "R x a rlx.gpu; if a 1; W y 1 rlx.gpu | R y b rlx.gpu; if b 1; W x 1 rlx.gpu", "a=1 b=1", false},
    {"LB+acq+acq", "R x a acq.gpu; W y 1 rlx.gpu | R y b acq.gpu; W x 1 rlx.gpu", "a=1 b=1", true},
    {"LB+rel+rel", "R x a rlx.gpu; W y 1 rel.gpu | R y b rlx.gpu; W x 1 rel.gpu", "a=1 b=1", true},
    {"LB+acq+rel", "R x a acq.gpu; W y 1 rel.gpu | R y b acq.gpu; W x 1 rel.gpu", "a=1 b=1", false},
    {"LB+rel+acq, one pair", "R x a rlx.gpu; W y 1 rel.gpu | R y b acq.gpu; W x 1 rlx.gpu", "a=1 b=1", false},
    {"LB+fences", "R x a rlx.gpu;" FAR "W y 1 rlx.gpu | R y b rlx.gpu;" FAR "W x 1 rlx.gpu", "a=1 b=1", false},
    {"LB+rmw, weak store", "R y a acq.gpu; W x 1 | add x 1 b rlx.gpu | R x c rlx.gpu; W y 1 rel.gpu",
     "a=1 b=1 c=2", true},
    {"LB+rmw, strong store", "R y a acq.gpu; W x 1 rlx.gpu | add x 1 b rlx.gpu | R x c rlx.gpu; W y 1 rel.gpu",
     "a=1 b=1 c=2", false},
    {"3.LB", "R x a rlx.gpu; W y 1 rlx.gpu | R y b rlx.gpu; W z 1 rlx.gpu | R z c rlx.gpu; W x 1 rlx.gpu",
     "a=1 b=1 c=1", true},
    /* Three threads. */
    {"WRC", "W x 1 rlx.gpu | R x a rlx.gpu; W y 1 rlx.gpu | R y b rlx.gpu; R x c rlx.gpu", "a=1 b=1 c=0", true},
    {"WRC+rel+acq", "W x 1 rlx.gpu | R x a rlx.gpu; W y 1 rel.gpu | R y b acq.gpu; R x c rlx.gpu",
     "a=1 b=1 c=0", false},
    {"WRC+rel+acq, weak write", "W x 1 | R x a rlx.gpu; W y 1 rel.gpu | R y b acq.gpu; R x c rlx.gpu",
     "a=1 b=1 c=0", true},
    {"WRC+fences", "W x 1 rlx.gpu | R x a rlx.gpu;" FSC "W y 1 rlx.gpu | R y b rlx.gpu;" FSC "R x c rlx.gpu",
     "a=1 b=1 c=0", false},
    {"WRC, cta then gpu", "B 0 0 1: W x 1 rlx.cta | R x a rlx.cta; W y 1 rel.gpu | R y b acq.gpu; R x c",
     "a=1 b=1 c=0", false},
    {"WWC+rel+acq", "W x 2 rlx.gpu | R x a rlx.gpu; W y 1 rel.gpu | R y b acq.gpu; W x 1 rlx.gpu",
     "a=2 b=1 x=2 y=1", false},
    {"RWC", "W x 1 rlx.gpu | R x a rlx.gpu; R y b rlx.gpu | W y 1 rlx.gpu; R x c rlx.gpu", "a=1 b=0 c=0", true},
    {"RWC+fence.sc", "W x 1 rlx.gpu | R x a rlx.gpu;" FSC "R y b rlx.gpu | W y 1 rlx.gpu;" FSC "R x c rlx.gpu",
     "a=1 b=0 c=0", false},
    {"RWC+fence.acq_rel", "W x 1 rlx.gpu | R x a rlx.gpu;" FAR "R y b rlx.gpu | W y 1 rlx.gpu;" FAR "R x c rlx.gpu",
     "a=1 b=0 c=0", true},
    {"RWC+rmw", "add x 1 d rlx.gpu | add x 0 a rlx.gpu; add y 0 b rlx.gpu | add y 1 e rlx.gpu; add x 0 c rlx.gpu",
     "a=1 b=0 c=0 d=0 e=0", true},
    {"RWC+rmw+fence.sc", "add x 1 d rlx.gpu | add x 0 a rlx.gpu;" FSC "add y 0 b rlx.gpu | add y 1 e rlx.gpu;" FSC
     "add x 0 c rlx.gpu", "a=1 b=0 c=0 d=0 e=0", false},
    {"W+RWC+rel+acq+fence.sc", "W x 1; W z 1 rel.gpu | R z a acq.gpu;" FSC "R y b | W y 1;" FSC "R x c",
     "a=1 b=0 c=0", false},
    {"W+RWC+fence.acq_rel", "W x 1;" FAR "W z 1 rlx.gpu | R z a rlx.gpu;" FAR "R y b | W y 1;" FAR "R x c",
     "a=1 b=0 c=0", true},
    {"ISA2", "W x 1 rlx.gpu; W y 1 rlx.gpu | R y a rlx.gpu; W z 1 rlx.gpu | R z b rlx.gpu; R x c rlx.gpu",
     "a=1 b=1 c=0", true},
    {"ISA2+rel+acq", "W x 1; W y 1 rel.gpu | R y a acq.gpu; W z 1 rel.gpu | R z b acq.gpu; R x c", "a=1 b=1 c=0", false},
    {"ISA2, the middle only reads", "W x 1; W y 1 rel.gpu | R y a rlx.gpu; W z 1 rel.gpu | R z b acq.gpu; R x c",
     "a=1 b=1 c=0", true},
    {"ISA2, cta and gpu", "B 0 0 1: W x 1; W y 1 rel.cta | R y a acq.cta; W z 1 rel.gpu | R z b acq.gpu; R x c",
     "a=1 b=1 c=0", false},
    {"ISA2, cta across blocks", "B 0 1 1: W x 1; W y 1 rel.cta | R y a acq.cta; W z 1 rel.gpu | R z b acq.gpu; R x c",
     "a=1 b=1 c=0", true},
    {"Z6.0+fence.sc", "W x 1;" FSC "W y 1 rlx.gpu | R y a rlx.gpu;" FSC "W z 1 rlx.gpu | W z 2 rlx.gpu;" FSC "R x b",
     "a=1 b=0 x=1 y=1 z=2", false},
    {"Z6.0+rel+acq", "W x 1; W y 1 rel.gpu | R y a acq.gpu; W z 1 rel.gpu | W z 2 rlx.gpu;" FSC "R x b",
     "a=1 b=0 x=1 y=1 z=2", true},
    {"Z6.1", "W x 1 rlx.gpu;" FSC "W y 1 rlx.gpu | W y 2 rlx.gpu;" FSC "W z 1 rlx.gpu | R z a rlx.gpu;" FSC
     "W x 2 rlx.gpu", "a=1 x=1 y=2 z=1", false},
    {"Z6.2+rel+acq", "W x 2; W y 1 rel.gpu | R y a acq.gpu; W z 1 rel.gpu | R z b acq.gpu; W x 1",
     "a=1 b=1 x=2 y=1 z=1", false},
    {"Z6.3+fence.sc", "W x 1;" FSC "W y 1 rlx.gpu | W y 2 rlx.gpu;" FSC "W z 1 rlx.gpu | R z a rlx.gpu;" FSC "R x b",
     "a=1 b=0 x=1 y=2 z=1", false},
    {"Z6.3+fence.acq_rel", "W x 1;" FAR "W y 1 rlx.gpu | W y 2 rlx.gpu;" FAR "W z 1 rlx.gpu | R z a rlx.gpu;" FAR
     "R x b", "a=1 b=0 x=1 y=2 z=1", true},
    {"Z6.4+fence.sc", "W x 1;" FSC "W y 1 rlx.gpu | W y 2 rlx.gpu;" FSC "R z a | W z 1;" FSC "R x b",
     "a=0 b=0 x=1 y=2 z=1", false},
    {"Z6.5+fence.sc", "W x 1;" FSC "W y 1 rlx.gpu | W y 2 rlx.gpu;" FSC "W z 1 rlx.gpu | W z 2 rlx.gpu;" FSC "R x a",
     "a=0 x=1 y=2 z=2", false},
    {"3.2W+fence.sc", "W x 1 rlx.gpu;" FSC "W y 2 rlx.gpu | W y 1 rlx.gpu;" FSC "W z 2 rlx.gpu | W z 1 rlx.gpu;" FSC
     "W x 2 rlx.gpu", "x=1 y=1 z=1", false},
    /* Four threads. */
    {"IRIW", "W x 1 rlx.gpu | W y 1 rlx.gpu | R x a rlx.gpu; R y b rlx.gpu | R y c rlx.gpu; R x d rlx.gpu",
     "a=1 b=0 c=1 d=0", true},
    {"IRIW+acq", "W x 1 rel.gpu | W y 1 rel.gpu | R x a acq.gpu; R y b acq.gpu | R y c acq.gpu; R x d acq.gpu",
     "a=1 b=0 c=1 d=0", true},
    {"IRIW+fence.sc", "W x 1 rlx.gpu | W y 1 rlx.gpu | R x a rlx.gpu;" FSC "R y b rlx.gpu | R y c rlx.gpu;" FSC
     "R x d rlx.gpu", "a=1 b=0 c=1 d=0", false},
    {"IRIW+fence.sc, weak writes", "W x 1 | W y 1 | R x a rlx.gpu;" FSC "R y b rlx.gpu | R y c rlx.gpu;" FSC
     "R x d rlx.gpu", "a=1 b=0 c=1 d=0", true},
    {"IRIW+fence.sc.cta", "W x 1 rlx.gpu | W y 1 rlx.gpu | R x a rlx.gpu; F sc.cta; R y b rlx.gpu"
     " | R y c rlx.gpu; F sc.cta; R x d rlx.gpu", "a=1 b=0 c=1 d=0", true},
    {"ISA2 of four", "W x 1 rlx.gpu | R x a rlx.gpu; W y 1 rel.gpu | R y b acq.gpu; W z 1 rel.gpu"
     " | R z c acq.gpu; R x d", "a=1 b=1 c=1 d=0", false},
    /* Atomicity. */
    {"two additions", "add x 1 a rlx.gpu | add x 1 b rlx.gpu", "a=0 b=0 x=1", false},
    {"two additions, scope too small", "add x 1 a rlx.cta | add x 1 b rlx.cta", "a=0 b=0 x=1", true},
    {"two additions, one scope too small", "add x 1 a rlx.cta | add x 1 b rlx.gpu", "a=0 b=0 x=1", true},
    {"two additions, small scope in one block", "B 0 0: add x 1 a rlx.cta | add x 1 b rlx.cta", "a=0 b=0 x=1", false},
    {"reductions", "red x 1 | red x 1 | R x a rlx.gpu; R x b rlx.gpu", "a=2 b=1 x=2", false},
    {"a weak store between", "add x 1 a rlx.gpu | W x 2", "a=0 x=2", true},
    {"one compare-and-swap wins", "cas x 0 1 a rlx.gpu | cas x 0 2 b rlx.gpu", "a=0 b=0 x=1", false},
    {"compare-and-swap, weak store", "cas x 0 1 a rlx.gpu | W x 2; R x b", "a=0 b=1 x=2", true},
    {"compare-and-swap, then who lost reads", "W y 1; cas x 0 1 a acq_rel.gpu | W z 1; cas x 0 1 b acq_rel.gpu; R y c",
     "a=0 b=1 c=0 x=1 y=1 z=1", false},
    /* Locks. */
    {"a lock handed on", "W y 1; W x 1 rel.gpu | cas x 1 2 a acq.gpu; if a 2; R y b; W x 3 rel.gpu"
     " | cas x 3 4 c acq.gpu; if c 1; R y d", "a=1 b=1 c=3 d=0 x=4 y=1", false},
    {"a lock handed on, no release", "W y 1; W x 1 rel.gpu | cas x 1 2 a acq.gpu; if a 2; R y b; W x 3 rlx.gpu"
     " | cas x 3 4 c acq.gpu; if c 1; R y d", "a=1 b=1 c=3 d=0 x=4 y=1", true},
};

/** Lines of registers only, unless the outcome names a location. */
static bool names_location(const char *outcome)
{
    return strpbrk(outcome, "xyzw") != NULL;
}

static bool has_line(const char *lines, const char *line)
{
    static char all[1 << 17];
    char one[128];
    snprintf(all, sizeof all, "\n%s\n", lines);
    snprintf(one, sizeof one, "\n%s\n", line);
    return strstr(all, one) != NULL;
}

static void test_verdicts(void)
{
    static struct litmus l;
    static char got[1 << 16], expected[1 << 16];
    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++) {
        const struct verdict *v = &verdicts[i];
        litmus_parse(&l, v->text);
        if (!names_location(v->outcome))
            memset(l.shared, 0, sizeof l.shared);
        CU_ASSERT(litmus_outcomes(&l, got, sizeof got) > 0);
        oracle_outcomes(&l, expected, sizeof expected);
        CU_ASSERT_STRING_EQUAL(got, expected);
        bool search = has_line(got, v->outcome), oracle = has_line(expected, v->outcome);
        if (search != v->allowed || oracle != v->allowed)
            fprintf(stderr, "\n%s: %s is %s; the search says %s, the definitions %s\n%s\n%s\n", v->name, v->outcome,
                    v->allowed ? "allowed" : "forbidden", search ? "allowed" : "forbidden",
                    oracle ? "allowed" : "forbidden", v->text, got);
        CU_ASSERT_EQUAL(search, v->allowed);
        CU_ASSERT_EQUAL(oracle, v->allowed);
    }
}

/* ---- Fences against what is left of two writes ---- */

static int add(struct execution *x, int thread, enum event_kind kind, int location, uint64_t value, int source)
{
    struct model_event e = {.kind = kind, .thread = thread, .location = location, .value = value, .strong = true, .scope = MODEL_GPU,
                            .pair = -1};
    return execution_add(x, &e, source);
}

static void test_fence_places(void)
{
    static struct execution x;
    uint64_t zeros[2] = {0, 0};
    struct model_place place[2] = {{.block = 0}, {.block = 1}};
    int places[2];

    /* W x 2; W y 1 | R y 1; W x 1, and x is 2 in the end: a fence in either thread alone does not help. */
    execution_begin(&x, 2, zeros, 2, place);
    int stays = add(&x, 0, EVENT_WRITE, 0, 2, SOURCE_NONE), signal = add(&x, 0, EVENT_WRITE, 1, 1, SOURCE_NONE);
    add(&x, 1, EVENT_READ, 1, 1, signal);
    int last = add(&x, 1, EVENT_WRITE, 0, 1, SOURCE_NONE);
    CU_ASSERT_TRUE(execution_leaves(&x, stays));
    CU_ASSERT_TRUE(execution_leaves(&x, last));
    CU_ASSERT_TRUE(execution_fence_places(&x, (struct model_pair){last, stays}, MODEL_GPU, places));
    CU_ASSERT_EQUAL(places[0], last);
    CU_ASSERT_EQUAL(places[1], signal);

    /* W x 1; W y 2 | W y 1; W x 2, and both are 1 in the end: each may be by itself, whatever fences there are. */
    execution_begin(&x, 2, zeros, 2, place);
    stays = add(&x, 0, EVENT_WRITE, 0, 1, SOURCE_NONE);
    add(&x, 0, EVENT_WRITE, 1, 2, SOURCE_NONE);
    add(&x, 1, EVENT_WRITE, 1, 1, SOURCE_NONE);
    last = add(&x, 1, EVENT_WRITE, 0, 2, SOURCE_NONE);
    CU_ASSERT_FALSE(execution_fence_places(&x, (struct model_pair){last, stays}, MODEL_GPU, places));

    execution_begin(&x, 1, zeros, 1, place);
    int first = add(&x, 0, EVENT_WRITE, 0, 1, SOURCE_NONE);
    last = add(&x, 0, EVENT_WRITE, 0, 2, SOURCE_NONE);
    CU_ASSERT_FALSE(execution_leaves(&x, first));
    CU_ASSERT_TRUE(execution_leaves(&x, last));
}

UNIT_MAIN("model: verdicts", {"named litmus tests", test_verdicts}, {"fences against what is left", test_fence_places})
