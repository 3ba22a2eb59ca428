/* planted.h: what the library of planted.c does. */
#pragma once

/* Calls call with values made of sum, as often as round says; their combination. */
unsigned planted_each(unsigned round, unsigned (*call)(unsigned), unsigned sum);
