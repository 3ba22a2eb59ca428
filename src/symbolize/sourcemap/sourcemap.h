/*
 * sourcemap.h - a source map: from a place in generated JavaScript to what its author wrote
 *
 *	{"version":3, "sourceRoot":"", "sources":["a.ts"], "names":["fib"], "mappings":"AAAA,SAASA"}
 *
 * mappings: lines of generated code end with ";", its segments with ",". A segment is 1, 4 or 5
 * numbers, each the difference to that of the segment before: column (from the start of its line),
 * source, line, column, name. A number is base 64, 5 bits a digit, least first, its sign in the
 * lowest bit. An index map has "sections" instead, each with an offset and a map, which may be an
 * index map.
 *
 * Large bundles have millions of segments, but a profile asks for a few hundred places: all
 * queries to a map are answered in one pass over its text, and no segment is kept.
 *
 * "sourcesContent" has the texts of the sources. They are most of a map, and few are wanted, so
 * sourcemap_read_contents() reads them in a pass of its own.
 *
 * Where the function is: V8 gives the place of the bracket that opens its parameters (or of the
 * only parameter of an arrow function). Its name is before that, and so is the segment with
 * the original name: function a( | a=b=>... | a: function(
 *
 * Source: ECMA-426, "Source map format".
 * Owns: its strings; answers point into them. Threads: parse from one, resolve from any.
 */
#ifndef PERFOLD_SYMBOLIZE_SOURCEMAP_SOURCEMAP_H
#define PERFOLD_SYMBOLIZE_SOURCEMAP_SOURCEMAP_H

#include "base/arena.h"
#include "base/err.h"
#include "base/span.h"

struct files;
struct recording;

struct sourcemap_strings {
	struct span *at;
	size_t n, cap;
};

/* A map, or a section of an index map. */
struct sourcemap_section {
	uint32_t line, column; /* of generated code, from 0, where it begins */
	size_t within;         /* the section around it; 0: the whole map */
	struct span root, mappings;
	struct sourcemap_strings sources, names;
};

struct sourcemap {
	struct arena strings;
	struct sourcemap_section *sections; /* by place */
	size_t n, cap;
};

/* A function: its place in generated code, and later in the source. */
struct sourcemap_query {
	uint32_t line, column; /* from 1; column 0: not known */
	struct span function;  /* its name in generated code; may be empty */
	bool found;
	struct span root, source; /* as in the map */
	size_t section, number;   /* the source is that one of the section's */
	struct span name;         /* in the source; empty: the same as in generated code */
	uint32_t source_line, source_column; /* from 1 */
};

int sourcemap_parse(struct sourcemap *m, struct span json, struct err *e);
void sourcemap_release(struct sourcemap *m);

/* Order of queries: by line, then column. */
int sourcemap_query_compare(const void *a, const void *b);
/* Answers sorted queries. Damage is an error; queries before it have their answers. */
int sourcemap_resolve(
	const struct sourcemap *m, struct sourcemap_query *q, size_t n, struct err *e);

/* Gets the text of a source of a section, which is borrowed. */
typedef void (*sourcemap_content_fn)(void *ctx, size_t section, size_t number, struct span text);
/* Calls fn for each text in a map that sourcemap_parse() accepted. */
void sourcemap_read_contents(struct span json, sourcemap_content_fn fn, void *ctx);

/* Gives V8's functions the names and places that their source has:
 *
 *	JS:*a /app/dist/x.js:1:7021  =>  JS:*fib /app/src/fib.ts:5:10
 *
 * Every distinct frame is mapped once, when all sites have their frames. Kind and tier stay, so
 * that later stages handle the frame as before. If r->sources is there, it gets the texts of these
 * sources. dirs: NULL ended. Maps that cannot be used are counted in r->diag; those that are, are
 * noted in note_in, if it is not NULL, for a pack. */
void sourcemap_apply(struct recording *r, const char *const *dirs, const struct files *note_in);

#endif
