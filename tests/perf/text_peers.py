#!/usr/bin/python3
"""A large table on all processors, against the readers of Python's libraries with all their threads: text_peers.py
PROGRAM [ROWS]

Three columns of 7 digits in memory. gpuenv is timed as a whole process, including its window and its output to
/dev/null; the peers are timed inside Python, and only read. Peers are those of polars, DuckDB, pyarrow and pandas that
are installed: Debian has none but pandas, the others are PyPI's. A ratio is how many times as long the peer takes."""
import importlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/..")
from alternate import Bars
from harness import PROGRAM, argument, memory_folder, needed_modules

with needed_modules():
    import numpy

ROWS = argument(2, 3_000_000)
PAIRS = 9


def polars(module):
    return lambda: module.read_csv(text.name, has_header=False)


def duckdb(module):
    return lambda: module.sql(f"select * from read_csv('{text.name}', header = false)").fetchnumpy()


def pyarrow(module):
    csv = importlib.import_module("pyarrow.csv")
    return lambda: csv.read_csv(text.name, csv.ReadOptions(column_names=["a", "b", "c"]))


def pandas(module):
    return lambda: module.read_csv(text.name, header=None)


def seconds(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def ours():
    subprocess.run([PROGRAM, "-q", "-t", "csv", "-w", "512", "--emit", "max", "-T", "f32", "-o", "/dev/null", text.name], check=True)


text = tempfile.NamedTemporaryFile(dir=memory_folder(), prefix="gpuenv-perf-", suffix=".csv")
block = b"".join(b"%.7f,%.7f,%.7f\n" % tuple(row) for row in numpy.random.default_rng(1).uniform(-1, 1, (100_000, 3)))
for _ in range(ROWS // 100_000):
    text.write(block)
text.flush()

bars = Bars()
for peer in polars, duckdb, pyarrow, pandas:
    try:
        module = importlib.import_module(peer.__name__)
    except ImportError:
        print("no", peer.__name__)
        continue
    read = peer(module)
    seconds(read), seconds(ours)
    pairs = sorted(seconds(read) / seconds(ours) for _ in range(PAIRS))
    bars.show(f"{ROWS} rows, over {peer.__name__} {module.__version__}", pairs, 1.5, 2, at_most=False)
bars.end()
