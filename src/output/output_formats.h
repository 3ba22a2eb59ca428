/*
 * output_formats.h - the formats of this directory, one for each file
 *
 * Those of subdirectories are declared by picture/picture.h and html/html.h. Private to output/:
 * other rooms use the table in output.h.
 */
#ifndef PERFOLD_OUTPUT_OUTPUT_FORMATS_H
#define PERFOLD_OUTPUT_OUTPUT_FORMATS_H

#include "output/output.h"

extern const struct output_format folded_format, cpuprofile_format, speedscope_format, pprof_format,
	chrome_trace_format, firefox_format, callgrind_format, summary_json_format, markdown_format,
	rows_format, preagg_format, unsymbolized_format, autofdo_text_format, autofdo_gcov_format;

#endif
