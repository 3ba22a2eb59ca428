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

#include "process/generated/codemaps.h"
#include "process/generated/interpreted.h"
#include "process/generated/jithints.h"

#endif
