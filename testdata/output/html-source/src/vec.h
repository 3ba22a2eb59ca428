// Small vectors; all of it is inlined.
template <typename T, int N> struct vec {
	T v[N];

	inline T dot(const vec &o) const
	{
		T sum = 0;
		for (int i = 0; i < N; i++)
			sum += v[i] * o.v[i];
		return sum;
	}

	inline void scale(T by)
	{
		for (int i = 0; i < N; i++)
			v[i] = v[i] * by + 1;
	}
};
