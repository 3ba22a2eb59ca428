#include "files/files.h"

#include "base/file.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

/* A directory of its own for each test, with the programs of testdata/elf/ put where the test says.
 */
struct place {
	char dir[64];
	struct strtab *strings;
	struct files_opts o;
	struct files *f;
	struct files_trail trail;
	const char *list[2]; /* for symfs or debug_dirs: dir */
};

static int set_up(void **state)
{
	struct place *p = xcalloc(1, sizeof(*p));

	snprintf(p->dir, sizeof(p->dir), "/tmp/perfold-files-XXXXXX");
	assert_non_null(mkdtemp(p->dir));
	p->strings = strtab_new();
	p->list[0] = p->dir;
	p->o.no_system = true;
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	struct place *p = *state;
	char *command = xasprintf("rm -r %s", p->dir);

	assert_int_equal(system(command), 0);
	free(command);
	files_trail_release(&p->trail);
	files_free(p->f);
	strtab_free(p->strings);
	free(p);
	return 0;
}

/* The path of a file in the test's directory, the directories above it made. */
static char *path_in(const struct place *p, const char *relative)
{
	char *path = xasprintf("%s/%s", p->dir, relative), *slash;

	for (slash = path + strlen(p->dir) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(path, 0700);
	}
	return path;
}

static void put_copy(const struct place *p, const char *relative, const char *program)
{
	char *path = path_in(p, relative);
	struct buf content = { 0 };
	struct err e;
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(file_read_all(program, 1 << 24, &content, &e), OK);
	assert_int_equal(fwrite(content.p, 1, content.n, f), content.n);
	fclose(f);
	buf_release(&content);
	free(path);
}

static void put_text(const struct place *p, const char *relative, const char *text)
{
	char *path = path_in(p, relative);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	free(path);
}

/* "cet" has this build-id. */
static const struct build_id cet_id = { 20,
	{ 0x6d, 0x8d, 0xd7, 0x05, 0x1d, 0x70, 0xe0, 0x3d, 0xed, 0x8c, 0x72, 0x2a, 0x19, 0x72, 0x0b,
		0xde, 0x65, 0xd2, 0xf6, 0x57 } };
#define CET_LINK ".build-id/6d/8dd7051d70e03ded8c722a19720bde65d2f657"

static struct module module_at(struct place *p, const char *path, const struct build_id *id)
{
	struct module m = { .kind = MODULE_FILE };

	m.path = m.shown = strtab_add_str(p->strings, path);
	if (id)
		m.build_id = *id;
	return m;
}

/* The path below the directory where the module was found, NULL: it was not. */
static const char *found_as(struct place *p, const struct module *m)
{
	static char path[256];
	struct elf_file *ef;

	files_trail_release(&p->trail);
	files_free(p->f);
	p->f = files_new(&p->o, p->strings);
	ef = files_open_runtime(p->f, m, &p->trail);
	if (!ef)
		return NULL;
	snprintf(path, sizeof(path), "%s", ef->path);
	elf_file_close(ef);
	return strncmp(path, p->dir, strlen(p->dir)) ? path : path + strlen(p->dir) + 1;
}

static const char *found(struct place *p, const char *recorded, const struct build_id *id)
{
	struct module m = module_at(p, recorded, id);

	return found_as(p, &m);
}

static enum files_verdict last_verdict(const struct place *p)
{
	return p->trail.n ? p->trail.step[p->trail.n - 1].verdict : FILES_ABSENT;
}

static void a_directory_without_directories_is_searched_by_build_id(void **state)
{
	struct place *p = *state;
	int k;

	put_copy(p, "cet", "testdata/elf/cet");
	for (k = 0; k < 2; k++) {
		p->o.symfs = k ? p->list : NULL;
		p->o.debug_dirs = k ? NULL : p->list;
		assert_string_equal(found(p, "/usr/bin/cet", &cet_id), "cet");
		assert_null(found(p, "/usr/bin/cet", NULL)); /* any file may be called so */
	}
}

static void the_build_id_directory_itself_may_be_named(void **state)
{
	struct place *p = *state;
	const char *id = &CET_LINK[strlen(".build-id/")];
	char *elf = xasprintf("%s/elf", id);

	p->o.debug_dirs = p->list;
	put_copy(p, elf, "testdata/elf/cet");
	assert_string_equal(found(p, "/usr/bin/it", &cet_id), elf);
	free(elf);
}

static void a_file_is_found_below_symfs(void **state)
{
	struct place *p = *state;

	p->o.symfs = p->list;
	put_copy(p, "usr/bin/cet", "testdata/elf/cet");
	assert_string_equal(found(p, "/usr/bin/cet", NULL), "usr/bin/cet");
	assert_string_equal(found(p, "/usr/bin/cet", &cet_id), "usr/bin/cet");
	assert_int_equal(p->trail.n, 1);
	assert_int_equal(last_verdict(p), FILES_USED);
	assert_null(found(p, "/usr/bin/other", &cet_id));
	assert_int_equal(last_verdict(p), FILES_ABSENT);
	assert_null(files_trail_refusal(&p->trail));
}

static void a_path_is_reported_once(void **state)
{
	struct place *p = *state;

	p->o.recording_dir = p->dir;
	assert_null(found(p, "/memfd:job (deleted)", &cet_id));
	assert_int_equal(p->trail.n, 1);
	files_trail_add(&p->trail, "elsewhere", FILES_ABSENT, NULL);
	files_trail_add(&p->trail, p->trail.step[0].path, FILES_ABSENT, NULL);
	assert_int_equal(p->trail.n, 2);
	files_trail_add(&p->trail, "elsewhere", FILES_UNREADABLE, NULL);
	assert_int_equal(p->trail.n, 3);
}

static void another_build_id_is_refused_and_reported(void **state)
{
	struct place *p = *state;
	struct build_id other = cet_id;
	const struct files_step *s;
	struct buf text = { 0 };

	other.byte[19] ^= 1;
	p->o.symfs = p->list;
	put_copy(p, "usr/bin/cet", "testdata/elf/cet");
	put_copy(p, "usr/bin/bare", "testdata/elf/program");
	assert_null(found(p, "/usr/bin/cet", &other));
	s = files_trail_refusal(&p->trail);
	assert_non_null(s);
	assert_int_equal(s->verdict, FILES_OTHER_BUILD_ID);
	files_step_put(&text, s, &other);
	assert_string_equal(buf_str(&text) + strlen(p->dir),
		"/usr/bin/cet: not the recorded build-id "
		"(recorded 6d8dd7051d70e03ded8c722a19720bde65d2f656, "
		"there 6d8dd7051d70e03ded8c722a19720bde65d2f657)");
	buf_release(&text);
	assert_null(found(p, "/usr/bin/bare", &other));
	assert_int_equal(last_verdict(p), FILES_NO_BUILD_ID);
}

static void a_file_is_found_next_to_the_recording(void **state)
{
	struct place *p = *state;

	p->o.recording_dir = p->dir;
	put_copy(p, "cet", "testdata/elf/cet");
	assert_string_equal(found(p, "/somewhere/cet", &cet_id), "cet");
	put_copy(p, "somewhere/cet", "testdata/elf/cet");
	assert_string_equal(found(p, "/somewhere/cet", &cet_id), "somewhere/cet");
}

static void build_id_directories_are_searched(void **state)
{
	struct place *p = *state;

	p->o.debug_dirs = p->list;
	assert_null(found(p, "/gone/cet", &cet_id));
	put_copy(p, "gone/cet/6d8dd7051d70e03ded8c722a19720bde65d2f657/elf", "testdata/elf/cet");
	assert_string_equal(found(p, "/gone/cet", &cet_id),
		"gone/cet/6d8dd7051d70e03ded8c722a19720bde65d2f657/elf");
	put_copy(p, CET_LINK, "testdata/elf/cet");
	assert_string_equal(found(p, "/gone/cet", &cet_id), CET_LINK);
	assert_string_equal(found(p, "no path", &cet_id), CET_LINK);
	assert_null(found(p, "no path", NULL));
}

static void the_cache_of_perf_is_searched(void **state)
{
	struct place *p = *state;

	p->o.debug_dirs = p->list;
	put_copy(p, CET_LINK "/elf", "testdata/elf/cet");
	assert_string_equal(found(p, "/gone/cet", &cet_id), CET_LINK "/elf");
}

static void the_home_cache_needs_the_build_id(void **state)
{
	struct place *p = *state;

	p->o.home = p->dir;
	put_copy(p, ".debug/" CET_LINK "/elf", "testdata/elf/cet");
	assert_null(found(p, "/gone/cet", &cet_id));
	p->o.no_system = false;
	assert_string_equal(found(p, "/gone/cet", &cet_id), ".debug/" CET_LINK "/elf");
	assert_null(found(p, "/gone/cet", NULL));
}

static void files_of_this_machine_need_proof(void **state)
{
	struct place *p = *state;
	char *own = realpath("testdata/elf/cet", NULL),
	     *bare = realpath("testdata/elf/program", NULL);

	assert_null(found(p, own, &cet_id));
	p->o.no_system = false;
	assert_string_equal(found(p, own, &cet_id), own);
	assert_null(found(p, bare, NULL));
	assert_int_equal(last_verdict(p), FILES_NOT_PROVED);
	assert_null(found(p, bare, &cet_id));
	p->o.same_machine = true;
	assert_string_equal(found(p, bare, NULL), bare);
	/* Rebuilt since, or the host has but the same name. */
	assert_null(found(p, bare, &cet_id));
	free(own);
	free(bare);
}

static void our_own_vdso_is_used_where_proved(void **state)
{
	struct place *p = *state;
	struct module m = module_at(p, "[vdso]", &cet_id);
	struct elf_file *ef;

	m.kind = MODULE_VDSO;
	p->o.no_system = false;
	p->f = files_new(&p->o, p->strings);
	assert_null(files_open_runtime(p->f, &m, &p->trail));
	assert_null(files_trail_refusal(&p->trail));
	m.build_id.n = 0;
	assert_null(files_open_runtime(p->f, &m, &p->trail));
	files_free(p->f);
	p->o.same_machine = true;
	p->f = files_new(&p->o, p->strings);
	ef = files_open_runtime(p->f, &m, &p->trail);
	if (!ef)
		skip(); /* a machine without one */
	assert_true(elf_file_section_size(ef, SHT_DYNSYM) > 0);
	elf_file_close(ef);
}

static const char *found_vdso(struct place *p, const struct build_id *id)
{
	struct module m = module_at(p, "[vdso]", id);

	m.kind = MODULE_VDSO;
	return found_as(p, &m);
}

#define CET_HEX "6d8dd7051d70e03ded8c722a19720bde65d2f657"

static void a_vdso_is_found_in_caches_by_its_build_id(void **state)
{
	static const char *const places[] = { CET_LINK "/vdso", "[vdso]/" CET_HEX "/vdso" };
	struct place *p = *state;
	size_t i;

	p->o.debug_dirs = p->list;
	assert_null(found_vdso(p, &cet_id));
	for (i = 0; i < ARRAY_LEN(places); i++) {
		char *path = path_in(p, places[i]);

		put_copy(p, places[i], "testdata/elf/cet");
		assert_string_equal(found_vdso(p, &cet_id), places[i]);
		assert_int_equal(unlink(path), 0);
		free(path);
	}
	p->o.debug_dirs = NULL;
	p->o.home = p->dir;
	p->o.no_system = false;
	put_copy(p, ".debug/[vdso]/" CET_HEX "/vdso", "testdata/elf/cet");
	assert_string_equal(found_vdso(p, &cet_id), ".debug/[vdso]/" CET_HEX "/vdso");
}

static void the_vdso_of_another_kernel_is_refused(void **state)
{
	static const struct build_id other_id = { 20, { 1, 2, 3 } };
	struct place *p = *state;

	/* Beside the recording, and this machine's own, which runs another kernel by now. */
	p->o.symfs = p->list;
	p->o.no_system = false;
	p->o.same_machine = true;
	put_copy(p, "vdso.so", "testdata/elf/cet");
	assert_string_equal(found_vdso(p, &cet_id), "vdso.so");
	assert_null(found_vdso(p, &other_id));
	assert_int_equal(last_verdict(p), FILES_OTHER_BUILD_ID);
}

static void a_deleted_file_needs_the_build_id(void **state)
{
	struct place *p = *state;

	p->o.symfs = p->list;
	put_copy(p, "usr/bin/cet", "testdata/elf/cet");
	assert_null(found(p, "/usr/bin/cet (deleted)", NULL));
	assert_string_equal(found(p, "/usr/bin/cet (deleted)", &cet_id), "usr/bin/cet");
}

static void only_regular_files_are_opened(void **state)
{
	struct place *p = *state;
	char *fifo = path_in(p, "dev/fifo"), *dir = path_in(p, "dev/dir");

	p->o.symfs = p->list;
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(mkdir(dir, 0700), 0);
	put_text(p, "text", "#!/bin/sh\n");
	put_text(p, "empty", "");
	assert_null(found(p, "/dev/fifo", NULL));
	assert_int_equal(last_verdict(p), FILES_NOT_REGULAR);
	assert_null(found(p, "/dev/dir", NULL));
	assert_int_equal(last_verdict(p), FILES_NOT_REGULAR);
	assert_null(found(p, "/text", NULL));
	assert_int_equal(last_verdict(p), FILES_NOT_ELF);
	assert_null(found(p, "/empty", NULL));
	assert_int_equal(last_verdict(p), FILES_NOT_ELF);
	free(fifo);
	free(dir);
}

static const char *debug_of(struct place *p, const char *recorded, const struct build_id *id)
{
	static char path[256];
	struct module m = module_at(p, recorded, id);
	struct elf_file *runtime, *debug;

	files_trail_release(&p->trail);
	files_free(p->f);
	p->f = files_new(&p->o, p->strings);
	runtime = files_open_runtime(p->f, &m, &p->trail);
	assert_non_null(runtime);
	debug = files_open_debug(p->f, &m, runtime, &p->trail);
	elf_file_close(runtime);
	if (!debug)
		return NULL;
	snprintf(path, sizeof(path), "%s", debug->path + strlen(p->dir) + 1);
	elf_file_close(debug);
	return path;
}

/* Mapped by drivers; the directory at that path is not reported. */
static void a_path_that_ends_in_a_slash_is_no_file(void **state)
{
	struct place *p = *state;

	p->o.symfs = p->list;
	p->o.recording_dir = p->dir;
	assert_null(found(p, "/", NULL));
	assert_int_equal(p->trail.n, 0);
	assert_null(found(p, "/dev/", NULL));
	assert_int_equal(p->trail.n, 0);
}

static void a_debuglink_is_followed(void **state)
{
	struct place *p = *state;

	p->o.symfs = p->list;
	put_copy(p, "bin/program", "testdata/elf/program");
	assert_null(debug_of(p, "/bin/program", NULL));
	put_copy(p, "usr/lib/debug/bin/program.debug", "testdata/elf/program.debug");
	assert_string_equal(debug_of(p, "/bin/program", NULL), "usr/lib/debug/bin/program.debug");
	put_copy(p, "bin/.debug/program.debug", "testdata/elf/program.debug");
	assert_string_equal(debug_of(p, "/bin/program", NULL), "bin/.debug/program.debug");
}

static void a_debuglink_with_another_content_is_refused(void **state)
{
	struct place *p = *state;

	p->o.symfs = p->list;
	put_copy(p, "bin/program", "testdata/elf/program");
	put_copy(p, "bin/program.debug", "testdata/elf/cet");
	assert_null(debug_of(p, "/bin/program", NULL));
	assert_int_equal(files_trail_refusal(&p->trail)->verdict, FILES_OTHER_CRC);
}

/* perf buildid-cache --add keeps programs as they were before they were stripped. */
static void an_unstripped_program_serves_as_its_debug_file(void **state)
{
	struct place *p = *state;

	p->o.symfs = p->list;
	p->o.debug_dirs = p->list;
	put_copy(p, "bin/cet", "testdata/elf/cet");
	assert_null(debug_of(p, "/bin/cet", &cet_id)); /* itself is no other */
	put_copy(p, CET_LINK "/elf", "testdata/elf/cet");
	assert_string_equal(debug_of(p, "/bin/cet", &cet_id), CET_LINK "/elf");
}

static void debugdata_is_decompressed(void **state)
{
	enum files_verdict why;
	struct elf_file *ef = elf_file_open("testdata/elf/debugdata", &why), *inner;

	(void)state;
	assert_non_null(ef);
	inner = files_open_debugdata(ef);
	assert_non_null(inner);
	assert_true(elf_file_section_size(inner, SHT_SYMTAB) > 0);
	elf_file_close(inner);
	elf_file_close(ef);
	ef = elf_file_open("testdata/elf/cet", &why);
	assert_null(files_open_debugdata(ef));
	elf_file_close(ef);
}

static bool kallsyms(struct place *p, char *text, size_t size)
{
	struct module kernel = { .kind = MODULE_KERNEL };
	struct files_kallsyms list = { 0 };
	bool ok;

	files_trail_release(&p->trail);
	files_free(p->f);
	p->f = files_new(&p->o, p->strings);
	ok = files_read_kallsyms(p->f, &kernel, &list, &p->trail);
	snprintf(text, size, "%.*s", SPAN_ARG(ok ? list.text : SPAN("")));
	buf_release(&list.own);
	return ok;
}

/* No file can be opened the second time. */
static void own_kallsyms_are_read_once_for_many_recordings(void **state)
{
	struct files_kallsyms_cache *kept = files_kallsyms_cache_new();
	struct files_opts o = { .same_machine = true, .kallsyms_cache = kept };
	struct module kernel = { .kind = MODULE_KERNEL };
	struct files_kallsyms first = { 0 }, second = { 0 };
	struct files_trail trail = { 0 };
	struct strtab *strings = strtab_new();
	struct files *f = files_new(&o, strings);
	struct rlimit old;
	bool there, again;

	(void)state;
	there = files_read_kallsyms(f, &kernel, &first, &trail);
	getrlimit(RLIMIT_NOFILE, &old);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 0, old.rlim_max });
	again = files_read_kallsyms(f, &kernel, &second, &trail);
	setrlimit(RLIMIT_NOFILE, &old);
	if (there) {
		assert_true(again);
		assert_ptr_equal(first.text.p, second.text.p);
		assert_true(first.text.n && first.text.n == second.text.n);
	}
	buf_release(&first.own);
	buf_release(&second.own);
	files_trail_release(&trail);
	files_free(f);
	files_kallsyms_cache_free(kept);
	strtab_free(strings);
	if (!there)
		skip();
}

static void kallsyms_is_next_to_the_recording_or_named(void **state)
{
	struct place *p = *state;
	char *named = path_in(p, "named");
	char text[64];

	p->o.recording_dir = p->dir;
	assert_false(kallsyms(p, text, sizeof(text)));
	put_text(p, "kallsyms", "0000 T zero\n1000 T beside\n");
	assert_true(kallsyms(p, text, sizeof(text)));
	assert_string_equal(text, "0000 T zero\n1000 T beside\n");
	put_text(p, "named", "1000 T named\n");
	p->o.kallsyms = named;
	assert_true(kallsyms(p, text, sizeof(text)));
	assert_string_equal(text, "1000 T named\n");
	put_text(p, "named", "0000000000000000 T hidden\n0000000000000000 T also\n");
	assert_false(kallsyms(p, text, sizeof(text)));
	assert_int_equal(last_verdict(p), FILES_HIDDEN);
	assert_int_equal(unlink(named), 0);
	assert_true(kallsyms(p, text, sizeof(text)));
	assert_string_equal(text, "0000 T zero\n1000 T beside\n");
	free(named);
}

static void a_build_id_is_read_from_notes(void **state)
{
	/* A note of another name first; then { 4, 2, NT_GNU_BUILD_ID } "GNU" aa bb. */
	static const char notes[] = "\4\0\0\0\3\0\0\0\3\0\0\0Xen\0"
				    "123\0"
				    "\4\0\0\0\2\0\0\0\3\0\0\0GNU\0\xaa\xbb\0\0";
	struct build_id id = { 0 };
	size_t n;

	(void)state;
	assert_true(files_notes_build_id((struct span){ notes, sizeof(notes) - 1 }, &id));
	assert_int_equal(id.n, 2);
	assert_int_equal(id.byte[1], 0xbb);
	for (n = 0; n < sizeof(notes) - 3; n++)
		assert_false(files_notes_build_id((struct span){ notes, n }, &id));
	assert_false(
		files_notes_build_id(SPAN("\xff\xff\xff\xff\xff\xff\xff\xff\3\0\0\0GNU\0"), &id));
}

static void assert_map(struct place *p, int32_t pid, const char *relative)
{
	struct files_map_place place;

	files_free(p->f);
	p->f = files_new(&p->o, p->strings);
	place = files_find_perf_map(p->f, pid, 0, &p->trail);
	if (relative) {
		assert_non_null(place.file.path);
		assert_string_equal(place.file.path + strlen(p->dir) + 1, relative);
	} else {
		assert_null(place.file.path);
	}
	file_close(&place.file);
}

static void perf_maps_are_searched_in_order(void **state)
{
	struct place *p = *state;
	char *any = path_in(p, "any.map"), *one = path_in(p, "one.map"), *maps = path_in(p, "maps");
	struct files_perf_map named[] = { { -1, any }, { 7, one } };

	assert_map(p, 7, NULL);
	put_text(p, "perf-7.map", "");
	p->o.recording_dir = p->dir;
	assert_map(p, 7, "perf-7.map");
	assert_map(p, 8, NULL);
	put_text(p, "maps/perf-7.map", "");
	p->o.map_dir = maps;
	assert_map(p, 7, "maps/perf-7.map");
	put_text(p, "any.map", "");
	put_text(p, "one.map", "");
	p->o.perf_maps = named;
	p->o.n_perf_maps = 2;
	assert_map(p, 7, "one.map");
	assert_map(p, 8, "any.map");
	free(any);
	free(one);
	free(maps);
}

static void files_of_a_container_are_below_its_root(void **state)
{
	struct place *p = *state;
	struct files_perf_map container = { 42, p->dir };
	struct module m = module_at(p, "/usr/bin/cet", NULL);
	struct elf_file *ef;

	p->o.containers = &container;
	p->o.n_containers = 1;
	put_copy(p, "usr/bin/cet", "testdata/elf/cet");
	assert_null(found(p, "/usr/bin/cet", &cet_id)); /* of a process outside */
	m.owner_pid = 42;
	ef = files_open_runtime(p->f, &m, NULL);
	assert_non_null(ef);
	elf_file_close(ef);
	assert_string_equal(files_container(&p->o, 42), p->dir);
	assert_null(files_container(&p->o, 43));
}

static void a_file_of_a_container_is_not_this_machines(void **state)
{
	struct place *p = *state;
	char *path = realpath("testdata/elf/cet", NULL);
	struct module m = module_at(p, path, NULL);
	struct elf_file *ef;

	p->o.no_system = false;
	p->o.same_machine = true;
	assert_string_equal(found(p, path, NULL), path);
	m.owner_pid = 42;
	ef = files_open_runtime(p->f, &m, NULL);
	assert_null(ef);
	free(path);
}

static void a_map_of_a_container_is_in_its_tmp(void **state)
{
	struct place *p = *state;
	struct files_perf_map container = { 42, p->dir };
	struct files_map_place place;

	p->o.containers = &container;
	p->o.n_containers = 1;
	put_text(p, "tmp/perf-42.map", "1000 10 f\n");
	p->f = files_new(&p->o, p->strings);
	place = files_find_perf_map(p->f, 42, 0, &p->trail);
	assert_non_null(place.file.path);
	assert_string_equal(place.why, "--container");
	file_close(&place.file);
}

static void the_newest_kallsyms_of_the_kcore_cache_is_used(void **state)
{
	struct place *p = *state;
	struct module kernel = { .kind = MODULE_KERNEL, .build_id = { 2, { 0xab, 0xcd } } };
	struct files_kallsyms text = { 0 };

	p->o.debug_dirs = p->list;
	put_text(p, "[kernel.kcore]/abcd/2024010203040506/kallsyms", "ffffffff81000000 T old\n");
	put_text(p, "[kernel.kcore]/abcd/2025010203040506/kallsyms", "ffffffff81000000 T new\n");
	p->f = files_new(&p->o, p->strings);
	assert_true(files_read_kallsyms(p->f, &kernel, &text, &p->trail));
	assert_true(span_eq(text.text, SPAN("ffffffff81000000 T new\n")));
	buf_release(&text.own);
}

static void the_cache_of_debuginfod_is_used_without_it(void **state)
{
	struct place *p = *state;

	p->o.debug_dirs = p->list;
	put_copy(p, "6d8dd7051d70e03ded8c722a19720bde65d2f657/executable", "testdata/elf/cet");
	assert_string_equal(found(p, "/usr/bin/cet", &cet_id),
		"6d8dd7051d70e03ded8c722a19720bde65d2f657/executable");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_directory_without_directories_is_searched_by_build_id),
		TEST(the_build_id_directory_itself_may_be_named),
		TEST(a_file_is_found_below_symfs),
		TEST(a_path_is_reported_once),
		TEST(another_build_id_is_refused_and_reported),
		TEST(a_file_is_found_next_to_the_recording),
		TEST(build_id_directories_are_searched),
		TEST(the_cache_of_perf_is_searched),
		TEST(the_home_cache_needs_the_build_id),
		TEST(files_of_this_machine_need_proof),
		TEST(our_own_vdso_is_used_where_proved),
		TEST(a_vdso_is_found_in_caches_by_its_build_id),
		TEST(the_vdso_of_another_kernel_is_refused),
		TEST(a_deleted_file_needs_the_build_id),
		TEST(only_regular_files_are_opened),
		TEST(a_path_that_ends_in_a_slash_is_no_file),
		TEST(a_debuglink_is_followed),
		TEST(a_debuglink_with_another_content_is_refused),
		TEST(an_unstripped_program_serves_as_its_debug_file),
		TEST(debugdata_is_decompressed),
		TEST(own_kallsyms_are_read_once_for_many_recordings),
		TEST(kallsyms_is_next_to_the_recording_or_named),
		TEST(a_build_id_is_read_from_notes),
		TEST(perf_maps_are_searched_in_order),
		TEST(files_of_a_container_are_below_its_root),
		TEST(a_file_of_a_container_is_not_this_machines),
		TEST(a_map_of_a_container_is_in_its_tmp),
		TEST(the_newest_kallsyms_of_the_kcore_cache_is_used),
		TEST(the_cache_of_debuginfod_is_used_without_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
