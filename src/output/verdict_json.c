/*
 * verdict_json.c - a verdict as one JSON document
 *
 *	{"verdict": "passed" | "failed" | "unfit",
 *	 "before": [names], "after": name, "unfit": [reasons],
 *	 "confidence_percent", "variation_percent", "looked_at",
 *	 "rules": [{"rule", "verdict", "looked_at", "over", "noise"}],
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

#include "model/verdict.h"
#include "output/json.h"

#include <math.h>

enum { SHARE_PLACES = 6, CHANCE_PLACES = 9, PERCENT_PLACES = 3 };

static void put_decimal(struct json *j, const char *key, double v, unsigned places)
{
	json_key(j, key);
	json_decimal(j, (uint64_t)llround(v * pow(10, places)), places);
}

static void put_number(struct json *j, const char *key, uint64_t v)
{
	json_key(j, key);
	json_u64(j, v);
}

static void put_texts(struct json *j, const char *key, const char *const *text, size_t n)
{
	size_t i;

	json_key(j, key);
	json_array(j);
	for (i = 0; i < n; i++)
		json_str(j, text[i]);
	json_array_end(j);
}

static void put_rules(struct json *j, const struct verdict *v)
{
	size_t i;

	json_key(j, "rules");
	json_array(j);
	for (i = 0; i < v->rules->n; i++) {
		json_map(j);
		json_key(j, "rule");
		json_text(j, v->rules->item[i].text);
		json_key(j, "verdict");
		json_str(j, verdict_name(v->of[i].over ? VERDICT_FAILED : VERDICT_PASSED));
		put_number(j, "looked_at", v->of[i].looked_at);
		put_number(j, "over", v->of[i].over);
		put_number(j, "noise", v->of[i].noise);
		json_map_end(j);
	}
	json_array_end(j);
}

static void put_parts(struct json *j, const char *key, const struct verdict_parts *parts)
{
	unsigned i;

	json_key(j, key);
	json_array(j);
	for (i = 0; i < parts->n; i++) {
		json_map(j);
		json_key(j, "name");
		json_text(j, parts->item[i].name);
		put_decimal(j, "share_before", parts->item[i].before, SHARE_PLACES);
		put_decimal(j, "share_after", parts->item[i].after, SHARE_PLACES);
		json_map_end(j);
	}
	json_array_end(j);
}

static void put_finding(struct json *j, const struct verdict_finding *f)
{
	json_map(j);
	put_number(j, "rule", f->rule);
	json_key(j, "noise");
	json_bool(j, f->noise);
	json_key(j, "function");
	if (f->name.n)
		json_text(j, f->name);
	else
		json_null(j);
	json_key(j, "module");
	json_text(j, f->module);
	put_decimal(j, "share_before", f->share_before, SHARE_PLACES);
	put_decimal(j, "share_after", f->share_after, SHARE_PLACES);
	put_number(j, "weight_before", f->before.weight);
	put_number(j, "weight_after", f->after.weight);
	put_number(j, "samples_before", f->before.samples);
	put_number(j, "samples_after", f->after.samples);
	put_decimal(j, "chance", f->chance, CHANCE_PLACES);
	put_parts(j, "callers", &f->callers);
	put_parts(j, "functions", &f->functions);
	json_map_end(j);
}

void output_verdict_json(const struct verdict *v, struct sink *to)
{
	struct json *j = json_new(to);
	size_t i;

	json_map(j);
	json_key(j, "verdict");
	json_str(j, verdict_name(verdict_is(v)));
	put_texts(j, "before", v->before_names, v->n_bases);
	json_key(j, "after");
	json_str(j, v->after_name ? v->after_name : "");
	put_texts(j, "unfit", v->unfit, v->n_unfit);
	put_decimal(j, "confidence_percent", 100 * (1 - v->most_chance), PERCENT_PLACES);
	put_decimal(j, "variation_percent", 100 * v->variation, PERCENT_PLACES);
	put_number(j, "looked_at", v->looked_at);
	put_rules(j, v);
	json_key(j, "findings");
	json_array(j);
	for (i = 0; i < v->n; i++)
		put_finding(j, &v->finding[i]);
	json_array_end(j);
	json_map_end(j);
	json_free(j);
	sink_putc(to, '\n');
}
