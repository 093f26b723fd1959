#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Spans that several threads find in pieces of a file against those that one finds: spans.py PROGRAM [SEED [RUNS]]

Whatever the values, the level, what is joined and what is left out: the same lines in the same order."""
import random
import subprocess
import sys
import tempfile

import numpy

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, argument, check, finish

THREADS = (2, 3, 7)
draw = random.Random(argument(2, 1))
runs = argument(3, 25)
TYPES = {"s16": numpy.int16, "f32": numpy.float32, "f64": numpy.float64, "s32": numpy.int32}


def samples(path, kind, channels):
    """Noise whose strength changes from stretch to stretch, often or hardly ever, and not in all channels at once."""
    bytes_each = numpy.dtype(TYPES[kind]).itemsize * channels
    frames = draw.randrange(2 << 20, 5 << 20) // bytes_each
    noise = numpy.random.default_rng(draw.randrange(2**32))
    values = noise.uniform(-1, 1, (frames, channels))
    for channel in range(channels):
        length = draw.choice([3, 50, 3000, 3000, 100_000, 10**7])
        loud = noise.random(frames // length + 1) < draw.choice([0.1, 0.5, 0.9])
        values[:, channel] *= numpy.where(numpy.repeat(loud, length)[:frames], 1, 0.05)
    values = numpy.trunc(values * 40) / 40 if draw.random() < 0.3 else values  # many are 0 or -0
    full = numpy.iinfo(TYPES[kind]).max if kind[0] == "s" else 1
    (values * full).astype(TYPES[kind]).tofile(path)


def options(kind, channels):
    """A command line without its input."""
    line = ["-t", kind, "-c", str(channels), "-w", str(draw.choice([1, 1, 2, 64, 480, 5000]))]
    line += ["-T", draw.choice(["spans", "spans", "labels"]), "--level"]
    line += [f"{draw.choice(['above', 'below'])}:{draw.choice([0, 0.04, 0.3, 0.9, 0.9999])}"]
    line += draw.choice([[], ["--hop", str(draw.choice([2, 7, 480]))]])
    line += draw.choice([[], [], ["--emit", draw.choice(["min", "max", "max", "range"])]])
    line += draw.choice([[], ["--join", str(draw.choice([1, 50, 700, 7000, 300_000]))]])
    line += draw.choice([[], [], ["--least", str(draw.choice([3, 500, 10_000]))]])
    line += draw.choice([[], ["--overall"], ["--mix"]]) if channels > 1 else []
    line += draw.choice([[], ["--skip", "777"], ["--frames", "250000"]])
    return [*line, "-r", "48000"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs):
            kind, channels = draw.choice(list(TYPES)), draw.choice([1, 1, 2, 3])
            samples(f"{folder}/FILE", kind, channels)
            line = [PROGRAM, *options(kind, channels), "FILE"]
            due = subprocess.run([*line, "--threads", "1"], cwd=folder, capture_output=True)
            check(due.returncode == 0, f"{line}: {due.stderr.decode()}")
            for threads in THREADS:
                got = subprocess.run([*line, "--threads", str(threads)], cwd=folder, capture_output=True)
                check((got.stdout, got.stderr, got.returncode) == (due.stdout, due.stderr, due.returncode),
                      f"{threads} threads: {' '.join(line)}: {len(got.stdout)} bytes, {got.stderr}; due {len(due.stdout)}, {due.stderr}")


main()
finish()
