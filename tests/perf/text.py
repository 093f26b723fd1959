#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Text in columns: text.py PROGRAM [LINES [TIMES]]

Three columns of 7 digits, so many lines (a million), from a file in memory, and the same with a column of times, which gpuenv
reads for the extremes of each minute, and pandas takes as text: in one thread, against pandas and NumPy. Then so many
times the lines (3) on all processors, against the readers of polars, DuckDB, pyarrow and pandas that are installed,
with all their threads. gpuenv is timed as a whole process, including its window and its output to /dev/null; the peers
are timed inside Python, without its start, and only read. The samples are compared first. A ratio is how many times as
long the peer takes."""
import functools
import importlib
import pathlib
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
from alternate import Bars, ratios
from harness import PROGRAM, argument, file_in_memory, needed_modules

with needed_modules():
    import numpy
    import pandas

LINES = argument(2, 1000000)
PAIRS = 5

samples = numpy.random.default_rng(1).uniform(-1, 1, (LINES, 3))
lines = b"".join(b"%.7f,%.7f,%.7f\n" % tuple(line) for line in samples)
text = file_in_memory(".csv", lines)
many = file_in_memory(".csv", argument(3, 3) * lines)

start = numpy.datetime64("2026-11-20T00:00:00")
times = (start + numpy.arange(LINES) * numpy.timedelta64(250, "ms")).astype(str)
log = file_in_memory(".csv", b"time,a,b,c\n", *(b"%sZ,%.7f,%.7f,%.7f\n" % (when.encode(), *line)
                                               for when, line in zip(times, samples)))


def ours(*options):
    subprocess.run([PROGRAM, "-q", "-t", "csv", "-T", "f32", "-o", "/dev/null", *options], check=True)


def statistics(*options):
    subprocess.run([PROGRAM, "-q", *options, log.name], check=True, stdout=subprocess.DEVNULL)


def by_pandas():
    return pandas.read_csv(text.name, header=None).to_numpy()


def by_pandas_with_times():
    return pandas.read_csv(log.name)


def by_numpy():
    return numpy.loadtxt(text.name, delimiter=",")


READERS = {
    "polars": lambda module: module.read_csv(many.name, has_header=False),
    "duckdb": lambda module: module.sql(f"select * from read_csv('{many.name}', header = false)").fetchnumpy(),
    "pyarrow.csv": lambda module: module.read_csv(many.name, module.ReadOptions(column_names=["a", "b", "c"])),
    "pandas": lambda module: module.read_csv(many.name, header=None),
}


def seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def over(one, other):
    """How many times as long as the other call one takes, pair by pair."""
    return ratios(one, other, PAIRS, seconds)


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

WINDOW = ["-w", "512", "--emit", "max"]
CLOCK = ["--time", "time", "--zoom", "1min", "--threads", "1", log.name]
bars = Bars()


def compare(name, peer, options, *limits):
    bars.show(name, over(peer, lambda: ours(*options)), *limits, at_most=False)


compare("reading three columns, over pandas.read_csv", by_pandas, [*WINDOW, "--threads", "1", text.name], 6, 10)
compare("reading three columns, over numpy.loadtxt", by_numpy, [*WINDOW, "--threads", "1", text.name], 5, 10)
compare("with times, over pandas.read_csv", by_pandas_with_times, [*CLOCK, "--emit", "max"], 5, 10)
beside = over(statistics, lambda: statistics("--time", "time", "--emit", "none", "--stats", "/dev/null"))
bars.show("the summary over --stats", beside, 1.3, 1.1)
beside = over(lambda: ours(*CLOCK, "--emit", "min,max,mean,count"), lambda: ours(*CLOCK, "--emit", "min,max"))
bars.show("minutes: mean and count beside min and max", beside, 1.1, 1.05)
for what, new in {"a word for a number": b"Z,x", "no time": b"Y,", "a field too many": b"Z,1,"}.items():
    rows = pathlib.Path(log.name).read_bytes().splitlines(keepends=True)
    with file_in_memory(".csv", *rows[:2], *(row.replace(b"Z,", new) for row in rows[2:])) as bad:
        for policy in ("skip", "nan"):
            pairs = over(lambda: ours(*CLOCK[:-1], "--bad-lines", policy, bad.name), lambda: ours(*CLOCK))
            bars.show(f"bad lines, {what}, {policy}, over good ones", pairs, 2, 1)
for name, read in READERS.items():
    try:
        module = importlib.import_module(name)
    except ImportError:
        print("no", name)
        continue
    compare(f"on all processors, over {name}", functools.partial(read, module), [*WINDOW, many.name], 1.5, 2)
bars.end()
