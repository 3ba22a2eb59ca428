/*
 * generated.h - names of generated code, of all processes of a recording
 *
 * jit_maps.h finds the map and the dump of each process and looks names up, claims.h finds whose a
 * file is where its number does not say, jithints.h is what the recording says of either, and
 * interpreted.h tells which function an interpreter was running. Maps and dumps are read in jit/.
 *
 * The door of this folder: others include this header only.
 */
#ifndef PERFOLD_PROCESS_GENERATED_GENERATED_H
#define PERFOLD_PROCESS_GENERATED_GENERATED_H

#include "process/jit_code/jit_maps.h"
#include "process/jit_code/interpreter.h"
#include "process/jit_code/jit_hints.h"

#endif
