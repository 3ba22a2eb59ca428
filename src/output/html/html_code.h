/*
 * html_code.h - the instructions of functions, in a report
 *
 * Most instructions of a page are like an earlier one, so their texts are a list in which each is
 * once, and the instructions of a function are numbers in it. What comes in numbers is varints, as
 * in picture/packed.h: as JSON, a hundred thousand instructions were most of a page's data, and
 * deflating them most of the time that source took. For each piece of code, in this order:
 *
 *	n numbers of texts, one for each instruction
 *	count of jumps within the code, then each: index, target
 *	count of targets, then each: index, name, address
 *	count of lines, then each: index, path, line         where the line is another than before
 *	count of costs, then each: index, self, its samples, total, its samples
 *
 * Indices are differences to the one before, lines too, in zigzag. Names and paths are numbers of
 * texts of the page, 0 is none. The address of a target is 0, or 1 and the difference to the
 * address of the code in zigzag: it is what the operands are, which have no text then. Nor have
 * those of a jump within the code.
 *
 * Owns: all of it, until html_code_release(). Threads: one. Private to html/.
 */
#ifndef PERFOLD_OUTPUT_HTML_HTML_CODE_H
#define PERFOLD_OUTPUT_HTML_HTML_CODE_H

#include "base/index.h"
#include "base/json_writer.h"
#include "model/annotations.h"

/* What instructions of a page share. */
struct html_instruction {
	const char *mnemonic, *operands; /* operands NULL: the address of its target */
	uint64_t size_bytes;             /* 0: of the last one of a function */
};

struct html_code {
	const struct strtab *strings; /* of paths; borrowed */
	struct strtab *texts;         /* of the page; borrowed */
	struct html_instruction *known;
	struct index by_text;
	uint32_t n_known, cap_known;
	uint32_t n_instructions; /* of all code so far */
	struct buf numbers;
	str_id latest_path, latest_text;
};

/* More than a page may have: false. Else *from is where its numbers begin. */
bool html_code_add(struct html_code *h, const struct annotated_code *c, size_t *from);
/* "ops", "args" and "sizes" of the list. */
void html_code_put_list(struct html_code *h, struct json_writer *j);
void html_code_release(struct html_code *h);

#endif
