#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Pages that went into a pipe without a copy never change: zero_copy.py PROGRAM

A reader downstream moves pages into its own pipes with splice() and holds them there, while gpuenv reuses its buffers
many times. They are read and compared only at the end."""

import fcntl
import os
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM

SIZE = 40 << 20  # bytes in; twice that comes out
HELD = 24        # pipes that hold pages
PIECE = 1 << 20
GIVEN = str(2 * PIECE // 8)  # frames: their results are a block that is given away, however many CPUs there are

with tempfile.NamedTemporaryFile(prefix="gpuenv-test-", suffix=".f32") as source:
    block = os.urandom(1 << 20).replace(b"\x7f", b"\x3f").replace(b"\xff", b"\x3f")
    for i in range(SIZE >> 20):
        source.write(block[i * 4096:] + block[:i * 4096])
    source.flush()
    expected = subprocess.run([PROGRAM, "-w", "100", "--algorithm", "lemire", source.name],
                              check=True, stdout=subprocess.PIPE).stdout

    run = subprocess.Popen([PROGRAM, "-w", "100", "--chunk", GIVEN, source.name], stdout=subprocess.PIPE, bufsize=0)
    out = run.stdout.fileno()
    held = []
    at = 0
    splices = 0
    step = len(expected) // HELD
    while True:
        if len(held) < HELD and at >= len(held) * step:
            reader, writer = os.pipe()
            fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, PIECE)
            begin = at
            while at - begin < PIECE:
                moved = os.splice(out, writer, PIECE - (at - begin))
                if moved == 0:
                    break
                at += moved
                splices += 1
            os.close(writer)
            held.append((reader, begin, at))
        else:
            data = os.read(out, PIECE)
            if not data:
                break
            if data != expected[at:at + len(data)]:
                sys.exit(f"wrong bytes read at {at}")
            at += len(data)
    if run.wait() != 0 or at != len(expected):
        sys.exit(f"{at} bytes of {len(expected)}, status {run.returncode}")
    for reader, begin, end in held:
        with os.fdopen(reader, "rb") as pages:
            if pages.read() != expected[begin:end]:
                sys.exit(f"the pages held from {begin} to {end} have changed")
    print(f"{len(held)} pipes held {sum(end - begin for _, begin, end in held)} bytes "
          f"({splices} splices) of {at}; none changed")
