#!/usr/bin/python3
"""Arrays of every type in memory: sample_types.py PACKAGE_DIR [WIDTH [ROUNDS]]

Nanoseconds a sample of the maximum of 10^7 samples, one thread, into memory that is there, and how many times as long
argmax takes; the types take turns. The time is that of the thread, to which others on its CPU do not add. Results are
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
# The type, the bar and what to reach for; float32 and wider types stand beside them. To write positions, which have 8
# bytes, takes more than twice as long as the maximum of samples of 8 bits.
TYPES = [("u1", 0.4, 0.15), ("i1", 0.4, 0.15), ("?", 0.4, 0.15), ("i2", 0.4, 0.25), ("u2", 0.4, 0.25),
         ("f2", 1.0, 0.5), ("i4", 1.0, 0.5), ("u4", 1.0, 0.5), ("f4", None, None), ("i8", None, None),
         ("f8", None, None)]  # fmt: skip

ARGMAX = {1: (5, 4), 2: (4, 3), 4: (4, 2.5), 8: (4, 2)}  # by bytes of a sample

rng = np.random.default_rng(1)
arrays = {}
for name, _, _ in TYPES:
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
    return (time.thread_time() - begin) / COUNT * 1e9


for name, (x, out) in arrays.items():
    run(name)
    wide = x.astype("f8" if name != "i8" else name)
    assert np.array_equal(out, gpuenv.maximum(wide, width)), name
    run(name, gpuenv.argmax)
    assert np.array_equal(x[positions], out), name
times = {name: [] for name in arrays}
ratios = {name: [] for name in arrays}
for _ in range(rounds):
    for name in arrays:
        times[name].append(run(name))
        ratios[name].append(run(name, gpuenv.argmax) / times[name][-1])
bars = Bars()
for name, bar, reach in TYPES:
    if bar is None:
        print(f"{name}, ns a sample: {sorted(times[name])[rounds // 2]:.3f}")
    else:
        bars.show(f"{name}, ns a sample", sorted(times[name]), bar, reach)
for name, (x, _) in arrays.items():
    bars.show(f"{name}, argmax over max", sorted(ratios[name]), *ARGMAX[x.itemsize])
bars.end()
