/*
 * branches.c: records the branch stacks of a program as `perf record -e cycles:u -b` would on a CPU
 * with branch records, on machines without one.
 *
 *	branches [OPTION...] -o RECORDING [-l LOG] -- PROGRAM [ARG...]
 *
 *	-c STEPS      a sample every STEPS instructions (211)
 *	-n BRANCHES   the depth of a stack (32)
 *	-s SAMPLES    at most so many
 *	-i            with the index of the hardware (PERF_SAMPLE_BRANCH_HW_INDEX)
 *	-t            with the type of each branch (PERF_SAMPLE_BRANCH_TYPE_SAVE)
 *	-B            build-ids are in the mappings, as with --buildid-mmap, not in a table
 *
 * The program runs one instruction at a time under ptrace(2). An instruction that transfers
 * control, and did, is a taken branch: it enters a ring of the last ones, with a misprediction
 * where a predictor of two bits (conditional branches) or of the last target (indirect ones) was
 * wrong. A sample has the ring, the latest branch first.
 *
 * The log has what was recorded as text, written beside the recording and not from it:
 *
 *	M PID START END OFFSET PATH    a mapping of code
 *	S IP FROM/TO/M ...             a sample; M where mispredicted, P where not
 *	E FROM TO COUNT                after the last sample: how often each branch was taken in all
 *
 * Only programs of one thread, for x86_64. Linked with -lelf.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	DEPTH_MAX = 64,
	TABLE = 1 << 16, /* entries of each hash table; a power of two */
	HEADER_BYTES = 104,
	ATTR_BYTES = 128, /* PERF_ATTR_SIZE_VER7: what Linux 6.1 knows */
	BUILD_ID_MAX = 20,
	FEATURE_BUILD_ID = 2,
	FEATURE_ARCH = 6,
	FEATURE_CMDLINE = 11,
};
static const uint64_t START_NS =
	1000000000; /* the time of the first instruction; each takes 1 ns */

enum branch_kind { NONE, CONDITIONAL, JUMP, INDIRECT, CALL, INDIRECT_CALL, RETURN };

/* What is at an address, and what the predictor thinks of it. */
struct instruction {
	uint64_t address, next;
	enum branch_kind kind;
	bool is_syscall;
	unsigned counter; /* 0..3: of a conditional branch; 2 and 3 are "taken" */
	uint64_t target;  /* the last one of an indirect branch */
};

struct branch {
	uint64_t from, to;
	bool mispredicted;
	enum branch_kind kind;
};

struct edge {
	uint64_t from, to, count;
};

struct module {
	uint64_t start, end, offset;
	char path[512];
	unsigned char build_id[BUILD_ID_MAX];
	unsigned build_id_bytes;
};

struct recorder {
	/* options */
	uint64_t period, samples_max;
	unsigned depth;
	bool has_index, has_types, has_id_mappings;
	/* the program */
	pid_t pid;
	int memory;
	char **command;
	struct instruction *code; /* TABLE */
	struct edge *edges;       /* TABLE */
	size_t edges_count;
	struct module modules[256];
	size_t modules_count;
	/* the last branches taken */
	struct branch ring[DEPTH_MAX];
	uint64_t taken, steps, samples;
	/* the files */
	FILE *out, *log;
};

__attribute__((noreturn)) static void fail(const char *what)
{
	fprintf(stderr, "branches: %s: %s\n", what, strerror(errno));
	exit(1);
}

static size_t hash(uint64_t a, uint64_t b)
{
	return (size_t)((a * 0x9e3779b97f4a7c15u ^ (b + 0x7f4a7c15u) * 0xc2b2ae3d27d4eb4fu) >> 40) %
	       TABLE;
}

/* Which transfer of control the bytes are, and where the next instruction begins. */
static void decode(struct instruction *in, const unsigned char *bytes)
{
	const unsigned char *at = bytes;
	unsigned reg;

	while (*at == 0x66 || *at == 0xf2 || *at == 0xf3 || *at == 0x2e || *at == 0x3e)
		at++;
	if ((*at & 0xf0) == 0x40)
		at++;
	reg = at[1] >> 3 & 7;
	if (*at == 0x0f && at[1] == 0x05)
		in->is_syscall = true;
	else if (*at == 0x0f && (at[1] & 0xf0) == 0x80)
		in->kind = CONDITIONAL, at += 6;
	else if ((*at & 0xf0) == 0x70 || (*at >= 0xe0 && *at <= 0xe3))
		in->kind = CONDITIONAL, at += 2;
	else if (*at == 0xe8)
		in->kind = CALL;
	else if (*at == 0xe9 || *at == 0xeb)
		in->kind = JUMP;
	else if (*at == 0xc3 || *at == 0xc2)
		in->kind = RETURN;
	else if (*at == 0xff && (reg == 2 || reg == 3))
		in->kind = INDIRECT_CALL;
	else if (*at == 0xff && (reg == 4 || reg == 5))
		in->kind = INDIRECT;
	in->next =
		in->address + (uint64_t)(at - bytes); /* of a conditional branch; else not used */
	in->counter = 1;
}

static struct instruction *instruction_at(struct recorder *r, uint64_t address)
{
	unsigned char bytes[16] = { 0 };
	struct instruction *in = &r->code[hash(address, 0)];

	if (in->address == address)
		return in;
	/* Where two addresses share a place, the later one loses what the predictor knew: so do
	 * CPUs. */
	*in = (struct instruction){ .address = address };
	if (pread(r->memory, bytes, sizeof(bytes), (off_t)address) < 1)
		fail("cannot read code");
	decode(in, bytes);
	return in;
}

static void count_edge(struct recorder *r, uint64_t from, uint64_t to)
{
	size_t at = hash(from, to);

	while (r->edges[at].count && (r->edges[at].from != from || r->edges[at].to != to))
		at = (at + 1) % TABLE;
	if (!r->edges[at].count && ++r->edges_count > TABLE / 2) {
		errno = E2BIG;
		fail("too many distinct branches");
	}
	r->edges[at].from = from;
	r->edges[at].to = to;
	r->edges[at].count++;
}

/* Would the predictor have known? It learns. */
static bool predict(struct instruction *in, bool is_taken, uint64_t to)
{
	bool right = true;

	switch (in->kind) {
	case CONDITIONAL:
		right = (in->counter >= 2) == is_taken;
		if (is_taken && in->counter < 3)
			in->counter++;
		if (!is_taken && in->counter > 0)
			in->counter--;
		break;
	case INDIRECT:
	case INDIRECT_CALL:
		right = in->target == to;
		in->target = to;
		break;
	default:
		break;
	}
	return right;
}

static void step_done(struct recorder *r, struct instruction *in, uint64_t to)
{
	bool is_taken = in->kind != CONDITIONAL || to != in->next, right;

	if (in->kind == NONE)
		return;
	right = predict(in, is_taken, to);
	if (!is_taken)
		return;
	r->ring[r->taken++ % r->depth] = (struct branch){ in->address, to, !right, in->kind };
	count_edge(r, in->address, to);
}

/* ---- perf.data ---- */

static void put(struct recorder *r, const void *bytes, size_t count)
{
	if (fwrite(bytes, 1, count, r->out) != count)
		fail("cannot write");
}

static void put8(struct recorder *r, uint64_t value)
{
	put(r, &value, 8);
}

static void put_pair(struct recorder *r, uint32_t a, uint32_t b)
{
	put(r, &a, 4);
	put(r, &b, 4);
}

/* Every record but a sample ends with who and when (sample_id_all). */
static void put_id(struct recorder *r)
{
	put_pair(r, (uint32_t)r->pid, (uint32_t)r->pid);
	put8(r, START_NS + r->steps);
}

static void put_header(struct recorder *r, uint32_t type, uint16_t misc, size_t bytes)
{
	struct perf_event_header header = { type, misc, (uint16_t)(sizeof(header) + bytes) };

	put(r, &header, sizeof(header));
}

static size_t padded(size_t bytes)
{
	return (bytes + 7) / 8 * 8;
}

static void put_text(struct recorder *r, const char *text, size_t bytes)
{
	static const char nothing[64];
	size_t count = strlen(text) + 1;

	put(r, text, count);
	put(r, nothing, bytes - count);
}

static void put_comm(struct recorder *r)
{
	const char *slash = strrchr(r->command[0], '/');
	char name[16] = "";
	size_t bytes;

	snprintf(name, sizeof(name), "%.15s", slash ? slash + 1 : r->command[0]);
	bytes = padded(strlen(name) + 1);
	put_header(r, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC | PERF_RECORD_MISC_USER,
		8 + bytes + 16);
	put_pair(r, (uint32_t)r->pid, (uint32_t)r->pid);
	put_text(r, name, bytes);
	put_id(r);
}

static void put_mmap2(struct recorder *r, const struct module *m)
{
	size_t path_bytes = padded(strlen(m->path) + 1);
	uint16_t misc = PERF_RECORD_MISC_USER;
	bool has_id = r->has_id_mappings && m->build_id_bytes;
	struct stat st = { 0 };

	if (has_id)
		misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	stat(m->path, &st);
	put_header(r, PERF_RECORD_MMAP2, misc, 8 + 24 + 24 + 8 + path_bytes + 16);
	put_pair(r, (uint32_t)r->pid, (uint32_t)r->pid);
	put8(r, m->start);
	put8(r, m->end - m->start);
	put8(r, m->offset);
	if (has_id) {
		unsigned char id[24] = { BUILD_ID_MAX };

		memcpy(id + 4, m->build_id, m->build_id_bytes);
		id[0] = (unsigned char)m->build_id_bytes;
		put(r, id, sizeof(id));
	} else {
		put_pair(r, major(st.st_dev), minor(st.st_dev));
		put8(r, st.st_ino);
		put8(r, 0);
	}
	put_pair(r, 5 /* PROT_READ | PROT_EXEC */, 2 /* MAP_PRIVATE */);
	put_text(r, m->path, path_bytes);
	put_id(r);
}

static uint64_t flags_of(struct recorder *r, const struct branch *b)
{
	static const uint64_t types[] = {
		[CONDITIONAL] = PERF_BR_COND,
		[JUMP] = PERF_BR_UNCOND,
		[INDIRECT] = PERF_BR_IND,
		[CALL] = PERF_BR_CALL,
		[INDIRECT_CALL] = PERF_BR_IND_CALL,
		[RETURN] = PERF_BR_RET,
	};

	return (b->mispredicted ? 1 : 2) | (r->has_types ? types[b->kind] << 20 : 0);
}

static void sample(struct recorder *r, uint64_t ip)
{
	uint64_t count = r->taken < r->depth ? r->taken : r->depth;

	put_header(r, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
		8 + 8 + 8 + 8 + 8 + (r->has_index ? 8 : 0) + 24 * count);
	put8(r, ip);
	put_id(r);
	put8(r, r->period);
	put8(r, count);
	if (r->has_index)
		put8(r, r->taken % r->depth);
	fprintf(r->log, "S %llx", (unsigned long long)ip);
	for (uint64_t i = 1; i <= count; i++) {
		const struct branch *b = &r->ring[(r->taken - i) % r->depth];

		put8(r, b->from);
		put8(r, b->to);
		put8(r, flags_of(r, b));
		fprintf(r->log, " %llx/%llx/%c", (unsigned long long)b->from,
			(unsigned long long)b->to, b->mispredicted ? 'M' : 'P');
	}
	fputc('\n', r->log);
	r->samples++;
}

static struct perf_event_attr attr_of(const struct recorder *r)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.sample_period = r->period,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_PERIOD | PERF_SAMPLE_BRANCH_STACK,
		.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY |
				      (r->has_index ? PERF_SAMPLE_BRANCH_HW_INDEX : 0) |
				      (r->has_types ? PERF_SAMPLE_BRANCH_TYPE_SAVE : 0),
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.enable_on_exec = 1,
		.sample_id_all = 1,
		.build_id = r->has_id_mappings,
	};

	return attr;
}

/* The header says where everything is: written once, with zeros, and again when that is known. */
static void put_file_header(struct recorder *r, uint64_t data_bytes)
{
	uint64_t features = 1ull << FEATURE_ARCH | 1ull << FEATURE_CMDLINE |
			    (r->has_id_mappings ? 0 : 1ull << FEATURE_BUILD_ID);
	struct perf_event_attr attr = attr_of(r);
	unsigned char bytes[ATTR_BYTES] = { 0 };

	memcpy(bytes, &attr, sizeof(attr) < ATTR_BYTES ? sizeof(attr) : ATTR_BYTES);
	((struct perf_event_attr *)bytes)->size = ATTR_BYTES;
	rewind(r->out);
	put(r, "PERFILE2", 8);
	put8(r, HEADER_BYTES);
	put8(r, ATTR_BYTES + 16);
	put8(r, HEADER_BYTES);
	put8(r, ATTR_BYTES + 16);
	put8(r, HEADER_BYTES + ATTR_BYTES + 16);
	put8(r, data_bytes);
	put8(r, 0);
	put8(r, 0);
	put8(r, features);
	for (int i = 0; i < 3; i++)
		put8(r, 0);
	put(r, bytes, sizeof(bytes));
	put8(r, 0);
	put8(r, 0);
}

static void put_build_ids(struct recorder *r)
{
	for (size_t i = 0; i < r->modules_count; i++) {
		const struct module *m = &r->modules[i];
		size_t path_bytes = padded(strlen(m->path) + 1);
		unsigned char id[24] = { 0 };

		if (!m->build_id_bytes)
			continue;
		memcpy(id, m->build_id, m->build_id_bytes);
		id[20] = (unsigned char)m->build_id_bytes;
		put_header(r, 0, PERF_RECORD_MISC_USER | 1 << 15 /* id[20] is the size */,
			4 + 24 + path_bytes);
		put(r, &(int32_t){ -1 }, 4);
		put(r, id, 24);
		put_text(r, m->path, path_bytes);
	}
}

static void put_string(struct recorder *r, const char *text)
{
	uint32_t bytes = (uint32_t)((strlen(text) + 1 + 63) / 64 * 64);

	put(r, &bytes, 4);
	put_text(r, text, bytes);
}

static void put_command(struct recorder *r)
{
	uint32_t count = 0;

	while (r->command[count])
		count++;
	count += 4;
	put(r, &count, 4);
	put_string(r, "perf");
	put_string(r, "record");
	put_string(r, "-b");
	put_string(r, "--");
	for (char **word = r->command; *word; word++)
		put_string(r, *word);
}

/* Behind the data: where each feature is, in order of their numbers, then the features. */
static void put_features(struct recorder *r)
{
	void (*const write[3])(struct recorder *) = { put_build_ids, NULL, put_command };
	long table = ftell(r->out), at[4];
	int first = r->has_id_mappings ? 1 : 0;

	for (int i = first; i < 3; i++)
		put8(r, 0), put8(r, 0);
	for (int i = first; i < 3; i++) {
		at[i] = ftell(r->out);
		if (write[i])
			write[i](r);
		else
			put_string(r, "x86_64");
	}
	at[3] = ftell(r->out);
	fseek(r->out, table, SEEK_SET);
	for (int i = first; i < 3; i++)
		put8(r, (uint64_t)at[i]), put8(r, (uint64_t)(at[i + 1] - at[i]));
}

/* ---- the program ---- */

static void read_build_id(struct module *m)
{
	int fd = open(m->path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	Elf_Scn *section = NULL;

	while (elf && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		Elf_Data *data;
		GElf_Nhdr note;
		size_t at = 0, name, desc;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE)
			continue;
		data = elf_getdata(section, NULL);
		while (data && (at = gelf_getnote(data, at, &note, &name, &desc)))
			if (note.n_type == 3 /* NT_GNU_BUILD_ID */ && note.n_namesz == 4 &&
				!memcmp((char *)data->d_buf + name, "GNU", 4) &&
				note.n_descsz <= BUILD_ID_MAX) {
				memcpy(m->build_id, (char *)data->d_buf + desc, note.n_descsz);
				m->build_id_bytes = note.n_descsz;
			}
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
}

static bool is_known(const struct recorder *r, const struct module *m)
{
	for (size_t i = 0; i < r->modules_count; i++)
		if (r->modules[i].start == m->start && !strcmp(r->modules[i].path, m->path))
			return true;
	return false;
}

/* Mappings of code that are new since the last call. */
static void read_maps(struct recorder *r)
{
	char name[64], line[1024], rights[8];
	unsigned long long start, end, offset;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%d/maps", (int)r->pid);
	maps = fopen(name, "re");
	if (!maps)
		fail(name);
	while (fgets(line, sizeof(line), maps)) {
		struct module m = { 0 };

		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %511s", &start, &end, rights, &offset,
			    m.path) < 5 ||
			rights[2] != 'x')
			continue;
		m.start = start, m.end = end, m.offset = offset;
		/* Of the kernel's page for system calls, at the end of all addresses, perf knows
		 * nothing. */
		if (start >> 63 || is_known(r, &m) ||
			r->modules_count == sizeof(r->modules) / sizeof(r->modules[0]))
			continue;
		read_build_id(&m);
		r->modules[r->modules_count++] = m;
		put_mmap2(r, &m);
		fprintf(r->log, "M %d %llx %llx %llx %s\n", (int)r->pid, start, end, offset,
			m.path);
	}
	fclose(maps);
}

static void start(struct recorder *r)
{
	char name[64];
	cpu_set_t here;
	int status;

	/* On one CPU, a step costs two switches; on two, it wakes an idle CPU: 20 times as long. */
	CPU_ZERO(&here);
	CPU_SET((size_t)sched_getcpu(), &here);
	sched_setaffinity(0, sizeof(here), &here);
	r->pid = fork();
	if (!r->pid) {
		/* The same addresses in each recording. */
		personality(ADDR_NO_RANDOMIZE);
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execvp(r->command[0], r->command);
		fail(r->command[0]);
	}
	if (waitpid(r->pid, &status, 0) != r->pid || !WIFSTOPPED(status))
		fail("the program did not start");
	snprintf(name, sizeof(name), "/proc/%d/mem", (int)r->pid);
	r->memory = open(name, O_RDONLY | O_CLOEXEC);
	if (r->memory < 0)
		fail(name);
}

static uint64_t instruction_pointer(const struct recorder *r)
{
	return (uint64_t)ptrace(PTRACE_PEEKUSER, r->pid, offsetof(struct user_regs_struct, rip), 0);
}

/* False at the end of the program. */
static bool step(const struct recorder *r, int *signal)
{
	int status;

	if (ptrace(PTRACE_SINGLESTEP, r->pid, 0, *signal) || waitpid(r->pid, &status, 0) != r->pid)
		fail("cannot step");
	if (!WIFSTOPPED(status))
		return false;
	*signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
	return true;
}

static void run(struct recorder *r)
{
	uint64_t ip = instruction_pointer(r);
	int signal = 0;

	put_comm(r);
	read_maps(r);
	while (r->samples < r->samples_max) {
		struct instruction *in = instruction_at(r, ip);

		if (!step(r, &signal))
			break;
		ip = instruction_pointer(r);
		r->steps++;
		if (in->is_syscall)
			read_maps(r);
		else if (!signal)
			step_done(r, in, ip);
		if (r->steps % r->period == 0)
			sample(r, ip);
	}
	ptrace(PTRACE_CONT, r->pid, 0, 0);
}

static void put_exit(struct recorder *r)
{
	put_header(r, PERF_RECORD_EXIT, 0, 8 + 8 + 8 + 16);
	put_pair(r, (uint32_t)r->pid, 0);
	put_pair(r, (uint32_t)r->pid, 0);
	put8(r, START_NS + r->steps);
	put_id(r);
}

static int by_address(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
				  : (x->to > y->to) - (x->to < y->to);
}

static void log_edges(struct recorder *r)
{
	qsort(r->edges, TABLE, sizeof(r->edges[0]), by_address);
	for (size_t i = 0; i < TABLE; i++)
		if (r->edges[i].count)
			fprintf(r->log, "E %llx %llx %llu\n", (unsigned long long)r->edges[i].from,
				(unsigned long long)r->edges[i].to,
				(unsigned long long)r->edges[i].count);
}

static void record(struct recorder *r)
{
	long data_at, end;

	elf_version(EV_CURRENT);
	r->code = calloc(TABLE, sizeof(r->code[0]));
	r->edges = calloc(TABLE, sizeof(r->edges[0]));
	if (!r->code || !r->edges)
		fail("memory");
	put_file_header(r, 0);
	data_at = ftell(r->out);
	start(r);
	run(r);
	put_exit(r);
	end = ftell(r->out);
	put_features(r);
	put_file_header(r, (uint64_t)(end - data_at));
	log_edges(r);
	fprintf(stderr,
		"branches: %llu instructions, %llu branches taken, %zu distinct, %llu samples\n",
		(unsigned long long)r->steps, (unsigned long long)r->taken, r->edges_count,
		(unsigned long long)r->samples);
}

int main(int argc, char **argv)
{
	struct recorder *r = calloc(1, sizeof(*r));
	const char *out = NULL, *log = "/dev/null";
	int option;

	if (!r)
		fail("memory");
	r->period = 211, r->samples_max = UINT64_MAX, r->depth = 32;
	while ((option = getopt(argc, argv, "+c:n:s:o:l:itB")) != -1)
		switch (option) {
		case 'c':
			r->period = strtoull(optarg, NULL, 10);
			break;
		case 'n':
			r->depth = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 's':
			r->samples_max = strtoull(optarg, NULL, 10);
			break;
		case 'o':
			out = optarg;
			break;
		case 'l':
			log = optarg;
			break;
		case 'i':
			r->has_index = true;
			break;
		case 't':
			r->has_types = true;
			break;
		case 'B':
			r->has_id_mappings = true;
			break;
		default:
			return 2;
		}
	if (!out || optind == argc || !r->period || !r->depth || r->depth > DEPTH_MAX) {
		fputs("usage: branches [OPTION...] -o RECORDING -- PROGRAM [ARG...]\n", stderr);
		return 2;
	}
	r->command = argv + optind;
	r->out = fopen(out, "w+e");
	r->log = fopen(log, "we");
	if (!r->out || !r->log)
		fail("cannot create a file");
	record(r);
	if (fclose(r->out) || fclose(r->log))
		fail("cannot write");
	return 0;
}
