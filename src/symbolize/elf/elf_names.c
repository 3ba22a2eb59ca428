/*
 * A table that libelf has read, or a small one, is searched as it is, to its last NUL. Of a large
 * one the page at each string is read (get_of_pages()), and more where the string does not end in
 * it.
 */
#include "symbolize/elf/elf_names.h"

#include "base/mem.h"

#include <stdlib.h>
#include <unistd.h>

/* Below LARGE_BYTES one read of the whole table is cheaper than many. Nearly all names fit into a
 * page; the longest that C++ has been seen to make are some 10 KB. */
enum { LARGE_BYTES = 1 << 20, PAGE_BYTES = 4096, LONG_BYTES = 1 << 20 };
/* A table may have so many times its size in names, and so many bytes in any case: equal names of
 * many static functions are there once. */
enum { TIMES_MAX = 16, FREE_BYTES = 4 << 20 };

static bool within_file(const struct elf_file *ef, const GElf_Shdr *sh)
{
	off_t end = lseek(ef->fd, 0, SEEK_END);

	return end >= 0 && sh->sh_offset <= (uint64_t)end &&
	       sh->sh_size <= (uint64_t)end - sh->sh_offset;
}

void elf_names_open(struct elf_names *names, const struct elf_file *ef, size_t section, bool few,
	struct arena *arena)
{
	Elf_Scn *strings = elf_getscn(ef->elf, section);
	GElf_Shdr sh;

	*names = (struct elf_names){
		.ef = ef, .section = section, .arena = arena, .bytes_left = FREE_BYTES
	};
	if (!strings || !gelf_getshdr(strings, &sh))
		return;
	names->bytes_left += sh.sh_size < UINT64_MAX / TIMES_MAX / 2 ? sh.sh_size * TIMES_MAX : 0;
	if (!few || ef->fd < 0 || sh.sh_type != SHT_STRTAB || sh.sh_flags & SHF_COMPRESSED ||
		sh.sh_size < LARGE_BYTES || !within_file(ef, &sh))
		return;
	names->offset = sh.sh_offset;
	names->size_bytes = sh.sh_size;
}

/* Reads at most n bytes of the table; returns how many. */
static size_t read_strings(const struct elf_names *names, uint64_t at, char *to, size_t n)
{
	size_t wanted = names->size_bytes - at < n ? names->size_bytes - at : n;
	ssize_t got = files_pread(names->ef->origin, names->ef->fd, to, wanted, names->offset + at);

	return got > 0 ? (size_t)got : 0;
}

/* Copies the string at p to the arena; false where its end is not within n bytes. */
static bool keep_string(const struct elf_names *names, const char *p, size_t n, struct span *string)
{
	const char *end = n ? memchr(p, 0, n) : NULL;

	if (end)
		*string = (struct span){ arena_string(names->arena, p, (size_t)(end - p)),
			(size_t)(end - p) };
	return end;
}

static bool is_in_page(const struct elf_names *names, uint64_t at, struct span *string)
{
	uint64_t in = at - names->page_at;

	return at >= names->page_at && in < names->page_bytes &&
	       keep_string(names, names->page + in, names->page_bytes - in, string);
}

static void read_page(struct elf_names *names, uint64_t at)
{
	if (!names->page)
		names->page = xmalloc(PAGE_BYTES);
	names->page_at = at;
	names->page_bytes = read_strings(names, at, names->page, PAGE_BYTES);
}

static struct span read_long(const struct elf_names *names, uint64_t at)
{
	struct span string = SPAN("");
	bool whole = false;
	size_t max;

	for (max = 16 * PAGE_BYTES; !whole && max <= LONG_BYTES; max *= 16) {
		char *large = xmalloc(max);

		whole = keep_string(names, large, read_strings(names, at, large, max), &string);
		free(large);
	}
	return string;
}

/* The whole table, to its last NUL. */
static void open_all(struct elf_names *names)
{
	Elf_Scn *section = elf_getscn(names->ef->elf, names->section);
	const char *end;
	Elf_Data *data;
	GElf_Shdr sh;

	names->all_asked = true;
	if (!section || !gelf_getshdr(section, &sh) || sh.sh_type != SHT_STRTAB ||
		sh.sh_flags & SHF_COMPRESSED)
		return;
	data = elf_file_rawdata(names->ef, section);
	if (!data || !data->d_buf)
		return;
	end = memrchr(data->d_buf, 0, data->d_size);
	names->all = end ? span_range(data->d_buf, end + 1) : SPAN("");
	names->all_read = true;
}

static struct span get_of_all(struct elf_names *names, uint64_t at)
{
	struct span rest;

	if (!names->all_asked)
		open_all(names);
	if (!names->all_read)
		return span_of(elf_strptr(names->ef->elf, names->section, at));
	if (at >= names->all.n)
		return SPAN("");
	rest = span_skip(names->all, at);
	return (struct span){ rest.p, strnlen(rest.p, rest.n < LONG_BYTES ? rest.n : LONG_BYTES) };
}

static struct span get_of_pages(struct elf_names *names, uint64_t at)
{
	struct span string = SPAN("");

	if (at >= names->size_bytes || is_in_page(names, at, &string))
		return string;
	read_page(names, at);
	return is_in_page(names, at, &string) ? string : read_long(names, at);
}

struct span elf_names_get(struct elf_names *names, uint64_t at)
{
	struct span string;

	if (!names->bytes_left)
		return SPAN("");
	string = names->size_bytes ? get_of_pages(names, at) : get_of_all(names, at);
	if (string.n > names->bytes_left) {
		names->bytes_left = 0;
		return SPAN("");
	}
	names->bytes_left -= string.n;
	return string.n < LONG_BYTES ? string : SPAN("");
}

void elf_names_close(struct elf_names *names)
{
	free(names->page);
	*names = (struct elf_names){ 0 };
}
