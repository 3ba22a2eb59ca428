#include "output/pprof_message.h"

#include "base/utf8.h"

void pprof_message_init(struct pprof_message *m, struct sink *to)
{
	*m = (struct pprof_message){ .to = to, .texts = strtab_new() };
}

void pprof_message_release(struct pprof_message *m)
{
	strtab_free(m->texts);
	buf_release(&m->body);
	buf_release(&m->part);
	buf_release(&m->whole);
}

uint32_t pprof_message_text(struct pprof_message *m, struct span s)
{
	return strtab_add(m->texts, s);
}

void pprof_message_put(struct pprof_message *m, unsigned field)
{
	m->whole.n = 0;
	protobuf_writer_put_bytes(&m->whole, field, buf_span(&m->body));
	sink_put_span(m->to, buf_span(&m->whole));
	m->body.n = 0;
}

void pprof_message_put_fields(struct pprof_message *m)
{
	sink_put_span(m->to, buf_span(&m->body));
	m->body.n = 0;
}

void pprof_message_put_texts(struct pprof_message *m)
{
	uint32_t i;

	for (i = 0; i < strtab_count(m->texts); i++) {
		utf8_put_repaired(&m->body, strtab_get(m->texts, i));
		pprof_message_put(m, PROFILE_STRING);
	}
}
