/* Writes and syncs a file a few times: spans-calls was recorded of it. */
#include <fcntl.h>
#include <unistd.h>

static void save(int n)
{
	int fd = open("saved", O_CREAT | O_WRONLY, 0600), i;

	for (i = 0; i < n; i++)
		if (write(fd, "some text\n", 10) == 10)
			fsync(fd);
	close(fd);
}

int main(void)
{
	char c;

	save(2);
	save(1);
	write(77, &c, 1); /* EBADF */
	unlink("saved");
	return 0;
}
