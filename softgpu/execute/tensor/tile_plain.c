/**
 * @file tile_plain.c
 * Tiles on any processor.
 */
#define TILE_LANES 4
#define TILE_TABLE tile_plain
#include "execute/tensor/tile_steps.h"
