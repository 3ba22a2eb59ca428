extern volatile unsigned sink;
void good(unsigned n), changed(unsigned n);

#define FUNCTION(name) __attribute__((noinline)) void name(unsigned n) { for (unsigned i = 0; i < n; i++) sink -= i; }

#line 1 "/etc/shadow"
FUNCTION(shadow)
#line 1 "../../../../../../etc/passwd"
FUNCTION(climbs)
#line 1 "/tmp/fifo.c"
FUNCTION(fifo)
#line 1 "/tmp/zero.c"
FUNCTION(zero)
#line 1 "/tmp/long.c"
FUNCTION(long_line)
#line 1 "/tmp/key.c"
FUNCTION(link_to_key)
#line 1 "/tmp/binary.c"
FUNCTION(binary)
#line 40 "/src/hostile.c"
int main(void)
{
	unsigned n = 30000000;

	good(n);
	changed(n);
	shadow(n);
	climbs(n);
	fifo(n);
	zero(n);
	long_line(n);
	link_to_key(n);
	binary(n);
	return 0;
}
