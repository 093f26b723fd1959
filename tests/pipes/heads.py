#!/usr/bin/python3
"""However the bytes of a table arrive, the result is the same, or an error: heads.py PROGRAM

The first lines of 300 real tables (tests/look/heads) come as a file, line by line, and byte by byte."""

import concurrent.futures
import fcntl
import os
import pathlib
import random
import subprocess
import sys
import termios
import time

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, check, finish

HEADS = pathlib.Path(__file__).parents[1] / "look/heads"
OPTIONS = (PROGRAM, "-q", "-t", "csv", "-w", "1", "-T", "csv")


def wait_until_read(end):
    """Until the program has taken what is in the pipe, for a while at the most."""
    until = time.monotonic() + 0.02
    while time.monotonic() < until and fcntl.ioctl(end, termios.FIONREAD, b"\0\0\0\0") != b"\0\0\0\0":
        time.sleep(0.0002)


def drip(pieces):
    """(output, status) of a stream that comes in pieces."""
    read, write = os.pipe()
    child = subprocess.Popen(OPTIONS, stdin=read, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        for piece in pieces:
            os.write(write, piece)
            wait_until_read(read)
    except BrokenPipeError:
        pass
    os.close(read)
    os.close(write)
    return child.communicate()[0], child.returncode


def try_head(path):
    text = path.read_bytes()
    whole = subprocess.run([*OPTIONS, str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    short = text[:600]
    cut = subprocess.run(OPTIONS, input=short, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    for due, pieces in (((whole.stdout, whole.returncode), text.splitlines(keepends=True)),
                        ((cut.stdout, cut.returncode), [short[i:i + 1] for i in range(len(short))])):
        got, status = drip(pieces)
        check(status == 2 or (got, status) == due, path.name, len(pieces), "pieces give", status, got[:200], "not", due[1],
              due[0][:200])


heads = sorted(path for path in HEADS.iterdir() if path.suffix != ".look")
random.seed(1)
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    list(pool.map(try_head, random.sample(heads, 300)))
finish()
