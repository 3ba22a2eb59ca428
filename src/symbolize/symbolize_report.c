#include "symbolize/symbolize.h"

#include <stdlib.h>

void symbolize_report_count_refusals(const struct symbolize_report *rep, struct diag *d)
{
	uint32_t i;

	for (i = 0; i < rep->n; i++) {
		const struct files_step *s = files_trail_refusal(&rep->modules[i].trail);

		if (rep->modules[i].why != WHY_REFUSED || !s)
			continue;
		if (s->verdict == FILES_OTHER_BUILD_ID || s->verdict == FILES_NO_BUILD_ID)
			diag_count(d, DIAG_BUILD_ID_MISMATCH, 0);
		else if (s->verdict == FILES_NOT_ELF || s->verdict == FILES_UNREADABLE ||
			 s->verdict == FILES_CUT || s->verdict == FILES_OTHER_MACHINE ||
			 s->verdict == FILES_OTHER_CLASS)
			diag_count(d, DIAG_BAD_FILE, 0);
	}
}

void symbolize_report_release_module(struct symbolize_module *m)
{
	free(m->runtime_path);
	free(m->symbols_path);
	free(m->dwarf_path);
	free(m->package_path);
	files_trail_release(&m->trail);
}

void symbolize_report_release(struct symbolize_report *rep)
{
	uint32_t i;

	for (i = 0; i < rep->n; i++)
		symbolize_report_release_module(&rep->modules[i]);
	free(rep->modules);
	files_unread_free(rep->unread);
	*rep = (struct symbolize_report){ 0 };
}
