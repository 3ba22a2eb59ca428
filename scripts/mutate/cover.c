/*
 * Linked into the library that mutate.py measures: which blocks of code a test reaches. gcc calls
 * __sanitizer_cov_trace_pc() at the start of each block (-fsanitize-coverage=trace-pc). The byte of
 * the file "cover" beside the library that has the offset of the return address becomes 1. The file
 * is mapped and shared: what a test reached in children, and before a signal ended it, is in it,
 * too.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
static unsigned char *reached;
static size_t size;

void __sanitizer_cov_trace_pc(void);

__attribute__((constructor(101))) static void open_map(void)
{
	Dl_info self;
	char path[PATH_MAX];
	struct stat st;
	if (!dladdr(__ehdr_start, &self) || strlen(self.dli_fname) >= sizeof(path))
		return;
	strcpy(path, self.dli_fname);
	strcpy(strrchr(path, '/') + 1, "cover");
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return;
	void *map = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map != MAP_FAILED) {
		size = (size_t)st.st_size;
		reached = map;
	}
	close(fd);
}

void __sanitizer_cov_trace_pc(void)
{
	size_t at = (size_t)((const char *)__builtin_return_address(0) - __ehdr_start);
	if (reached && at < size)
		reached[at] = 1;
}
