#!/usr/bin/python3
"""A file in the page cache to /dev/null, against cat FILE > /dev/null.

Usage: file.py PROGRAM [RUNS]"""

import sys

sys.path.insert(1, sys.path[0] + "/..")
from alternate import Bars, ratios
from harness import PROGRAM, argument, memory_file, need

runs = argument(2, 11)
need("cat")

file = memory_file(1 << 30)
cat = f"cat {file.name} > /dev/null"
bars = Bars()


def bar(options, limit, reach):
    ours = f"{PROGRAM} {options} {file.name} > /dev/null"
    bars.show(f"file, {options}, over cat", ratios(ours, cat, runs), limit, reach)


bar("-w 512", 2.0, 1.5)
bar("-w 48000", 2.0, 1.5)
bar("-w 512 --hop 512", 1.5, 1.2)
bars.end()
