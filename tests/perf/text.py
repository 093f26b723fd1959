#!/usr/bin/python3
"""Text in columns, against pandas and NumPy, in one thread: text.py PROGRAM

Three columns of 7 digits, a million lines, from a file in memory, and the same with a column of times, which gpuenv
reads for the extremes of each minute, and pandas takes as text. gpuenv is timed as a whole process, including its
window and its output to /dev/null; the peers are timed inside Python, without its start. The samples are compared
first. A ratio is how many times as long the peer takes."""
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


start = numpy.datetime64("2026-11-20T00:00:00")
times = (start + numpy.arange(LINES) * numpy.timedelta64(250, "ms")).astype(str)
log = tempfile.NamedTemporaryFile(dir=memory_folder(), prefix="gpuenv-perf-", suffix=".csv")
log.write(b"time,a,b,c\n")
log.write(b"".join(b"%sZ,%.7f,%.7f,%.7f\n" % (when.encode(), *line) for when, line in zip(times, samples)))
log.flush()


def ours(*options):
    subprocess.run([PROGRAM, "-q", "-t", "csv", "--threads", "1", "-T", "f32", "-o", "/dev/null", *options], check=True)


def by_pandas():
    return pandas.read_csv(text.name, header=None).to_numpy()


def by_pandas_with_times():
    return pandas.read_csv(log.name)


def by_numpy():
    return numpy.loadtxt(text.name, delimiter=",")


def seconds(work, *arguments):
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


# A window of one frame is the frame itself.
answer = subprocess.run([PROGRAM, "-q", "-t", "csv", "-w", "1", "--emit", "max", "-T", "f64", text.name], check=True,
                        stdout=subprocess.PIPE).stdout
if not numpy.array_equal(numpy.frombuffer(answer, "<f8").reshape(-1, 3), by_numpy()):
    sys.exit("gpuenv and numpy.loadtxt differ")
answer = subprocess.run([PROGRAM, "-q", "-t", "csv", "--time", "time", "--zoom", "1min", "--emit", "max", "-T", "f64",
                         log.name], check=True, stdout=subprocess.PIPE).stdout
minutes = pandas.read_csv(log.name, parse_dates=["time"]).resample("1min", on="time", origin="epoch").max()
if not numpy.array_equal(numpy.frombuffer(answer, "<f8").reshape(-1, 3), minutes[["a", "b", "c"]].to_numpy()):
    sys.exit("gpuenv and pandas' resample differ")

WINDOW = ["-w", "512", "--emit", "max", text.name]
CLOCK = ["--time", "time", "--zoom", "1min", "--emit", "max", log.name]
bars = Bars()
for name, peer, options, bar, reach in (("pandas.read_csv", by_pandas, WINDOW, 6, 10),
                                        ("numpy.loadtxt", by_numpy, WINDOW, 5, 10),
                                        ("pandas.read_csv, with times", by_pandas_with_times, CLOCK, 5, 10)):
    pairs = []
    for _ in range(PAIRS):
        theirs = seconds(peer)
        pairs.append(theirs / seconds(ours, *options))
    bars.show(f"reading three columns, over {name}", sorted(pairs), bar, reach, at_most=False)
beside = [seconds(ours, *CLOCK[:4], "--emit", "min,max,mean,count", log.name)
          / seconds(ours, *CLOCK[:4], "--emit", "min,max", log.name) for _ in range(PAIRS)]
bars.show("minutes: mean and count beside min and max", sorted(beside), 1.1, 1.05)
bars.end()
