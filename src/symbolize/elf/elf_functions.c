/*
 * elf_functions.c - the table of .eh_frame_hdr
 *
 *	.eh_frame_hdr   version, encodings of what follows, address of .eh_frame, n,
 *	                (first address, address of the FDE) x n, ascending
 *
 * How it works. The table is found by its segment, PT_GNU_EH_FRAME, so sections may be missing.
 * Linkers write offsets of 4 bytes from its own address; any other encoding counts as no table.
 *
 * The file may lie: an address is in a function only if the FDE that the table leads to says so. A
 * table in disorder leads to no answer.
 */
#include "symbolize/elf/elf_functions.h"

#include "base/bisect.h"
#include "base/bytes.h"
#include "base/call_code.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum {
	SECTION_MAX_BYTES = 1 << 30,
	HEAD_BYTES = 12,
	SIGNAL_RETURN_MOST = 9, /* bytes */
	PAIR_BYTES = 8,
	TABLE_ENCODING = DW_EH_PE_datarel | DW_EH_PE_sdata4,
};

static uint64_t file_bytes(const struct elf_file *ef)
{
	struct stat st;
	size_t n = 0;

	if (ef->fd >= 0 && fstat(ef->fd, &st)) {
		files_unread_add(ef->origin, errno);
		return 0;
	}
	if (ef->fd >= 0)
		return st.st_size < 0 ? 0 : (uint64_t)st.st_size;
	elf_rawfile(ef->elf, &n);
	return n;
}

/* The n bytes at an address or, in *n, as many of them as its segment has. */
static bool place_of(const struct elf_functions *f, uint64_t address, uint64_t *offset, uint64_t *n)
{
	uint32_t i;

	for (i = 0; i < f->layout.n; i++) {
		const struct elf_segment *s = &f->layout.segment[i];
		uint64_t in = address - s->address;

		if (in >= s->size_bytes)
			continue;
		*offset = s->offset + in;
		*n = *n < s->size_bytes - in ? *n : s->size_bytes - in;
		return *offset <= INT64_MAX;
	}
	return false;
}

/* As far as they are in the file. */
static struct span bytes_at(const struct elf_functions *f, uint64_t address, uint64_t n)
{
	uint64_t offset, all = file_bytes(f->file);
	Elf_Data *d;

	if (!place_of(f, address, &offset, &n) || offset >= all)
		return SPAN("");
	d = elf_file_chunk(f->file, offset, n < all - offset ? n : all - offset);
	return d ? (struct span){ d->d_buf, d->d_size } : SPAN("");
}

/* Some bytes of code, into to. What libelf reads it keeps, and this is asked of many addresses. */
static struct span code_at(const struct elf_functions *f, uint64_t address, uint64_t n, char *to)
{
	uint64_t offset;
	ssize_t got;

	if (f->file->fd < 0)
		return bytes_at(f, address, n);
	if (!place_of(f, address, &offset, &n))
		return SPAN("");
	got = files_pread(f->file->origin, f->file->fd, to, n, offset);
	return (struct span){ to, got < 0 ? 0 : (size_t)got };
}

void elf_functions_open(struct elf_functions *f, const struct elf_file *ef)
{
	*f = (struct elf_functions){ .file = ef };
	elf_layout_read(&f->layout, ef);
}

static void load(struct elf_functions *f)
{
	struct frame_reader r;
	uint64_t version, where, count, kind, n;
	GElf_Phdr header;

	f->loaded = true;
	if (!elf_file_segment(f->file, PT_GNU_EH_FRAME, &header))
		return;
	f->base = header.p_vaddr;
	f->frames.narrow = f->file->header.e_ident[EI_CLASS] == ELFCLASS32;
	r = frame_reader_of(bytes_at(f, f->base, HEAD_BYTES));
	version = frame_reader_fixed(&r, 1);
	where = frame_reader_fixed(&r, 1);
	count = frame_reader_fixed(&r, 1);
	kind = frame_reader_fixed(&r, 1);
	f->frames.address = frame_entry_encoded(&f->frames, &r, (uint8_t)where, f->base + 4);
	n = frame_reader_fixed(&r, 4);
	if (r.failed || version != 1 || where != (DW_EH_PE_pcrel | DW_EH_PE_sdata4) ||
		count != DW_EH_PE_udata4 || kind != TABLE_ENCODING)
		return;
	f->frames.bytes = bytes_at(f, f->frames.address, SECTION_MAX_BYTES);
	if (f->frames.bytes.n)
		f->table = bytes_at(f, f->base + HEAD_BYTES, n * PAIR_BYTES);
}

/* False if there is no table, or the offset is nowhere in memory. */
static bool has_table(struct elf_functions *f, uint64_t offset, uint64_t *address)
{
	if (!f->file)
		return false;
	if (!f->loaded)
		load(f);
	return f->table.n >= PAIR_BYTES && elf_layout_address(&f->layout, offset, address);
}

/* A word of the table, which is little endian, as an address. */
static uint64_t word(const struct elf_functions *f, uint64_t pair, unsigned which)
{
	const uint8_t *p = (const uint8_t *)f->table.p + pair * PAIR_BYTES + which * 4;

	return f->base + (uint64_t)(int64_t)(int32_t)bytes_u32(p, HOST_IS_BIG_ENDIAN);
}

/* The number of functions that begin at the address or before it. */
static uint64_t count_until(const struct elf_functions *f, uint64_t address)
{
	return bisect(i, 0, f->table.n / PAIR_BYTES, word(f, i, 0) > address);
}

static bool find(const struct elf_functions *f, uint64_t address, struct frame_fde *code)
{
	uint64_t after = count_until(f, address), at;
	struct frame_cie cie = { .at = UINT64_MAX };
	struct frame_entry e;

	if (!after)
		return false;
	at = word(f, after - 1, 1) - f->frames.address;
	return at < f->frames.bytes.n && frame_entry_next(&f->frames, &at, &e) &&
	       !frame_entry_is_cie(&f->frames, &e) &&
	       frame_entry_read_fde(&f->frames, &e, &cie, code) &&
	       address - code->start < code->end - code->start;
}

bool elf_functions_find(struct elf_functions *f, uint64_t offset, struct frame_fde *code)
{
	uint64_t address;

	return has_table(f, offset, &address) && find(f, address, code);
}

uint64_t elf_functions_end(struct elf_functions *f, uint64_t offset)
{
	uint64_t address, next;
	struct frame_fde code;

	if (!has_table(f, offset, &address))
		return UINT64_MAX;
	if (find(f, address, &code))
		return offset + (code.end - address);
	next = count_until(f, address);
	return next < f->table.n / PAIR_BYTES ? offset + (word(f, next, 0) - address) : UINT64_MAX;
}

/* What a signal handler returns to: the call of sigreturn(2). Empty: not known of the machine. */
static struct span signal_return_code(uint16_t machine)
{
	static const char x86_64[] = "\x48\xc7\xc0\x0f\0\0\0\x0f\x05"; /* mov $15,%rax; syscall */
	static const char aarch64[] = "\x68\x11\x80\xd2\1\0\0\xd4";    /* mov x8,#139; svc #0 */

	switch (machine) {
	case EM_X86_64:
		return (struct span){ x86_64, sizeof(x86_64) - 1 };
	case EM_AARCH64:
		return (struct span){ aarch64, sizeof(aarch64) - 1 };
	default:
		return SPAN("");
	}
}

bool elf_functions_is_signal_return(const struct elf_functions *f, uint64_t offset)
{
	struct span code = f->file ? signal_return_code(f->file->header.e_machine) : SPAN("");
	uint64_t address, before = code.n - 1;
	char around[2 * SIGNAL_RETURN_MOST];

	return code.n && elf_layout_address(&f->layout, offset, &address) && address > before &&
	       span_find(code_at(f, address - before, before + code.n, around), code) >= 0;
}

/* Only x86 is known. A light pack has zeros where it left code out. */
bool elf_functions_may_follow_call(const struct elf_functions *f, uint64_t offset)
{
	static const char left_out[CALL_CODE_BYTES];
	char before[CALL_CODE_BYTES];
	uint64_t address;
	struct span code;

	if (!f->file ||
		(f->file->header.e_machine != EM_X86_64 && f->file->header.e_machine != EM_386) ||
		!elf_layout_address(&f->layout, offset - CALL_CODE_BYTES, &address))
		return true;
	code = code_at(f, address, CALL_CODE_BYTES, before);
	return code.n < CALL_CODE_BYTES || !memcmp(code.p, left_out, CALL_CODE_BYTES) ||
	       call_code_ends((const uint8_t *)code.p + CALL_CODE_BYTES);
}
