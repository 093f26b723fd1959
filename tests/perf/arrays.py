#!/usr/bin/python3
"""Arrays in memory: the speed of the library's call over that of a copy that writes past the caches.

Usage: arrays.py PROGRAM BENCH [SAMPLES [RUNS]]. BENCH is gpuenv-bench, which checks the results first."""

import csv
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
from alternate import Bars
from harness import THREADS, argument, need

BENCH = sys.argv[2]
samples = argument(3, 1 << 26)
runs = argument(4, 5)
need("taskset")


def of_copy(pin):
    words = pin + [BENCH, "-s", str(samples), "-w", "512", "-i", "5", "--only", "cpu", "--csv", "-"]
    lines = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return next(float(row["of_ceiling"]) for row in csv.DictReader(lines) if row["flavour"] == "cpu")


bars = Bars()
for name, pin, bar, reach in (("one thread", ["taskset", "-c", "0"], 0.5, 0.7),
                              (f"all {THREADS} threads", [], 0.6, 0.8)):
    values = sorted(of_copy(pin) for _ in range(runs))
    bars.show(f"arrays, -w 512, {name}, over a copy", values, bar, reach, at_most=False)
bars.end()
