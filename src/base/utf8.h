/*
 * utf8.h - escaping strings of a recording for XML, terminals and JSON
 *
 * Strings of a recording are data, never markup. Bytes that are not UTF-8 become U+FFFD, one for
 * each byte.
 *
 * Threads: any.
 */
#ifndef PERFOLD_BASE_UTF8_H
#define PERFOLD_BASE_UTF8_H

#include "base/buf.h"

/* Length in bytes of the sequence at the front of s (1 to 4), 0 where it is not UTF-8: overlong
 * forms, surrogates and values above U+10FFFF are not. *code gets the value; s.n must be > 0. */
unsigned utf8_decode(struct span s, uint32_t *code);
bool utf8_valid(struct span s);
/* All bytes are below 0x80, as in most strings. */
bool utf8_is_ascii(struct span s);
/* Characters in s, counting each bad byte as one. */
size_t utf8_length(struct span s);
/* s as XML content or attribute value: < > & " ' tab CR LF as references (parsers change the latter
 * three otherwise), characters that XML 1.0 forbids as U+FFFD. */
void utf8_put_xml(struct buf *b, struct span s);
/* ASCII that utf8_put_xml() leaves as it is, as most names are. */
bool utf8_is_plain_xml(struct span s);
/* s for a terminal or a log: control characters (C0, DEL, C1), line separators, all that changes
 * the direction of text, bad bytes, and what makes commands for CI services of names ("##[") as
 * \xNN or \u{NN}. */
void utf8_put_terminal(struct buf *b, struct span s);
/* s repaired: valid UTF-8, nothing else changed. */
void utf8_put_repaired(struct buf *b, struct span s);

#endif
