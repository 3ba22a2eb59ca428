/*
 * Names that were chosen to do harm, in every kind of field, in every output of every command
 *
 * A name is that of the event, the thread, the file, the function, the host, the cgroup, the value
 * of a tracepoint's field, and it is in the command line, all at once. Then every command writes
 * everything that it can write. What is for people must not have a byte in it that moves a cursor,
 * begins a line or ends an element.
 *
 * Folded stacks, and other formats of text, are data: a line of theirs may begin with "::".
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"
#include "trace/trace_format_for_test.h"

#include "base/utf8.h"
#include "base/file.h"
#include "cli/cli.h"

#include <fcntl.h>

enum { PID = 7, CODE = 0x1000, KERNEL_CODE = 0x70000000, FIELD_BYTES = 64 };

static const char *const names[] = {
	"plain",
	/* terminals */
	"\033[31mred",
	"\033]0;title\007",
	"\033]8;;http://a/\033\\link",
	"\033[2J\033[H",
	"\033P1$r\033\\",
	"\033c",
	"\x9b"
	"31m",
	"\xc2\x9b"
	"31m",
	"a\rb",
	"a\r\nb",
	"a\bb",
	"a\tb",
	"a\vb\fc",
	"\x7f",
	"\007",
	"\016\017",
	"\x1a",
	/* logs of CI services */
	"\n::error::x",
	"::error::x",
	" ::add-mask::x",
	"\n::stop-commands::x",
	"##[error]x",
	"##vso[task.x]y",
	"\n##teamcity[x]",
	"section_start:1:x\r\033[0K",
	"%0A::error::x",
	/* markup */
	"<script>alert(1)</script>",
	"</script><script>alert(1)</script>",
	"]]><script>alert(1)</script>",
	"\"><script>alert(1)</script>",
	"'><svg onload=alert(1)>",
	"--><script>alert(1)</script>",
	"<!--<script>",
	"&lt;script&gt;",
	"</title></svg>",
	"`x` ``y``",
	"[a](javascript:alert(1))",
	"| a | b |",
	/* order of characters */
	"\xe2\x80\xae"
	"gnp",
	"\xe2\x81\xa6x\xe2\x81\xa9",
	"\xd8\x9cx",
	"\xe2\x80\xa8x",
	"\xe2\x80\xa9x",
	/* no text */
	"\xff\xfe",
	"\xc0\xaf",
	"\xed\xa0\x80",
	"\xf8\x88\x80\x80\x80",
	"a\xe2\x82",
	/* formats, spreadsheets, shells */
	"%s%n%p%1000000d",
	"%",
	"=1+1",
	"+A1",
	"@SUM(A1)",
	"=cmd|' /C calc'!A0",
	"\\\"",
	"\\u0000",
	"{}",
	"$(x)",
	"../../x",
	"-rf",
	";",
	"a;b 1",
	" ",
	"#",
};

/* ---- the recording ------------------------------------------------------------------------ */

static void put_ksymbol(struct recording_writer *w, const char *name)
{
	size_t at = writer_begin(w, RECORD_KSYMBOL, 0);

	put_u64(w, KERNEL_CODE);
	put_u32(w, 0x100);
	put_u16(w, 1), put_u16(w, 0);
	put_string(w, name);
	put_trailer(w, 0, 0, 0);
	writer_end(w, at);
}

static void put_cgroup(struct recording_writer *w, const char *name)
{
	size_t at = writer_begin(w, RECORD_CGROUP, 0);

	put_u64(w, 1);
	put_string(w, name);
	put_trailer(w, 0, 0, 0);
	writer_end(w, at);
}

static void put_traced(struct recording_writer *w, uint64_t time_ns, uint64_t ip, const char *name)
{
	char field[FIELD_BYTES] = "";
	size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);

	snprintf(field, sizeof(field), "%s", name);
	put_sample_front(w, &(struct test_sample){ PID, PID, 0, time_ns, 1, ip, 0, 4,
				    { KERNEL, KERNEL_CODE + 0x10, USER, ip } });
	put_u32(w, 4 + FIELD_BYTES);
	put_u32(w, 0);
	buf_put(&w->data, field, sizeof(field));
	put_u64(w, 1); /* cgroup */
	writer_end(w, at);
}

static void put_features(struct recording_writer *w, const char *name)
{
	static const char format[] = "name: what\nID: 372\nformat:\n"
				     "\tfield:int x;\toffset:0;\tsize:4;\tsigned:1;\n"
				     "\tfield:char path[64];\toffset:4;\tsize:64;\tsigned:1;\n"
				     "\nprint fmt: \"\"\n";
	struct buf b = { 0 };

	section_begin(&b, false, 1);
	section_add(&b, false, "any", format, sizeof(format) - 1);
	writer_feature(w, FEATURE_TRACING_DATA, b.p, b.n);
	writer_feature_string(w, FEATURE_HOSTNAME, name);
	writer_feature_string(w, FEATURE_OSRELEASE, name);
	writer_feature_string(w, FEATURE_CPUDESC, name);
	b.n = 0;
	buf_u32(&b, false, 2);
	buf_section_string(&b, false, "perf");
	buf_section_string(&b, false, name);
	writer_feature(w, FEATURE_CMDLINE, b.p, b.n);
	buf_release(&b);
	put_event_name(w, 2, 372, name);
}

static void write_recording(const char *path, const char *name)
{
	struct recording_writer w = WRITER_INIT;
	char *file = xasprintf("/bin/%s", name);
	unsigned i;

	writer_attr(&w,
		&(struct test_attr){ .type = 2,
			.config = 372,
			.sample_type = with_raw | SAMPLE_CGROUP,
			.flags = TRAILER },
		NULL, 0);
	put_name(&w, PID, PID, 0, name);
	put_mmap(&w, PID, 0, CODE, 0x1000, file);
	put_ksymbol(&w, name);
	put_cgroup(&w, name);
	for (i = 0; i < 30; i++)
		put_traced(&w, 100 + i * 1000, CODE + 0x10 * (i % 3), name);
	put_features(&w, name);
	writer_finish(&w);
	tmpdir_write(path, buf_span(&w.file));
	writer_release(&w);
	free(file);
}

/* A list of inputs for merge, of which one is not there. */
static void write_list(const char *path, const char *name)
{
	char *text = xasprintf("a.data\n%s\n", name);

	tmpdir_write(path, span_of(text));
	free(text);
}

/* ---- commands ----------------------------------------------------------------------------- */

static void redirect(const char *path, int to)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(dup2(fd, to), to);
	close(fd);
}

/* A word of a command line; NAME at its end is the name. */
static char *make_word(const char *word, const char *name)
{
	struct span s = span_of(word);

	if (!span_ends(s, SPAN("NAME")))
		return xstrdup(word);
	return xasprintf("%.*s%s", (int)(s.n - 4), word, name);
}

/* Runs a command line, with its outputs in the files out and err. */
static int run(const char *line, const char *name)
{
	char *text = xstrdup(line), *argv[40] = { (char *)"perfold" }, *save, *word;
	int argc = 1, rc, shift, status = 0, out = dup(1), error = dup(2);
	const struct command *c;
	struct err e = { 0 };

	for (word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
		argv[argc++] = make_word(word, name);
	argv[argc++] = xstrdup("--sandbox=off"); /* this process goes on */
	fflush(stdout);
	redirect("out", 1);
	redirect("err", 2);
	c = commands_find(argc, argv);
	shift = c->name ? 1 : 0;
	rc = c->run(argc - shift, argv + shift, &status, &e);
	if (rc)
		message("%s", e.msg);
	fflush(stdout);
	fflush(stderr);
	dup2(out, 1);
	dup2(error, 2);
	close(out);
	close(error);
	while (argc > 1)
		free(argv[--argc]);
	free(text);
	return rc;
}

static void read_file(const char *path, struct buf *b)
{
	struct err e;

	b->n = 0;
	if (file_read_all(path, 64 << 20, b, &e))
		fail_msg("%s", e.msg);
}

/* ---- what must not be in it --------------------------------------------------------------- */

enum kind { LINES = 1, DATA = 2, MARKUP = 4, REFUSED = 8 };

static void check_bytes(struct span s, const char *what, const char *name)
{
	struct buf shown = { 0 };
	struct span line;

	while (span_next_line(&s, &line)) {
		shown.n = 0;
		utf8_put_terminal(&shown, line);
		if (!span_eq(line, buf_span(&shown)))
			fail_msg("%s of %s: %.*s", what, name, SPAN_ARG(buf_span(&shown)));
	}
	buf_release(&shown);
}

/* Formats of data keep what does not end a line; a tab indents. */
static void check_controls(struct span s, const char *what, const char *name)
{
	for (; s.n; s = span_skip(s, 1)) {
		unsigned char c = (unsigned char)s.p[0];

		if (c < ' ' && c != '\n' && c != '\t')
			fail_msg("%s of %s: %.*s", what, name, SPAN_ARG(s));
	}
}

static void check_lines(struct span s, const char *what, const char *name)
{
	struct span line;

	while (span_next_line(&s, &line)) {
		while (line.n && line.p[0] == ' ')
			line = span_skip(line, 1);
		if (span_starts(line, SPAN("::")))
			fail_msg("%s of %s: %.*s", what, name, SPAN_ARG(line));
	}
}

static void check_markup(struct span s, const char *what, const char *name)
{
	static const char *const bad[] = { "<script>alert", "<svg onload" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(bad); i++)
		if (memmem(s.p, s.n, bad[i], strlen(bad[i])))
			fail_msg("%s of %s: %s", what, name, bad[i]);
}

static void check(const char *path, unsigned kinds, const char *what, const char *name)
{
	struct buf b = { 0 };

	read_file(path, &b);
	if (kinds & REFUSED)
		fail_msg("%s: %s", what, buf_str(&b));
	if (kinds & DATA)
		check_controls(buf_span(&b), what, name);
	if (kinds & LINES) {
		check_bytes(buf_span(&b), what, name);
		check_lines(buf_span(&b), what, name);
	}
	if (kinds & MARKUP)
		check_markup(buf_span(&b), what, name);
	buf_release(&b);
}

static const struct {
	const char *line;
	unsigned out;
	const char *file; /* that it writes as well */
	unsigned kinds;
	bool fails;
} commands[] = {
	{ "info a.data", LINES, NULL, 0, false },
	{ "info --symbols a.data", LINES, NULL, 0, false },
	{ "top a.data", LINES, NULL, 0, false },
	{ "top --tree a.data", LINES, NULL, 0, false },
	{ "top --callers . a.data", LINES, NULL, 0, false },
	{ "top --callees . a.data", LINES, NULL, 0, false },
	{ "top --paths . a.data", LINES, NULL, 0, false },
	{ "top --group thread a.data", LINES, NULL, 0, false },
	{ "top --group module a.data", LINES, NULL, 0, false },
	{ "top --group process a.data", LINES, NULL, 0, false },
	{ "top --group cgroup a.data", LINES, NULL, 0, false },
	{ "top --group package a.data", LINES, NULL, 0, false },
	{ "top --json a.data", DATA, NULL, 0, false },
	{ "annotate . a.data", LINES, NULL, 0, false },
	{ "annotate NAME a.data", LINES, NULL, 0, false },
	{ "top --by total --rows 100 a.data", LINES, NULL, 0, false },
	{ "diff a.data b.data", LINES, NULL, 0, false },
	{ "diff a.data b.data --fail-if self(/./)>+1pp --verdict v.md", LINES, "v.md", LINES,
		false },
	{ "diff a.data b.data --fail-if self(/./)>+1pp --verdict v.json", LINES, "v.json", LINES,
		false },
	{ "diff a.data b.data -o d.md", LINES, "d.md", LINES, false },
	{ "diff a.data b.data -o d.svg", LINES, "d.svg", MARKUP, false },
	{ "diff a.data b.data -o d.html", LINES, "d.html", MARKUP, false },
	{ "top a.data --fail-if total(/./)>1%", LINES, NULL, 0, false },
	{ "a.data --event other", LINES, NULL, 0, true },
	{ "a.data --weight field:other", LINES, NULL, 0, true },
	{ "a.data --during NAME", LINES, NULL, 0, true },
	{ "a.data --comm NAME", DATA, NULL, 0, false },
	{ "a.data --where path=NAME", DATA, NULL, 0, false },
	{ "a.data --filter NAME", LINES, NULL, 0, true },
	{ "a.data --require lost<1%", DATA, NULL, 0, false },
	{ "a.data", DATA, NULL, 0, false },
	{ "a.data --root comm-pid/tid,cgroup,field:path", DATA, NULL, 0, false },
	{ "a.data --verbose -o x.folded", LINES, "x.folded", DATA, false },
	{ "a.data -o x.svg", LINES, "x.svg", MARKUP, false },
	{ "a.data -o x.html", LINES, "x.html", MARKUP, false },
	{ "a.data -o x.speedscope.json", LINES, "x.speedscope.json", DATA, false },
	{ "a.data -o x.cpuprofile", LINES, "x.cpuprofile", DATA, false },
	{ "a.data -o firefox:x.json", LINES, "x.json", DATA, false },
	{ "a.data -o x.trace.json", LINES, "x.trace.json", DATA, false },
	{ "a.data -o callgrind:x.callgrind", LINES, "x.callgrind", DATA, false },
	{ "a.data -o x.summary.json", LINES, "x.summary.json", DATA, false },
	{ "a.data -o x.md", LINES, "x.md", LINES, false },
	{ "spans --begin NAME --end NAME --slower 1ns a.data", LINES, NULL, 0, false },
	{ "spans --begin NAME --end NAME -o s.md a.data", LINES, "s.md", LINES, false },
	{ "spans --begin NAME --end NAME --json s.json a.data", LINES, "s.json", DATA, false },
	{ "spans --begin NAME --end NAME --histogram h.svg a.data", LINES, "h.svg", MARKUP, false },
	{ "spans --begin NAME --end NAME --heatmap h.html a.data", LINES, "h.html", MARKUP, false },
	{ "spans --preset NAME a.data", LINES, NULL, 0, true },
	{ "filters --explain f.rules a.data", LINES, NULL, 0, false },
	{ "merge a.data b.data -o m.folded", LINES, "m.folded", DATA, false },
	{ "merge --inputs-from list --keep-going --errors e.json -o m.md", LINES, "e.json", DATA,
		false },
	{ "a.data --label k=NAME -o x.rows.json", LINES, "x.rows.json", DATA, false },
	{ "info x.rows.json", LINES, NULL, 0, false },
	{ "top x.rows.json", LINES, NULL, 0, false },
	{ "x.rows.json --root label:k,process", DATA, NULL, 0, false },
	{ "x.rows.json --split label:k -o %n.md", LINES, "1.md", LINES, false },
	{ "merge a.data x.rows.json -o n.md", LINES, "n.md", LINES, false },
	{ "pack NAME -o p.perfpack", LINES, NULL, 0, true },
	{ "info NAME", LINES, NULL, 0, true },
};

/* The name is in something that the command writes, or this tests nothing. */
static void check_is_shown(const char *file, const char *what)
{
	const char *const paths[] = { "out", "err", file };
	struct buf b = { 0 };
	bool any = false;
	size_t i;

	for (i = 0; i < ARRAY_LEN(paths) && paths[i]; i++) {
		read_file(paths[i], &b);
		any |= memmem(b.p, b.n, names[0], strlen(names[0])) != NULL;
		any |= i == 2 && (memmem(b.p, b.n, "<svg", 4) || memmem(b.p, b.n, "<html", 5));
	}
	if (!any)
		fail_msg("%s does not show the name", what);
	buf_release(&b);
}

static void no_output_for_people_has_a_hostile_name_raw(void **state)
{
	size_t i, k;
	int rc;

	tmpdir_write(tmpdir_at(state, "f.rules"), SPAN("rename s/^/x/\n"));
	assert_int_equal(chdir(*state), 0);
	for (i = 0; i < ARRAY_LEN(names); i++) {
		write_recording("a.data", names[i]);
		write_recording("b.data", names[i]);
		write_list("list", names[i]);
		for (k = 0; k < ARRAY_LEN(commands); k++) {
			rc = run(commands[k].line, names[i]);
			if (i == 0 && (rc != OK) != commands[k].fails)
				check("err", REFUSED, commands[k].line, names[i]);
			if (i == 0)
				check_is_shown(commands[k].file, commands[k].line);
			check("out", commands[k].out, commands[k].line, names[i]);
			check("err", LINES, commands[k].line, names[i]);
			if (commands[k].file)
				check(commands[k].file, commands[k].kinds, commands[k].line,
					names[i]);
		}
	}
	assert_int_equal(chdir("/"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { IN_TMPDIR(
		no_output_for_people_has_a_hostile_name_raw) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
