/*
 * site_code.h - the code of sites whose frames do not say where it is
 *
 * An address makes a frame that no other site has. Where only some functions need it, sites keep it
 * here until these are known (collapse/code_addresses.h).
 *
 * Owns: nothing; the table belongs to the recording. Threads: each element is written by the one
 * that names its site, and read by any once names are found.
 */
#ifndef PERFOLD_MODEL_SITE_CODE_H
#define PERFOLD_MODEL_SITE_CODE_H

#include "base/strtab.h"

/* As the members of struct frame. */
struct site_code {
	uint64_t at_address; /* 0: not known, or its frame says it */
	uint64_t at_function;
	uint32_t function_bytes;
	str_id build;
};

#endif
