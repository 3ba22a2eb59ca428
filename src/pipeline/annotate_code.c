/*
 * annotate_code.c - the instructions of functions, with what each costs
 *
 * Rows are the addresses of each function that samples hit. Machine code is found by such an
 * address (symbolize/code/code.h) and has all rows that lie within it; what is left belongs to
 * another part of the function (foo.cold), or to a copy of it. An address within a call, of a
 * caller, counts for that call. Functions have their turn by module: the files of one and its
 * symbols are open at a time, and until it has its turn, those of the module that
 * annotate_open_code() opened.
 *
 * Another thread may look up the lines of one step's instructions while the code of the next step
 * is read:
 *
 *	annotate_code()   [functions 0 ...] [...]   [...]   [... n - 1]
 *	annotate_lines()                    [0 ...] [...]   [...]   [... n - 1]
 *
 * The debug information of one module is open at a time, too. The module with the most functions
 * comes last, as it is kept from when names were looked up until its module had its turn.
 */
#include "base/bisect.h"
#include "base/counted.h"
#include "base/mem.h"
#include "pipeline/annotate.h"
#include "pipeline/kept_files.h"
#include "symbolize/code/code.h"

#include <inttypes.h>
#include <stdlib.h>

struct code_row {
	function_id function;
	frame_id place;
	str_id module;   /* of the place */
	uint64_t record; /* of generated code in its dump: other code may be there later */
	uint64_t address;
	struct weights cost;
};

/* The instructions of a function, which have no lines yet. */
struct unlined_code {
	struct annotated_code *code;
	size_t recording;
	module_id module; /* of the recording; 0: of generated code, which has its lines */
};

static int compare_rows(const void *pa, const void *pb)
{
	const struct code_row *a = pa, *b = pb;

	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	if (a->record != b->record)
		return a->record < b->record ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

/* See frame.build. */
static uint64_t record_of(const struct annotating *a, const struct frame *f)
{
	struct span build = strtab_get(a->strings, f->build);
	uint64_t record;

	return f->kind == FRAME_JIT && span_scan_hex(&build, &record) &&
			       span_starts(build, SPAN("@"))
		       ? record
		       : 0;
}

static struct code_row row_of(
	const struct annotating *a, const struct place_cost *c, function_id function)
{
	const struct frame *f = frames_get(a->frames, c->place);

	return (struct code_row){
		.function = function,
		.place = c->place,
		.module = f->module,
		.record = record_of(a, f),
		.address = f->at_address,
		.cost = annotate_weights(c),
	};
}

void annotate_begin_code(struct annotating *a)
{
	const struct place_costs *places = &a->p->result->places;
	uint32_t i, cap = 0;

	a->texts.arena = &a->out->memory;
	ARRAY_RESERVE(a->code_rows, 1, cap);
	for (i = 0; i < places->n_instructions; i++) {
		const struct place_cost *c = &places->instruction[i];
		function_id function = functions_of_frame(&a->costs.functions, c->function);

		if (!annotate_number(a, function))
			continue;
		ARRAY_GROW(a->code_rows, a->n_code_rows, cap);
		a->code_rows[a->n_code_rows++] = row_of(a, c, function);
	}
	a->unlined = xcalloc((size_t)a->n_code_rows + 1, sizeof(*a->unlined));
}

void annotate_end_code(struct annotating *a)
{
	size_t i;

	for (i = 0; a->readers && i < a->p->result->n_recordings; i++)
		code_reader_free(a->readers[i]);
	code_lines_free(a->lines);
	generated_lines_release(&a->generated);
	disassembly_texts_release(&a->texts);
	arena_take(&a->out->memory, &a->lines_memory);
	free(a->readers);
	free(a->code_rows);
	free(a->unlined);
}

static struct code_reader *reader_of(struct annotating *a, size_t recording)
{
	const struct pipeline_result *r = a->p->result;

	if (!a->readers)
		a->readers = xcalloc(r->n_recordings, sizeof(struct code_reader *));
	if (!a->readers[recording])
		a->readers[recording] = code_reader_new(r->recordings[recording],
			pipeline_named_with(r, recording), r->kept[recording].unpacked.path);
	return a->readers[recording];
}

static bool has_module(const struct recording *r, str_id shown)
{
	module_id i;

	for (i = 1; i < modules_count(r->modules); i++)
		if (modules_get(r->modules, i)->shown == shown)
			return true;
	return false;
}

/* Machine code that was found. */
struct found_code {
	struct code_function fn;
	struct code_reader *reader; /* NULL: no recording has the module */
	size_t recording;
	const struct frame *place;
	uint64_t record; /* of generated code in its dump */
};

static bool is_generated(const struct found_code *found)
{
	return found->place->kind == FRAME_JIT;
}

/* The code at an address of a module, from the first recording that has it. */
static struct found_code find_code(struct annotating *a, const struct code_row *row)
{
	const struct frame *place = frames_get(a->frames, row->place);
	struct found_code found = { .place = place, .record = row->record };
	size_t i;

	for (i = 0; i < a->p->result->n_recordings && !found.fn.bytes; i++) {
		if (!pipeline_named_with(a->p->result, i) ||
			(place->kind != FRAME_JIT &&
				!has_module(a->p->result->recordings[i], row->module)))
			continue;
		found.recording = i;
		found.reader = reader_of(a, i);
		if (code_reader_lacks_kernel(found.reader, place))
			found.fn = (struct code_function){ .name = place->name,
				.why = CODE_NO_KERNEL };
		else
			code_reader_find(found.reader, place, &found.fn);
	}
	return found;
}

/* The instruction of a program or library that weighs most; NULL: there is none. */
static const struct place_cost *heaviest_of_programs(const struct annotating *a)
{
	const struct place_costs *places = &a->p->result->places;
	const struct place_cost *heaviest = NULL;
	uint32_t i;

	for (i = 0; i < places->n_instructions; i++) {
		const struct place_cost *c = &places->instruction[i];

		if ((!heaviest || c->self > heaviest->self) &&
			frames_get(a->frames, c->place)->kind == FRAME_USER)
			heaviest = c;
	}
	return heaviest;
}

void annotate_open_code(struct annotating *a)
{
	const struct place_cost *heaviest = heaviest_of_programs(a);
	struct code_row row;

	if (!heaviest)
		return;
	row = row_of(a, heaviest, 0);
	find_code(a, &row);
	a->opened = row.module;
}

static bool leaves_code(const struct instruction *in, uint32_t n)
{
	return in->target_index >= n && (in->target || in->target_name.n);
}

/* Those outside come after the n of the code itself. */
static void put_targets(
	struct annotating *a, struct annotated_code *code, const struct disassembly *d)
{
	struct annotated_target *target;
	uint32_t i, n = 0;

	for (i = 0; i < d->n; i++)
		n += leaves_code(&d->instruction[i], d->n);
	code->target = target = arena_alloc(&a->out->memory, n * sizeof(*target));
	for (i = 0, n = 0; i < d->n; i++) {
		const struct instruction *in = &d->instruction[i];

		if (in->target_index < d->n)
			code->instruction[i].target = in->target_index + 1;
		if (!leaves_code(in, d->n))
			continue;
		target[n] = (struct annotated_target){ in->target, in->target_name };
		code->instruction[i].target = d->n + ++n;
	}
}

/* Those of generated code are of the script as it ran: where a source map has changed the function,
 * they would be lines of another file. */
static bool open_generated(
	struct annotating *a, const struct found_code *found, struct codemap_lines *lines)
{
	return generated_lines_open(
		       &a->generated, found->fn.path, found->record, a->frames, lines) &&
	       frames_get(a->frames, lines->function)->file == found->place->file;
}

static void put_generated_lines(struct annotating *a, const struct found_code *found,
	struct annotated_instruction *to, uint32_t n)
{
	struct codemap_lines lines;
	bool found_any = open_generated(a, found, &lines);
	uint32_t i;

	for (i = 0; i < n && found_any; i++)
		codemap_find_line(
			&lines, to[i].address - found->fn.start, &to[i].file, &to[i].line);
	codemap_close_lines(&lines);
}

static void put_instructions(struct annotating *a, struct annotated_code *code,
	const struct found_code *found, const struct disassembly *d)
{
	struct annotated_instruction *to =
		arena_alloc(&a->out->memory, (d->n + (size_t)1) * sizeof(*to));
	uint32_t i;

	code->instruction = to;
	code->n = d->n;
	for (i = 0; i < d->n; i++) {
		const struct instruction *in = &d->instruction[i];

		to[i] = (struct annotated_instruction){
			.address = in->address,
			.mnemonic = in->mnemonic.p,
			.operands = in->operands.n ? in->operands.p : "",
			.kind = in->kind,
			.to_address = in->to_address,
		};
	}
	put_targets(a, code, d);
	if (!found->fn.module)
		put_generated_lines(a, found, to, d->n);
	a->unlined[a->n_unlined++] =
		(struct unlined_code){ code, found->recording, found->fn.module };
}

/* Both are in order of address. */
static void put_costs(
	struct annotating *a, struct annotated_code *code, const struct code_row *rows, uint32_t n)
{
	struct weights *cost = NULL;
	uint32_t i, k = 0;

	for (i = 0; i < n && code->n; i++) {
		while (k + 1 < code->n && code->instruction[k + 1].address <= rows[i].address)
			k++;
		if (!code->instruction[k].cost) {
			cost = arena_alloc(&a->out->memory, sizeof(*cost));
			*cost = (struct weights){ 0 };
			code->instruction[k].cost = cost;
		}
		annotate_add_weights(cost, &rows[i].cost);
	}
}

/* A path, or a text with one: by the pack, not by where that was unpacked to. */
static struct span keep_shown(struct annotating *a, size_t recording, struct span text)
{
	const struct kept_files *k = &a->p->result->kept[recording];
	struct span dir = span_of(k->unpacked.path ? k->unpacked.path : ""), kept;
	ptrdiff_t at = dir.n ? span_find(text, dir) : -1;
	struct buf shown = { 0 };

	if (at < 0)
		return annotate_keep(&a->out->memory, text);
	buf_put_span(&shown, (struct span){ text.p, (size_t)at });
	buf_puts(&shown, k->recording->path);
	buf_put_span(&shown, span_skip(text, (size_t)at + dir.n));
	kept = annotate_keep(&a->out->memory, buf_span(&shown));
	buf_release(&shown);
	return kept;
}

static void note_why(
	struct annotating *a, struct annotated_code *code, const struct found_code *found)
{
	struct buf why = { 0 };

	if (found->reader)
		code_why_put(&why, found->reader, &found->fn);
	else
		buf_puts(&why, "the recording does not say what code ran there");
	code->note = keep_shown(a, found->recording, buf_span(&why));
	buf_release(&why);
}

static bool has_lines(const struct annotated_code *code)
{
	uint32_t i;

	for (i = 0; i < code->n; i++)
		if (code->instruction[i].line)
			return true;
	return false;
}

/* What is not sure of instructions that are here. */
static void note_doubts(struct annotating *a, struct annotated_code *code,
	const struct found_code *found, const struct disassembly *d)
{
	struct buf note = { 0 };

	if (found->fn.ambiguous)
		buf_puts(&note, "several files of that name ran: this is one of them");
	if (is_generated(found) && !has_lines(code))
		buf_puts(&note, "generated code: the lines of instructions are not shown");
	if (d->n_bad)
		buf_printf(&note,
			"%s%" PRIu32 " of %" PRIu32 " instructions %s not known to capstone: %s",
			note.n ? "; " : "", d->n_bad, d->n, counted(d->n_bad, "is", "are"),
			counted(d->n_bad, "its bytes are shown", "their bytes are shown"));
	code->note = annotate_keep(&a->out->memory, buf_span(&note));
	buf_release(&note);
}

static void disassemble(
	struct annotating *a, struct annotated_code *code, const struct found_code *found)
{
	const struct code_style style = {
		.syntax = a->o->intel ? DISASSEMBLY_INTEL : DISASSEMBLY_ATT,
		.texts = &a->texts,
	};
	struct disassembly d = { 0 };
	struct err e;

	if (code_reader_disassemble(found->reader, &found->fn, &style, &d, &e)) {
		code->note = annotate_keep(&a->out->memory, span_of(e.msg));
	} else {
		put_instructions(a, code, found, &d);
		note_doubts(a, code, found, &d);
	}
	disassembly_release(&d);
}

/* The code at the first of n rows, which are in order; returns how many lie in it. */
static uint32_t put_code(
	struct annotating *a, struct annotated_code *code, const struct code_row *rows, uint32_t n)
{
	const struct found_code found = find_code(a, rows);
	const struct code_function *fn = &found.fn;
	uint32_t in = 1;

	*code = (struct annotated_code){
		.module = strtab_get(a->strings, rows->module),
		.start = fn->start,
	};
	if (fn->name)
		code->name = strtab_get(a->strings, fn->name);
	if (fn->path)
		code->found = keep_shown(a, found.recording, span_of(fn->path));
	if (!fn->bytes)
		note_why(a, code, &found);
	else
		disassemble(a, code, &found);
	while (in < n && rows[in].module == rows->module && rows[in].record == rows->record &&
		(!fn->size_bytes || rows[in].address - fn->start < fn->size_bytes))
		in++;
	put_costs(a, code, rows, in);
	return in;
}

/* The rows of a function: the first, and how many. */
static const struct code_row *find_rows(const struct annotating *a, function_id id, uint32_t *n)
{
	uint32_t first = bisect(i, 0u, a->n_code_rows, a->code_rows[i].function >= id);

	*n = bisect(i, first, a->n_code_rows, a->code_rows[i].function > id) - first;
	return a->code_rows + first;
}

/* Of all functions, those that only call have many instructions and nothing to show. */
static bool is_too_light(const struct annotating *a, const struct annotated_function *f)
{
	return !a->o->pattern && (double)f->cost.self * 100 < a->o->min_percent * (double)a->whole;
}

static void add_codes(struct annotating *a, struct annotated_function *f, function_id id)
{
	uint32_t n, i, in;
	const struct code_row *rows = find_rows(a, id, &n);

	f->code = arena_alloc(&a->out->memory, ((size_t)n + 1) * sizeof(*f->code));
	if (n && is_too_light(a, f)) {
		f->code[f->n_codes++] = (struct annotated_code){
			.name = f->name,
			.module = strtab_get(a->strings, rows->module),
			.start = rows->address,
			.note = SPAN("left out: the function itself costs too little"),
		};
		return;
	}
	for (i = 0; i < n; i += in)
		in = put_code(a, &f->code[f->n_codes++], rows + i, n - i);
}

/* A function in the order in which code is read: units of debug information are read one after
 * the other. */
struct code_turn {
	str_id module;
	uint32_t of_module; /* functions */
	uint64_t address;
	uint32_t number;
};

static int compare_turns(const void *pa, const void *pb)
{
	const struct code_turn *a = pa, *b = pb;

	if (a->of_module != b->of_module)
		return a->of_module < b->of_module ? -1 : 1;
	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* The module is that of the code, which of a function with an unknown one is not. */
static struct code_turn turn_of(const struct annotating *a, uint32_t number)
{
	struct code_turn turn = { .module = a->out->function[number].module, .number = number };
	uint32_t n;
	const struct code_row *rows = find_rows(a, a->id_of[number], &n);

	if (n) {
		turn.module = rows->module;
		turn.address = rows->address;
	}
	return turn;
}

/* In which order functions are read; owned by the caller. */
static struct code_turn *take_turns(const struct annotating *a)
{
	struct code_turn *turns = xcalloc((size_t)a->out->n + 1, sizeof(*turns));
	uint32_t *of_module = xcalloc(strtab_count(a->strings), sizeof(*of_module)), i;

	for (i = 0; i < a->out->n; i++) {
		turns[i] = turn_of(a, i);
		of_module[turns[i].module]++;
	}
	for (i = 0; i < a->out->n; i++)
		turns[i].of_module = of_module[turns[i].module];
	qsort(turns, a->out->n, sizeof(*turns), compare_turns);
	free(of_module);
	return turns;
}

/* Its files and symbols can be larger than all else. */
static void leave_module(struct annotating *a, str_id module)
{
	size_t i;

	if (a->opened == module)
		a->opened = 0;
	for (i = 0; a->readers && i < a->p->result->n_recordings; i++)
		if (a->readers[i])
			code_reader_forget(a->readers[i], a->opened);
}

void annotate_code(struct annotating *a)
{
	const uint64_t n = a->out->n;
	const unsigned step = a->code_step++;
	uint32_t i, end = (uint32_t)(n * a->code_step / ANNOTATE_STEPS);
	const struct code_turn *turns;

	if (!step) {
		qsort(a->code_rows, a->n_code_rows, sizeof(*a->code_rows), compare_rows);
		a->code_turns = take_turns(a);
	}
	turns = a->code_turns;
	for (i = (uint32_t)(n * step / ANNOTATE_STEPS); i < end; i++) {
		if (i && turns[i].module != turns[i - 1].module)
			leave_module(a, turns[i - 1].module);
		add_codes(a, &a->out->function[turns[i].number], a->id_of[turns[i].number]);
	}
	a->unlined_end[step] = a->n_unlined;
	if (a->code_step < ANNOTATE_STEPS)
		return;
	leave_module(a, a->opened);
	free(a->code_turns);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static struct code_lines *lines_of(struct annotating *a, size_t recording, module_id module)
{
	const struct recording *r = a->p->result->recordings[recording];

	if (a->lines && a->lines_recording == recording && a->lines_module == module)
		return a->lines;
	code_lines_free(a->lines);
	a->lines = code_lines_new(pipeline_named_with(a->p->result, recording)->files,
		modules_get(r->modules, module), r->strings, a->p->result->symbolize_cache);
	a->lines_recording = recording;
	a->lines_module = module;
	return a->lines;
}

static void put_lines(struct annotating *a, const struct unlined_code *u)
{
	struct code_lines *lines = lines_of(a, u->recording, u->module);
	struct annotated_instruction *in = u->code->instruction;
	uint32_t i;

	for (i = 0; i < u->code->n; i++)
		code_lines_find(lines, in[i].address, &in[i].file, &in[i].line);
}

/* The text of the line, which is mostly that of the instruction before. */
static struct span text_of(struct annotating *a, const struct annotated_code *code, uint32_t i)
{
	const struct annotated_instruction *in = &code->instruction[i];
	const struct source_text *text;

	if (!in->line)
		return (struct span){ 0 };
	if (i && in[-1].file == in->file && in[-1].line == in->line)
		return code->text[i - 1];
	text = pipeline_source(a->p->result, in->file);
	return text ? annotate_keep(&a->lines_memory, source_file_line(text, in->line))
		    : (struct span){ 0 };
}

static void put_texts(struct annotating *a, struct annotated_code *code)
{
	uint32_t i;

	code->text = arena_alloc(&a->lines_memory, (code->n + (size_t)1) * sizeof(*code->text));
	for (i = 0; i < code->n; i++)
		code->text[i] = text_of(a, code, i);
}

void annotate_lines(struct annotating *a)
{
	const unsigned step = a->lines_step++;
	uint32_t i;

	for (i = step ? a->unlined_end[step - 1] : 0; i < a->unlined_end[step]; i++) {
		if (a->unlined[i].module)
			put_lines(a, &a->unlined[i]);
		if (a->o->instruction_text)
			put_texts(a, a->unlined[i].code);
	}
}
