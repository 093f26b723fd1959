#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""However the bytes of a table arrive, the result is the same, or an error: heads.py PROGRAM COUNT

The first lines of so many real tables (tests/look/heads) come as a file, line by line, and byte by byte. A third of them each
is read by rows, by times that are asked for, and by times that are used where a table has some."""

import concurrent.futures
import os
import pathlib
import random
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, argument, check, finish, unread

HEADS = pathlib.Path(__file__).parents[1] / "look/heads"
OPTIONS = (PROGRAM, "-q", "-t", "csv")
WAYS = (("-w", "1", "-T", "csv"), ("-w", "1h", "-T", "csv"), ("-T", "spans", "--level", "above:0"))


def wait_until_read(end):
    """Until the program has taken what is in the pipe, for a while at the most."""
    until = time.monotonic() + 0.02
    while time.monotonic() < until and unread(end):
        time.sleep(0.0002)


def drip(options, pieces):
    """(output, status) of a stream that comes in pieces."""
    read, write = os.pipe()
    child = subprocess.Popen(options, stdin=read, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    os.close(read)
    try:
        for piece in pieces:
            os.write(write, piece)
            wait_until_read(write)
    except BrokenPipeError:
        pass
    os.close(write)
    return child.communicate()[0], child.returncode


def try_head(path, way):
    text = path.read_bytes()
    options = (*OPTIONS, *way)
    whole = subprocess.run([*options, str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    short = text[:600]
    cut = subprocess.run(options, input=short, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    for due, pieces in (((whole.stdout, whole.returncode), text.splitlines(keepends=True)),
                        ((cut.stdout, cut.returncode), [short[i:i + 1] for i in range(len(short))])):
        got, status = drip(options, pieces)
        check(status == 2 or (got, status) == due, path.name, *way, len(pieces), "pieces give", status, got[:200], "not", due[1],
              due[0][:200])


heads = sorted(path for path in HEADS.iterdir() if path.suffix != ".look")
random.seed(1)
COUNT = argument(2, 300)
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    list(pool.map(try_head, random.sample(heads, COUNT), WAYS * (COUNT // 3)))
finish()
