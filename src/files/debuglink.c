/*
 * debuglink.c - finds a debug file by .gnu_debuglink
 *
 * The section has a file name and the CRC of the file's content. The name is tried next to the
 * program, in .debug/ there, then below --symfs, --debug-dir and /usr/lib/debug at the recorded
 * directory, as GDB does. Two files that both have a build-id are compared by it, which costs
 * nothing; only otherwise is the candidate read to compute its CRC. A program that names itself is
 * skipped.
 *
 * Source: the GDB manual, "Separate Debug Files"; bfd/opncls.c of binutils for the layout of the
 * section (name, NUL, padding to 4, CRC in the byte order of the file).
 */
#include "files/debuglink.h"

#include "base/bytes.h"
#include "base/file.h"
#include "files/files_search.h"

#include <zlib.h>

struct debuglink {
	struct span name;
	uint32_t crc;
};

static bool read_link(const struct elf_file *runtime, struct debuglink *link)
{
	GElf_Shdr sh;
	GElf_Ehdr eh;
	Elf_Scn *section = elf_file_section(runtime, ".gnu_debuglink", &sh);
	struct span s = section ? elf_file_content(section, &sh) : SPAN("");
	const char *nul = s.n ? memchr(s.p, 0, s.n) : NULL;
	size_t at;

	if (!nul || nul == s.p || memchr(s.p, '/', (size_t)(nul - s.p)))
		return false;
	link->name = span_range(s.p, nul);
	at = (link->name.n + 4) & ~(size_t)3;
	if (at + 4 > s.n || !gelf_getehdr(runtime->elf, &eh))
		return false;
	link->crc = bytes_u32((const uint8_t *)s.p + at,
		(eh.e_ident[EI_DATA] == ELFDATA2MSB) != HOST_IS_BIG_ENDIAN);
	return true;
}

static bool crc_of(const struct elf_file *ef, uint32_t *crc)
{
	unsigned char block[64 * 1024];
	uint64_t at = 0;
	ssize_t got;

	*crc = 0;
	while ((got = files_pread(ef->origin, ef->fd, block, sizeof(block), at)) > 0) {
		*crc = (uint32_t)crc32(*crc, block, (uInt)got);
		at += (uint64_t)got;
	}
	return !got;
}

struct attempt {
	const struct files *files;
	const struct debuglink *link;
	const struct elf_file *runtime;
	enum files_need need;
	struct files_trail *trail;
	struct elf_file *found;
};

static enum files_verdict judge(const struct attempt *a, const struct elf_file *debug)
{
	const struct elf_file *runtime = a->runtime;
	const GElf_Ehdr *own = &runtime->header, *other = &debug->header;
	uint32_t crc;

	if (own->e_machine != other->e_machine)
		return FILES_OTHER_MACHINE;
	if (own->e_ident[EI_CLASS] != other->e_ident[EI_CLASS])
		return FILES_OTHER_CLASS;
	if (!elf_file_has(debug, a->need))
		return FILES_NO_SYMBOLS;
	if (runtime->build_id.n && debug->build_id.n)
		return build_id_same(&runtime->build_id, &debug->build_id) ? FILES_USED
									   : FILES_OTHER_BUILD_ID;
	if (!crc_of(debug, &crc))
		return FILES_UNREADABLE;
	return crc == a->link->crc ? FILES_USED : FILES_OTHER_CRC;
}

static bool try_path(struct attempt *a, const struct files_search *s, const char *path)
{
	enum files_verdict v;
	struct elf_file *ef;

	if (!strcmp(path, a->runtime->path))
		return false; /* a program may name itself */
	ef = files_search_open_elf(s, path, &v);
	if (ef) {
		v = judge(a, ef);
		files_trail_add(a->trail, path, v, &ef->build_id);
		if (v == FILES_USED)
			a->found = ef;
		else
			elf_file_close(ef);
	} else {
		files_trail_add(a->trail, path, v, NULL);
	}
	return a->found != NULL;
}

/* Tries the link in a directory; the CRC or build-id proves the file, not its place. */
static bool try_link(void *ctx, const struct files_search *s, const char *dir, bool proved)
{
	struct attempt *a = ctx;
	struct buf path = { 0 };

	(void)proved;
	buf_puts(&path, dir);
	buf_putc(&path, '/');
	buf_put_span(&path, a->link->name);
	try_path(a, s, buf_str(&path));
	buf_release(&path);
	return a->found != NULL;
}

static struct span dir_of(struct span path)
{
	struct span base = span_basename(path);

	path.n -= base.n;
	return path.n > 1 ? (struct span){ path.p, path.n - 1 } : path;
}

/* In the dir of the program, or in one below it. */
static bool try_next_to(struct attempt *a, const char *below)
{
	const struct files_search beside = { .f = a->files,
		.root = files_search_root_of(a->files, a->runtime->path) };
	struct buf path = { 0 };
	bool found;

	buf_put_span(&path, dir_of(span_of(a->runtime->path)));
	buf_puts(&path, below);
	buf_put_span(&path, a->link->name);
	found = try_path(a, &beside, buf_str(&path));
	buf_release(&path);
	return found;
}

struct elf_file *debuglink_open(const struct files *f, struct span recorded,
	const struct elf_file *runtime, enum files_need need, struct files_trail *t)
{
	static const struct files_place dirs[] = {
		{ FILES_ROOT_SYMFS, "%D/usr/lib/debug%P" },
		{ FILES_ROOT_DEBUG_DIR, "%D%P" },
		{ FILES_ROOT_SYMFS, "%D" },
		{ FILES_ROOT_DEBUG_DIR, "%D" },
		{ FILES_ROOT_SYSTEM, "/usr/lib/debug%P" },
		{ 0, NULL },
	};
	struct debuglink link;
	struct attempt a = {
		.files = f, .link = &link, .runtime = runtime, .need = need, .trail = t
	};
	struct files_search s = {
		.f = f,
		.places = dirs,
		.path = dir_of(recorded),
		.try = try_link,
		.ctx = &a,
	};

	if (!read_link(runtime, &link))
		return NULL;
	if (!try_next_to(&a, "/") && !try_next_to(&a, "/.debug/"))
		files_search(&s);
	return a.found;
}
