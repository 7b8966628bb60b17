/**
 * @file finding.h
 * Findings: what softgpu tells about a program, as data.
 *
 * One finding stands for all occurrences of a kind at one pair of source lines; the first is kept
 * and the rest are counted. The file format is an interface (design.md): one JSON object a line.
 */
#ifndef SOFTGPU_REPORT_FINDING_H
#define SOFTGPU_REPORT_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "parse/types.h"
#include "report/facts.h"
#include "report/kinds.h"

#define FINDING_CALLERS 3

struct finding_source {
    const char *file;        /**< NULL: none */
    int line;
};

struct finding_access {
    const char *op;          /**< "load", "store", "atomic", "barrier", "cudaMemcpy", … */
    const char *file;        /**< NULL if unknown */
    int line;
    int ptx_line;
    struct finding_source callers[FINDING_CALLERS]; /**< of an inlined function, from the inside out */
    int caller_count;
    struct finding_source inside;   /**< the line of a library's header that was inlined at `line` */
    struct finding_source launched; /**< of a library's own kernel, whose `file` is a header: where the program launches it, or calls
                                       what does */
    bool has_thread;         /**< false for host operations */
    uint32_t block[3], thread[3];
    bool row_of_blocks, row_of_threads; /**< the launch has one dimension: the first coordinate says it all */
    bool has_value;
    uint64_t value;
    enum ptx_type type;      /**< how to print the value */
    uint64_t stream;         /**< 0 if not known; else the id of the stream that it ran in */
    bool has_missed;         /**< a load that returned an older value: the one it missed */
    uint64_t missed;
};

/** One step of the run that a finding shows: what a thread did there, and what it saw. */
struct finding_event {
    char op[24];             /**< "load", "store", "atomic", "fence", "barrier", "warp barrier" */
    char order[20];          /**< of strong accesses and fences: "acquire.gpu"; "" if none */
    const char *file;        /**< NULL if unknown */
    int line;
    uint32_t block[3], thread[3];
    char object[64];         /**< as in struct finding; "" if it touches no memory */
    uint64_t offset;
    bool has_value, has_old, has_missed;
    uint64_t value;          /**< read, written, or left by an atomic */
    uint64_t old;            /**< what an atomic found */
    uint64_t missed;         /**< the newest value, where a load returned an older one */
    enum ptx_type type;
    uint32_t times;          /**< in a row, when it polled: this is the last time */
    uint64_t number;         /**< in the order of the run */
};

/** Tells the two accesses apart from all others of a launch, so that a second run of the same
 *  schedule can watch them. */
struct finding_trail {
    bool known;              /**< both accesses belong to launch `op`, or to two of those that run at once with it */
    bool retried;            /**< what the second got is used behind its loop only: one more turn drops it; or for a try, which is given up at worst */
    bool only_if_bites;      /**< that counts only if it changes the result: the second is an update that came before the first
                                  (check/race/earlier.h), or comes between the same barriers */
    bool made_again;         /**< the second is the look of a maximum by hand whose thread says that it has updated: whatever the launch leaves, who is told
                                  makes it again in the next round */
    bool shown;              /**< the second is a load and returned the older value */
    uint64_t op, launch[2], block[2], address; /**< `launch`: the operations of the two accesses */
    uint32_t thread[2], site[2], bytes;
    uint32_t via, signal;    /**< sites of the read that saw the other's signal, and of the signal */
    enum ptx_space space;
};

/** How far the two threads that a race is about are apart. */
enum apart { APART_UNKNOWN, APART_LANES, APART_WARPS, APART_IN_CLUSTER, APART_BLOCKS, APART_ON_DEVICES };

/** What `suggestion` mends, as far as others of the same lines are to be compared with it (mends.h). */
struct finding_mend {
    enum race_advice advice;
    enum apart apart;
    int lines[2], parted_line; /**< as in struct race_facts */
    bool twice;              /**< it names two changes for two ways */
    bool by_result;          /**< to go by what an atomic returns, and not to look again */
    bool read_first;         /**< the way from a read to a write, be it in a loop's next turn */
};

/** Warnings about an order. */
enum doubts {
    DOUBTS_ALL,
    DOUBTS_RETRIED,  /**< about a value that the thread forgets if its loop goes round again */
    DOUBTS_UNLESS_BITING, /**< finding_trail.only_if_bites */
};

/** A checker fills in what it knows: kind, cause and the facts that go with it, place and accesses. The
 *  words are report_finding()'s, through report/words/. */
struct finding {
    enum finding_kind kind;
    enum finding_level level;/**< LEVEL_OF_KIND unless there is a reason */
    enum finding_cause cause;
    union finding_facts facts;
    const char *kernel;
    const char *space;       /**< "global", "shared", "local", "host", or NULL */
    char object[64];         /**< variable name or "allocN"; "" if none */
    bool named;              /**< the program gave the object its name */
    char part[64];           /**< of an object whose layout is known: "[22].count"; else "" */
    uint64_t object_bytes;   /**< of an allocation or a shared variable; 0 if not known */
    const struct call_site *made; /**< where the program allocated it; NULL if unknown */
    uint64_t offset;         /**< bytes from the object's start */
    struct finding_access accesses[2];
    int access_count;
    uint64_t ops[2];         /**< stream-race: the two operations' numbers; 0 = the host */
    char message[512];       /**< one sentence: this and the next two are filled in by report_finding() */
    char rule[128];
    char suggestion[512];    /**< the smallest change that would help; "" if not determined */
    struct finding_mend mend;
    int mended_by;           /**< the line of the findings file whose finding's advice mends this one, too; 0: none does */
    struct finding_trail trail;
    const struct finding_event *events;  /**< the interleaving, oldest first */
    int event_count;
};

/** Copies the strings that a finding borrows, so that it outlives the image it speaks of. @return what to free() */
char *finding_own(struct finding *f);
/** Bytes of the object's elements as the accesses have it; 0 where they differ, or none is known. */
unsigned finding_element(const struct finding *f);

#endif
