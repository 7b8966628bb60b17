/**
 * @file kit_version.h
 * The kit's version, from the file VERSION at the top level.
 */
#ifndef GRADER_BASE_KIT_VERSION_H
#define GRADER_BASE_KIT_VERSION_H

/** "0.2.0": recorded in every result. */
extern const char kit_version[];

#endif
