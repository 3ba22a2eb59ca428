#include "compare/overdispersion.h"

#include <math.h>
#include <stdlib.h>

/* How many recordings the assumed variation counts for. */
#define ASSUMED_RUNS 2.0

static double share_of(const struct proportion *c)
{
	return c->n ? (double)c->k / (double)c->n : 0;
}

void overdispersion_add(struct overdispersion_sum *s, const struct proportion *run, size_t n)
{
	double mean = 0, spread = 0, one_over_n = 0, q;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!run[i].n)
			return; /* nothing can be learned from an empty recording */
		mean += share_of(&run[i]) / (double)n;
		one_over_n += 1 / (double)run[i].n / (double)n;
	}
	if (n < 2)
		return;
	for (i = 0; i < n; i++)
		spread += pow(share_of(&run[i]) - mean, 2) / (double)(n - 1);
	q = mean * (1 - mean);
	s->sampling += q * one_over_n;
	s->excess += spread - q * one_over_n;
	s->scale += q * q;
}

/* v from the sums alone; 0 where sampling explains everything. */
static double measured(const struct overdispersion_sum *s)
{
	return s->excess > 0 && s->scale > 0 ? sqrt(s->excess / s->scale) : 0;
}

double overdispersion_variation(const struct overdispersion_sum *s, size_t n_runs, double assumed)
{
	double v = measured(s), runs = n_runs > 1 ? (double)(n_runs - 1) : 0;

	return sqrt((ASSUMED_RUNS * assumed * assumed + runs * v * v) / (ASSUMED_RUNS + runs));
}

/* The sample variance s^2 of n normal values has the variance 2 / (n - 1) * s^4. */
double overdispersion_own_variation(
	const struct overdispersion_sum *own, size_t n_runs, double of_all)
{
	double expected = own->sampling + of_all * of_all * own->scale, most;

	if (n_runs < 2)
		return of_all;
	most = expected * (1 + 2 * sqrt(2 / (double)(n_runs - 1)));
	return own->sampling + own->excess > most ? fmax(of_all, measured(own)) : of_all;
}

double overdispersion_design_effect(
	double variation, double share, uint64_t samples, double same_run)
{
	return 1 + variation * variation * share * (1 - share) * (double)samples * same_run;
}
