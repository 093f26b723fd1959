#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The Python package against scipy and bottleneck, in this process and by turns; and a short call beside NumPy's:
python.py PACKAGE_DIR

Minimum and maximum of 10^7 float32 with w = 512; then few frames of many channels, and short rows, beside what NumPy
users write; windows of time beside pandas, on one thread. Results are compared before they are timed."""

import sys
import time

sys.path[1:1] = [sys.path[0] + "/..", sys.path[0] + "/../python"]
from package import *
from alternate import Bars
from harness import argument, needed_modules

with needed_modules():
    import bottleneck
    import pandas
    from scipy import ndimage

WIDTH = 512
COUNT = 10**7
rounds = argument(2, 5)

x = np.random.default_rng(1).standard_normal(COUNT).astype("f4")
room = np.empty(COUNT - WIDTH + 1, "f4"), np.empty(COUNT - WIDTH + 1, "f4")


def ours():
    return gpuenv.minmax(x, WIDTH, out=room)


def fresh():
    return gpuenv.minmax(x, WIDTH)


def scipy():
    return ndimage.minimum_filter1d(x, WIDTH), ndimage.maximum_filter1d(x, WIDTH)


def bottle():
    return bottleneck.move_min(x, WIDTH), bottleneck.move_max(x, WIDTH)


def seconds(function, times=1):
    best = []
    for _ in range(times):
        begin = time.perf_counter()
        result = function()
        best.append(time.perf_counter() - begin)
        del result
    return sorted(best)[times // 2]


whole = len(room[0])
for peer, first in ((scipy, WIDTH // 2), (bottle, WIDTH - 1), (fresh, 0)):
    for got, due in zip(peer(), ours()):
        assert np.array_equal(got[first : first + whole], due), peer.__name__

rows = [(seconds(ours, 5), seconds(fresh, 5), seconds(scipy), seconds(bottle)) for _ in range(rounds)]
print("{:44} {:>7}".format("milliseconds", "median"))
for name, times in zip(["into out", "into fresh arrays", "scipy", "bottleneck"], zip(*rows)):
    print(f"{name:44} {sorted(times)[rounds // 2] * 1e3:7.2f}")
bars = Bars()
for name, of, per, bar, reach in [
    ("scipy over gpuenv, out=", 2, 0, 25, 45),
    ("bottleneck over gpuenv, out=", 3, 0, 12, 22),
    ("scipy over gpuenv, fresh arrays", 2, 1, 12, 20),
    ("bottleneck over gpuenv, fresh arrays", 3, 1, 6, 10),
]:
    bars.show(name, sorted(row[of] / row[per] for row in rows), bar, reach, at_most=False)

def view(array, width, axis):
    return np.lib.stride_tricks.sliding_window_view(array, width, axis).max(-1)


def slices(array, width, axis):
    return np.maximum(array[1:], array[:-1])


for name, peer, shape, width, axis, bar, reach in [
    *((f"{frames} frames", slices, (frames, 2**22 // frames), 2, 0, 3, 1.5) for frames in (2, 8, 64)),
    ("rows of 2", view, (10**6, 2), 2, 1, 1, 0.1),
    ("rows of 3, an image", view, (1080, 1920, 3), 2, 2, 1, 0.1),
    ("rows of 100", view, (20000, 100), 16, 1, 1, 0.1),
]:
    array = x[: np.prod(shape)].reshape(shape)
    assert np.array_equal(gpuenv.maximum(array, width, axis=axis), peer(array, width, axis)), name
    times = [
        [seconds(call, 3) for call in (lambda: gpuenv.maximum(array, width, axis=axis),
                                       lambda: peer(array, width, axis),
                                       lambda: ndimage.maximum_filter1d(array, width, axis=axis))]
        for _ in range(rounds)
    ]
    bars.show(f"{name}, w = {width}, over NumPy", sorted(ours / theirs for ours, theirs, _ in times), bar, reach)
    bars.show(f"{name}, w = {width}, over scipy", sorted(ours / theirs for ours, _, theirs in times), 1, 0.2)

rng = np.random.default_rng(2)
values = rng.standard_normal(10**6)
for name, distances, reach in [
    ("even", np.full(10**6, 1000), 10),
    ("any", rng.integers(1, 2000, 10**6), 5),
    ("in bursts", np.where(rng.random(10**6) < 0.02, rng.integers(1, 10**5, 10**6), rng.integers(0, 9, 10**6)), 4),
]:
    series = pandas.Series(values, np.cumsum(distances).astype("M8[ms]"))
    for width, align in (("10s", "causal"), ("100s", "center"), ("100000s", "causal")):
        pair = (lambda: series.rolling(width, center=align == "center").min(),
                lambda: gpuenv.minimum(series, width, times=series.index, align=align, threads=1))
        assert pair[0]().equals(pair[1]()), name
        times = [[seconds(call) for call in pair] for _ in range(2 * rounds + 1)]
        bars.show(f"times {name}, {width}, {align}: pandas over gpuenv", sorted(a / b for a, b in times), 3, reach,
                  at_most=False)

short = x[:1000].copy()
calls = 2000
stream = gpuenv.Stream(WIDTH)


def thread_seconds(call):
    begin = time.thread_time()
    for _ in range(calls):
        call()
    return time.thread_time() - begin


for name, call, bar, reach in [
    ("minmax", lambda: gpuenv.minmax(short, WIDTH), 6, 3.5),
    ("bottleneck.move_max", lambda: gpuenv.bottleneck.move_max(short, WIDTH), 8, 5),
    ("scipy.maximum_filter1d", lambda: gpuenv.scipy.maximum_filter1d(short, WIDTH), 7, 5),
    ("stats", lambda: gpuenv.stats(short), 11, 7),
    ("Stream.push", lambda: stream.push(short), 5, 3),
]:
    times = [[thread_seconds(one) for one in (call, lambda: np.maximum(short, short))] for _ in range(11)]
    bars.show(f"{name} of 1,000 samples, over NumPy's maximum", sorted(ours / theirs for ours, theirs in times), bar, reach)
bars.end()
