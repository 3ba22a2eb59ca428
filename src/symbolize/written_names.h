/*
 * written_names.h - mangled names that an input of text wrote
 *
 *	_RNvCs8K9WJNlS7Dz_5trace4main			trace::main
 *	_ZN5shape4areaEd.part.0				shape::area
 *	alloc::vec::Vec$LT$T$GT$::push::h0123456789abcdef	alloc::vec::Vec<T>::push
 *
 * The last one is half demangled: a demangler that knows only C++ leaves Rust's escapes and hash.
 *
 * Threads: any. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_WRITTEN_NAMES_H
#define PERFOLD_SYMBOLIZE_WRITTEN_NAMES_H

#include "model/recording.h"
#include "symbolize/demangle/demangle.h"

/* The frame of a site of a text with its name as its programmer wrote it; the same frame if that is
 * how the text has it. */
frame_id written_names_frame(
	struct recording *r, frame_id written, const struct demangle_style *style);

#endif
