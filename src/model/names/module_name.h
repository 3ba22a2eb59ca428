/*
 * module_name.h - what code is in a module, by the module's name alone
 *
 * Names are as perf prints them: "[kernel.kallsyms]", "[ext4]", "/tmp/perf-7.map". A text input has
 * nothing else; in a recording the name is used for addresses without a symbol.
 *
 * Threads: any.
 */
#ifndef PERFOLD_MODEL_NAMES_MODULE_NAME_H
#define PERFOLD_MODEL_NAMES_MODULE_NAME_H

#include "base/span.h"
#include "model/frames.h"

/* FRAME_KERNEL, FRAME_JIT, else FRAME_USER; also of an empty name. */
enum frame_kind module_name_kind(struct span module);

/* perf-PID.map, below any root that a container had: perf's name for the JIT code of a process. */
bool module_name_is_perf_map(struct span module);

/* A file that perf inject --jit made of generated code: jitted-PID-NUMBER.so. */
bool module_name_is_injected(struct span module);

#endif
