// Locks and structures that hand data from thread to thread, each right and with one thing amiss: in the volatile and fence style, or
// with acquire and release.
#include "judge.cuh"

#define ACQ(place) LD("acquire.gpu", &(place))
#define RELAXED(place) LD("relaxed.gpu", &(place))
#define SET(place, v) ST("relaxed.gpu", &(place), v)
#define REL(place, v) ST("release.gpu", &(place), v)

// ---- Peterson's lock: flag[0] and flag[1] say who wants, flag[2] whose turn it is ----

#define PETERSON(name, between)                                                                    \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        unsigned he = 1 - BID;                                                                     \
        VOL(flag[BID]) = 1;                                                                        \
        between;                                                                                   \
        VOL(flag[2]) = he;                                                                         \
        __threadfence();                                                                           \
        while (VOL(flag[he]) && VOL(flag[2]) == he)                                                \
            ;                                                                                      \
        __threadfence();                                                                           \
        x[0] += 1;                                                                                 \
        __threadfence();                                                                           \
        VOL(flag[BID]) = 0;                                                                        \
    }

// case: peterson_right grid=2 block=1 expect=silent
PETERSON(peterson_right, __threadfence())

// "I want" may come after "your turn" for the other, who then finds nobody that wants.
// case: peterson_one_fence grid=2 block=1 expect=data-race@1@1
PETERSON(peterson_one_fence, ) // @1

// ---- Hazard pointers: flag[0] is the current node, flag[1] and flag[2] what each reader has in hand ----

#define HAZARD(fence)                                                                              \
    if (BID == 0) {                                                                                \
        for (unsigned k = 1; k < 4; k++) {                                                         \
            unsigned node = k % 2 + 1;                                                             \
            do                                                                                     \
                __threadfence();                                                                   \
            while (ACQ(flag[1]) == node || ACQ(flag[2]) == node);                                  \
            x[node] = 100 + k;                                                                     \
            REL(flag[0], node);                                                                    \
            __threadfence();                                                                       \
        }                                                                                          \
        return;                                                                                    \
    }                                                                                              \
    unsigned node;                                                                                 \
    do {                                                                                           \
        node = RELAXED(flag[0]);                                                                   \
        SET(flag[BID], node);                                                                      \
        fence;                                                                                     \
    } while (ACQ(flag[0]) != node);

// case: hazard_right grid=3 block=1 expect=silent
KERNEL(hazard_right)
{
    HAZARD(__threadfence())
    y[BID] = node ? x[node] > 100 : 1;
    REL(flag[BID], 0u);
}

// The second look may come before others see what the reader has in hand: store buffering.
// case: hazard_unfenced grid=3 block=1 expect=data-race@1@2
KERNEL(hazard_unfenced)
{
    HAZARD() // @1
    y[BID] = node ? x[node] > 100 : 1; // @2
    REL(flag[BID], 0u);
}

// ---- Epochs: flag[0] is the epoch, flag[3] the current node; readers announce at flag[1] and flag[2] one more than they saw ----

#define EPOCHS(name, passed)                                                                       \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        if (BID > 0) {                                                                             \
            SET(flag[BID], RELAXED(flag[0]) + 1);                                                  \
            __threadfence();                                                                       \
            y[BID] = x[ACQ(flag[3])];                                                              \
            REL(flag[BID], 0u);                                                                    \
            return;                                                                                \
        }                                                                                          \
        for (unsigned k = 1; k < 3; k++) {                                                         \
            x[k] = k * 10;                                                                         \
            unsigned old = RELAXED(flag[3]);                                                       \
            REL(flag[3], k);                                                                       \
            __threadfence();                                                                       \
            unsigned epoch = RELAXED(flag[0]) + 1;                                                 \
            SET(flag[0], epoch);                                                                   \
            __threadfence();                                                                       \
            for (int b = 1; b < 3; b++)                                                            \
                for (;;) {                                                                         \
                    unsigned seen = ACQ(flag[b]);                                                  \
                    if (seen == 0 || seen passed epoch)                                            \
                        break;                                                                     \
                }                                                                                  \
            x[old] = -1;                                                                           \
        }                                                                                          \
    }

// case: epochs_right grid=3 block=1 expect=silent
EPOCHS(epochs_right, >)

// A reader of the epoch that has just ended may still have the node.
// case: epochs_one_too_early grid=3 block=1 expect=data-race@1@1
EPOCHS(epochs_one_too_early, >=) // @1

// ---- A queue of many producers and one consumer, linked: flag[0] is the tail, flag[16 + node] the next node ----

#define LINKED(name, release)                                                                      \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        if (BID > 0) {                                                                             \
            x[BID] = BID;                                                                          \
            unsigned last = ATOM_EXCH("acq_rel.gpu", &flag[0], BID);                               \
            ST(release ".gpu", &flag[16 + last], BID);                                             \
        } else {                                                                                   \
            unsigned at = 0, next;                                                                 \
            for (int k = 0; k < 3; k++, at = next) {                                               \
                while ((next = ACQ(flag[16 + at])) == 0)                                           \
                    ;                                                                              \
                atomicAdd(&y[0], x[next]);                                                         \
            }                                                                                      \
        }                                                                                          \
    }

// case: linked_right grid=4 block=1 expect=silent
LINKED(linked_right, "release")

// The swap of the tail releases the node to the next producer, not to the consumer.
// case: linked_unreleased grid=4 block=1 expect=missing-release|data-race@1@1 also=missing-release@1@1
LINKED(linked_unreleased, "relaxed") // @1

// ---- A semaphore with one permit, flag[0] less one ----

#define SEMAPHORE(name, release)                                                                   \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        for (;;) {                                                                                 \
            unsigned taken = RELAXED(flag[0]);                                                     \
            if (taken == 0 && ATOM_CAS("acquire.gpu", &flag[0], 0u, 1u) == 0)                      \
                break;                                                                             \
        }                                                                                          \
        x[0] += 2;                                                                                 \
        ATOM_ADD(release ".gpu", &flag[0], ~0u);                                                   \
    }

// case: semaphore_right grid=3 block=1 expect=silent
SEMAPHORE(semaphore_right, "release")

// case: semaphore_unreleased grid=3 block=1 expect=missing-release@1@1
SEMAPHORE(semaphore_unreleased, "relaxed") // @1

// ---- A hash table: a key by atomicCAS in flag[0…3], its value in x, ready in flag[16…19] ----

#define TABLE(name, wait)                                                                          \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        unsigned key = BID % 2 + 1, at = 0, was;                                                   \
        while ((was = atomicCAS(&flag[at], 0u, key)) != 0 && was != key)                           \
            at = (at + 1) % 4;                                                                     \
        if (was == 0) {                                                                            \
            x[at] = key * 7;                                                                       \
            REL(flag[16 + at], 1u);                                                                \
        } else {                                                                                   \
            wait;                                                                                  \
        }                                                                                          \
        y[BID] = x[at];                                                                            \
    }

// case: table_right grid=4 block=1 expect=silent
TABLE(table_right, while (ACQ(flag[16 + at]) == 0))

// The key is there before the value.
// case: table_key_is_not_value grid=4 block=1 expect=data-race|missing-release|missing-acquire@1@1
TABLE(table_key_is_not_value, ) // @1

// ---- A ring of two for two consumers that each get all: flag[0] and flag[1] count what they took, flag[2] what was put ----

#define BROADCAST(name, other)                                                                     \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        for (unsigned k = 0; k < 4; k++)                                                           \
            if (BID == 2) {                                                                        \
                while (k - ACQ(flag[0]) >= 2 || k - ACQ(flag[other]) >= 2)                         \
                    ;                                                                              \
                x[k % 2] = k + 1;                                                                  \
                REL(flag[2], k + 1);                                                               \
            } else {                                                                               \
                while (ACQ(flag[2]) <= k)                                                          \
                    ;                                                                              \
                y[BID * 8 + k] = x[k % 2];                                                         \
                REL(flag[BID], k + 1);                                                             \
            }                                                                                      \
    }

// case: broadcast_right grid=3 block=1 expect=silent
BROADCAST(broadcast_right, 1)

// The producer waits for one of the two.
// case: broadcast_one_forgotten grid=3 block=1 expect=data-race@1@1 also=*
BROADCAST(broadcast_one_forgotten, 0) // @1

// ---- Two that exchange what they bring: flag[0] holds the first's number, then also the second's ----

#define EXCHANGE(name, offer)                                                                      \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        unsigned me = BID + 1, both;                                                               \
        x[me] = me;                                                                                \
        unsigned first = ATOM_CAS(offer ".gpu", &flag[0], 0u, me);                                 \
        if (first == 0) {                                                                          \
            while ((both = ACQ(flag[0])) == me)                                                    \
                ;                                                                                  \
            y[me] = x[both >> 8];                                                                  \
        } else {                                                                                   \
            ATOM_CAS("acq_rel.gpu", &flag[0], first, first | me << 8);                             \
            y[me] = x[first];                                                                      \
        }                                                                                          \
    }

// case: exchange_right grid=2 block=1 expect=silent
EXCHANGE(exchange_right, "acq_rel")

// What the first brings is not released.
// case: exchange_offered_unreleased grid=2 block=1 expect=missing-release@1@1
EXCHANGE(exchange_offered_unreleased, "acquire") // @1

// ---- Entries of a log, published in order by its length: flag[0] gives places, flag[1] is the length ----

#define LOG(name, length)                                                                          \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        if (BID < 3) {                                                                             \
            unsigned at = atomicAdd(&flag[0], 1);                                                  \
            x[at] = BID + 1;                                                                       \
            while (length(flag[1]) != at)                                                          \
                ;                                                                                  \
            REL(flag[1], at + 1);                                                                  \
        } else {                                                                                   \
            while (ACQ(flag[1]) != 3)                                                              \
                ;                                                                                  \
            y[0] = x[0] + x[1] + x[2];                                                             \
        }                                                                                          \
    }

// case: log_right grid=4 block=1 expect=silent
LOG(log_right, ACQ)

// Who publishes has not taken in what the entries before it hold, so it passes only its own on.
// case: log_passed_on_unread grid=4 block=1 expect=missing-acquire|missing-release|data-race@1@1
LOG(log_passed_on_unread, RELAXED) // @1

// ---- Sums up a tree: who comes second to a node adds its two parts ----

#define TREE(name, how)                                                                            \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        x[4 + BID] = BID + 1;                                                                      \
        for (unsigned i = (4 + BID) / 2; i; i /= 2) {                                              \
            if (ATOM_ADD(how ".gpu", &flag[i], 1u) == 0)                                           \
                return;                                                                            \
            x[i] = x[2 * i] + x[2 * i + 1];                                                        \
        }                                                                                          \
        y[0] = x[1];                                                                               \
    }

// case: tree_right grid=4 block=1 expect=silent
TREE(tree_right, "acq_rel")

// case: tree_unacquired grid=4 block=1 expect=missing-acquire@1@1
TREE(tree_unacquired, "release") // @1
