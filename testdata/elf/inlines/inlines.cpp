// Functions in functions, for the tests of src/symbolize/dwarf*.c.
volatile int sink;

namespace shapes {

static inline int square(int v)
{
	return v * v + sink;
}

struct point {
	int x, y;

	inline int norm() const
	{
		return square(x) +
			square(y);
	}
};

template <typename T>
inline T mix(T a, T b)
{
	while (a > b) {
		a -= square(b);
		sink = a;
	}
	return a;
}

} // namespace shapes

extern "C" inline int step(int v)
{
	shapes::point p = { v, sink };

	return shapes::mix(p.norm(), v);
}

__attribute__((noinline)) int work(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += step(i);
	if (__builtin_expect(sum == 42, 0))
		sink = step(sum);
	return sum;
}

int main()
{
	return work(sink);
}
