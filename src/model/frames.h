/*
 * frames.h - named frames, as filters match them and writers draw them
 *
 * Frames are interned: frames equal in all fields share a number. A site (model/sites.h) has one
 * frame, or more where functions were inlined; a filter makes new frames from old.
 *
 * Owns: the table owns the frames; strings belong to its strtab (borrowed).
 * Threads: any thread may intern (a lock inside) and read a number that it was given.
 */
#ifndef PERFOLD_MODEL_FRAMES_H
#define PERFOLD_MODEL_FRAMES_H

#include "base/strtab.h"

typedef uint32_t frame_id; /* 0: none */

enum frame_kind {
	FRAME_UNKNOWN, /* an address without a name: see why */
	FRAME_USER,
	FRAME_KERNEL,
	FRAME_JIT,   /* generated code, named by a perf map or a jitdump */
	FRAME_ROOT,  /* no code: comm, process, event, ... at the bottom of a stack */
	FRAME_LABEL, /* no code: made by a filter */
};

enum frame_flags {
	FRAME_INLINED = 1,  /* has no address of its own: its code is part of the frame below it */
	FRAME_FUNCTION = 2, /* has no name: address is where its function begins, in the module */
	FRAME_DECLARED = 4, /* file and line are those of the declaration, in debug information */
};

/* Annotations after display names: _[k], _[j], _[i]. */
enum annotate { ANNOTATE_KERNEL = 1, ANNOTATE_JIT = 2, ANNOTATE_INLINE = 4 };

/* Why a frame has no name. */
enum frame_why {
	WHY_HAS_NAME,
	WHY_NO_MAPPING,  /* nothing was mapped at the address */
	WHY_NO_FILE,     /* the mapped file is not here */
	WHY_REFUSED,     /* a file is here, but not the recorded one */
	WHY_NO_SYMBOL,   /* the file is here, no symbol covers the address */
	WHY_NO_JIT_MAP,  /* generated code, and no map for its process */
	WHY_NOT_IN_MAP,  /* generated code that the map does not have */
	WHY_NO_KALLSYMS, /* kernel code without a list of its symbols */
	WHY_IN_TEXT,     /* the input was text, and said so */
	WHY_COUNT
};

struct frame {
	str_id name;   /* demangled, without offset; "[unknown]" kinds: see collapse/naming.h */
	str_id module; /* as perf prints it: a path, [kernel.kallsyms], [ext4], [vdso], 0 */
	str_id file;   /* source file or URL of the function, where known */
	uint32_t line, column; /* of the function in file, from 1; 0: not known */
	/* The line of what ran, or of the call; 0: not known, or nobody asked. */
	uint32_t at_line;
	uint32_t at_column; /* until source maps are applied, which need it; else 0 */
	str_id at_file;     /* where that line is; 0: in the file of the function */
	uint8_t kind, flags, why;
	uint8_t tier; /* of generated code: enum v8_tier or code_tier, 0: not known */
	str_id category;
	uint64_t address; /* of FRAME_FUNCTION; else under --addresses, for frames without a name */
	/* The address of the instruction that ran, or one in the call, as objdump shows it: the
	 * virtual address in the module's file, not where that was loaded. The kernel's is that of
	 * the vmlinux which named it, else as recorded; its modules' and BPF's are as recorded.
	 * 0: not known, nobody asked, or FRAME_INLINED. */
	uint64_t at_address;
	uint64_t at_function;    /* where the function of at_address begins; 0: not known */
	uint32_t function_bytes; /* of its code; 0: not known */
	/* Of FRAME_FUNCTION, and where at_address is known: the module's build-id in hex, or where
	 * that is not known what the name was read from. Of code in a jitdump, at_address is that
	 * in its process, and this is where its record is in the dump, and where the code began
	 * then, in hex: "1f40@7f1200". Addresses of different builds have nothing to do with each
	 * other.
	 */
	str_id build;
};

struct frames;

struct frames *frames_new(struct strtab *strings);
void frames_free(struct frames *t);
frame_id frames_add(struct frames *t, const struct frame *f);
const struct frame *frames_get(const struct frames *t, frame_id id);
/* Is it this frame? */
bool frames_is(const struct frames *t, frame_id id, const struct frame *f);
struct strtab *frames_strings(const struct frames *t);
/* One more than the highest number given so far. */
uint32_t frames_count(const struct frames *t);

/* Makes it the same frame wherever in its function it was: without the address of the instruction.
 * false: it has none. */
bool frames_drop_address(struct frame *f);
/* Does it say which line or address of its function, or where that is declared? */
bool frames_has_line(const struct frame *f);
/* Makes it a frame that does not, as if nothing had been looked up in debug information. */
bool frames_drop_line(struct frame *f);
frame_id frames_without_address(struct frames *t, frame_id id);
frame_id frames_without_line(struct frames *t, frame_id id);

static inline struct span frames_name(const struct frames *t, frame_id id)
{
	return strtab_get(frames_strings(t), frames_get(t, id)->name);
}

/* A stable name for a reason: "no_file". */
const char *frames_why_name(enum frame_why why);

#endif
