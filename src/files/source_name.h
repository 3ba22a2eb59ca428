/*
 * source_name.h - what paths in debug information say before a file is opened
 *
 * Such a path may come from a stranger, who may want another file of this machine to be taken for a
 * source: /etc/shadow, a private key. So a file must be called like source code.
 *
 * Private to files/. Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_FILES_SOURCE_NAME_H
#define PERFOLD_FILES_SOURCE_NAME_H

#include "base/buf.h"

/* Is it called like source code: by its suffix, or as the headers of C++ are ("include/vector")? */
bool source_name_is_known(struct span path);
/* Appends the path, absolute where dir is, without "." and ".."; dir may be empty. */
void source_name_put_path(struct buf *out, struct span dir, struct span path);

#endif
