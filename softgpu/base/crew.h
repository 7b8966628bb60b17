/**
 * @file crew.h
 * Threads that are kept, and help with one piece of work at a time.
 *
 * They are made when first asked for and then wait, all signals but those of faults blocked, until the process ends; a child of fork() has
 * none and makes its own. Whoever asks begins at once and waits in the end for those only who have begun: one that does not
 * get a processor in time is not waited for.
 */
#ifndef SOFTGPU_BASE_CREW_H
#define SOFTGPU_BASE_CREW_H

/** Work for the caller and others; lives until crew_close(). */
struct crew_work {
    void (*run)(void *self, int number); /**< by helper `number`, from 1 on: each at most once */
    void *self;
    int count;                           /**< with the caller */
    int begun, inside;                   /**< private: helpers that have begun it, and are not done */
};

/**
 * Lets up to `count` - 1 helpers begin. Where others have work for the crew at the moment, or threads cannot be made, fewer or none
 * will come.
 */
void crew_ask(struct crew_work *w);
/** From now on nobody begins; waits for those that have. @return how many have, with the caller: numbers below that ran */
int crew_close(struct crew_work *w);
/** Threads that this process keeps for it. */
int crew_threads(void);

#endif
