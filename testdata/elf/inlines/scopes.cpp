// Inlined functions that only this file can see, so that no linkage name says what they are part of;
// for the tests of src/symbolize/dwarf_names.c.
volatile int sink;

namespace {

struct point {
	int x;

	int norm() const
	{
		return x * x + sink;
	}
	int twice() const;
};

int point::twice() const
{
	return norm() + sink;
}

inline namespace v2 {
int helper(int v)
{
	return point{ v }.twice() + sink;
}
}

template <typename T>
T larger(T a, T b)
{
	return a > b + sink ? a : b;
}

} // namespace

namespace shapes {

static int square(int v)
{
	return v * v + sink;
}

union value {
	struct {
		int first;
	} part;

	__attribute__((noinline)) int get(int v)
	{
		struct local {
			static int add(int w)
			{
				return w + sink;
			}
		};
		auto inner = [this](int w) {
			auto most = [](int u) { return u + sink; };

			return square(w) + part.first + most(w);
		};
		return inner(v) + local::add(v) + helper(v);
	}
};

} // namespace shapes

namespace {

int outside(int v)
{
	struct {
		int operator()(int w) const
		{
			return w - sink;
		}
	} call;

	return call(v) + larger(v, 3);
}

} // namespace

int main()
{
	shapes::value v = { { sink } };

	return v.get(sink) + outside(sink);
}
