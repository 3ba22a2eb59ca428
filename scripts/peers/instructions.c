/*
 * instructions.c - the functions of a file and their instructions, as perfold takes them
 *
 *	instructions FILE < addresses in hexadecimal, ascending, one on each line
 *
 * For each function that has one of the addresses "function ADDRESS BYTES NAME", then for each of
 * its instructions "ADDRESS BYTES MNEMONIC OPERANDS <TARGET>", addresses without 0x; for an address
 * in none "nothing ADDRESS: why". Linked with libperfold.a.
 */
#include "symbolize/code/code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print(const struct instruction *i)
{
	printf("%" PRIx64 " %u %.*s %.*s", i->address, i->size_bytes, SPAN_ARG(i->mnemonic),
		SPAN_ARG(i->operands));
	if (i->target_name.n)
		printf(" <%.*s>", SPAN_ARG(i->target_name));
	putchar('\n');
}

static void print_function(
	struct code_reader *c, const struct strtab *strings, const struct code_function *fn)
{
	const struct code_style style = { .syntax = DISASSEMBLY_ATT };
	struct disassembly d;
	struct err e;
	uint32_t i;

	printf("function %" PRIx64 " %" PRIu64 " %s\n", fn->start, fn->size_bytes,
		strtab_str(strings, fn->name));
	if (code_reader_disassemble(c, fn, &style, &d, &e)) {
		fprintf(stderr, "instructions: %s\n", e.msg);
		exit(1);
	}
	for (i = 0; i < d.n; i++)
		print(&d.instruction[i]);
	disassembly_release(&d);
}

static void print_why(const struct code_reader *c, uint64_t address, const struct code_function *fn)
{
	struct buf why = { 0 };

	code_why_put(&why, c, fn);
	printf("nothing %" PRIx64 ": %s\n", address, buf_str(&why));
	buf_release(&why);
}

static void print_all(struct code_reader *c, const struct recording *r, module_id module)
{
	struct frame f = { .module = modules_get(r->modules, module)->shown };
	uint64_t address, end = 0;
	struct code_function fn;
	char line[64];

	while (fgets(line, sizeof(line), stdin)) {
		struct span s = span_of(line);

		if (!span_scan_hex(&s, &address) || address < end)
			continue;
		f.at_address = address;
		if (!code_reader_find(c, &f, &fn)) {
			print_why(c, address, &fn);
			continue;
		}
		print_function(c, r->strings, &fn);
		end = fn.start + fn.size_bytes;
	}
}

int main(int argc, char **argv)
{
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct recording *r = recording_new("none", strings, frames);
	struct files_opts fo = { .same_machine = true };
	struct files *files = files_new(&fo, strings);
	struct symbolize_opts o = { .files = files };
	struct code_reader *c = code_reader_new(r, &o, NULL);
	struct module m = { .kind = MODULE_FILE };

	if (argc != 2) {
		fputs("usage: instructions FILE < ADDRESSES\n", stderr);
		return 2;
	}
	m.path = m.shown = strtab_add_str(strings, argv[1]);
	print_all(c, r, modules_add(r->modules, &m));
	code_reader_free(c);
	files_free(files);
	recording_free(r);
	frames_free(frames);
	strtab_free(strings);
	return 0;
}
