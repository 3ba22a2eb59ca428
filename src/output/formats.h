/*
 * formats.h - the writers, one for each file
 *
 * Private to output/: others see them through the table in output.h.
 */
#ifndef PERFOLD_OUTPUT_FORMATS_H
#define PERFOLD_OUTPUT_FORMATS_H

#include "output/output.h"

extern const struct output_format format_folded, format_svg, format_cpuprofile, format_speedscope,
	format_pprof, format_trace, format_firefox, format_callgrind, format_summary, format_html;

#endif
