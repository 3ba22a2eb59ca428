#include "model/annotations.h"

#include <stdlib.h>

void annotations_release(struct annotations *a)
{
	free(a->function);
	free(a->by_frame);
	arena_release(&a->memory);
	*a = (struct annotations){ 0 };
}
