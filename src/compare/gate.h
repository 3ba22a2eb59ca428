/*
 * gate.h - rules that say how much a function may cost: --fail-if
 *
 *	RULES   = RULE { "," RULE }
 *	RULE    = WHAT [ "(" [ FIELD ":" ] "/" regex "/" [ "i" ] ")" ] ">" LIMIT | "default"
 *	WHAT    = "self" | "total" | "any-self" | "any-total" | "new"
 *	FIELD   = "function" | "module" | "file"
 *	LIMIT   = "+" N "pp" | "+" N "%" | N "x" | N "%"
 *
 * "self" and "total" are about all functions that match together, "any-..." about each alone.
 *
 * Owns: its rules and their expressions; strings are borrowed. Threads: read by any.
 */
#ifndef PERFOLD_COMPARE_GATE_H
#define PERFOLD_COMPARE_GATE_H

#include "base/err.h"
#include "base/span.h"

enum gate_what { GATE_SELF, GATE_TOTAL, GATE_ANY_SELF, GATE_ANY_TOTAL, GATE_NEW };
enum gate_field { GATE_FUNCTION, GATE_MODULE, GATE_FILE };
enum gate_limit {
	GATE_POINTS, /* percentage points more than before */
	GATE_TIMES,  /* that many times what it was */
	GATE_SHARE,  /* percent of the whole, whatever it was */
};

struct name_pattern;

struct gate_rule {
	struct span text;
	enum gate_what what;
	enum gate_field field;
	struct name_pattern *pattern; /* NULL: all functions */
	enum gate_limit limit_by;
	double limit;
};

/* A zeroed struct is empty. */
struct gate_rules {
	struct gate_rule *item;
	size_t n, cap;
};

/* The rules that "default" means. */
#define GATE_DEFAULT "any-self > +2pp, any-total > +3pp"

/* Parses and adds rules; compares: there is a profile before. ERR_USAGE: the message has the
 * column. */
int gate_rules_parse(struct gate_rules *g, const char *text, bool compares, struct err *e);
void gate_rules_release(struct gate_rules *g);

/* Is it about each function alone? */
bool gate_is_any(const struct gate_rule *r);
/* Is it about what functions cost by themselves? */
bool gate_is_self(const struct gate_rule *r);

#endif
