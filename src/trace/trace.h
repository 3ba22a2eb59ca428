/*
 * trace.h - tracepoints: their fields, and what follows from them over time
 *
 * The door of this room: others include this header only.
 */
#ifndef PERFOLD_TRACE_TRACE_H
#define PERFOLD_TRACE_TRACE_H

#include "trace/event_loop.h"
#include "trace/trace_format.h"
#include "trace/details.h"
#include "trace/parallelism.h"
#include "trace/during.h"
#include "trace/during_spans.h"
#include "trace/span_preset.h"
#include "trace/spans.h"
#include "trace/switches.h"

#endif
