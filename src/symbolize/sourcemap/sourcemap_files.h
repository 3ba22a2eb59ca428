/*
 * sourcemap_files.h - which source map belongs to a script
 *
 * A script was recorded as /app/dist/x.js, and its map is here, below a directory given by the
 * user: as DIR/x.js.map, DIR/dist/x.js.map, DIR/build/dist/x.js.map. The one that shares the most
 * parts at the end with the recorded path is chosen, if these are
 *
 *  - all of the place below DIR (DIR/x.js, DIR/dist/x.js), or two parts at least (dist/x.js),
 *  - and, for a script of a package, its place in the package: node_modules/a/index.js is not
 *    DIR/index.js.
 *
 * Deno's output for /app/x.ts is x.ts.js there.
 *
 * Of several that share as many, none is chosen: a wrong source is worse than none.
 *
 * The map is given by the script's last "//# sourceMappingURL=" (a relative path, or the map itself
 * as a data: URL); without one it is SCRIPT.map. Nothing is fetched.
 *
 * Owns: its list of files. Threads: one. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_SOURCEMAP_SOURCEMAP_FILES_H
#define PERFOLD_SYMBOLIZE_SOURCEMAP_SOURCEMAP_FILES_H

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"

struct sourcemap_files;

enum sourcemap_found { SOURCEMAP_NONE, SOURCEMAP_FOUND, SOURCEMAP_SEVERAL, SOURCEMAP_BAD };

/* dirs: NULL ended. Directories that cannot be read are left out. */
struct sourcemap_files *sourcemap_files_new(const char *const *dirs);
void sourcemap_files_free(struct sourcemap_files *t);

/* A source map that was found. */
struct sourcemap_text {
	struct buf json;
	struct buf base; /* the URL, as recorded, that its sources are relative to */
	char *path;      /* its file; NULL: it is in the script itself */
	struct file_identity identity;
};

/* The map of a script, by its URL or path. With SOURCEMAP_BAD, e says why. *out is to be released
 * in any case. */
enum sourcemap_found sourcemap_files_read(const struct sourcemap_files *t, struct span script,
	struct sourcemap_text *out, struct err *e);
void sourcemap_files_release_text(struct sourcemap_text *text);

/* Appends url, relative to the directory of base, without "." and "..". */
void sourcemap_files_resolve_url(struct span base, struct span url, struct buf *out);
/* Sources are URLs, with blanks as %20. If the script is named by its path, so are they: this
 * decodes a URL that is a path. */
void sourcemap_files_url_to_path(struct buf *url);

#endif
