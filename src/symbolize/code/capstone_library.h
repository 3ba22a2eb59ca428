/*
 * capstone_library.h - libcapstone, loaded when it is first needed
 *
 * Its tables are megabytes that the dynamic linker would relocate at every start, also where
 * nothing is disassembled. A static program has it linked in.
 *
 * Owns: nothing; the library stays loaded. Threads: any. Private to symbolize/code/.
 */
#ifndef PERFOLD_SYMBOLIZE_CODE_CAPSTONE_LIBRARY_H
#define PERFOLD_SYMBOLIZE_CODE_CAPSTONE_LIBRARY_H

#include "base/err.h"

#include <capstone/capstone.h>

#define CAPSTONE_LIBRARY_FUNCTIONS(X)                                                              \
	X(open)                                                                                    \
	X(close)                                                                                   \
	X(option)                                                                                  \
	X(malloc)                                                                                  \
	X(free)                                                                                    \
	X(disasm_iter)

struct capstone_library {
#define CAPSTONE_LIBRARY_MEMBER(name) __typeof__(&cs_##name) name;
	CAPSTONE_LIBRARY_FUNCTIONS(CAPSTONE_LIBRARY_MEMBER)
#undef CAPSTONE_LIBRARY_MEMBER
};

int capstone_library_load(struct capstone_library *l, struct err *e);

#endif
