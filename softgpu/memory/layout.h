/**
 * @file layout.h
 * Where addresses of the device's and of shared memory lie.
 */
#ifndef SOFTGPU_MEMORY_LAYOUT_H
#define SOFTGPU_MEMORY_LAYOUT_H

/** Device addresses: a range that is reserved without access where the host grants it. */
#define DEVICE_BASE 0x200000000000ull
#define DEVICE_BYTES 0x100000000000ull
/** Host memory that the device shares is mapped from here on where the range is free. */
#define HOST_BASE 0x180000000000ull
#define HOST_BYTES 0x040000000000ull

#endif
