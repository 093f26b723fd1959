#!/usr/bin/python3
"""No shape of the work is disproportionately slow, per sample, compared with mono pairs of float32.

Usage: shapes.py PROGRAM [RUNS]. One thread, a file in memory to /dev/null; "per sample" counts the
samples of all channels. A hop costs no more than all windows of the same width. If there are two
CPUs, a second thread must not slow things down."""

import os
import sys

sys.path.insert(1, sys.path[0] + "/..")
from alternate import Bars, ratios
from harness import PROGRAM, argument, memory_file, need

runs = argument(2, 7)
need("cat")

samples = 192 * 700000  # a whole number of frames for every shape
file = memory_file(4 * samples)
base = f"{PROGRAM} --threads 1 -w 512 {file.name} > /dev/null"
bars = Bars()


def bar(options, limit=2.0, reach=1.5, bytes_a_sample=4):
    ours = f"{PROGRAM} --threads 1 -w 512 {options} {file.name} > /dev/null"
    scale = bytes_a_sample / 4
    values = [scale * ratio for ratio in ratios(ours, base, runs)]
    bars.show(f"{options}, over mono pairs", values, limit, reach)


def hop_over_all(width, hop, limit=1.1, reach=1.0):
    all_windows = f"{PROGRAM} --threads 1 -w {width} {file.name} > /dev/null"
    ours = f"{PROGRAM} --threads 1 -w {width} --hop {hop} {file.name} > /dev/null"
    bars.show(f"-w {width} --hop {hop}, over all windows", ratios(ours, all_windows, runs), limit,
              reach)


def second_thread(options, limit, reach):
    one, two = (f"{PROGRAM} --threads {n} -w 512 {options} {file.name} > /dev/null" for n in (1, 2))
    bars.show(f"{options}, two threads over one", ratios(two, one, runs), limit, reach)


for emits in ("max", "min", "abs", "range", "mid", "min,max,abs,range,mid"):
    values = emits.count(",") + 1
    bar(f"--emit {emits}", max(2.0, 0.6 * values), max(1.5, 0.5 * values))
for channels in (2, 3, 4, 6):
    bar(f"-c {channels}")
for channels in (8, 16, 64):
    bar(f"-c {channels}", 1.0, 0.7)
for hop in (2, 16, 512, 10000):
    bar(f"--hop {hop}")
for width, hop in ((512, 2), (65, 64)):
    hop_over_all(width, hop, 1.2)
for width, hop in ((512, 16), (512, 64), (512, 96), (1000, 64), (10, 100), (1000000, 200)):
    hop_over_all(width, hop)
for policy in ("omit", "error"):
    bar(f"--nan {policy}")
for edge in ("--align center", "--align causal --edge nan"):
    bar(edge)
bar("-t s16", 1.0, 0.8, 2)
bar("-t s16be", 1.1, 0.9, 2)
bar("-t u8", 1.0, 0.8, 1)
bar("-t s24", 2.0, 1.5, 3)
bar("-t s32", 1.5, 1.2, 4)
bar("-t f64", 2.0, 1.5, 8)
bar("-t cu8", 3.0, 2.0, 2)
bar("-t cf32", 3.0, 2.0, 8)
if len(os.sched_getaffinity(0)) > 1:
    second_thread("-c 1", 1.2, 1.0)
    second_thread("-c 2 -t s16", 1.0, 0.8)
    second_thread("-c 8 -t s16", 1.0, 0.8)
bars.end()
