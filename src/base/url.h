/*
 * url.h - paths in URLs: "file:///app/a%20b.mjs?v=1"
 *
 * Source: RFC 3986 (percent-encoding), RFC 8089 (file). Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_BASE_URL_H
#define PERFOLD_BASE_URL_H

#include "base/buf.h"

/* Appends s, with the byte that it stands for instead of each %41; %00 stays. */
void url_put_decoded(struct buf *b, struct span s);
/* Appends the path of a file: URL, decoded and without a query; what is none, as it is. */
void url_put_path(struct buf *b, struct span url);

#endif
