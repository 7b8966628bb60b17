/**
 * @file outside.h
 * Bytes that other processes have, too: a file of memory, without a name, that lives as long as anybody maps it. What is
 * handed over names the process, its descriptor and a key; the other process finds the file where the kernel shows
 * descriptors (/proc), if it may: the same user's may. So nothing is left behind, whatever way a process ends.
 */
#ifndef SOFTGPU_RUNTIME_STATE_OUTSIDE_H
#define SOFTGPU_RUNTIME_STATE_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>

enum outside_kind { OUTSIDE_MEMORY = 1, OUTSIDE_EVENT, OUTSIDE_PHYSICAL, OUTSIDE_POOL, OUTSIDE_POOL_MEMORY };

/** What stands at the end of the file, on a page of its own; and in a handle, which has room for 64 bytes. */
struct outside_name {
    uint64_t magic, bytes;    /**< of the memory, without that page */
    uint32_t kind;
    int32_t process, descriptor, device;
    uint8_t key[16];
};

/** A new file for `name->bytes` bytes of `name->kind`; fills in the rest of the name. @return its descriptor, -1 where the
 *  system does not let us, which is said once */
int outside_create(struct outside_name *name);
/** The file that was so named, if it is still there and of that kind. @return a descriptor of its own, or -1 */
int outside_open(const struct outside_name *name, enum outside_kind kind);
/** The name at the end of a file. @return false if it is none of these */
bool outside_name_of(int descriptor, struct outside_name *name);
/** Its bytes, shared; NULL where there is no room. */
void *outside_map(int descriptor, uint64_t bytes);
/** From now on, until as many outside_less(): what others do is not known, nor what they see. */
void outside_more(void);
void outside_less(void);

#endif
