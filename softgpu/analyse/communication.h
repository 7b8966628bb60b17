/**
 * @file communication.h
 * Strong accesses by which a kernel may communicate with others that run beside it.
 */
#ifndef SOFTGPU_ANALYSE_COMMUNICATION_H
#define SOFTGPU_ANALYSE_COMMUNICATION_H

#include "code/image.h"

/** What a kernel does with strong accesses of memory that others reach. */
struct communication {
    bool speaks;    /**< some */
    bool listens;   /**< a load, or an atomic that gets what was there */
    bool polls;     /**< it may wait for others (polls.h) */
};

/** Of the kernel and, where it calls, of all functions of its image. Found once. */
const struct communication *communication_of(const struct function *kernel);

#endif
