#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Arrays of every type in memory: sample_types.py PACKAGE_DIR [WIDTH [ROUNDS]]

The maximum of 10^7 samples, one thread, into memory that is there, over NumPy's copy of as many, and how many times as
long argmax takes; the types take turns. The time is that of the thread, to which others on its CPU do not add. Results are
compared with those of a wider type, positions with the samples that they name."""

import sys
import time

sys.path[1:1] = [sys.path[0] + "/..", sys.path[0] + "/../python"]
from package import *
from alternate import Bars
from harness import argument

COUNT = 10**7
width = argument(2, 101)
rounds = argument(3, 15)
TYPES = "u1 i1 ? i2 u2 f2 i4 u4 f4 i8 f8".split()
# The bar and what to reach for, by bytes of a sample. To fill memory with as many positions, which have 8 bytes, takes
# NumPy three times as long (on an EPYC) as the maximum of samples of 8 bits takes here.
MAXIMUM = {1: (4, 2), 2: (3, 1.5), 4: (2.8, 1.5), 8: (2.8, 1.5)}
ARGMAX = {1: (6, 4), 2: (4, 3), 4: (4, 2.5), 8: (4, 2)}

rng = np.random.default_rng(1)
arrays = {}
for name in TYPES:
    if name == "?":
        x = rng.random(COUNT) < 0.1
    elif name.startswith("f"):
        x = rng.standard_normal(COUNT).astype(name)
    else:
        x = rng.integers(np.iinfo(name).min, np.iinfo(name).max, COUNT, name, endpoint=True)
    arrays[name] = x, np.empty(COUNT - width + 1, name)
positions = np.empty(COUNT - width + 1, "i8")


def run(name, function=gpuenv.maximum):
    x, out = arrays[name]
    begin = time.thread_time()
    function(x, width, out=positions if function is gpuenv.argmax else out, threads=1)
    return time.thread_time() - begin


def copy(name):
    x, out = arrays[name]
    begin = time.thread_time()
    np.copyto(out, x[: len(out)])
    return time.thread_time() - begin


for name, (x, out) in arrays.items():
    run(name)
    wide = x.astype("f8" if name != "i8" else name)
    assert np.array_equal(out, gpuenv.maximum(wide, width)), name
    run(name, gpuenv.argmax)
    assert np.array_equal(x[positions], out), name
rows = {name: [] for name in arrays}
for _ in range(rounds):
    for name, row in rows.items():
        row.append((run(name), copy(name), run(name, gpuenv.argmax)))
bars = Bars()
for name, (x, _) in arrays.items():
    bars.show(f"{name}, over a copy", sorted(ours / theirs for ours, theirs, _ in rows[name]), *MAXIMUM[x.itemsize])
for name, (x, _) in arrays.items():
    bars.show(f"{name}, argmax over max", sorted(argmax / ours for ours, _, argmax in rows[name]), *ARGMAX[x.itemsize])
bars.end()
