import java.util.ArrayList;
import java.util.function.IntUnaryOperator;

public class Work {
	static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

	static class Words {
		static String join(int n) {
			StringBuilder b = new StringBuilder();
			for (int i = 0; i < n; i++)
				b.append("word").append(i);
			return b.toString();
		}
	}

	static int apply(IntUnaryOperator f, int n) {
		int sum = 0;
		for (int i = 0; i < n; i++)
			sum += f.applyAsInt(i);
		return sum;
	}

	public static void main(String[] args) {
		long end = System.nanoTime() + 1200000000L;
		ArrayList<Integer> list = new ArrayList<>();
		long sum = 0;

		while (System.nanoTime() < end) {
			sum += fib(22) + Words.join(200).length() + apply(x -> x * 31 + fib(5), 500);
			list.add((int) sum);
			if (list.size() > 1000)
				list.clear();
		}
		System.out.println(sum & 1);
	}
}
