#include "input/perfdata/evsel_name.h"

#include "base/mem.h"

#include <inttypes.h>

static const char *const hardware[] = { "cycles", "instructions", "cache-references",
	"cache-misses", "branches", "branch-misses", "bus-cycles", "stalled-cycles-frontend",
	"stalled-cycles-backend", "ref-cycles" };

static const char *const software[] = { "cpu-clock", "task-clock", "page-faults",
	"context-switches", "cpu-migrations", "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy", "bpf-output", "cgroup-switches" };

static const char *const cache[] = { "L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch",
	"node" };
/* [operation][result]: the second is the result "miss". */
static const char *const cache_operation[3][2] = { { "loads", "load-misses" },
	{ "stores", "store-misses" }, { "prefetches", "prefetch-misses" } };

/* The upper half of config is a CPU type on hybrid machines. */
static void put_known(
	struct buf *b, const char *const *names, size_t n, uint64_t config, const char *family)
{
	uint32_t number = (uint32_t)config;

	if (number < n)
		buf_puts(b, names[number]);
	else
		buf_printf(b, "unknown-%s-0x%" PRIx32, family, number);
}

/*	config: u8 cache, u8 operation, u8 result */
static void put_cache(struct buf *b, uint64_t config)
{
	unsigned which = config & 0xff, operation = config >> 8 & 0xff,
		 result = config >> 16 & 0xff;

	if (which < ARRAY_LEN(cache) && operation < 3 && result < 2)
		buf_printf(b, "%s-%s", cache[which], cache_operation[operation][result]);
	else
		buf_printf(b, "unknown-cache-0x%" PRIx64, config);
}

/* Levels are shown only if some are excluded. By default perf excludes guests. */
static void put_modifiers(struct buf *b, const struct perfdata_attr *a)
{
	bool some = a->exclude_user || a->exclude_kernel || a->exclude_hv;
	size_t colon = b->n;

	buf_putc(b, ':');
	if (some && !a->exclude_kernel)
		buf_putc(b, 'k');
	if (some && !a->exclude_user)
		buf_putc(b, 'u');
	if (some && !a->exclude_hv)
		buf_putc(b, 'h');
	buf_put(b, "ppp", a->precise_ip);
	if (a->exclude_host && !a->exclude_guest)
		buf_putc(b, 'G');
	if (b->n == colon + 1)
		b->n = colon;
}

static void put_pmu(struct buf *b, const struct perfdata_attr *a, const struct perfdata_features *f,
	const struct strtab *strings)
{
	uint32_t i;

	for (i = 0; i < f->n_pmus; i++) {
		if (f->pmus[i].type != a->type)
			continue;
		buf_put_span(b, strtab_get(strings, f->pmus[i].name));
		buf_printf(b, "/config=0x%" PRIx64 "/", a->config);
		return;
	}
	buf_printf(b, "unknown attr type: %" PRIu32, a->type);
}

void evsel_name_append(struct buf *b, const struct perfdata_attr *a,
	const struct perfdata_features *f, const struct strtab *strings)
{
	switch (a->type) {
	case EVENT_HARDWARE:
		put_known(b, hardware, ARRAY_LEN(hardware), a->config, "hardware");
		break;
	case EVENT_SOFTWARE:
		put_known(b, software, ARRAY_LEN(software), a->config, "software");
		break;
	case EVENT_TRACEPOINT:
		/* Its name is in the tracing data, which perf copies to EVENT_DESC. */
		buf_printf(b, "tracepoint-%" PRIu64, a->config);
		return;
	case EVENT_HW_CACHE:
		put_cache(b, a->config);
		break;
	case EVENT_RAW:
		buf_printf(b, "raw 0x%" PRIx64, a->config);
		break;
	case EVENT_BREAKPOINT:
		buf_printf(b, "mem:0x%" PRIx64, a->config1);
		break;
	default:
		put_pmu(b, a, f, strings);
		return;
	}
	put_modifiers(b, a);
}
