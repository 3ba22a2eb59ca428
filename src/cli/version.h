/*
 * version.h - the version of the program, and of the libraries in it
 *
 * Whoever runs a program that reads strangers' files has to know which libraries it holds, to act
 * on reports of faults in these.
 *
 * Threads: one.
 */
#ifndef PERFOLD_CLI_VERSION_H
#define PERFOLD_CLI_VERSION_H

#include <stdbool.h>

/* Prints a line; with libraries, one for each of those as well. */
void version_print(bool libraries);

#endif
