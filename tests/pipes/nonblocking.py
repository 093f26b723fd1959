#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Nonblocking descriptors, writes of any size, slow readers: nonblocking.py PROGRAM

Nothing may be lost, and the bytes may not change."""

import concurrent.futures
import fcntl
import itertools
import os
import random
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, SANITIZED, check, cut, feed, finish, gpuenv

WIDTH = ["-w", "37", "--align", "causal"]
PIPE_SIZE = 4096
WAITING = "waiting does not use processor time"


def make_input(frames):
    return random.Random(frames).randbytes(4 * frames)


def never_wait(descriptor):
    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
    fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_NONBLOCK)


def slowly(pieces, pause):
    for piece in pieces:
        yield piece
        time.sleep(pause)


def run(raw, pieces=65536, nonblocking_in=False, nonblocking_out=False, pause_in=0.0,
        pause_out=0.0, stall=0.0, option=()):
    """One run over pipes that are small at first, and whose program ends may be O_NONBLOCK. The reader stalls in the
    middle. Returns the exit status, the output, and the seconds of processor time."""
    in_read, in_write = os.pipe()
    out_read, out_write = os.pipe()
    for end in (in_write, out_write):
        fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    if nonblocking_in:
        never_wait(in_read)
    if nonblocking_out:
        never_wait(out_write)
    child = subprocess.Popen([PROGRAM, *WIDTH, *option], stdin=in_read, stdout=out_write)
    os.close(in_read)
    os.close(out_write)
    feeder = feed(in_write, slowly(cut(raw, itertools.repeat(pieces)), pause_in))
    got = []
    while True:
        piece = os.read(out_read, 60000)
        if not piece:
            break
        got.append(piece)
        time.sleep(stall if len(got) == 2 else pause_out)
    os.close(out_read)
    feeder.join()
    _, status, used = os.wait4(child.pid, 0)
    return status, b"".join(got), used.ru_utime + used.ru_stime


def main():
    # The large one exceeds any pipe (1 MiB), for input and output.
    small, large = make_input(1000), make_input(600_000)
    due = {}
    for raw in (small, large):
        due[raw] = gpuenv(*WIDTH, data=raw).out
        assert len(due[raw]) == 2 * len(raw)
    tries = {
        "one byte at a time": (small, {"pieces": 1}),
        "one byte at a time, input does not wait": (small, {"pieces": 1, "nonblocking_in": True}),
        "odd pieces, slowly, input does not wait":
            (small, {"pieces": 37, "nonblocking_in": True, "pause_in": 0.001}),
        "output does not wait, the reader is slow":
            (large, {"nonblocking_out": True, "pause_out": 0.001}),
        "neither waits": (large, {"nonblocking_in": True, "nonblocking_out": True,
                                  "pieces": 10007, "pause_out": 0.0005}),
        "the reader stalls for a second": (large, {"stall": 1.0}),
        "the reader stalls, output does not wait": (large, {"stall": 1.0, "nonblocking_out": True}),
        "by its name": (large, {"stall": 1.0, "pause_out": 0.0005, "option": ("-o", "/dev/stdout")}),
        WAITING: (small, {"pieces": 4000, "nonblocking_in": True, "nonblocking_out": True, "pause_in": 1.0}),
    }
    # They sleep most of the time, and all at once.
    with concurrent.futures.ThreadPoolExecutor(len(tries)) as pool:
        runs = pool.map(lambda how: run(how[0], **how[1]), tries.values())
    for (name, (raw, _)), (status, got, burnt) in zip(tries.items(), runs):
        check(status == 0 and got == due[raw], f"{name}: status {status}, {len(got)} bytes of {len(due[raw])}")
        check(name != WAITING or burnt <= 0.5 or SANITIZED, f"{burnt:.2f} s of processor time for waiting a second")
    finish()


if __name__ == "__main__":
    main()
