#!/usr/bin/python3
"""Text in columns, against pandas and NumPy, in one thread: text.py PROGRAM

Three columns of 7 digits, a million lines, from a file in memory. gpuenv is timed as a whole process,
including its window and its output to /dev/null; the peers are timed inside Python, without its
start. The samples are compared first. A ratio is how many times as long the peer takes."""
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/..")
from alternate import Bars
from harness import PROGRAM, memory_folder, needed_modules

with needed_modules():
    import numpy
    import pandas

LINES = 1000000
PAIRS = 7

samples = numpy.random.default_rng(1).uniform(-1, 1, (LINES, 3))
text = tempfile.NamedTemporaryFile(dir=memory_folder(), prefix="gpuenv-perf-", suffix=".csv")
text.write(b"".join(b"%.7f,%.7f,%.7f\n" % tuple(line) for line in samples))
text.flush()


def ours(width, output):
    subprocess.run([PROGRAM, "-q", "-t", "csv", "-w", str(width), "--emit", "max", "--threads", "1",
                    "-o", output, text.name], check=True)


def by_pandas():
    return pandas.read_csv(text.name, header=None, dtype=numpy.float32).to_numpy()


def by_numpy():
    return numpy.loadtxt(text.name, delimiter=",", dtype=numpy.float32)


def seconds(work, *arguments):
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


# A window of one frame is the frame itself; NumPy rounds twice, to float64 first.
answer = subprocess.run([PROGRAM, "-q", "-t", "csv", "-w", "1", "--emit", "max", text.name], check=True,
                        stdout=subprocess.PIPE).stdout
answer = numpy.frombuffer(answer, "<f4").reshape(-1, 3)
if not numpy.allclose(answer, by_numpy(), rtol=1.2e-7, atol=0):
    sys.exit("gpuenv and numpy.loadtxt differ")

bars = Bars()
for name, peer, bar, reach in (("pandas.read_csv", by_pandas, 2, 5), ("numpy.loadtxt", by_numpy, 5, 10)):
    pairs = []
    for _ in range(PAIRS):
        theirs = seconds(peer)
        pairs.append(theirs / seconds(ours, 512, "/dev/null"))
    bars.show(f"reading three columns, over {name}", sorted(pairs), bar, reach, at_most=False)
bars.end()
