#include "process/machine.h"

#include "base/file.h"

enum { ID_MAX_BYTES = 4096 };

bool machine_hash(struct span os_release, uint8_t out[SHA256_SIZE])
{
	struct buf id = { 0 };
	struct sha256 hash;
	struct err ignored;
	bool known = !file_read_all("/etc/machine-id", ID_MAX_BYTES, &id, &ignored) && id.n;

	sha256_init(&hash);
	sha256_add(&hash, SPAN("perfold strip\n"));
	sha256_add(&hash, os_release);
	sha256_add(&hash, buf_span(&id));
	sha256_finish(&hash, out);
	buf_release(&id);
	return known;
}
