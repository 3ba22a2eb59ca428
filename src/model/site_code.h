/*
 * site_code.h - the code of sites whose frames do not say yet where it is
 *
 * An address makes a frame that no other site has. So it is kept here until debug information has
 * told what else the frame says (symbolize/dwarf/), or where only some functions need it, until
 * these are known (collapse/code_addresses.h).
 *
 * Owns: nothing; recording.code belongs to the recording. Threads: each element of that is written
 * by the one that names its site, and read by any once names are found.
 */
#ifndef PERFOLD_MODEL_SITE_CODE_H
#define PERFOLD_MODEL_SITE_CODE_H

#include "model/frames.h"

/* As the members of struct frame. */
struct site_code {
	uint64_t at_address; /* 0: not known, or its frame says it */
	uint64_t at_function;
	uint32_t function_bytes;
	str_id build;
};

static inline struct site_code site_code_of(const struct frame *f)
{
	return (struct site_code){ f->at_address, f->at_function, f->function_bytes, f->build };
}

/* Makes the frame say it, if it is known. */
static inline void site_code_put(struct frame *f, const struct site_code *code)
{
	if (!code->at_address)
		return;
	f->at_address = code->at_address;
	f->at_function = code->at_function;
	f->function_bytes = code->function_bytes;
	f->build = code->build;
}

#endif
