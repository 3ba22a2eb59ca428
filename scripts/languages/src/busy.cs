// busy.dll SECONDS: spends its time in known shares, and prints these.
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

public static class Busy
{
	[MethodImpl(MethodImplOptions.NoInlining)]
	static long heavy(int n)
	{
		long s = 0;
		for (int i = 1; i <= n; i++)
			s += i % 7 * i;
		return s;
	}

	[MethodImpl(MethodImplOptions.NoInlining)]
	static int middle(int n)
	{
		var t = new StringBuilder();
		for (int i = 1; i <= n; i++)
			t.Append(i.ToString());
		return t.Length;
	}

	[MethodImpl(MethodImplOptions.NoInlining)]
	static long light(int n)
	{
		long s = 0;
		for (int i = 1; i <= n; i++)
			s ^= i;
		return s;
	}

	/* of the CPU, for all threads, in microseconds */
	[DllImport("libc")]
	static extern long clock();

	static double now()
	{
		return clock() / 1e6;
	}

	static void print(string name, double share)
	{
		int tenths = (int)(10 * share + 0.5);
		var line = new StringBuilder();
		line.Append(name);
		line.Append(" ");
		line.Append((tenths / 10).ToString());
		line.Append(".");
		line.Append((tenths % 10).ToString());
		Console.WriteLine(line.ToString());
	}

	static void run(double seconds)
	{
		var spent = new double[3];
		double start = now(), all = 0;
		while (now() - start < seconds)
		{
			double from = now();
			for (int i = 0; i < 20; i++) heavy(300000);
			double then = now();
			spent[0] += then - from;
			for (int i = 0; i < 20; i++) middle(20000);
			from = now();
			spent[1] += from - then;
			for (int i = 0; i < 20; i++) light(300000);
			then = now();
			spent[2] += then - from;
		}
		all = spent[0] + spent[1] + spent[2];
		print("heavy", 100 * spent[0] / all);
		print("middle", 100 * spent[1] / all);
		print("light", 100 * spent[2] / all);
	}

	public static void Main(string[] args)
	{
		run(double.Parse(args[0]));
	}
}

