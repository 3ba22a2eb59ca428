/*
 * luajit_frame.h - the stack frame of LuaJIT's interpreter
 *
 * Each call of Lua code by C code has one. Traces run below it, and leave what they spill between
 * it and the stack pointer.
 *
 * Owns: nothing. Threads: any. Private to unwind/.
 * Source: LuaJIT, vm_x64.dasc (saveregs, vm_call, vm_cpcall, BC_JLOOP); lj_frame.h (CFRAME_OFS_*,
 * of LJ_GC64).
 */
#ifndef PERFOLD_UNWIND_LUAJIT_FRAME_H
#define PERFOLD_UNWIND_LUAJIT_FRAME_H

#include "unwind/unwind_rule.h"

/* The rule of the frame by its CFI, and that once a trace was entered, which has saved two
 * registers more. Of architectures other than x86-64 the rules are those of no code. */
void luajit_frame_rules(
	const struct unwind_arch *a, struct unwind_rule *by_cfi, struct unwind_rule *with_trace);

/* Do the words above a stack pointer make sense as a frame that was made for a call of Lua code? */
bool luajit_frame_is_at(const struct unwind_memory *m, uint64_t sp);

#endif
