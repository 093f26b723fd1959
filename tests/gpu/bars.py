#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The program, and the methods of gpuenv-bench, on a device: bars.py PROGRAM BENCH BUS_IN BUS_OUT [GIB]

Whole processes read files in memory, of GIB and more, and write to /dev/null. What 4 GIB more take, without the device's
start, is compared with the slower direction of the bus, whose rates are BUS_IN and BUS_OUT, in GB/s. Then our methods are compared with the
best of those that others have published, from plain memory to plain memory. Exit status 3: a bar is missed."""

import csv
import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, argument, seconds
from whole import frames_file

BENCH = argument(2, "gpuenv-bench")
BUS_IN, BUS_OUT = argument(3, 1.0), argument(4, 1.0)
GIB = argument(5, 1.0)
WIDTHS = "100,500,800,1000"
WINDOWS = ["malloc", "pagelocked", "pagelocked-shared", "thrust-naive", "thrust", "cooperative", "tiled"]
MAX = ["sequential", "local", "shared", "blocks", "warp", "warp-shared", "vecmax"]
SUM = ["atomics", "pairwise-gpu", "shared", "no-divergence", "no-bank-conflict", "two-loads", "unrolled-warp"]
missed = 0


def row(what, measured, unit, bar=0):
    global missed
    missed += measured < bar
    verdict = f"{bar:6.2f}  {'met' if measured >= bar else 'MISSED'}" if bar else ""
    print(f"{what:44} {measured:10.3f} {unit:8} {verdict}", flush=True)


def command(options, device, file):
    return f"{PROGRAM} {options} --device {device} -q {file.name} > /dev/null"


def whole(what, shell):
    row(what, statistics.median(seconds(shell) for _ in range(3)), "s")


def over_bus(what, bar, options, back, runs, short, longer):
    """`back` are the bytes that come back for each that is read."""
    more = statistics.median(seconds(command(options, "cuda", longer)) - seconds(command(options, "cuda", short))
                             for _ in range(runs))
    size = 4 * GIB * (1 << 30) / 1e9
    row(f"{what}, {4 * GIB:g} GiB more", more, "s")
    row(f"{what}, over the bus", max(size / BUS_IN, back * size / BUS_OUT) / more, "x bus", bar)


def measure_program():
    with frames_file(GIB) as short, frames_file(3 * GIB) as long, frames_file(5 * GIB) as longer:
        over_bus("program", 0.85, "-w 512", 2, 9, short, longer)
        # No two floats below 2 make a NaN of float64.
        over_bus("program, f64", 0.85, "-w 512 -t f64 -T f64", 2, 5, short, longer)
        over_bus("program, hop 441", 0, "-w 512 --hop 441", 2 / 441, 5, short, longer)
        over_bus("statistics alone", 0, "--emit none --stats /dev/null", 0, 5, short, longer)
        for name, options in ("program", "-w 512"), ("statistics alone", "--emit none --stats /dev/null"):
            for where, device in ("", "cuda"), (" on the CPU", "cpu"):
                whole(f"{name}{where}, {3 * GIB:g} GiB, whole", command(options, device, long))
        for name in "cat", "gpuenv --device cuda", "gpuenv --device cpu":
            middle = name.replace("gpuenv", f"{PROGRAM} -w 512 -q")
            whole(f"pipes: cat | {name} | cat", f"cat {long.name} | {middle} | cat > /dev/null")


def timed(folder, *options):
    """The rows of gpuenv-bench."""
    file = os.path.join(folder, "rows.csv")
    subprocess.run([BENCH, *options, "--csv", file], stdout=subprocess.DEVNULL, check=True)
    with open(file, newline="", encoding="utf-8") as lines:
        return [row for row in csv.DictReader(lines) if row["status"] == "timed"]


def compare(rows, what, bar, column, ours, published):
    """The best published method over ours, for each width."""
    for width in dict.fromkeys(row["window"] for row in rows):
        times = {row["flavour"]: float(row[column]) for row in rows if row["window"] == width}
        best = min((name for name in published if name in times), key=times.get, default=None)
        if best and ours in times:
            row(f"{what}{width and f', w {width}'}, over {best}", times[best] / times[ours], "times", bar)


def compare_methods():
    with tempfile.TemporaryDirectory() as folder:
        windows = timed(folder, "-s", "10000000", "-w", WIDTHS, "-i", "9")
        small = timed(folder, "-s", "100000", "-w", WIDTHS, "-i", "31", "--only", "cuda,cuda-call,pagelocked-shared")
        compare(windows, "end to end", 1, "total_s", "cuda", WINDOWS)
        compare(small, "a call, 10^5", 0.83, "total_s", "cuda-call", ["pagelocked-shared"])
        compare(small, "end to end, 10^5", 0, "total_s", "cuda", ["pagelocked-shared"])
        compare(windows, "a call", 0, "total_s", "cuda-call", WINDOWS)
        compare(windows, "kernels", 0, "kernel_s", "cuda-resident", WINDOWS)
        for kind, published in ("max", MAX), ("sum", SUM):
            rows = timed(folder, "-s", "10000000", "--reduce", kind, "-i", "5")
            compare(rows, f"{kind}, kernels", 0, "kernel_s", "cuda", published)


measure_program()
compare_methods()
sys.exit(3 if missed else 0)
