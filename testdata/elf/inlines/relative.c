volatile int sink;
#include "part.h"
int main(void)
{
	return part(sink);
}
