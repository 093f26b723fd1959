#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Bytes of a pipe that are not wanted are for its next reader: rest.py PROGRAM"""

import os
import struct
import sys

sys.path.insert(1, sys.path[0] + "/..")
import harness
from harness import check, finish, gpuenv


def wav(frames):
    """With an annotation of 5000 bytes before its data."""
    whole = harness.wav(struct.pack(f"<{len(frames)}h", *frames))
    chunks = whole[8:36] + b"LIST" + struct.pack("<I", 5000) + bytes(5000) + whole[36:]
    return b"RIFF" + struct.pack("<I", len(chunks)) + chunks


def check_rest():
    raw = struct.pack("<16f", *range(16))
    for data, options, taken in ((raw, ["--frames", "3"], 12), (raw, ["--frames", "3", "--chunk", "1"], 12),
                                 (raw, ["-t", "s16", "--skip", "1", "--frames", "2"], 6),
                                 (wav(list(range(1000))), ["--frames", "10"], 5072)):
        read_end, write_end = os.pipe()
        os.write(write_end, data)
        os.close(write_end)
        done = gpuenv("-w", 1, *options, stdin=read_end)
        check(done.status == 0, done)
        rest = os.read(read_end, 65536)
        os.close(read_end)
        check(rest == data[taken:], f"{options}: {len(rest)} bytes are left, not {len(data) - taken}")


check_rest()
finish()
