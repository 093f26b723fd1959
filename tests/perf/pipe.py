#!/usr/bin/python3
"""cat FILE | gpuenv | cat > /dev/null, against the plainest program with as many bytes in and out in place of gpuenv
(copier.c), all on one CPU: pipe.py PROGRAM COPIER [RUNS]"""

import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
from alternate import Bars, ratios
from harness import PROGRAM, argument, memory_file, need

COPIER = sys.argv[2]
runs = argument(3, 11)
need("taskset", "cmp")

file = memory_file(1 << 30)
pinned = "taskset -c 0 sh -c 'cat {file} | {filter} | cat > /dev/null'"
# Checks the output first.
subprocess.run(["bash", "-c", f"head -c 64M {file.name} | {PROGRAM} -w 512 | "
                f"cmp - <(head -c 64M {file.name} | {PROGRAM} -w 512 --algorithm lemire)"],
               check=True)

bars = Bars()


def bar(options, times, limit, reach):
    ours = pinned.format(file=file.name, filter=f"{PROGRAM} {options}")
    copier = pinned.format(file=file.name, filter=f"{COPIER} {times}")
    bars.show(f"pipe, {options}, over a copier", ratios(ours, copier, runs), limit, reach)


bar("-w 512", 2, 1.1, 0.9)
for width in (2, 3, 16, 17, 100, 1000, 4096, 48000, 1 << 20):
    bar(f"-w {width}", 2, 1.15, 1.0)
bar("-w 512 --emit max", 1, 1.1, 0.9)
bars.end()
