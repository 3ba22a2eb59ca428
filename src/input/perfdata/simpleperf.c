/*
 * The symbols that simpleperf writes after its records: those of functions that samples hit, file
 * by file. Addresses are those of the file's symbol table; the kernel's are run-time addresses.
 *
 * How it works: feature FILE holds packed structs, its successor FILE2 a protobuf message for each
 * file. Both have a u32 size before each file, so that damage costs one file. What is read goes
 * into a struct recorded_symbols (model/), from which symbolize/ takes the names.
 *
 * Source: simpleperf/record_file_format.h, record_file.proto in Android's system/extras.
 */
#include "base/protobuf_reader.h"
#include "input/perfdata/perfdata_private.h"

enum file_type { TYPE_KERNEL, TYPE_KERNEL_MODULE, TYPE_ELF, TYPE_DEX };

struct simpleperf_reader {
	struct recorded_symbols *to;
	struct strtab *strings;
};

/* min_vaddr is the address of the first executable byte in the symbol table, offset that in the
 * file (of a kernel module: from its start in memory). */
static void set_shift(
	const struct simpleperf_reader *r, uint32_t type, uint64_t min_vaddr, uint64_t offset)
{
	if (type == TYPE_ELF || type == TYPE_KERNEL_MODULE)
		recorded_symbols_set_shift(r->to, min_vaddr - offset);
}

static void add_symbol(
	const struct simpleperf_reader *r, uint64_t start, uint64_t size, struct span name)
{
	if (name.n)
		recorded_symbols_add(r->to, start, size, strtab_add(r->strings, name));
}

static struct span next_c_string(struct cursor *c)
{
	struct span s = { (const char *)c->p, strnlen((const char *)c->p, c->left) };

	cursor_bytes(c, (uint64_t)s.n + 1);
	return s;
}

/* ---- FILE --------------------------------------------------------------------------------- */

/*	char path[], NUL; u32 type; u64 min_vaddr; u32 n; {u64 start; u32 size; char name[], NUL}[n]
 *	dex: u32 n; u64 offsets[n]   ELF, kernel module: u64 offset */
static bool read_file(const struct simpleperf_reader *r, struct cursor c)
{
	struct span path = next_c_string(&c);
	uint32_t type = cursor_u32(&c), n, i;
	uint64_t min_vaddr = cursor_u64(&c);

	n = cursor_u32(&c);
	if (c.failed)
		return false;
	recorded_symbols_add_file(r->to, strtab_add(r->strings, path));
	for (i = 0; i < n && !c.failed; i++) {
		uint64_t start = cursor_u64(&c);
		uint32_t size = cursor_u32(&c);
		struct span name = next_c_string(&c);

		if (!c.failed)
			add_symbol(r, start, size, name);
	}
	/* Versions before 2020 do not write the offset, and count from the start of the mapping:
	 * that of a library is the start of the file, that of .oat is not. */
	if (type == TYPE_ELF && c.left < 8)
		recorded_symbols_set_mapped(r->to, min_vaddr);
	else if (type != TYPE_DEX)
		set_shift(r, type, min_vaddr, c.left >= 8 ? cursor_u64(&c) : 0);
	return !c.failed;
}

/* ---- FILE2: protobuf ---------------------------------------------------------------------- */

/*	1 vaddr  2 len  3 name */
static bool read_symbol_message(const struct simpleperf_reader *r, struct span message)
{
	struct protobuf_reader m = { message, false };
	uint64_t start = 0, size = 0;
	struct span name = { 0 };
	struct protobuf_field f;

	while (protobuf_reader_next(&m, &f)) {
		if (f.number == 1)
			start = f.value;
		else if (f.number == 2)
			size = f.value;
		else if (f.number == 3)
			name = f.bytes;
	}
	if (!m.damaged)
		add_symbol(r, start, size, name);
	return !m.damaged;
}

/* The first field of the message about an ELF file or kernel module: the offset. */
static uint64_t read_offset_message(struct span message)
{
	struct protobuf_reader m = { message, false };
	struct protobuf_field f;

	while (protobuf_reader_next(&m, &f))
		if (f.number == 1)
			return f.value;
	return 0;
}

/*	1 path  2 type  3 min_vaddr  4 symbol[]  5 dex  6 ELF  7 kernel module */
static bool read_file_message(const struct simpleperf_reader *r, struct cursor c)
{
	struct protobuf_reader m = { { (const char *)c.p, c.left }, false }, symbols = m;
	uint64_t type = 0, min_vaddr = 0, offset = 0;
	bool has_offset = false, good = true;
	struct protobuf_field f;
	str_id path = 0;

	while (protobuf_reader_next(&m, &f)) {
		if (f.number == 1)
			path = strtab_add(r->strings, f.bytes);
		else if (f.number == 2)
			type = f.value;
		else if (f.number == 3)
			min_vaddr = f.value;
		has_offset |= f.number == 6 || f.number == 7;
		if (f.number == 6 || f.number == 7)
			offset = read_offset_message(f.bytes);
	}
	recorded_symbols_add_file(r->to, path);
	if (has_offset)
		set_shift(r, (uint32_t)type, min_vaddr, offset);
	while (protobuf_reader_next(&symbols, &f))
		if (f.number == 4)
			good &= read_symbol_message(r, f.bytes);
	return good && !symbols.damaged;
}

/* ---- sections ----------------------------------------------------------------------------- */

/*	{u32 size; a file of that size}[] */
static bool read_files(const struct simpleperf_reader *r, struct cursor c,
	bool (*read)(const struct simpleperf_reader *r, struct cursor c))
{
	bool good = true;

	while (c.left) {
		struct cursor file = { .swapped = c.swapped, .left = cursor_u32(&c) };

		file.p = cursor_bytes(&c, file.left);
		if (!file.p)
			return false;
		good &= read(r, file);
	}
	return good;
}

static bool parse_symbols(struct recorded_symbols *to, struct strtab *strings, unsigned feature,
	const uint8_t *p, size_t n, bool swapped)
{
	struct simpleperf_reader r = { to, strings };
	struct cursor c = { p, n, swapped, false };

	return read_files(&r, c, feature == FEATURE_FILE2 ? read_file_message : read_file);
}

void perfdata_read_symbols(const struct perfdata *pd, struct recorded_symbols *to, struct diag *d)
{
	static const unsigned features[] = { FEATURE_FILE2, FEATURE_FILE };
	struct buf b = { 0 };
	struct err ignored;
	size_t i;

	for (i = 0; i < sizeof(features) / sizeof(*features); i++) {
		if (!perfdata_features_has(&pd->features, features[i]))
			continue;
		b.n = 0;
		if (perfdata_read_section(pd, features[i], &b, &ignored) ||
			!parse_symbols(to, pd->strings, features[i], (const uint8_t *)b.p, b.n,
				pd->header.swapped))
			diag_count(d, DIAG_BAD_FEATURE, pd->sections[features[i]].offset);
	}
	buf_release(&b);
}
