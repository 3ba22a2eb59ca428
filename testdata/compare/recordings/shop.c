/* Work before and after (-DAFTER) a change: tokenize is called for less, and parse is inlined into
 * serve; legacy is gone, audit is new. */
static volatile unsigned sink;

#define WORK(name)                                                                                 \
	__attribute__((noinline, unused)) static void name(unsigned n)                                     \
	{                                                                                          \
		for (unsigned i = 0; i < n * 1000; i++)                                            \
			sink = sink * 3 + i;                                                       \
	}
WORK(tokenize)
WORK(legacy)
WORK(audit)
WORK(render)

#ifdef AFTER
enum { AMOUNT = 30 };
__attribute__((always_inline)) inline
#else
enum { AMOUNT = 60 };
__attribute__((noinline))
#endif
static void parse(unsigned n)
{
	tokenize(n);
	sink += n;
}

__attribute__((noinline)) static void serve(void)
{
	parse(AMOUNT);
#ifdef AFTER
	audit(20);
#else
	legacy(15);
#endif
	render(40);
	sink++;
}

int main(void)
{
	for (int i = 0; i < 1500; i++)
		serve();
	return 0;
}
