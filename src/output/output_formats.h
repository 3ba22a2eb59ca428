/*
 * formats.h - the writers, one for each file
 *
 * Private to output/: others see them through the table in output.h.
 */
#ifndef PERFOLD_OUTPUT_FORMATS_H
#define PERFOLD_OUTPUT_FORMATS_H

#include "output/output.h"

extern const struct output_format folded_format, svg_format, cpuprofile_format, speedscope_format,
	pprof_format, chrome_trace_format, firefox_format, callgrind_format, summary_json_format,
	html_format;

#endif
