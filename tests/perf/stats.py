#!/usr/bin/python3
"""All statistics at once: alone against cat FILE > /dev/null, for the whole file and per second of
48 kHz, and with an envelope against the envelope alone. 1.25 is 0.8 of the speed of cat. Means of
short pieces of sound beside their extremes, against these alone.

Usage: stats.py PROGRAM [RUNS]"""

import sys

sys.path.insert(1, sys.path[0] + "/..")
from alternate import Bars, ratios
from harness import PROGRAM, argument, memory_file, need

runs = argument(2, 11)
need("cat")

file = memory_file(1 << 30)
cat = f"cat {file.name} > /dev/null"
envelope = f"{PROGRAM} -w 512 {file.name} > /dev/null"
bars = Bars()
alone = f"{PROGRAM} --emit none --stats /dev/null {file.name}"
bars.show("--emit none --stats, over cat", ratios(alone, cat, runs), 1.25, 1.0)
second = f"{alone} --stats-every 48000"
bars.show("the same, --stats-every 48000", ratios(second, cat, runs), 1.3, 1.1)
beside = f"{PROGRAM} -w 512 --stats /dev/null {file.name} > /dev/null"
bars.show("-w 512 --stats, over -w 512", ratios(beside, envelope, runs), 1.2, 1.1)
extremes = f"{PROGRAM} -t s16 -c 2 --zoom 256 --emit min,max {file.name} > /dev/null"
means = f"{PROGRAM} -t s16 -c 2 --zoom 256 --emit min,max,rms {file.name} > /dev/null"
bars.show("--zoom 256 --emit min,max,rms, over min,max", ratios(means, extremes, runs), 1.3, 1.2)
bars.end()
