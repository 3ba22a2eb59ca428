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

void message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
