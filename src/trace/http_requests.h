/*
 * http_requests.h - requests that a Node.js server answered, from its parser and its sockets
 *
 * A request begins where llhttp, the parser of Node.js, is given its first bytes, and ends with the
 * last write to the same socket before the next request. No event has both parser and socket:
 *
 *	sys_enter_read fd=24          this thread reads from 24
 *	  llhttp_execute type=1       what it read is a request (type 2: an answer to this
 *	                              program)
 *	sys_enter_writev fd=24        the answer, or a part of it
 *	sys_enter_read fd=24
 *	  llhttp_execute type=1       the next one: the answer was complete
 *
 * as libuv reads from a socket and hands on what it got before it reads from another. More bytes of
 * a request that is not answered belong to it.
 *
 * Owns: its tables. Threads: one. Private to trace/.
 * Source: uv__read() of libuv, Parser::OnStreamRead() of Node.js, struct llhttp__internal_s.
 */
#ifndef PERFOLD_TRACE_HTTP_REQUESTS_H
#define PERFOLD_TRACE_HTTP_REQUESTS_H

#include "trace/spans.h"

#define HTTP_PARSE  "*:llhttp_execute"
#define HTTP_READ   "syscalls:sys_enter_read"
#define HTTP_FIELDS "fd", "type", "data"

/* first_thread: the number in d of the first thread of the marks. matcher: of the preset's rules.
 */
struct span_matcher;
void http_requests_pair(struct durations *d, const struct recording *r, const struct marks *marks,
	uint32_t first_thread, const struct span_matcher *matcher);

#endif
