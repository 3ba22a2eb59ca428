/*
 * filter_rule.h - one rule of a filter, and its parser
 *
 *	action  = NAME [ FIELD ] [ PATTERN ] [ LABEL ]
 *	PATTERN = "/" regex "/" flags | "s/" regex "/" text "/" flags | m{...} s{...}{...} ...
 *	LABEL   = word | '"' text '"'
 *
 * Owns: its strings and its pattern. Threads: read by any once made.
 */
#ifndef PERFOLD_FILTER_FILTER_RULE_H
#define PERFOLD_FILTER_FILTER_RULE_H

#include "filter/filter_field.h"
#include "filter/pattern.h"

struct filter_action;

struct filter_rule_hits {
	uint64_t hits, weight;
};

struct filter_rule {
	const struct filter_action *action;
	enum filter_field field;
	struct pattern *pattern;       /* NULL: everything matches */
	char *label;                   /* NULL: none */
	size_t label_column;           /* for messages, from 1 */
	frame_id label_frame;          /* of actions that make a frame of their label */
	str_id category;               /* the label, as a string of the frames */
	char *text;                    /* as written, without blanks around it */
	char *place;                   /* "nodejs.rules:12" */
	struct filter_rule_hits count; /* all workers together */
};

/* place says where the text comes from, for messages: "FILE:LINE". r is filled; what needs the
 * tables of frames is left to the caller. */
int filter_rule_parse(struct filter_rule *r, struct span text, const char *place, struct err *e);
void filter_rule_release(struct filter_rule *r);

#endif
