/*
 * x86_length.h - how long an x86 instruction is that capstone does not know
 *
 * capstone 4 lacks part of AVX-512 (BW and DQ), with which libraries of C search strings, and a few
 * instructions of the system. Their form says how long they are, so that what follows them is
 * decoded from where it begins.
 *
 * Owns: nothing. Threads: any. Source: Intel SDM, volume 2, 2.1 to 2.7 and appendix B.
 */
#ifndef PERFOLD_SYMBOLIZE_CODE_X86_LENGTH_H
#define PERFOLD_SYMBOLIZE_CODE_X86_LENGTH_H

#include "base/span.h"

/* 0: the form is another one, or the code ends within. */
unsigned x86_length(struct span code, bool is_64_bit);

#endif
