/*
 * sample_profile_make.h - from branches of a binary to counts of its source lines
 *
 * The counts are those that llvm-profgen makes of the same branches, for profiles by line. An
 * instruction ran as often as the ranges say that it is in. A line has the largest count of its
 * instructions, not the sum: all of them ran that often. Of a function of which anything ran, lines
 * that did not have 0, which tells a compiler that they are cold. A total is the sum over
 * instructions of count times bytes.
 *
 * A branch to the entry of a function is a call: it counts for the head of that function, and as a
 * target of the line with the branch, which then ran at least as often as its targets were called.
 *
 * Recordings without branch stacks have where samples were: each is a range of one instruction, and
 * there are no heads and no targets.
 *
 * Source: LLVM 22, llvm/tools/llvm-profgen/ProfileGenerator.cpp; DebugInfoMetadata.h for the parts
 * of a discriminator.
 */
#ifndef PERFOLD_PIPELINE_SAMPLE_PROFILE_MAKE_H
#define PERFOLD_PIPELINE_SAMPLE_PROFILE_MAKE_H

#include "model/branch_profile.h"
#include "model/sample_profile.h"
#include "symbolize/locations/locations.h"

/* What a compiler writes as a discriminator. */
enum sample_discriminators {
	SAMPLE_DISCRIMINATORS_LLVM, /* parts, of which the first is the discriminator, and the
				     * second how often a loop was unrolled */
	SAMPLE_DISCRIMINATORS_PLAIN,
};

/* Sorted. Names go to strings, which l has, too. NULL: code cannot be disassembled, as e says. */
struct sample_profile *sample_profile_make(const struct branch_binary *b, struct locations *l,
	struct strtab *strings, enum sample_discriminators how, struct err *e);

#endif
