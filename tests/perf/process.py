#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The program as a process, beside another command in the same run: process.py PROGRAM COPIER BENCH PART [RUNS]

Files are in memory. PART is one of

    file     to /dev/null, over cat FILE > /dev/null; and a WAV file, whose header costs nothing, over raw samples
    pipe     cat FILE | gpuenv | cat > /dev/null, over the plainest program with as many bytes in and out (copier.c), all on
             one CPU
    shapes   no shape of the work is disproportionately slow, per sample of all channels, over mono pairs of float32 on one
             thread; a hop costs no more than all windows of its width; a second thread does not slow things down
    stats    all statistics at once, alone over cat and beside an envelope over the envelope; means of short pieces of
             sound beside their extremes. 1.25 is 0.8 of the speed of cat
    start    200 processes in a row, over cat of 1,000 frames
    memory   the peak of an endless stream
    arrays   the library's call over a copy that writes past the caches, by gpuenv-bench, which checks the results first
"""

import csv
import os
import resource
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
from alternate import CPUS, Bars, ratios
from harness import PROGRAM, THREADS, argument, file_in_memory, memory_file, need, wav

COPIER, BENCH, PART = sys.argv[2:5]
RUNS = argument(5, 11 if CPUS >= 8 else 5)
GIB = 1 << 30
bars = Bars()
need("cat", "taskset", "cmp")


def over(name, ours, theirs, bar, reach, scale=1.0):
    """A bar for the time of a shell command, over that of another."""
    bars.show(name, [scale * ratio for ratio in ratios(ours, theirs, RUNS)], bar, reach)


def run(options, file):
    return f"{PROGRAM} {options} {file.name} > /dev/null"


def of_files():
    file = memory_file(GIB)
    for options, bar, reach in ("-w 512", 2.0, 1.5), ("-w 48000", 2.0, 1.5), ("-w 512 --hop 512", 1.5, 1.2):
        over(f"file, {options}, over cat", run(options, file), f"cat {file.name} > /dev/null", bar, reach)
    with open(file.name, "rb") as samples, file_in_memory(".wav", wav(samples.read(200_000_000))) as sound:
        over("a WAV file over raw samples", run("-q -w 512", sound), run("-q -w 512 -t s16", sound), 1.11, 1.0)
        over("its summary over --stats", run("-q", sound), run("-q --emit none --stats /dev/null", sound), 1.1, 1.0)


def of_pipes():
    file = memory_file(GIB // 2)
    some = f"head -c 64M {file.name} | {PROGRAM} -w 512"
    subprocess.run(["bash", "-c", f"{some} | cmp - <({some} --algorithm lemire)"], check=True)
    pinned = f"taskset -c 0 sh -c 'cat {file.name} | {{}} | cat > /dev/null'".format
    for options, times, bar, reach in [("-w 512", 2, 1.1, 0.9), ("-w 512 --emit max", 1, 1.1, 0.9)] + [
            (f"-w {width}", 2, 1.15, 1.0) for width in (2, 3, 16, 17, 100, 1000, 4096, 48000, 1 << 20)]:
        over(f"pipe, {options}, over a copier", pinned(f"{PROGRAM} {options}"), pinned(f"{COPIER} {times}"), bar, reach)


# Options, bar, what to reach for, and bytes of a sample.
SHAPES = [*((f"--emit {emits}", 2.0, 1.5, 4) for emits in ("max", "min", "abs", "range", "mid")),
          ("--emit min,max,abs,range,mid", 3.0, 2.5, 4),
          *((f"-c {channels}", 2.0, 1.5, 4) for channels in (2, 3, 4, 6)),
          *((f"-c {channels}", 1.0, 0.7, 4) for channels in (8, 16, 64)),
          *((f"--hop {hop}", 2.0, 1.5, 4) for hop in (2, 16, 512, 10000)),
          *((options, 2.0, 1.5, 4) for options in ("--nan omit", "--nan error", "--align center",
                                                   "--align causal --edge nan")),
          ("-t s16", 1.0, 0.8, 2), ("-t s16be", 1.1, 0.9, 2), ("-t u8", 1.0, 0.8, 1), ("-t s24", 2.0, 1.5, 3),
          ("-t s32", 1.5, 1.2, 4), ("-t f64", 2.0, 1.5, 8), ("-t cu8", 3.0, 2.0, 2), ("-t cf32", 3.0, 2.0, 8)]
HOPS = [(512, 2, 1.2), (65, 64, 1.2), (512, 16, 1.1), (512, 64, 1.1), (512, 96, 1.1), (1000, 64, 1.1), (10, 100, 1.1),
        (1000000, 200, 1.1)]


def of_shapes():
    file = memory_file(4 * 192 * 300000)  # a whole number of frames for every shape
    base = run("--threads 1 -w 512", file)
    for options, bar, reach, size in SHAPES:
        over(f"{options}, over mono pairs", run(f"--threads 1 -w 512 {options}", file), base, bar, reach, size / 4)
    for width, hop, bar in HOPS:
        windows = f"--threads 1 -w {width}"
        over(f"-w {width} --hop {hop}, over all windows", run(f"{windows} --hop {hop}", file), run(windows, file), bar, 1.0)
    if len(os.sched_getaffinity(0)) > 1:
        for options, bar, reach in ("-c 1", 1.2, 1.0), ("-c 2 -t s16", 1.0, 0.8), ("-c 8 -t s16", 1.0, 0.8):
            one, two = (run(f"--threads {n} -w 512 {options}", file) for n in (1, 2))
            over(f"{options}, two threads over one", two, one, bar, reach)


def of_statistics():
    file = memory_file(GIB)
    cat, zoom = f"cat {file.name} > /dev/null", "-t s16 -c 2 --zoom 256 --emit min,max"
    alone, envelope = "--emit none --stats /dev/null", "-w 512"
    for name, options, theirs, bar, reach in (
            ("--emit none --stats, over cat", alone, cat, 1.25, 1.0),
            ("the same, --stats-every 48000", f"{alone} --stats-every 48000", cat, 1.3, 1.1),
            ("-w 512 --stats, over -w 512", f"{envelope} --stats /dev/null", run(envelope, file), 1.2, 1.1),
            ("--zoom 256 --emit min,max,rms, over min,max", f"{zoom},rms", run(zoom, file), 1.3, 1.2)):
        over(name, run(options, file), theirs, bar, reach)


def of_starts():
    file = memory_file(4000)
    loop = "i=0; while [ $i -lt 200 ]; do {} > /dev/null; i=$((i+1)); done".format
    for name, words in ("start, 1000 frames, over cat", f"-w 512 {file.name}"), ("--version, over cat", "--version"):
        over(name, loop(f"{PROGRAM} {words}"), loop(f"cat {file.name}"), 2.0, 1.3)


def of_memory():
    for name, sink in ("/dev/null", "> /dev/null"), ("a pipe", "| cat > /dev/null"):
        subprocess.run(["sh", "-c", f"head -c 4G /dev/zero | {PROGRAM} -w 512 {sink}"], check=True)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        bars.show(f"peak memory, -w 512, to {name}, MiB", [peak], 24, 12)


def of_arrays():
    for name, pin, bar, reach in (("one thread", ["taskset", "-c", "0"], 0.5, 0.7),
                                  (f"all {THREADS} threads", [], 0.6, 0.8)):
        values = []
        for _ in range(RUNS // 2):
            words = [*pin, BENCH, "-s", str(1 << 26), "-w", "512", "-i", "5", "--only", "cpu", "--csv", "-"]
            lines = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
            values += [float(row["of_ceiling"]) for row in csv.DictReader(lines) if row["flavour"] == "cpu"][:1]
        bars.show(f"arrays, -w 512, {name}, over a copy", sorted(values), bar, reach, at_most=False)


{"file": of_files, "pipe": of_pipes, "shapes": of_shapes, "stats": of_statistics, "start": of_starts, "memory": of_memory,
 "arrays": of_arrays}[PART]()
bars.end()
