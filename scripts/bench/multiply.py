#!/usr/bin/env python3
"""multiply.py INPUT OUTPUT SAMPLES: a recording with at least so many samples, from a small one.

All records of INPUT, then its samples again and again, each time later by the length of the recording:
as if its processes had gone on like this. INPUT is a perf.data file, uncompressed, of the byte order of
this machine, in which all events have their time and process at the same place.
"""
import array
import struct
import sys

MAGIC = b"PERFILE2"
RECORD_SAMPLE, RECORD_COMPRESSED, RECORD_COMPRESSED2 = 9, 81, 83
SAMPLE_IP, SAMPLE_TID, SAMPLE_TIME, SAMPLE_IDENTIFIER = 1, 2, 4, 1 << 16
COPIES_MAX, BLOCK_BYTES = 64, 1 << 28  # written at once


class Recording:
    def __init__(self, path):
        with open(path, "rb") as f:
            self.bytes = f.read()
        magic, self.head_bytes, attr_bytes = struct.unpack_from("<8sQQ", self.bytes)
        if magic != MAGIC:
            sys.exit(path + " is no perf.data file of this byte order")
        attrs_at, attrs_bytes, self.data_at, self.data_bytes = struct.unpack_from("<4Q", self.bytes, 24)
        places = {self.time_at(at) for at in range(attrs_at, attrs_at + attrs_bytes, attr_bytes)}
        if len(places) != 1 or None in places:
            sys.exit(path + ": the time of a sample has no fixed place")
        self.time_place = places.pop()
        self.features = sum(bin(b).count("1") for b in self.bytes[72:104])

    def time_at(self, attr):
        """Where in a sample its time is."""
        kind = struct.unpack_from("<Q", self.bytes, attr + 24)[0]
        before = [SAMPLE_IDENTIFIER, SAMPLE_IP, SAMPLE_TID]
        return 8 + 8 * sum(1 for b in before if kind & b) if kind & SAMPLE_TIME else None

    def samples(self):
        at, end = self.data_at, self.data_at + self.data_bytes
        while at + 8 <= end:
            kind, _, size = struct.unpack_from("<IHH", self.bytes, at)
            if size < 8 or kind in (RECORD_COMPRESSED, RECORD_COMPRESSED2):
                sys.exit("damaged, or compressed")
            if kind == RECORD_SAMPLE:
                yield self.bytes[at:at + size]
            at += size


def copies(recording):
    """The samples of a few repetitions as numbers, and which of these are times."""
    words, times = array.array("Q"), []
    for sample in recording.samples():
        times.append(len(words) + recording.time_place // 8)
        words.frombytes(sample)
    stamps = [words[i] for i in times]
    length = max(stamps) - min(stamps) + (max(stamps) - min(stamps)) // len(stamps)
    block, places = array.array("Q"), []
    n = max(1, min(COPIES_MAX, BLOCK_BYTES // (8 * len(words))))
    for k in range(n):
        for i in times:
            words[i] += length
        places += [k * len(words) + i for i in times]
        block += words
    return block, places, length * n, len(stamps)


def write(recording, path, wanted):
    block, places, later, had = copies(recording)
    with open(path, "wb") as out:
        out.write(recording.bytes[:recording.data_at + recording.data_bytes])
        while had < wanted:
            block.tofile(out)
            had += len(places)
            for i in places:
                block[i] += later
        moved = out.tell() - recording.data_at - recording.data_bytes
        write_features(recording, out, moved)
        out.seek(48)
        out.write(struct.pack("<Q", recording.data_bytes + moved))


def write_features(recording, out, moved):
    """Their table and what it points to are after the data."""
    at = recording.data_at + recording.data_bytes
    table = bytearray(recording.bytes[at:])
    for i in range(recording.features):
        place = struct.unpack_from("<Q", table, 16 * i)[0]
        struct.pack_into("<Q", table, 16 * i, place + moved)
    out.write(table)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    write(Recording(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
