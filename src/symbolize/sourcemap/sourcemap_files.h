/*
 * sourcemap_files.h - which source map belongs to a script
 *
 * A script was recorded as /app/dist/x.js, and the map lies here, below a folder that the user
 * named: as DIR/x.js.map, DIR/dist/x.js.map, DIR/build/dist/x.js.map. The one that shares the most
 * parts at the end with the recorded path is taken, if these are
 *
 *  - all of the place below DIR (DIR/x.js, DIR/dist/x.js), or two parts at least (dist/x.js),
 *  - and, for a script of a package, its place in the package: node_modules/a/index.js is not
 *    DIR/index.js.
 *
 * What Deno made of /app/x.ts is x.ts.js there.
 *
 * Where several end in as many, none is: a wrong source is worse than none.
 *
 * The map is what the script's last "//# sourceMappingURL=" names (a file beside it or from there,
 * or the map itself as a data: URL), else SCRIPT.map. Nothing is fetched.
 *
 * Owns: its list of files. Threads: one. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_SOURCEMAP_SOURCEMAP_FILES_H
#define PERFOLD_SYMBOLIZE_SOURCEMAP_SOURCEMAP_FILES_H

#include "base/buf.h"
#include "base/err.h"

struct sourcemap_files;

enum sourcemap_found { SOURCEMAP_NONE, SOURCEMAP_FOUND, SOURCEMAP_SEVERAL, SOURCEMAP_BAD };

/* dirs: NULL ended. Folders that cannot be read are left out. */
struct sourcemap_files *sourcemap_files_new(const char *const *dirs);
void sourcemap_files_free(struct sourcemap_files *t);

/* The map of a script, by its URL or path. json: its text. base: the URL, as recorded, that its
 * sources are relative to. With SOURCEMAP_BAD, e says why. */
enum sourcemap_found sourcemap_files_read(const struct sourcemap_files *t, struct span script,
	struct buf *json, struct buf *base, struct err *e);

/* URL, relative to the folder that base ends in, without "." and "..". */
void sourcemap_files_resolve_url(struct span base, struct span url, struct buf *out);
/* Sources are URLs, and their blanks are %20. Beside a script that is called by its path they are
 * to be called so too. */
void sourcemap_files_url_to_path(struct buf *url);

#endif
