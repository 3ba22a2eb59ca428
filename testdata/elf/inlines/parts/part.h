static inline __attribute__((always_inline)) int part(int n)
{
	return sink = n * n;
}
