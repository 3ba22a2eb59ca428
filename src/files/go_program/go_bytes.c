#include "files/go_program/go_bytes.h"

#include "base/mem.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { SMALL_BYTES = 256 << 10 }; /* read at once */

static bool is_in_file(const struct elf_file *ef, uint64_t offset, uint64_t n)
{
	struct stat st;
	uint64_t end;

	return ef->fd >= 0 && !fstat(ef->fd, &st) && !__builtin_add_overflow(offset, n, &end) &&
	       end <= (uint64_t)st.st_size;
}

static bool read_whole(struct go_bytes *b, uint64_t n)
{
	Elf_Data *d = elf_file_chunk(b->file, b->offset, n);

	if (!d || !d->d_buf)
		return false;
	b->all = (struct span){ d->d_buf, d->d_size };
	return true;
}

bool go_bytes_open(struct go_bytes *b, const struct elf_file *ef, uint64_t offset, uint64_t n)
{
	void *p;

	*b = (struct go_bytes){ .file = ef, .offset = offset };
	if (n <= SMALL_BYTES || !is_in_file(ef, offset, n))
		return read_whole(b, n);
	p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
		0);
	if (p == MAP_FAILED)
		return false;
	b->all = (struct span){ p, n };
	b->has_block = xcalloc(n / GO_BYTES_BLOCK + 1, 1);
	return true;
}

void go_bytes_release(struct go_bytes *b)
{
	if (b->has_block)
		munmap((void *)b->all.p, b->all.n);
	free(b->has_block);
	*b = (struct go_bytes){ 0 };
}

void go_bytes_read(struct go_bytes *b, size_t from, size_t until)
{
	size_t i, at;

	until = until < b->all.n ? until : b->all.n;
	for (i = from / GO_BYTES_BLOCK; (at = i * GO_BYTES_BLOCK) < until; i++) {
		size_t n = b->all.n - at < GO_BYTES_BLOCK ? b->all.n - at : GO_BYTES_BLOCK;

		/* A byte that cannot be read is 0: files_pread() notes that. */
		if (!b->has_block[i])
			files_pread(b->file->origin, b->file->fd, (char *)b->all.p + at, n,
				b->offset + at);
		b->has_block[i] = true;
	}
}
