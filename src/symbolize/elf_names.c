#include "symbolize/elf_names.h"

#include "base/mem.h"

#include <stdlib.h>
#include <unistd.h>

/* Below LARGE_BYTES one read of all is cheaper than many. Most names fit into SHORT_BYTES; the
 * longest that C++ has been seen to make are some 10 KB. */
enum { LARGE_BYTES = 1 << 20, SHORT_BYTES = 256, LONG_BYTES = 1 << 20 };

static bool within_file(const struct elf_file *ef, const GElf_Shdr *sh)
{
	off_t end = lseek(ef->fd, 0, SEEK_END);

	return end >= 0 && sh->sh_offset <= (uint64_t)end &&
	       sh->sh_size <= (uint64_t)end - sh->sh_offset;
}

void elf_names_open(struct elf_names *names, const struct elf_file *ef, size_t section, bool few,
	struct arena *arena)
{
	Elf_Scn *texts = elf_getscn(ef->elf, section);
	GElf_Shdr sh;

	*names = (struct elf_names){ .ef = ef, .section = section, .arena = arena };
	if (!few || ef->fd < 0 || !texts || !gelf_getshdr(texts, &sh) || sh.sh_type != SHT_STRTAB ||
		sh.sh_flags & SHF_COMPRESSED || sh.sh_size < LARGE_BYTES || !within_file(ef, &sh))
		return;
	names->offset = sh.sh_offset;
	names->size_bytes = sh.sh_size;
}

/* The text with at most max bytes of it; NULL where its end is not among them. */
static const char *read_text(
	const struct elf_names *names, uint64_t at, char *to, size_t max, size_t *n)
{
	size_t wanted = names->size_bytes - at < max ? names->size_bytes - at : max;
	ssize_t got = pread(names->ef->fd, to, wanted, (off_t)(names->offset + at));
	const char *end = got > 0 ? memchr(to, 0, (size_t)got) : NULL;

	*n = end ? (size_t)(end - to) : 0;
	return end;
}

struct span elf_names_get(const struct elf_names *names, uint64_t at)
{
	struct span name = SPAN("");
	char text[SHORT_BYTES];
	size_t n, max;

	if (!names->size_bytes)
		return span_of(elf_strptr(names->ef->elf, names->section, at));
	if (at >= names->size_bytes)
		return name;
	if (read_text(names, at, text, sizeof(text), &n))
		return (struct span){ arena_text(names->arena, text, n), n };
	for (max = 16 * SHORT_BYTES; !name.n && max <= LONG_BYTES; max *= 16) {
		char *large = xmalloc(max);

		if (read_text(names, at, large, max, &n))
			name = (struct span){ arena_text(names->arena, large, n), n };
		free(large);
	}
	return name;
}
