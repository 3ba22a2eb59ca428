/*
 * pprof_message.h - messages of a profile of pprof, one by one to the file, and its string table
 *
 * Field numbers are in model/pprof_fields.h.
 *
 * Owns: its buffers and the table. Threads: one. Private to output/.
 */
#ifndef PERFOLD_OUTPUT_PPROF_MESSAGE_H
#define PERFOLD_OUTPUT_PPROF_MESSAGE_H

#include "base/protobuf_writer.h"
#include "base/sink.h"
#include "base/strtab.h"
#include "model/pprof_fields.h"

struct pprof_message {
	struct sink *to;
	struct strtab *texts;  /* in order of first use; 0 is "" */
	struct buf body, part; /* the message that is built, and a message in it */
	struct buf whole;
};

void pprof_message_init(struct pprof_message *m, struct sink *to);
void pprof_message_release(struct pprof_message *m);
/* The number of a string. */
uint32_t pprof_message_text(struct pprof_message *m, struct span s);
/* Writes the body as a field of the profile, and empties it. */
void pprof_message_put(struct pprof_message *m, unsigned field);
/* Writes the fields in the body as they are, and empties it. */
void pprof_message_put_fields(struct pprof_message *m);
/* Writes the string table, after all else. */
void pprof_message_put_texts(struct pprof_message *m);

#endif
