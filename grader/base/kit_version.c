/**
 * @file kit_version.c
 * The one object that is compiled anew when the version changes.
 */
#include "base/kit_version.h"

const char kit_version[] = FENCEPOST_VERSION;
