/*
 * trace.h - tracepoints: their fields, and what follows from them over time
 *
 * The door of this room: others include this header only.
 */
#ifndef PERFOLD_TRACE_TRACE_H
#define PERFOLD_TRACE_TRACE_H

#include "trace/eventloop.h"
#include "trace/fields.h"
#include "trace/details.h"
#include "trace/presets.h"
#include "trace/spans.h"
#include "trace/switches.h"

#endif
