#include "cli/version.h"

#define PCRE2_CODE_UNIT_WIDTH 8

#include <archive.h>
#include <capstone/capstone.h>
#include <curses.h>
#include <elfutils/version.h>
#include <gnu/libc-version.h>
#include <libdeflate.h>
#include <lzma.h>
#include <pcre2.h>
#include <stdio.h>
#include <yajl/yajl_version.h>
#include <zlib.h>
#include <zstd.h>

#ifdef PERFOLD_STATIC
static const char linked[] = "linked in";
#else
static const char linked[] = "shared";
#endif

/* A version is what the library says that runs. libdeflate and elfutils say it in their headers
 * only, libiberty and libtraceevent nowhere. */
void version_print(bool libraries)
{
	char pcre2[64] = "";
	int yajl = yajl_version();

	puts("perfold " PERFOLD_VERSION);
	if (!libraries)
		return;
	pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
	printf("built with %s; libraries are %s\n", __VERSION__, linked);
	printf("%-14s %s\n", "glibc", gnu_get_libc_version());
	printf("%-14s %d.%d (header)\n", "elfutils", _ELFUTILS_VERSION / 1000,
		_ELFUTILS_VERSION % 1000);
	printf("%-14s %s (header)\n", "libdeflate", LIBDEFLATE_VERSION_STRING);
	printf("%-14s %s\n", "liblzma", lzma_version_string());
	printf("%-14s %s\n", "pcre2", pcre2);
	printf("%-14s %d.%d.%d\n", "yajl", yajl / 10000, yajl / 100 % 100, yajl % 100);
	printf("%-14s %s\n", "zlib", zlibVersion());
	printf("%-14s %s\n", "zstd", ZSTD_versionString());
	printf("%-14s %s\n", "others", "libiberty, libtraceevent: say no version");
#ifdef PERFOLD_STATIC
	printf("%-14s %d.%d\n", "capstone", CS_API_MAJOR, CS_API_MINOR);
	puts(archive_version_details());
	printf("%-14s %s\n", "ncurses", NCURSES_VERSION);
#else
	printf("%-14s %s\n", "when needed",
		"libarchive, libcapstone, libdebuginfod, libncursesw: not loaded yet");
#endif
}
