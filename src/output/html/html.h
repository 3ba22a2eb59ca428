/*
 * html.h - the door of html/: a report in one HTML file
 */
#ifndef PERFOLD_OUTPUT_HTML_HTML_H
#define PERFOLD_OUTPUT_HTML_HTML_H

#include "output/output.h"

extern const struct output_format html_format;

#endif
