#include "base/near_word.h"

enum { WORD_MAX = 31, NEAR_MAX = 2 };

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many letters must be inserted, deleted, changed or swapped with their neighbour to make a
 * into b (optimal string alignment). Letters after the first WORD_MAX do not count. */
static size_t distance(struct span a, struct span b)
{
	size_t rows[3][WORD_MAX + 1], i, j;

	a.n = least_of(a.n, WORD_MAX);
	b.n = least_of(b.n, WORD_MAX);
	for (j = 0; j <= b.n; j++)
		rows[0][j] = j;
	for (i = 1; i <= a.n; i++) {
		const size_t *before = rows[(i - 1) % 3], *earlier = rows[(i + 1) % 3];
		size_t *row = rows[i % 3];

		row[0] = i;
		for (j = 1; j <= b.n; j++) {
			row[j] = least_of(before[j - 1] + (a.p[i - 1] != b.p[j - 1]),
				least_of(before[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1])
				row[j] = least_of(row[j], earlier[j - 2] + 1);
		}
	}
	return rows[a.n % 3][b.n];
}

/* Two letters make a short word into another one: "-o" is not like "--by". */
static size_t near_enough(struct span word)
{
	return least_of(NEAR_MAX, word.n / 3);
}

bool near_word_is_near(struct span word, struct span name)
{
	size_t most = word.n > name.n ? word.n : name.n;

	return most - least_of(word.n, name.n) <= NEAR_MAX && most <= WORD_MAX &&
	       distance(word, name) <= near_enough(word);
}

struct near_word near_word_of(struct span word)
{
	return (struct near_word){ word, near_enough(word) + 1 };
}

bool near_word_is_nearer(struct near_word *w, struct span name)
{
	size_t far = distance(w->word, name);

	if (far >= w->far)
		return false;
	w->far = far;
	return true;
}
