/*
 * err.h - error codes and messages
 *
 * Functions that can fail return an int: OK, or one of the negative kinds below, and fill the
 * caller's struct err (last parameter). The message is one line, lower case, without a full stop;
 * it names the offset or line. Callers add the place with err_wrap() on the way up; main prints
 * it once. Damage that can be survived is no error: see model/diag.h.
 *
 * Owns: nothing. Threads: a struct err belongs to one thread.
 */
#ifndef PERFOLD_BASE_ERR_H
#define PERFOLD_BASE_ERR_H

#include <stdbool.h>

enum {
	OK = 0,
	END = 1,              /* an iterator is done */
	ERR_IO = -1,          /* a system call failed */
	ERR_FORMAT = -2,      /* the input is not what it claims to be */
	ERR_UNSUPPORTED = -3, /* known, but not handled */
	ERR_USAGE = -4,       /* the command line is wrong: exit status 2 */
	ERR_LIMIT = -5,       /* a bound against hostile input was hit */
	ERR_QUALITY = -6,     /* the recording is not good enough: exit status 4 */
	ERR_OUTPUT = -7,      /* an output, or a copy of an input, cannot be written */
};

struct err {
	int code;
	int errno_value; /* of err_errno(), else 0: EPIPE is not reported, for `| head` */
	char msg[1024];
};

/* Set the message; returns code, so that "return err_set(...)" reads well. */
int err_set(struct err *e, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Like err_set(), with ": " and strerror(errno) appended; code is ERR_IO. */
int err_errno(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Put "fmt: " before the message that is there; returns the code that is there. */
int err_wrap(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ERR_IO, of something that is written, becomes ERR_OUTPUT; returns the code. */
int err_of_output(struct err *e);

/* Is it this machine that failed, not an input? Elsewhere or later the same may succeed: exit
 * status 6. */
bool err_is_temporary(const struct err *e);

#endif
