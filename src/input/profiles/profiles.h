/*
 * profiles.h - profiles that other tools wrote, in which stacks are summed up already
 *
 * The head of each .c file shows its format.
 */
#ifndef PERFOLD_INPUT_PROFILES_PROFILES_H
#define PERFOLD_INPUT_PROFILES_PROFILES_H

#include "input/input.h"

extern const struct input_format input_cpuprofile, input_folded, input_pprof, input_rows;
extern const struct input_format input_preagg, input_unsymbolized;

#endif
