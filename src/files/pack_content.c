/*
 * pack_content.c - the bytes of a file as they go into a pack
 */
#include "files/light.h"

#include "base/mem.h"

#include <stdlib.h>

enum { LISTS_MAX_BYTES = 512 << 20 };

struct pack_content {
	struct file file;
	struct span bytes; /* from the use, or from list; n 0: they are in the file */
	struct buf list;
	struct light light; /* without pieces: the file goes in as it is */
};

static int lighten(struct pack_content *c, struct pack_uses *u, const struct pack_use *use,
	const struct pack_form *form, struct err *e)
{
	struct pack_code *code = NULL;
	uint32_t n = 0;
	int rc;

	if (use->reason != PACK_BINARY && use->reason != PACK_SYMBOLS && use->reason != PACK_KERNEL)
		return OK;
	code = pack_uses_code(u, use->place, &n);
	rc = light_plan(&c->light, &c->file, form->debug, code, n, e);
	free(code);
	return rc;
}

int pack_content_open(struct pack_content **out, struct pack_uses *u, const struct pack_use *use,
	const struct pack_form *form, struct err *e)
{
	struct pack_content *c = xcalloc(1, sizeof(*c));
	int rc = OK;

	*out = c;
	c->file = (struct file){ .fd = -1 };
	if (!use->path) {
		c->bytes = buf_span(&use->content);
		return OK;
	}
	if (file_open_same(&c->file, use->path, use->identity, e)) {
		c->file = (struct file){ .fd = -1 };
		return e->code;
	}
	if (!c->file.size_bytes) { /* the size of /proc/kallsyms is known only once it is read */
		rc = file_read_content(&c->file, LISTS_MAX_BYTES, &c->list, e);
		c->bytes = buf_span(&c->list);
	} else if (form->light) {
		rc = lighten(c, u, use, form, e);
	}
	return rc;
}

void pack_content_free(struct pack_content *c)
{
	if (c->file.fd >= 0)
		file_close(&c->file);
	light_release(&c->light);
	buf_release(&c->list);
	free(c);
}

uint64_t pack_content_size(const struct pack_content *c)
{
	if (!c->file.size_bytes)
		return c->bytes.n;
	return c->light.n ? c->light.size_bytes : c->file.size_bytes;
}

bool pack_content_is_light(const struct pack_content *c)
{
	return c->light.n > 0;
}

int pack_content_read(void *content, void *p, size_t n, uint64_t at, struct err *e)
{
	const struct pack_content *c = content;

	if (!c->file.size_bytes) {
		memcpy(p, c->bytes.p + at, n);
		return OK;
	}
	return c->light.n ? light_read(&c->light, &c->file, p, n, at, e)
			  : file_read_at(&c->file, p, n, at, e);
}
