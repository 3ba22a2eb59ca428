#include "input/profiles/profiles.h"
#include "input/script/script.h"
#include "input/stacks/stacks.h"

const struct input_format *const input_formats[] = {
	&script_format,
	&input_folded,
	&stacks_dtrace,
	&stacks_bcc,
	&stacks_bpftrace,
	&stacks_macsample,
	&stacks_jstack,
	&stacks_godump,
	&input_cpuprofile,
	&stacks_v8prof,
	&input_pprof,
	&input_rows,
	&input_preagg,
	&input_unsymbolized,
	NULL,
};

const struct input_format *input_by_name(const char *name)
{
	const struct input_format *const *f;

	for (f = input_formats; *f; f++)
		if (!strcmp((*f)->name, name))
			return *f;
	return NULL;
}

const struct input_format *input_sniff(const struct input_head *head)
{
	const struct input_format *const *f;
	const struct input_format *best = NULL;
	const bool json = input_is_json(head);
	int highest = 0;

	for (f = input_formats; *f; f++) {
		int bid = (*f)->json == json ? (*f)->bid(head) : 0;

		if (bid > highest) {
			highest = bid;
			best = *f;
		}
	}
	return best;
}
