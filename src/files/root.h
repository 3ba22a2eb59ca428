/*
 * root.h - files below a root directory that others have filled
 *
 * A recording, a container and a copied file system name files by paths and links that mean
 * something where they come from. Here they are followed as a process would whose root directory
 * that is: a link that begins with "/" begins at the root, and ".." leads no further up. So no file
 * of this machine is taken for theirs, or goes into a pack.
 *
 * The root itself was named by the user, who may use links in its path.
 *
 * Private to files/. Threads: any. Source: openat2(2), RESOLVE_IN_ROOT.
 */
#ifndef PERFOLD_FILES_ROOT_H
#define PERFOLD_FILES_ROOT_H

#include "files/files.h"

/* Is the file safe from other users, as perf demands of maps? In a directory that all may write to
 * it must belong to this user, to root, or to the process pid that runs here (proc: /proc). */
bool root_owner_is_trusted(const struct file *f, const char *proc, int32_t pid);

#endif
