/*
 * message.h - a line on standard error
 *
 * Names of files, functions and threads come from whoever made the recording: what would move the
 * cursor or start a command of the terminal is shown as "\x1b".
 *
 * Threads: any.
 */
#ifndef PERFOLD_CLI_MESSAGE_H
#define PERFOLD_CLI_MESSAGE_H

#include <stdarg.h>

void message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Such a line, for another stream; the caller frees it. */
char *message_string(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

#endif
