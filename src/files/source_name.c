#include "files/source_name.h"

#include "base/mem.h"

#include <stdlib.h>

/* Of languages that are compiled or run, in the order of the alphabet. */
static const char *const suffixes[] = { "C", "F", "F77", "F90", "F95", "H", "R", "S", "ada", "adb",
	"ads", "asm", "bas", "bc", "c", "c++", "cc", "cjs", "cl", "clj", "cljs", "coffee", "cp",
	"cpp", "cppm", "cr", "cs", "cts", "cu", "cuh", "cxx", "d", "dart", "def", "di", "el", "erl",
	"ex", "exs", "f", "f03", "f08", "f77", "f90", "f95", "for", "fs", "glsl", "go", "groovy",
	"gperf", "h", "h++", "hh", "hip", "hpp", "hrl", "hs", "hxx", "i", "ii", "inc", "inl", "ipp",
	"ispc", "ixx", "java", "jl", "js", "jsx", "kt", "kts", "l", "lex", "lhs", "lisp", "ll",
	"lpp", "lua", "m", "mjs", "ml", "mli", "mll", "mly", "mm", "mts", "nasm", "nim", "odin",
	"pas", "php", "phtml", "pl", "pm", "pp", "proto", "ps1", "pxd", "pxi", "py", "pyx", "qml",
	"r", "rb", "re", "rkt", "rs", "s", "scala", "scm", "sh", "sml", "sol", "svelte", "swift",
	"sx", "tbl", "tcc", "tcl", "td", "tmpl", "tpp", "ts", "tsx", "txx", "v", "vala", "vapi",
	"vb", "vue", "wat", "x", "y", "ypp", "yy", "zig" };

static int compare_suffix(const void *suffix, const void *row)
{
	return span_cmp(*(const struct span *)suffix, span_of(*(const char *const *)row));
}

/* "/usr/include/c++/12/vector", "/usr/include/qt5/QtCore/QString" */
static bool is_header_without_suffix(struct span path)
{
	return span_find(path, SPAN("/include/")) >= 0;
}

bool source_name_is_known(struct span path)
{
	struct span name = span_basename(path), suffix = name;
	size_t i = name.n;

	while (i && name.p[i - 1] != '.')
		i--;
	if (!i)
		return name.n && is_header_without_suffix(path);
	suffix = span_skip(name, i);
	return i > 1 &&
	       bsearch(&suffix, suffixes, ARRAY_LEN(suffixes), sizeof(*suffixes), compare_suffix);
}

static void put_parts(struct buf *out, size_t floor, struct span path)
{
	while (path.n) {
		const char *slash = memchr(path.p, '/', path.n);
		struct span part = { path.p, slash ? (size_t)(slash - path.p) : path.n };

		path = span_skip(path, part.n + (slash != NULL));
		if (span_eq(part, SPAN(".."))) {
			while (out->n > floor && out->p[--out->n] != '/')
				;
		} else if (part.n && !span_eq(part, SPAN("."))) {
			buf_putc(out, '/');
			buf_put_span(out, part);
		}
	}
}

void source_name_put_path(struct buf *out, struct span dir, struct span path)
{
	size_t floor = out->n;
	bool joined = dir.n && !span_starts(path, SPAN("/"));

	if (joined)
		put_parts(out, floor, dir);
	put_parts(out, floor, path);
	/* The slash before the first part. */
	if (!span_starts(joined ? dir : path, SPAN("/")) && out->n > floor) {
		memmove(out->p + floor, out->p + floor + 1, out->n - floor - 1);
		out->n--;
	}
}
