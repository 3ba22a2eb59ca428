#include "process/addresses/addresses.h"

#include "base/tmpdir_for_test.h"
#include "process/addresses/proc_maps.h"

/* Options with what a test names. */
struct bed {
	struct files_opts files;
	struct files_perf_map maps[4];
	struct addresses_opts o;
	struct addresses *addresses;
	struct buf name;
	struct err e;
};

static struct bed bed(void)
{
	return (struct bed){ .files = { .no_system = true }, .o = { .pid = -1 } };
}

static int open_bed(struct bed *b)
{
	b->files.perf_maps = b->maps;
	b->o.files = &b->files;
	return addresses_new(&b->addresses, &b->o, &b->e);
}

static void add_map(struct bed *b, void **state, int32_t pid, const char *name, const char *text)
{
	char *path = tmpdir_path(state, name);

	tmpdir_write(path, span_of(text));
	b->maps[b->files.n_perf_maps++] = (struct files_perf_map){ pid, path };
}

static void release(struct bed *b)
{
	while (b->files.n_perf_maps)
		free((char *)b->maps[--b->files.n_perf_maps].path);
	addresses_free(b->addresses);
	buf_release(&b->name);
}

static void assert_name(
	struct bed *b, struct text_address at, enum text_answer answer, const char *name)
{
	b->name.n = 0;
	assert_int_equal(addresses_name(b->addresses, &at, &b->name), answer);
	assert_string_equal(buf_str(&b->name), name);
}

static struct text_address plain(uint64_t address)
{
	return (struct text_address){ .address = address, .pid = -1 };
}

/* ---- maps --------------------------------------------------------------------------------- */

static void sizes_are_respected(void **state)
{
	struct bed b = bed();

	add_map(&b, state, -1, "a.map", "10000 10 one\n10020 10 two\n");
	assert_int_equal(open_bed(&b), OK);
	assert_name(&b, plain(0x10000), TEXT_NAMED, "one");
	assert_name(&b, plain(0x1000f), TEXT_NAMED, "one");
	assert_name(&b, plain(0x10010), TEXT_UNKNOWN, "");
	assert_name(&b, plain(0x10020), TEXT_NAMED, "two");
	release(&b);
}

static void a_return_address_belongs_to_what_ends_before_it(void **state)
{
	struct text_address at = { .pid = -1, .is_return = true };
	struct bed b = bed();

	add_map(&b, state, -1, "a.map", "10000 10 one\n10010 10 two\n10030 10 three\n");
	assert_int_equal(open_bed(&b), OK);
	at.address = 0x10010;
	assert_name(&b, at, TEXT_NAMED, "one");
	at.address = 0x10030; /* nothing ends there: then it is no return address */
	assert_name(&b, at, TEXT_NAMED, "three");
	at.address = 0;
	assert_name(&b, at, TEXT_UNKNOWN, "");
	release(&b);
}

static void contradicting_maps_name_nothing(void **state)
{
	struct bed b = bed();

	add_map(&b, state, -1, "a.map", "10000 10 one\n20000 10 JS:~f /a.js:1:1\n30000 10 only\n");
	add_map(&b, state, -1, "b.map", "10000 10 two\n20000 10 JS:*f /a.js:1:1\n");
	assert_int_equal(open_bed(&b), OK);
	assert_name(&b, plain(0x10000), TEXT_AMBIGUOUS, "");
	assert_name(&b, plain(0x20000), TEXT_NAMED, "JS:~f /a.js:1:1");
	assert_name(&b, plain(0x30000), TEXT_NAMED, "only");
	release(&b);
}

static void a_process_has_its_own_map(void **state)
{
	struct text_address at = plain(0x10000);
	struct bed b = bed();

	add_map(&b, state, 7, "a.map", "10000 10 one\n");
	add_map(&b, state, 8, "b.map", "10000 10 two\n");
	assert_int_equal(open_bed(&b), OK);
	assert_name(&b, at, TEXT_AMBIGUOUS, "");
	at.pid = 8;
	assert_name(&b, at, TEXT_NAMED, "two");
	at.pid = 9;
	assert_name(&b, at, TEXT_UNKNOWN, "");
	addresses_free(b.addresses);
	b.o.pid = 7;
	assert_int_equal(open_bed(&b), OK);
	assert_name(&b, plain(0x10000), TEXT_NAMED, "one");
	release(&b);
}

static void all_maps_of_a_directory_or_of_a_process_are_read(void **state)
{
	struct bed b = bed();

	add_map(&b, state, -1, "perf-7.map", "10000 10 one\n");
	add_map(&b, state, -1, "perf-8.map", "10000 10 two\n20000 10 three\n");
	b.files.map_dir = *state;
	b.files.n_perf_maps = 0;
	assert_int_equal(open_bed(&b), OK);
	assert_name(&b, plain(0x10000), TEXT_AMBIGUOUS, "");
	assert_name(&b, plain(0x20000), TEXT_NAMED, "three");
	addresses_free(b.addresses);
	b.o.pid = 7;
	assert_int_equal(open_bed(&b), OK);
	assert_name(&b, plain(0x10000), TEXT_NAMED, "one");
	assert_name(&b, plain(0x20000), TEXT_UNKNOWN, "");
	b.files.n_perf_maps = 2;
	release(&b);
}

static void code_placed_over_other_code_is_marked(void **state)
{
	struct bed b = bed();

	add_map(&b, state, -1, "a.map", "10000 20 one\n10010 10 two\n");
	assert_int_equal(open_bed(&b), OK);
	assert_name(&b, plain(0x10000), TEXT_NAMED, "one");
	assert_name(&b, plain(0x10010), TEXT_NAMED_LAST, "two");
	release(&b);
}

static void a_name_cannot_command_a_terminal(void **state)
{
	struct bed b = bed();

	add_map(&b, state, -1, "a.map", "10000 20 a\033[31m\n");
	assert_int_equal(open_bed(&b), OK);
	assert_name(&b, plain(0x10000), TEXT_NAMED, "a\\x1b[31m");
	release(&b);
}

static void unreadable_files_are_errors(void **state)
{
	struct files_perf_map missing = { -1, "/nowhere/maps" };
	struct bed b = bed();

	assert_int_equal(open_bed(&b), ERR_USAGE);
	b.o.proc_maps = &missing;
	b.o.n_proc_maps = 1;
	assert_int_equal(open_bed(&b), ERR_IO);
	assert_non_null(strstr(b.e.msg, "/nowhere/maps"));
	b = bed();
	b.files.kallsyms = "/nowhere/kallsyms";
	assert_int_equal(open_bed(&b), ERR_IO);
	b = bed();
	add_map(&b, state, -1, "perf.data", "no map\n");
	assert_int_equal(open_bed(&b), OK);
	assert_true(addresses_diag(b.addresses)->count[DIAG_BAD_MAP_LINE]);
	release(&b);
}

/* ---- files -------------------------------------------------------------------------------- */

/* testdata/elf/cet was mapped at 0x7f0000000000. */
#define CET_MAIN UINT64_C(0x7f0000000426)

static const char cet_maps[] =
	"7f0000000000-7f0000001000 r-xp 00000000 fe:00 11625599                   /elf/cet\n"
	"7f0000001000-7f0000002000 rw-p 00000000 00:00 0\n"
	"Size:                  4 kB\n"
	"7f0000010000-7f0000011000 r-xp 00000000 fe:00 11625600                   /elf/none\n"
	"7ffc3644a000-7ffc3646b000 rw-p 00000000 00:00 0                          [stack]\n";

static struct bed bed_with_files(
	void **state, struct files_perf_map *file, const char *const *symfs)
{
	struct bed b = bed();
	char *path = tmpdir_path(state, "maps");

	tmpdir_write(path, span_of(cet_maps));
	*file = (struct files_perf_map){ -1, path };
	b.o.proc_maps = file;
	b.o.n_proc_maps = 1;
	b.files.symfs = symfs;
	return b;
}

static const char *const testdata[] = { "testdata", NULL };

static void code_of_a_mapped_file_has_its_symbol(void **state)
{
	struct files_perf_map file;
	struct bed b = bed_with_files(state, &file, testdata);

	/* The map has an address of the file, too: the symbol wins. */
	add_map(&b, state, -1, "a.map", "7f0000000000 1000 from_map\n7f0000010000 1 in_missing\n");
	assert_int_equal(open_bed(&b), OK);
	assert_name(&b, plain(CET_MAIN), TEXT_NAMED, "main");
	assert_name(&b, plain(0x7f0000000500), TEXT_NAMED, "from_map");
	assert_name(&b, plain(0x7f0000010000), TEXT_NAMED, "in_missing");
	assert_name(&b, plain(0x7f0000010001), TEXT_UNNAMED, "");
	assert_name(&b, plain(0x7f0000001000), TEXT_UNKNOWN, "");
	free((char *)file.path);
	release(&b);
}

/* perf script prints offsets in files where others print addresses. */
static void a_frame_of_a_file_is_looked_up_in_that_file_only(void **state)
{
	struct text_address at = plain(CET_MAIN);
	struct files_perf_map file;
	struct bed b = bed_with_files(state, &file, testdata);

	add_map(&b, state, -1, "a.map", "20000 10 generated\n");
	assert_int_equal(open_bed(&b), OK);
	at.file = SPAN("/usr/bin/cet");
	assert_name(&b, at, TEXT_NAMED, "main");
	at.file = SPAN("/usr/bin/other");
	assert_name(&b, at, TEXT_UNKNOWN, "");
	at.file = SPAN("/usr/bin/cet");
	at.address = 0x20000;
	assert_name(&b, at, TEXT_UNKNOWN, "");
	free((char *)file.path);
	release(&b);
}

/* ---- /proc/PID/maps ----------------------------------------------------------------------- */

struct parsed {
	struct strtab *strings;
	struct frames *frames;
	struct recording *r;
	struct proc_maps maps;
	struct err e;
};

static int parse(struct parsed *p, const char *text)
{
	*p = (struct parsed){ .strings = strtab_new() };
	p->frames = frames_new(p->strings);
	p->r = recording_new("", p->strings, p->frames);
	return proc_maps_parse(&p->maps, span_of(text), p->r, 0, true, &p->e);
}

static void release_parsed(struct parsed *p)
{
	proc_maps_release(&p->maps);
	recording_free(p->r);
	frames_free(p->frames);
	strtab_free(p->strings);
}

static void mappings_are_found_in_any_order(void **state)
{
	struct parsed p;

	(void)state;
	assert_int_equal(parse(&p, "30000-40000 r-xp 00001000 00:00 0 /b (deleted)\r\n"
				   "10000-20000 r-xp 00000000 00:00 0 /a file\n"
				   "20000-30000 r-xp 00000000 00:00 0 [vdso]\n"),
		OK);
	assert_int_equal(p.maps.n, 3);
	assert_null(proc_maps_find(&p.maps, 0xffff));
	assert_int_equal(proc_maps_find(&p.maps, 0x1ffff)->start, 0x10000);
	assert_int_equal(proc_maps_find(&p.maps, 0x20000)->start, 0x20000);
	assert_int_equal(proc_maps_find(&p.maps, 0x3ffff)->offset, 0x1000);
	assert_null(proc_maps_find(&p.maps, 0x40000));
	assert_true(proc_maps_may_be_offset(&p.maps, p.maps.at[2].module, 0x1000));
	assert_false(proc_maps_may_be_offset(&p.maps, p.maps.at[2].module, 0xfff));
	release_parsed(&p);
}

static void malformed_lines_are_skipped(void **state)
{
	static const char *const bad[] = { "", "\n\n", "10000 20000 r-xp 0 0:0 0 /a",
		"20000-10000 r-xp 0 0:0 0 /a", "10000-10000 r-xp 0 0:0 0 /a",
		"10000000000000000-20000000000000000 r-xp 0 0:0 0 /a", "10000-20000 r-x",
		"10000-20000 rwx? 0 0:0 0 /a", "10000-20000 r-xp 0 0 0 /a",
		"10000-20000 r-xp 0 0:0 x /a" };
	struct parsed p;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		assert_int_equal(parse(&p, bad[i]), ERR_FORMAT);
		release_parsed(&p);
	}
}

/* This very process: its file has a device and an inode that prove it. */
static void a_file_of_this_machine_gets_its_build_id(void **state)
{
	struct buf text = { 0 };
	struct parsed p;
	uint32_t i, with_id = 0;

	(void)state;
	assert_int_equal(file_read_all("/proc/self/maps", 1 << 24, &text, &p.e), OK);
	assert_int_equal(parse(&p, buf_str(&text)), OK);
	for (i = 0; i < p.maps.n; i++)
		with_id += modules_get(p.r->modules, p.maps.at[i].module)->build_id.n > 0;
	release_parsed(&p);
	buf_release(&text);
	if (!with_id)
		skip(); /* the file system's device numbers are not those of stat(), as on btrfs */
	assert_true(with_id > 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(t) cmocka_unit_test_setup_teardown(t, tmpdir_setup, tmpdir_teardown)
		TEST(sizes_are_respected),
		TEST(a_return_address_belongs_to_what_ends_before_it),
		TEST(contradicting_maps_name_nothing),
		TEST(a_process_has_its_own_map),
		TEST(all_maps_of_a_directory_or_of_a_process_are_read),
		TEST(code_placed_over_other_code_is_marked),
		TEST(a_name_cannot_command_a_terminal),
		TEST(unreadable_files_are_errors),
		TEST(code_of_a_mapped_file_has_its_symbol),
		TEST(a_frame_of_a_file_is_looked_up_in_that_file_only),
		TEST(mappings_are_found_in_any_order),
		TEST(malformed_lines_are_skipped),
		TEST(a_file_of_this_machine_gets_its_build_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
