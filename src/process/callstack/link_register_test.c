/* Chains of frame pointers that lack a caller, which the link register has: aarch64. */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"
#include "unwind/cfi_for_test.h"

/* perf's numbers of x29 and x30 */
enum { REG_FP = 29, REG_LR = 30 };

#define TEXT   0x400000ull
#define LEAF   (TEXT + 0x1080) /* has no frame */
#define FRAMED (TEXT + 0x1110) /* behind where its frame is made */
#define STORED (TEXT + 0x1280) /* has saved the link register alone */
#define NO_CFI (TEXT + 0x1380)
#define CALLER (TEXT + 0x1150)
#define OUTER  (TEXT + 0x1190)

struct linked {
	uint64_t chain[8];
	uint64_t abi, link;
};

static void write_program(void **state)
{
	struct cfi_image image;
	struct buf file = { 0 };

	cfi_image_start(&image, EM_AARCH64, CFI("\x0c\x1f\x00"));
	cfi_image_function(&image, 0x1000, 0x100, CFI(""));
	cfi_image_function(&image, 0x1100, 0x100, CFI("\x44\x0e\x20\x9d\x04\x9e\x03"));
	cfi_image_function(&image, 0x1200, 0x100, CFI("\x44\x0e\x20\x9e\x03"));
	cfi_image_write(&image, &file);
	tmpdir_write(tmpdir_at(bed_dir(state), "a"), buf_span(&file));
	buf_release(&file);
}

static struct recording_writer *start_linked(
	void **state, bool swapped, uint64_t registers, const char *arch)
{
	struct recording_writer *w = bed_reset(state);

	w->swapped = swapped;
	writer_attr(w,
		&(struct test_attr){ .type = 1,
			.sample_type = usual | SAMPLE_REGS_USER,
			.flags = TRAILER,
			.regs_user = registers },
		NULL, 0);
	/* without it, the features of another byte order are not read */
	writer_feature_string(w, FEATURE_HOSTNAME, "host");
	if (arch)
		writer_feature_string(w, FEATURE_ARCH, arch);
	put_name(w, 7, 7, 0, "main");
	put_mmap(w, 7, 0, TEXT, 0x10000, "/a");
	return w;
}

/* x29 is 0 where it was recorded. */
static void put_linked(struct recording_writer *w, uint64_t registers, const struct linked *l)
{
	struct test_sample s = { 7, 7, 0, 100, 1, l->chain[0], 0, 0, { 0 } };
	size_t at;

	for (; s.n < 8 && l->chain[s.n]; s.n++)
		s.chain[s.n] = l->chain[s.n];
	at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);
	put_sample_front(w, &s);
	put_u64(w, l->abi);
	if (l->abi && registers >> REG_FP & 1)
		put_u64(w, 0);
	if (l->abi)
		put_u64(w, l->link);
	writer_end(w, at);
}

static const struct recording *expect_read(void **state, struct read_opts o, const char *stacks)
{
	const char *const symfs[] = { *bed_dir(state), NULL };
	struct files_opts files = { .symfs = symfs, .no_system = true, .trust_files = true };

	write_program(state);
	o.files = &files;
	return bed_expect(state, o, stacks);
}

static const struct recording *expect_linked(
	void **state, const struct linked *l, struct read_opts o, const char *stacks)
{
	const uint64_t registers = 1ull << REG_LR;

	put_linked(start_linked(state, false, registers, "aarch64"), registers, l);
	return expect_read(state, o, stacks);
}

static const struct read_opts compat = { .compat_perf = true };

static void a_caller_that_frame_pointers_miss_is_inserted(void **state)
{
	const struct linked l = { { USER, LEAF, OUTER }, 2, CALLER };
	const uint64_t masks[] = { 1ull << REG_LR, 1ull << REG_LR | 1ull << REG_FP };
	const struct recording *r;
	unsigned i;

	for (i = 0; i < 4; i++) {
		uint64_t registers = masks[i / 2];

		put_linked(start_linked(state, i % 2, registers, "aarch64"), registers, &l);
		r = expect_read(state, DEFAULTS, "main /a+1190 /a+1150 /a+1080! =1");
		assert_true(r->facts.links);
		assert_false(r->facts.copied_stacks);
	}
	expect_linked(state, &l, compat, "main /a+1190 /a+1150 /a+1080! =1");
	expect_linked(state, &l, (struct read_opts){ .truncated = TRUNCATED_MERGE },
		"main /a+1190 /a+1150 /a+1080! =1");
}

static void the_signature_of_a_return_address_is_left_out(void **state)
{
	expect_linked(state,
		&(struct linked){ { USER, LEAF, OUTER }, 2, 0x3fed000000000000 | CALLER }, DEFAULTS,
		"main /a+1190 /a+1150 /a+1080! =1");
}

static void a_caller_is_inserted_behind_the_kernel_part(void **state)
{
	expect_linked(state,
		&(struct linked){ { KERNEL, 0xffffffff81000000, USER, LEAF, OUTER }, 2, CALLER },
		DEFAULTS, "main /a+1190 /a+1150 /a+1080! ?+ffffffff81000000! =1");
	expect_linked(state, &(struct linked){ { KERNEL, 0xffffffff81000000 }, 2, CALLER },
		DEFAULTS, "main ?+ffffffff81000000! =1");
	expect_linked(state, &(struct linked){ { KERNEL, 0xffffffff81000000, USER }, 2, CALLER },
		DEFAULTS, "main ?+ffffffff81000000! =1");
}

static void perf_inserts_between_two_different_addresses_only(void **state)
{
	const struct linked alone = { { USER, LEAF }, 2, CALLER };
	const struct linked recursive = { { USER, LEAF, CALLER }, 2, CALLER };

	expect_linked(state, &alone, DEFAULTS, "main /a+1150 /a+1080! =1");
	expect_linked(state, &alone, compat, "main /a+1080! =1");
	expect_linked(state, &recursive, DEFAULTS, "main /a+1150 /a+1150 /a+1080! =1");
	expect_linked(state, &recursive, compat, "main /a+1150 /a+1080! =1");
}

static void a_link_register_that_is_no_longer_the_callers_is_not_used(void **state)
{
	expect_linked(state, &(struct linked){ { USER, FRAMED, OUTER }, 2, CALLER }, DEFAULTS,
		"main /a+1190 /a+1110! =1");
	expect_linked(state, &(struct linked){ { USER, STORED, OUTER }, 2, CALLER }, DEFAULTS,
		"main /a+1190 /a+1280! =1");
	expect_linked(state, &(struct linked){ { USER, NO_CFI, OUTER }, 2, CALLER }, DEFAULTS,
		"main /a+1190 /a+1380! =1");
}

static void a_link_register_that_leads_to_no_code_is_not_used(void **state)
{
	const char *stacks = "main /a+1190 /a+1080! =1";

	expect_linked(state, &(struct linked){ { USER, LEAF, OUTER }, 2, 0 }, DEFAULTS, stacks);
	expect_linked(
		state, &(struct linked){ { USER, LEAF, OUTER }, 2, 0x9000 }, DEFAULTS, stacks);
	expect_linked(state, &(struct linked){ { USER, LEAF, OUTER }, 0, 0 }, DEFAULTS, stacks);
	/* of a 32-bit program */
	expect_linked(
		state, &(struct linked){ { USER, LEAF, OUTER }, 1, CALLER }, DEFAULTS, stacks);
}

/* The same bit is another register there, or nothing is known of it. */
static void other_architectures_have_no_such_register(void **state)
{
	static const char *const arches[] = { "x86_64", "riscv64", "loongarch64", NULL };
	const struct linked l = { { USER, LEAF, OUTER }, 2, CALLER };
	const uint64_t registers = 1ull << REG_LR;
	unsigned i;

	for (i = 0; i < ARRAY_LEN(arches); i++) {
		put_linked(start_linked(state, false, registers, arches[i]), registers, &l);
		assert_false(expect_read(state, DEFAULTS, "main /a+1190 /a+1080! =1")->facts.links);
	}
	put_linked(start_linked(state, false, 1ull << REG_FP, "aarch64"), 0, &l);
	assert_false(expect_read(state, DEFAULTS, "main /a+1190 /a+1080! =1")->facts.links);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_DIR_TEST(a_caller_that_frame_pointers_miss_is_inserted),
		BED_DIR_TEST(the_signature_of_a_return_address_is_left_out),
		BED_DIR_TEST(a_caller_is_inserted_behind_the_kernel_part),
		BED_DIR_TEST(perf_inserts_between_two_different_addresses_only),
		BED_DIR_TEST(a_link_register_that_is_no_longer_the_callers_is_not_used),
		BED_DIR_TEST(a_link_register_that_leads_to_no_code_is_not_used),
		BED_DIR_TEST(other_architectures_have_no_such_register),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
