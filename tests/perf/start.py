#!/usr/bin/python3
"""1,000 frames from a file to /dev/null as a whole process, against cat of the same file.

Usage: start.py PROGRAM [RUNS]. Each measurement is 200 processes in a row."""

import sys

from alternate import Bars, memory_file, need, ratios

program = sys.argv[1]
runs = int(sys.argv[2]) if len(sys.argv) > 2 else 11
need("cat")

file = memory_file(4000)
loop = "i=0; while [ $i -lt 200 ]; do {command} > /dev/null; i=$((i+1)); done"
bars = Bars()
ours = loop.format(command=f"{program} -w 512 {file.name}")
cat = loop.format(command=f"cat {file.name}")
bars.show("start, 1000 frames, over cat", ratios(ours, cat, runs), 3.0, 2.0)
bars.end()
