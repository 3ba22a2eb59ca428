/*
 * shell.h - a word for a POSIX shell, quoted where it needs to be
 *
 *	perf.data        perf.data
 *	a b.data         'a b.data'
 *	it's             'it'\''s'
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_BASE_SHELL_H
#define PERFOLD_BASE_SHELL_H

#include "base/buf.h"

void shell_put_word(struct buf *b, struct span word);
/* A word that names a file: no program takes it for an option, nor for standard input. */
void shell_put_file(struct buf *b, struct span path);

#endif
