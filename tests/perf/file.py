#!/usr/bin/python3
"""A file in the page cache to /dev/null, against cat FILE > /dev/null; and a WAV file, whose header costs nothing, against
the same as raw samples.

Usage: file.py PROGRAM [RUNS]"""

import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from alternate import Bars, ratios
from harness import PROGRAM, argument, memory_file, memory_folder, need, wav

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
with tempfile.NamedTemporaryFile(dir=memory_folder(), prefix="gpuenv-perf-", suffix=".wav") as sound:
    with open(file.name, "rb") as samples:
        sound.write(wav(samples.read(200_000_000)))
    sound.flush()
    words = f"-q -w 512 -o /dev/null {sound.name}"
    bars.show("a WAV file over raw samples", ratios(f"{PROGRAM} {words}", f"{PROGRAM} -t s16 {words}", runs), 1.11, 1.0)
bars.end()
