/*
 * dwarf_line_header.h - the header of a line number program: its files, and how to run it
 *
 * libdw 0.188 reads the whole program where only names of files are asked for, and does not give
 * out the MD5s that a table of version 5 may have. So the header is read here.
 *
 * Owns: the list of files; their names and MD5s are in the image. Threads: one for each. Private to
 * symbolize/.
 * Source: DWARF 5, 6.2.4 (the line number program header); DWARF 4, 6.2.4, for versions 2 to 4.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_LINE_HEADER_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_LINE_HEADER_H

#include "base/cursor.h"
#include "model/source_files.h"

/* A program that is read piece by piece, as those of a large program would push all else out of the
 * processor's cache. */
struct dwarf_line_pieces {
	/* n bytes of .debug_line; NULL: the program is in memory. */
	bool (*read)(const void *from, uint64_t offset, void *to, size_t n);
	const void *from;
	uint64_t offset, size_bytes; /* of the program */
	uint8_t *room;               /* for a piece */
	size_t room_bytes;           /* DWARF_LINE_PIECE_MIN_BYTES or more */
};

enum { DWARF_LINE_PIECE_MIN_BYTES = 8 << 10 };

/* The sections that a line table is in; empty: there is none. */
struct dwarf_line_sections {
	struct span line, line_str, str;
	struct dwarf_line_pieces pieces; /* where line ends before the program */
	bool swapped;                    /* not the byte order of this machine */
};

struct dwarf_line_file {
	struct span name; /* empty: there is no file of this number */
	struct span directory;
	bool in_compiler_directory;   /* directory is empty: it is the unit's */
	const struct source_md5 *md5; /* NULL: not known */
	str_id path;                  /* for who uses it: 0 at first */
	bool noted;                   /* likewise */
};

struct dwarf_line_header {
	struct dwarf_line_file *file; /* by number: that of version 4 and before begins with 1 */
	uint32_t n_files, cap_files;
	struct span *directory; /* while it is read; DW_LNE_define_file needs them, too */
	uint32_t n_directories, cap_directories;

	struct cursor program; /* empty where the header is damaged, and where there are pieces */
	struct dwarf_line_pieces pieces;
	bool in_strings; /* some of its names are in .debug_str */
	uint16_t version;
	uint8_t offset_bytes; /* 4 or 8 */
	uint8_t instruction_bytes, operations;
	int8_t line_base;
	uint8_t line_range, opcode_base;
	const uint8_t *operands; /* how many each standard opcode has, from 1 on */
};

/* How many bytes of a table come before its program, by the first DWARF_LINE_START_BYTES; 0: it is
 * of another version than 5, in which the program may add files. */
enum { DWARF_LINE_START_BYTES = 24 };
uint64_t dwarf_line_header_size(struct span start, bool swapped);
/* The header at an offset of .debug_line. Of a damaged one the files that come before the damage
 * are there. */
void dwarf_line_header_read(
	struct dwarf_line_header *h, const struct dwarf_line_sections *from, uint64_t offset);
/* The file of DW_LNE_define_file, where c is. */
void dwarf_line_header_define_file(struct dwarf_line_header *h, struct cursor *c);
void dwarf_line_header_release(struct dwarf_line_header *h);

#endif
