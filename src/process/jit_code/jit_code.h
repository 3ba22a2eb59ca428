/*
 * jit_code.h - names of JIT code, of all processes of a recording
 *
 * jit_maps.h finds the perf map and the jitdump of each process and looks names up; map_owners.h
 * finds the process of a file whose name has another pid; jit_hints.h is what records say of
 * either; and interpreter.h finds the function that an interpreter was running. The files are read
 * in jit/.
 *
 * The door of this directory: others include this header only.
 */
#ifndef PERFOLD_PROCESS_JIT_CODE_JIT_CODE_H
#define PERFOLD_PROCESS_JIT_CODE_JIT_CODE_H

#include "process/jit_code/jit_maps.h"
#include "process/jit_code/interpreter.h"
#include "process/jit_code/jit_hints.h"

#endif
