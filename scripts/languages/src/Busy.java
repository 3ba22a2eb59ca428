/* Busy SECONDS: spends its time in known shares, and prints these. */
class Busy {
	static long heavy(int n) { long s = 0; for (int i = 1; i < n; i++) s += i % 7 * (s ^ i); return s; }
	static long middle(int n) { long s = 0; for (int i = 1; i < n; i++) s += (s + i) / 3; return s; }
	static long light(int n) { long s = 0; for (int i = 1; i < n; i++) s ^= s * 31 + i; return s; }

	static final java.lang.management.ThreadMXBean threads = java.lang.management.ManagementFactory.getThreadMXBean();
	static long now() { return threads.getCurrentThreadCpuTime(); }
	static long sink;

	public static void main(String[] args) throws Exception {
		long[] spent = new long[3];
		long end = now() + Long.parseLong(args[0]) * 1000000000L;
		while (now() < end) {
			long a = now(); sink += heavy(2000000);
			long b = now(); sink += middle(1000000);
			long c = now(); sink += light(1000000);
			long d = now();
			spent[0] += b - a; spent[1] += c - b; spent[2] += d - c;
		}
		double all = spent[0] + spent[1] + spent[2];
		System.out.printf("heavy %.3f%nmiddle %.3f%nlight %.3f%n", 100 * spent[0] / all, 100 * spent[1] / all, 100 * spent[2] / all);
	}
}
