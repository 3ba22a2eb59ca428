/*
 * sandbox.h - what a command may do once its options are known (base/wall.h)
 *
 * Always: no other program, no connection (but for --debuginfod), no look into other processes'
 * memory, and a ceiling for memory. If nothing of this machine is used (--hermetic, packs),
 * moreover: only the files are read that options name, with what is beside and below them, and
 * libraries; only the directories of outputs, and $TMPDIR, are written to. (Otherwise files of live
 * processes may be read, /proc/PID/root, which Landlock would forbid whatever it is told.)
 *
 * Threads: one, before there are others.
 */
#ifndef PERFOLD_CLI_SANDBOX_H
#define PERFOLD_CLI_SANDBOX_H

#include "cli/options.h"

void sandbox_enter(const struct options *o);

#endif
