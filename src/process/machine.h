/*
 * machine.h - which machine a recording is of, without its name
 *
 * /etc/machine-id is random and not to be told to others (machine-id(5)); its hash is recognised
 * on that machine only.
 *
 * Owns: nothing. Threads: any. Private to process/.
 */
#ifndef PERFOLD_PROCESS_MACHINE_H
#define PERFOLD_PROCESS_MACHINE_H

#include "base/sha256.h"

#include <stdbool.h>
#include <stdint.h>

/* Of this machine while it runs a kernel of that release; false if it has no id. */
bool machine_hash(struct span os_release, uint8_t out[SHA256_SIZE]);

#endif
