/*
 * verdict_json.c - a verdict as one JSON document
 *
 *	{"verdict": "passed" | "failed" | "unfit",
 *	 "before": [names], "after": name, "unfit": [reasons],
 *	 "confidence_percent", "variation_percent", "looked_at",
 *	 "rules": [{"rule", "verdict", "looked_at", "over", "noise"}],
 *	 "power": [{"rule": number, "function": name, or null for any, "share",
 *		"growth": or null, "wanted_growth", "samples_wanted": or null}],
 *	 "findings": [{"rule": number, "noise",
 *		"function": name, or null where the rule is about several, "module",
 *		"share_before", "share_after", "weight_before", "weight_after",
 *		"samples_before", "samples_after", "chance",
 *		"callers": [PART], "functions": [PART]}]}
 *	PART: {"name", "share_before", "share_after"}
 *
 * Shares are of the whole, 0 to 1. Where nothing is compared, what is "before" is 0.
 */
#include "output/output.h"

#include "compare/verdict.h"
#include "base/json_writer.h"

#include <math.h>

enum { SHARE_PLACES = 6, CHANCE_PLACES = 9, PERCENT_PLACES = 3 };

static void put_decimal(struct json_writer *j, const char *key, double v, unsigned places)
{
	json_writer_key(j, key);
	json_writer_decimal(j, (uint64_t)llround(v * pow(10, places)), places);
}

static void put_number(struct json_writer *j, const char *key, uint64_t v)
{
	json_writer_key(j, key);
	json_writer_u64(j, v);
}

static void put_null(struct json_writer *j, const char *key)
{
	json_writer_key(j, key);
	json_writer_null(j);
}

static void put_texts(struct json_writer *j, const char *key, const char *const *text, size_t n)
{
	size_t i;

	json_writer_key(j, key);
	json_writer_array(j);
	for (i = 0; i < n; i++)
		json_writer_str(j, text[i]);
	json_writer_array_end(j);
}

static void put_rules(struct json_writer *j, const struct verdict *v)
{
	size_t i;

	json_writer_key(j, "rules");
	json_writer_array(j);
	for (i = 0; i < v->rules->n; i++) {
		json_writer_object(j);
		json_writer_key(j, "rule");
		json_writer_string(j, v->rules->item[i].text);
		json_writer_key(j, "verdict");
		json_writer_str(
			j, verdict_result_name(v->of[i].over ? VERDICT_FAILED : VERDICT_PASSED));
		put_number(j, "looked_at", v->of[i].looked_at);
		put_number(j, "over", v->of[i].over);
		put_number(j, "noise", v->of[i].noise);
		json_writer_object_end(j);
	}
	json_writer_array_end(j);
}

static void put_parts(struct json_writer *j, const char *key, const struct verdict_parts *parts)
{
	unsigned i;

	json_writer_key(j, key);
	json_writer_array(j);
	for (i = 0; i < parts->n; i++) {
		json_writer_object(j);
		json_writer_key(j, "name");
		json_writer_string(j, parts->item[i].name);
		put_decimal(j, "share_before", parts->item[i].before, SHARE_PLACES);
		put_decimal(j, "share_after", parts->item[i].after, SHARE_PLACES);
		json_writer_object_end(j);
	}
	json_writer_array_end(j);
}

static void put_power(struct json_writer *j, const struct verdict *v)
{
	size_t i;

	json_writer_key(j, "power");
	json_writer_array(j);
	for (i = 0; i < v->n_power; i++) {
		const struct verdict_power *p = &v->power[i];

		json_writer_object(j);
		put_number(j, "rule", p->rule);
		json_writer_key(j, "function");
		if (p->name.n)
			json_writer_string(j, p->name);
		else
			json_writer_null(j);
		put_decimal(j, "share", p->share, SHARE_PLACES);
		if (p->growth > 0)
			put_decimal(j, "growth", p->growth, SHARE_PLACES);
		else
			put_null(j, "growth");
		put_decimal(j, "wanted_growth", p->wanted, SHARE_PLACES);
		if (p->samples)
			put_number(j, "samples_wanted", p->samples);
		else
			put_null(j, "samples_wanted");
		json_writer_object_end(j);
	}
	json_writer_array_end(j);
}

static void put_finding(struct json_writer *j, const struct verdict_finding *f)
{
	json_writer_object(j);
	put_number(j, "rule", f->rule);
	json_writer_key(j, "noise");
	json_writer_bool(j, f->noise);
	json_writer_key(j, "function");
	if (f->name.n)
		json_writer_string(j, f->name);
	else
		json_writer_null(j);
	json_writer_key(j, "module");
	json_writer_string(j, f->module);
	put_decimal(j, "share_before", f->share_before, SHARE_PLACES);
	put_decimal(j, "share_after", f->share_after, SHARE_PLACES);
	put_number(j, "weight_before", f->before.weight);
	put_number(j, "weight_after", f->after.weight);
	put_number(j, "samples_before", f->before.samples);
	put_number(j, "samples_after", f->after.samples);
	put_decimal(j, "chance", f->p_value, CHANCE_PLACES);
	put_parts(j, "callers", &f->callers);
	put_parts(j, "functions", &f->functions);
	json_writer_object_end(j);
}

void output_verdict_json(const struct verdict *v, struct sink *to)
{
	struct json_writer *j = json_writer_new(to);
	size_t i;

	json_writer_object(j);
	json_writer_key(j, "verdict");
	json_writer_str(j, verdict_result_name(verdict_result(v)));
	put_texts(j, "before", v->before_names, v->n_bases);
	json_writer_key(j, "after");
	json_writer_str(j, v->after_name ? v->after_name : "");
	put_texts(j, "unfit", v->unfit, v->n_unfit);
	put_decimal(j, "confidence_percent", 100 * (1 - v->max_p_value), PERCENT_PLACES);
	put_decimal(j, "variation_percent", 100 * v->variation, PERCENT_PLACES);
	put_number(j, "looked_at", v->looked_at);
	put_rules(j, v);
	put_power(j, v);
	json_writer_key(j, "findings");
	json_writer_array(j);
	for (i = 0; i < v->n; i++)
		put_finding(j, &v->finding[i]);
	json_writer_array_end(j);
	json_writer_object_end(j);
	json_writer_free(j);
	sink_putc(to, '\n');
}
