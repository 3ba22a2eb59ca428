/*
 * elf_for_test.h - tables of symbols made of a program in memory
 *
 * Owns: nothing; the table is the test's. Threads: one, since names are in a buffer.
 */
#ifndef PERFOLD_SYMBOLIZE_ELF_ELF_FOR_TEST_H
#define PERFOLD_SYMBOLIZE_ELF_ELF_FOR_TEST_H

#include "symbolize/elf/elf.h"
#include "symbolize/elf/tiny_elf_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* The symbols of an image, which comes from malloc and from now on belongs to the table; false, and
 * nothing to release, if libelf refuses it. */
static inline bool symtab_of_image(struct symtab *t, char *image, size_t size_bytes)
{
	struct elf_file *ef = elf_file_from_memory(image, size_bytes, "image");

	*t = (struct symtab){ 0 };
	if (!ef)
		return false;
	symtab_hold(t, ef);
	elf_symbols_add(t, ef, ef, SHT_SYMTAB, NULL);
	elf_symbols_add(t, ef, ef, SHT_DYNSYM, NULL);
	symtab_fixup(t);
	elf_plt_add(t, ef);
	symtab_freeze(t);
	return true;
}

static inline bool symtab_of_tiny(struct symtab *t, const struct tiny_elf *tiny)
{
	size_t size_bytes;
	char *image = tiny_elf_image(tiny, &size_bytes);

	return symtab_of_image(t, image, size_bytes);
}

static inline bool symtab_of_stubs(struct symtab *t, const struct tiny_stubs *stubs)
{
	size_t size_bytes;
	char *image = tiny_elf_stubs(stubs, &size_bytes);

	return symtab_of_image(t, image, size_bytes);
}

/* The name at a place, "none" if there is none; until the next call. */
static inline const char *symtab_name_at(const struct symtab *t, uint64_t place)
{
	static char name[64];
	uint32_t i = symtab_find(t, place);

	if (i == SYMTAB_NONE)
		return "none";
	snprintf(name, sizeof(name), "%.*s", SPAN_ARG(symtab_get(t, i).name));
	return name;
}

struct named_place {
	uint64_t place;
	const char *name;
};

/* Names at places, each of which is after start. */
static inline void symtab_expect_names(
	const struct symtab *t, uint64_t start, const struct named_place *expected, size_t n)
{
	for (; n--; expected++)
		assert_string_equal(symtab_name_at(t, start + expected->place), expected->name);
}

/* A list of places, and its length. */
#define NAMES(...)                                                                                 \
	(const struct named_place[]){ __VA_ARGS__ },                                               \
		ARRAY_LEN(((const struct named_place[]){ __VA_ARGS__ }))

#endif
