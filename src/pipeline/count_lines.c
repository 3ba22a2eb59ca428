#include "pipeline/sample_profile_make.h"
#include "pipeline/stages.h"

static const struct module *module_of(const struct pipeline *p, const struct branch_binary *b)
{
	return modules_get(p->result->recordings[b->recording]->modules, b->module);
}

bool stages_can_count_lines(const struct pipeline *p, const struct branch_binary *b)
{
	const struct symbolize_opts *o = pipeline_named_with(p->result, b->recording);

	return o && locations_exist(o->files, module_of(p, b));
}

struct sample_profile *stages_count_lines(const struct pipeline *p, const struct branch_binary *b,
	const struct output_format *format, struct err *e)
{
	const struct symbolize_opts *o = pipeline_named_with(p->result, b->recording);
	struct locations *l =
		o ? locations_open(o->files, module_of(p, b), p->result->strings) : NULL;
	struct sample_profile *samples;

	if (!l) {
		err_set(e, ERR_FORMAT, "the debug information of %s cannot be read",
			strtab_str(p->result->strings, b->path));
		return NULL;
	}
	if (locations_flow_sensitive(l)) {
		err_set(e, ERR_UNSUPPORTED,
			"%s: its discriminators are flow-sensitive (-enable-fs-discriminator): "
			"write "
			"-o x.unsymbolized, of which llvm-profgen makes the profile",
			strtab_str(p->result->strings, b->path));
		locations_free(l);
		return NULL;
	}
	samples = sample_profile_make(b, l, p->result->strings,
		format->needs & OUTPUT_PLAIN_DISCRIMINATORS ? SAMPLE_DISCRIMINATORS_PLAIN
							    : SAMPLE_DISCRIMINATORS_LLVM,
		e);
	locations_free(l);
	if (!samples || samples->n_functions)
		return samples;
	sample_profile_free(samples);
	err_set(e, ERR_FORMAT,
		"no function that ran is in the debug information of %s; --debug-dir says where "
		".dwo files are",
		strtab_str(p->result->strings, b->path));
	return NULL;
}
