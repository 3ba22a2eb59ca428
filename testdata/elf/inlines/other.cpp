extern volatile int sink;

static inline int half(int v)
{
	return v / sink;
}

int other(int v)
{
	return half(v) + half(sink);
}
