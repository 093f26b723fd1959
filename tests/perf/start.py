#!/usr/bin/python3
"""1,000 frames from a file to /dev/null as a whole process, and --version, against cat of the same file.

Usage: start.py PROGRAM [RUNS]. Each measurement is 200 processes in a row."""

import sys

sys.path.insert(1, sys.path[0] + "/..")
from alternate import Bars, ratios
from harness import PROGRAM, argument, memory_file, need

runs = argument(2, 11)
need("cat")

file = memory_file(4000)
loop = "i=0; while [ $i -lt 200 ]; do {command} > /dev/null; i=$((i+1)); done"
bars = Bars()
cat = loop.format(command=f"cat {file.name}")
for name, words in ("start, 1000 frames, over cat", f"-w 512 {file.name}"), ("--version, over cat", "--version"):
    bars.show(name, ratios(loop.format(command=f"{PROGRAM} {words}"), cat, runs), 2.0, 1.3)
bars.end()
