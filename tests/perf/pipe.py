#!/usr/bin/python3
"""cat FILE | gpuenv | cat > /dev/null, against cat in place of gpuenv, all on one CPU.

Usage: pipe.py PROGRAM [RUNS]. gpuenv writes twice the bytes that it reads."""

import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
from alternate import Bars, ratios
from harness import PROGRAM, argument, memory_file, need

runs = argument(2, 11)
need("taskset", "cmp")

file = memory_file(1 << 30)
pinned = "taskset -c 0 sh -c 'cat {file} | {filter} | cat > /dev/null'"
cat = pinned.format(file=file.name, filter="cat")

# Checks the output first.
subprocess.run(["bash", "-c", f"head -c 64M {file.name} | {PROGRAM} -w 512 | "
                f"cmp - <(head -c 64M {file.name} | {PROGRAM} -w 512 --algorithm lemire)"],
               check=True)

bars = Bars()


def bar(options, limit, reach):
    ours = pinned.format(file=file.name, filter=f"{PROGRAM} {options}")
    bars.show(f"pipe, {options}, over cat", ratios(ours, cat, runs), limit, reach)


bar("-w 512", 0.90, 0.80)
for width in (2, 3, 16, 17, 100, 1000, 4096, 48000, 1 << 20):
    bar(f"-w {width}", 1.00, 0.85)
bar("-w 512 --emit max", 0.75, 0.65)
bars.end()
