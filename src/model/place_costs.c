#include "model/place_costs.h"

#include <stdlib.h>

void place_costs_release(struct place_costs *c)
{
	free(c->line);
	free(c->instruction);
	free(c->call);
	*c = (struct place_costs){ 0 };
}
