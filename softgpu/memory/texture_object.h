/**
 * @file texture_object.h
 * Texture and surface objects: what a kernel's handle stands for, a resource in device memory and a sampler.
 *
 * Handles are numbers that count up from 1 and are never used again, so that an object which has been destroyed is
 * known as such.
 */
#ifndef SOFTGPU_MEMORY_TEXTURE_OBJECT_H
#define SOFTGPU_MEMORY_TEXTURE_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#define TEXTURE_LEVELS 18

enum texture_resource { TEXTURE_LINEAR, TEXTURE_PITCH, TEXTURE_ARRAY };
enum texture_channels { CHANNELS_SIGNED, CHANNELS_UNSIGNED, CHANNELS_FLOAT }; /**< as cudaChannelFormatKind */
enum texture_address { ADDRESS_WRAP, ADDRESS_CLAMP, ADDRESS_MIRROR, ADDRESS_BORDER }; /**< as cudaTextureAddressMode */

/** One level of a resource: rows of texels. */
struct texture_level {
    uint64_t base;                /**< device address */
    uint64_t pitch, slice;        /**< bytes from row to row, and from one layer, face or depth to the next */
    uint32_t size[3];             /**< texels; depth is 1 unless it has three dimensions */
};

struct texture {
    uint64_t handle;
    bool surface;
    uint64_t destroyed;           /**< number of the first operation that must not use it any more; 0: it lives */
    uint8_t resource;             /**< enum texture_resource */
    uint8_t dimensions;           /**< 1 to 3; a cube has two */
    bool layered, cube, gathers;
    uint32_t layers;              /**< faces count as layers; 1 if it has none */
    uint8_t channels, bytes;      /**< 1, 2 or 4 channels, of so many bytes each */
    uint8_t kind;                 /**< enum texture_channels */
    int levels;
    struct texture_level level[TEXTURE_LEVELS];
    /* the sampler; a surface has none */
    uint8_t address[3];           /**< enum texture_address */
    bool linear, normalised, as_float, srgb, between_levels, seamless;
    uint32_t anisotropy;
    float bias, least_level, most_level;
    float border[4];
};

struct memory;

/** Adds an object like `t`. @return its handle */
uint64_t memory_add_texture(struct memory *m, const struct texture *t);
/** NULL if there never was one; one that has been destroyed says so. */
struct texture *memory_texture(const struct memory *m, uint64_t handle);

#endif
