/*
 * elf_file.c - ELF files, opened with libelf, and their build-id
 *
 * A file is read, not mapped: a mapped file that shrinks while it is used would end the program by
 * SIGBUS. elf_begin() reads the headers;
 * sections are read when they are needed.
 *
 * The build-id is read when a file is opened, as it decides whether the file is used. It is looked
 * for in SHT_NOTE sections first: a debug file made by objcopy --only-keep-debug keeps its notes
 * there, while its segments still have the offsets of the file it was split from. Segments serve
 * files without section headers.
 *
 * Source: elf(5); NT_GNU_BUILD_ID in the ld manual, --build-id; libdwelf/dwelf_elf_gnu_build_id.c.
 */
#include "files/light.h"

#include "base/bytes.h"
#include "base/mem.h"
#include "files/files.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOTES_MAX_BYTES = 1 << 20 };

static uint32_t word_at(const char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* { u32 name size, content size, type; name, content: each padded to 4 }, in the byte order of
 * this machine. Notes in segments of alignment 8 (.note.gnu.property) are padded to 8, but those
 * have sizes that are multiples of 8 anyway. */
bool files_notes_build_id(struct span notes, struct build_id *id)
{
	while (notes.n >= 12) {
		uint64_t name_bytes = word_at(notes.p), bytes = word_at(notes.p + 4);
		uint32_t type = word_at(notes.p + 8);
		uint64_t name_padded = (name_bytes + 3) & ~3ull;
		const char *name = notes.p + 12;

		if (12 + name_padded + bytes > notes.n)
			return false;
		if (type == NT_GNU_BUILD_ID && name_bytes == 4 && !memcmp(name, "GNU", 4) &&
			bytes >= 1 && bytes <= sizeof(id->byte)) {
			*id = (struct build_id){ .n = (uint8_t)bytes };
			memcpy(id->byte, name + name_padded, bytes);
			return true;
		}
		notes = span_skip(notes, 12 + name_padded + ((bytes + 3) & ~3ull));
	}
	return false;
}

static bool build_id_in(Elf_Data *d, struct build_id *id)
{
	return d && d->d_buf && files_notes_build_id((struct span){ d->d_buf, d->d_size }, id);
}

/* Sections first: a separate debug file keeps its notes there, while its segments still say
 * where the notes lay in the file it was split from. */
static void read_build_id(struct elf_file *ef)
{
	Elf_Scn *section = NULL;
	size_t n, i;

	while ((section = elf_nextscn(ef->elf, section))) {
		GElf_Shdr sh;

		if (gelf_getshdr(section, &sh) && sh.sh_type == SHT_NOTE &&
			sh.sh_size <= NOTES_MAX_BYTES &&
			build_id_in(elf_getdata(section, NULL), &ef->build_id))
			return;
	}
	if (elf_getphdrnum(ef->elf, &n))
		return;
	for (i = 0; i < n; i++) {
		GElf_Phdr ph;

		if (gelf_getphdr(ef->elf, (int)i, &ph) && ph.p_type == PT_NOTE && ph.p_filesz &&
			ph.p_filesz <= NOTES_MAX_BYTES &&
			build_id_in(elf_getdata_rawchunk(
					    ef->elf, (int64_t)ph.p_offset, ph.p_filesz, ELF_T_NHDR),
				&ef->build_id))
			return;
	}
}

static bool usable(struct elf_file *ef)
{
	return ef->elf && elf_kind(ef->elf) == ELF_K_ELF && gelf_getehdr(ef->elf, &ef->header);
}

/* The table of sections is written last. Segments may go beyond the end: those of a debug file do.
 */
static bool is_cut(const struct elf_file *ef)
{
	const GElf_Ehdr *h = &ef->header;
	struct stat st;
	size_t n;

	if (!h->e_shoff || fstat(ef->fd, &st))
		return false;
	n = h->e_shnum ? h->e_shnum : 1; /* the first one has the number if that is large */
	return h->e_shoff > (uint64_t)st.st_size ||
	       n * h->e_shentsize > (uint64_t)st.st_size - h->e_shoff;
}

/* ELF_C_READ, not _MMAP: a file that shrinks must not end in a signal. False: it cannot be used,
 * and *why says how; for FILES_UNREADABLE, errno. */
static bool begin(struct elf_file *ef, enum files_verdict *why)
{
	char magic[SELFMAG];
	ssize_t got;

	elf_version(EV_CURRENT); /* libelf refuses all calls before this one */
	ef->elf = elf_begin(ef->fd, ELF_C_READ, NULL);
	if (usable(ef))
		return true;
	/* libelf does not say whether it could read the file. */
	*why = FILES_NOT_ELF;
	got = file_pread(ef->fd, magic, SELFMAG, 0);
	if (got < 0)
		*why = FILES_UNREADABLE;
	if (got < SELFMAG || memcmp(magic, ELFMAG, SELFMAG) != 0)
		return false;
	elf_end(ef->elf);
	ef->elf = elf_begin(ef->fd, ELF_C_READ, NULL);
	return usable(ef);
}

/* Takes over the file. */
static struct elf_file *adopt(struct file *file, enum files_verdict *why)
{
	struct elf_file *ef = xcalloc(1, sizeof(*ef));
	int error = 0;

	ef->fd = file->fd;
	ef->path = file->path;
	ef->identity = file_identity(file);
	if (!begin(ef, why)) {
		error = errno;
	} else if (!is_cut(ef)) {
		read_build_id(ef);
		return ef;
	} else {
		*why = FILES_CUT;
	}
	elf_file_close(ef);
	errno = error;
	return NULL;
}

struct elf_file *elf_file_open_below(const char *root, const char *path, enum files_verdict *why)
{
	struct file file;

	return files_open_below(root, path, &file, why) ? adopt(&file, why) : NULL;
}

struct elf_file *elf_file_open(const char *path, enum files_verdict *why)
{
	return elf_file_open_below(NULL, path, why);
}

struct elf_file *elf_file_from_memory(char *image, size_t size_bytes, const char *name)
{
	struct elf_file *ef = xcalloc(1, sizeof(*ef));

	ef->fd = -1;
	ef->image = image;
	ef->path = xstrdup(name);
	ef->elf = elf_memory(image, size_bytes);
	if (!usable(ef)) {
		elf_file_close(ef);
		return NULL;
	}
	read_build_id(ef);
	return ef;
}

void elf_file_close(struct elf_file *ef)
{
	if (!ef)
		return;
	elf_end(ef->elf);
	if (ef->fd >= 0)
		close(ef->fd);
	free(ef->image);
	free(ef->path);
	free(ef);
}

/* libelf does not say why there is no data: are the bytes there, and can they be read? */
static bool can_read(const struct elf_file *ef, uint64_t offset, uint64_t n)
{
	char block[64 * 1024];
	uint64_t at;

	for (at = 0; at < n; at += sizeof(block)) {
		size_t size = n - at < sizeof(block) ? (size_t)(n - at) : sizeof(block);

		if (files_pread(ef->origin, ef->fd, block, size, offset + at) != (ssize_t)size)
			return false;
	}
	return true;
}

/* What was missing for a moment, as on a network, is worth a second call. */
static bool is_worth_a_retry(const struct elf_file *ef, const Elf_Data *d, Elf_Scn *section)
{
	GElf_Shdr sh;

	return !d && ef->fd >= 0 && section && gelf_getshdr(section, &sh) &&
	       sh.sh_type != SHT_NOBITS && can_read(ef, sh.sh_offset, sh.sh_size);
}

Elf_Data *elf_file_data(const struct elf_file *ef, Elf_Scn *section)
{
	Elf_Data *d = elf_getdata(section, NULL);

	return is_worth_a_retry(ef, d, section) ? elf_getdata(section, NULL) : d;
}

Elf_Data *elf_file_rawdata(const struct elf_file *ef, Elf_Scn *section)
{
	Elf_Data *d = elf_rawdata(section, NULL);

	return is_worth_a_retry(ef, d, section) ? elf_rawdata(section, NULL) : d;
}

Elf_Data *elf_file_chunk(const struct elf_file *ef, uint64_t offset, uint64_t n)
{
	int64_t from = (int64_t)offset;
	Elf_Data *d;

	if (from < 0)
		return NULL;
	d = elf_getdata_rawchunk(ef->elf, from, n, ELF_T_BYTE);
	return !d && ef->fd >= 0 && can_read(ef, offset, n)
		       ? elf_getdata_rawchunk(ef->elf, from, n, ELF_T_BYTE)
		       : d;
}

uint64_t elf_file_section_size(const struct elf_file *ef, uint32_t sh_type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr sh;

	while ((section = elf_nextscn(ef->elf, section)))
		if (gelf_getshdr(section, &sh) && sh.sh_type == sh_type)
			return sh.sh_size;
	return 0;
}

bool elf_file_has(const struct elf_file *ef, enum files_need need)
{
	GElf_Shdr sh;

	if (need == FILES_NEED_SYMBOLS)
		return elf_file_section_size(ef, SHT_SYMTAB);
	return (elf_file_section(ef, ".debug_info", &sh) && sh.sh_type != SHT_NOBITS) ||
	       elf_file_section(ef, ".zdebug_info", &sh);
}

Elf_Scn *elf_file_section(const struct elf_file *ef, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(ef->elf, &names))
		return NULL;
	while ((section = elf_nextscn(ef->elf, section))) {
		const char *s;

		if (!gelf_getshdr(section, header))
			continue;
		s = elf_strptr(ef->elf, names, header->sh_name);
		if (s && !strcmp(s, name))
			return section;
	}
	return NULL;
}

bool elf_file_segment(const struct elf_file *ef, uint32_t type, GElf_Phdr *segment)
{
	size_t n, i;

	if (elf_getphdrnum(ef->elf, &n))
		return false;
	for (i = 0; i < n; i++)
		if (gelf_getphdr(ef->elf, (int)i, segment) && segment->p_type == type)
			return true;
	return false;
}

struct span elf_file_content(Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *d = header->sh_type == SHT_NOBITS ? NULL : elf_rawdata(section, NULL);

	return d && d->d_buf ? (struct span){ d->d_buf, d->d_size } : (struct span){ NULL, 0 };
}

/* ---- light files ---- */

/* Code without content, where a segment says that there is content. */
static bool is_hole(const struct elf_file *ef, uint64_t offset)
{
	Elf_Scn *section = NULL;
	GElf_Shdr sh;

	while ((section = elf_nextscn(ef->elf, section)))
		if (gelf_getshdr(section, &sh) && sh.sh_type == SHT_NOBITS &&
			sh.sh_flags & SHF_EXECINSTR && offset >= sh.sh_offset &&
			offset - sh.sh_offset < sh.sh_size)
			return true;
	return false;
}

static bool is_listed(struct span list, bool swapped, uint64_t offset, uint64_t n)
{
	const uint8_t *p = (const uint8_t *)list.p;
	uint64_t i, from, size_bytes;

	for (i = 0; i + 16 <= list.n; i += 16) {
		from = bytes_u64(p + i, swapped);
		size_bytes = bytes_u64(p + i + 8, swapped);
		if (offset >= from && offset - from <= size_bytes &&
			n <= size_bytes - (offset - from))
			return true;
	}
	return false;
}

/* The list of code that stayed; empty: there is none. */
static struct span code_list(Elf_Data *notes)
{
	size_t at = 0, next, name, content;
	GElf_Nhdr note;

	while (notes && (next = gelf_getnote(notes, at, &note, &name, &content)) > 0) {
		if (note.n_type == LIGHT_NOTE_CODE && note.n_namesz == sizeof(LIGHT_NOTE_OWNER) &&
			!memcmp((char *)notes->d_buf + name, LIGHT_NOTE_OWNER, note.n_namesz))
			return (struct span){ (char *)notes->d_buf + content, note.n_descsz };
		at = next;
	}
	return SPAN("");
}

bool elf_file_lacks_code(const struct elf_file *ef, uint64_t offset, uint64_t n)
{
	bool swapped = (ef->header.e_ident[EI_DATA] == ELFDATA2MSB) !=
		       (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	Elf_Scn *section = NULL;
	GElf_Shdr sh;

	if (!is_hole(ef, offset))
		return false;
	while ((section = elf_nextscn(ef->elf, section)))
		if (gelf_getshdr(section, &sh) && sh.sh_type == SHT_NOTE && !sh.sh_name &&
			is_listed(code_list(elf_getdata(section, NULL)), swapped, offset, n))
			return false;
	return true;
}
