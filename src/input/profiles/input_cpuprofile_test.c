#include "input/profiles/profiles.h"

#include "input/input_for_test.h"

#define BED(text)         input_bed_of(&input_cpuprofile, ROOT_COMM, (text))
#define CHECK(text, want) input_check(&input_cpuprofile, ROOT_COMM, (text), (want))

#define NODE(id, name, url, line, rest)                                                            \
	"{\"id\":" #id ",\"callFrame\":{\"functionName\":\"" name                                  \
	"\",\"scriptId\":\"1\",\"url\":\"" url "\",\"lineNumber\":" #line                          \
	",\"columnNumber\":3}" rest "}"
#define NODES                                                                                      \
	"\"nodes\":[" NODE(1, "(root)", "", -1, ",\"children\":[2,4]") "," NODE(                   \
		2, "f", "file:///a.js", 0, ",\"hitCount\":2,\"children\":[3]") "," NODE(3, "",     \
		"file:///a.js", 9,                                                                 \
		",\"hitCount\":1") "," NODE(4, "(idle)", "", -1, ",\"hitCount\":5") "]"
#define TEXT                                                                                       \
	"{" NODES ",\"startTime\":1000,\"endTime\":2000,\"samples\":[2,3,4,2],"                    \
	"\"timeDeltas\":[100,200,-50,300]}"

static void a_sample_weighs_the_time_until_the_next(void **state)
{
	struct input_bed t = BED(TEXT);

	(void)state;
	t.opts.timeline = true;
	t.rows = true;
	input_expect(&t, "stack |(idle) 50000 1\n"
			 "stack |f file:///a.js:1:4_[j] 600000 2\n"
			 "stack |f file:///a.js:1:4_[j]|(anonymous) file:///a.js:10:4_[j] "
			 "250000 1\n"
			 "row 00000000000001100000 /-1 samples cpu -1 |f file:///a.js:1:4_[j] "
			 "150000 1\n"
			 "row 00000000000001250000 /-1 samples cpu -1 |(idle) 50000 1\n"
			 "row 00000000000001300000 /-1 samples cpu -1 |f file:///a.js:1:4_[j]|"
			 "(anonymous) file:///a.js:10:4_[j] 250000 1\n"
			 "row 00000000000001550000 /-1 samples cpu -1 |f file:///a.js:1:4_[j] "
			 "450000 1\n"
			 "event samples 4 chosen\nthread -1/-1  4\n");
}

static void without_samples_hits_count(void **state)
{
	(void)state;
	CHECK("{" NODES "}", "stack |(idle) 5 1\n"
			     "stack |f file:///a.js:1:4_[j] 2 1\n"
			     "stack |f file:///a.js:1:4_[j]|(anonymous) file:///a.js:10:4_[j] 1 1\n"
			     "event samples 3 chosen\nthread -1/-1  3\n");
}

static void the_old_tree_format_is_read(void **state)
{
	(void)state;
	CHECK("{\"head\":{\"functionName\":\"node\",\"url\":\"\",\"lineNumber\":0,\"id\":1,"
	      "\"children\":[{\"functionName\":\"f\",\"url\":\"a.js\",\"lineNumber\":3,\"id\":2,"
	      "\"children\":[{\"functionName\":\"g\",\"url\":\"\",\"lineNumber\":0,\"id\":3,"
	      "\"children\":[]}]},{\"functionName\":\"h\",\"url\":\"\",\"id\":4}]},"
	      "\"startTime\":1,\"endTime\":2,\"samples\":[3,2,3,4,9]}",
		"stack node|f a.js:3_[j] 1 1\nstack node|f a.js:3_[j]|g 2 2\nstack node|h 1 1\n"
		"event samples 4 chosen\nthread -1/-1 node 4\nbad BAD_SAMPLE 1 4\n");
}

static void lines_that_no_file_has_are_none(void **state)
{
	(void)state;
	CHECK("{\"nodes\":[" NODE(1, "a", "a.js", -7, ",\"hitCount\":1") "," NODE(
		      2, "b", "a.js", 4294967296, ",\"hitCount\":1") "," NODE(3, "c", "a.js",
		      4294967294, ",\"hitCount\":1") "]}",
		"stack a 1 1\nstack a|b a.js_[j] 1 1\nstack a|c a.js:4294967295:4_[j] 1 1\n"
		"event samples 3 chosen\nthread -1/-1 a 3\n");
}

static void circles_are_cut(void **state)
{
	(void)state;
	CHECK("{\"nodes\":[" NODE(1, "a", "", -1, ",\"hitCount\":1,\"parent\":2") "," NODE(
		      2, "b", "", -1, ",\"hitCount\":1,\"parent\":1") "]}",
		"stack a|b 1 1\nstack a|b|a 1 1\nevent samples 2 chosen\n"
		"thread -1/-1 a 2\nbad BAD_RECORD 1 1\n");
}

static void anything_but_a_profile_is_an_error(void **state)
{
	(void)state;
	CHECK("{}", "error: not a CPU profile: it has no nodes\n");
	CHECK("{\"nodes\":[}",
		"error: JSON after 2 values: parse error: unallowed token at this point "
		"in JSON text\n");
}

static void blocks_and_streams_change_nothing(void **state)
{
	(void)state;
	input_expect_format(BED(TEXT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_weighs_the_time_until_the_next),
		cmocka_unit_test(without_samples_hits_count),
		cmocka_unit_test(the_old_tree_format_is_read),
		cmocka_unit_test(lines_that_no_file_has_are_none),
		cmocka_unit_test(circles_are_cut),
		cmocka_unit_test(anything_but_a_profile_is_an_error),
		cmocka_unit_test(blocks_and_streams_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
