#include "symbolize/dwarf/dwarf_packages.h"

#include <sys/stat.h>

void dwarf_packages_init(struct dwarf_packages *p)
{
	*p = (struct dwarf_packages){ .looked_for = false };
	pthread_mutex_init(&p->lock, NULL);
}

void dwarf_packages_release(struct dwarf_packages *p)
{
	while (p->n)
		dwarf_package_close(&p->package[--p->n]);
	files_trail_release(&p->trail);
	pthread_mutex_destroy(&p->lock);
}

/* Two candidates may be the same file. */
static bool is_open(const struct dwarf_packages *p, const struct elf_file *ef)
{
	struct stat a, b;
	uint32_t i;

	for (i = 0; i < p->n; i++)
		if (!fstat(ef->fd, &a) && !fstat(p->package[i].ef->fd, &b) &&
			a.st_dev == b.st_dev && a.st_ino == b.st_ino)
			return true;
	return false;
}

static enum files_verdict add_package(void *ctx, struct elf_file *ef)
{
	struct dwarf_packages *p = ctx;

	if (p->n == DWARF_PACKAGES_MAX || is_open(p, ef)) {
		elf_file_close(ef);
		return FILES_ABSENT;
	}
	if (!dwarf_package_open(&p->package[p->n], ef)) {
		elf_file_close(ef);
		return FILES_NO_PACKAGE;
	}
	p->n++;
	return FILES_USED;
}

void dwarf_packages_find(
	struct dwarf_packages *p, const struct files *files, const struct files_dwp_owner *beside)
{
	pthread_mutex_lock(&p->lock);
	if (!p->looked_for)
		files_find_dwp(files, beside, add_package, p, &p->trail);
	p->looked_for = true;
	pthread_mutex_unlock(&p->lock);
}

void dwarf_packages_use(struct dwarf_packages *p, uint32_t which, const struct files *files,
	const struct files_dwp_owner *beside)
{
	if (!atomic_exchange(&p->used[which], true))
		files_note_dwp(files, beside, p->package[which].ef);
}

const char *dwarf_packages_used(const struct dwarf_packages *p)
{
	uint32_t i;

	for (i = 0; i < p->n; i++)
		if (p->used[i])
			return p->package[i].ef->path;
	return NULL;
}

void dwarf_packages_report(const struct dwarf_packages *p, struct files_trail *trail)
{
	uint32_t i;

	for (i = 0; i < p->trail.n; i++)
		files_trail_add(trail, p->trail.step[i].path, p->trail.step[i].verdict, NULL);
	for (i = 0; i < p->n; i++)
		files_trail_add(trail, p->package[i].ef->path, FILES_OTHER_PACKAGE, NULL);
}
