#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Pieces with statistics, whose borders are those of leaves or blocks: borders.py PROGRAM

With many channels a leaf is longer than a piece would be. Any number of threads gives the output and the statistics of
one, and an end: a piece without frames would never be done."""

import itertools
import os
import pathlib
import random
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import FEW, check, finish, gpuenv

THREADS = [2, 3, 8, 64]
# Channels, and what is asked for: in order (text), in place (raw samples), and statistics alone.
CASES = list(itertools.product(
    [7, 64, 100, 1000],
    [["-w", "3", "--hop", "1000", "-T", "csv"], ["-w", "5", "--hop", "10", "-o", "out.f32"],
     ["--zoom", "100", "-T", "json", "-r", "48000", "-o", "out.json"], ["--emit", "none"]],
    [[], ["--stats-every", "333"], ["--stats-every", "5000"], ["--stats-every", "20000"]]))
if FEW:
    CASES = CASES[::3]  # each channel count, question and length of blocks, in other combinations


def result(folder, name, channels, words):
    """Status, what is said, output, statistics."""
    files = [folder / "stats", *([folder / words[words.index("-o") + 1]] if "-o" in words else [])]
    for file in files:
        file.unlink(missing_ok=True)
    done = gpuenv("-t", "s16", "-c", channels, *words, "--stats", "stats", name, cwd=folder)
    return done.status, done.said, done.out, *(file.read_bytes() for file in files)


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    draw = random.Random(1)
    for at, (channels, question, every) in enumerate(CASES):
        # Ends in a leaf, at the end of one, and just behind it.
        frames = 8_000_000 // 2 // channels // 4096 * 4096 + [777, 0, 1][at % 3]
        (folder / "in.s16").write_bytes(draw.randbytes(4001) * (frames * channels * 2 // 4001 + 1))
        os.truncate(folder / "in.s16", frames * channels * 2)
        words = [*question, *every]
        shard = ["--shard", "2/3"] if every and question == ["--emit", "none"] else []
        due = result(folder, "in.s16", channels, [*words, *shard, "--threads", "1"])
        threads = draw.choice(THREADS)
        got = result(folder, "in.s16", channels, [*words, *shard, "--threads", str(threads)])
        check(due[0] == 0 and got == due, f"-c {channels}", *words, *shard, f"--threads {threads}:", *got[:2])
    finish()
