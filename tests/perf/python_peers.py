#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What people write today, and what they can write instead: the factors of the table in docs/python.md, on one thread.

    python_peers.py PACKAGE_DIR [ROUNDS]

Libraries that are not installed are left out. Results are compared before they are timed; times are those of the CPU."""

import importlib
import os
import sys
import time

os.environ["POLARS_MAX_THREADS"] = "1"
sys.path[1:1] = [sys.path[0] + "/..", sys.path[0] + "/../python"]
from package import *
from harness import argument, check, finish

W, N = 101, 10**6
rounds = argument(2, 7)
rng = np.random.default_rng(1)
x = rng.standard_normal(N)
gaps = np.where(rng.random(N) < 0.1, np.nan, x)
image = rng.integers(0, 256, (1080, 1920)).astype("u1")
whole = {kind: (100 * rng.integers(0, 3, N)).astype(kind) for kind in ("u1", "i2", "i4", "i8", "f4", "f8")}
large = rng.standard_normal((4096, 4096)).astype("f4")
index = np.datetime64("2024-01-01") + np.cumsum(rng.integers(1, 3, N)).astype("m8[s]")
modules = {}


def library(name):
    if name not in modules:
        try:
            modules[name] = importlib.import_module(name)
        except ImportError:
            modules[name] = None
    return modules[name]


def seconds(function):
    begin = time.process_time()
    function()
    return time.process_time() - begin


def row(name, theirs, ours):
    """A line of the table, of two expressions."""
    module = library(name)
    if module is None:
        print(f"no {name}")
        return
    names = {**globals(), name.rpartition(".")[2]: module, "short": name}
    if library("pandas") is not None:
        names["series"] = library("pandas").Series(x, index)
        names["even"] = library("pandas").Series(x, index[0] + np.arange(N).astype("m8[s]"))
    if library("polars") is not None:
        names["column"] = library("polars").Series("x", x)
    their, our = (eval(f"lambda: {text}", names) for text in (theirs, ours))
    a, b = np.asarray(their(), "f8"), np.asarray(our(), "f8")
    check(a.shape == b.shape and np.array_equal(a, b, equal_nan=True), theirs, ours)
    factors = sorted(seconds(their) / seconds(our) for _ in range(rounds))
    print(f"| `{theirs}` | `{ours}` | {factors[rounds // 2]:.1f} |")


row("numpy", "sliding_window_view(x, W).max(-1)".replace("sliding", "np.lib.stride_tricks.sliding"), "gpuenv.maximum(x, W, threads=1)")
row("numpy", "x.reshape(-1, 100).max(1)", "gpuenv.zoom(x, 100, emit='max', threads=1)")
for kind in ("u1", "i2", "i4"):
    row("numpy", f"whole['{kind}'].reshape(-1, 100).max(1)", f"gpuenv.zoom(whole['{kind}'], 100, emit='max', threads=1)")
for kind in ("i2", "i8", "f4", "f8"):  # means that are whole numbers have the same bits
    row("numpy", f"whole['{kind}'].reshape(-1, 100).mean(1)", f"gpuenv.zoom(whole['{kind}'], 100, emit='mean', threads=1)")
row("scipy.ndimage", "ndimage.maximum_filter1d(x, W)", "gpuenv.maximum(x, W, align='center', threads=1)")
row("scipy.ndimage", "ndimage.maximum_filter1d(image, 15, axis=0)", "gpuenv.maximum(image, 15, axis=0, align='center', threads=1)")
row("bottleneck", "bottleneck.move_max(x, W)", "gpuenv.maximum(x, W, align='causal', edge='nan', threads=1)")
row("bottleneck", "bottleneck.move_max(gaps, W, 50)", "gpuenv.maximum(gaps, W, align='causal', min_count=50, threads=1)")
row("pandas", "series.rolling(W).max()", "gpuenv.maximum(series, W, align='causal', edge='nan', threads=1)")
row("pandas", "series.rolling('101s').max()", "gpuenv.maximum(series, '101s', times=index, threads=1)")
row("pandas", "even.rolling('101s').max()", "gpuenv.maximum(even, '101s', times=even.index, threads=1)")
row("polars", "column.rolling_max(W)", "gpuenv.maximum(column, W, align='causal', edge='nan', threads=1)")
if library("cv2") is not None:
    library("cv2").setNumThreads(1)
row("cv2", "cv2.dilate(image, np.ones((15, 1), 'u1'))", "gpuenv.maximum(image, 15, axis=0, align='center', threads=1)")
row("cv2", "cv2.dilate(image, np.ones((1, 15), 'u1'))", "gpuenv.maximum(image, 15, align='center', threads=1)")
for size in (15, 101):
    row("scipy.ndimage", f"ndimage.minimum_filter(large, {size})", f"gpuenv.minimum(large, ({size}, {size}), axes=(0, 1), align='center', threads=1)")
    row("cv2", f"cv2.erode(large, np.ones(({size}, {size}), 'u1'))", f"gpuenv.minimum(large, ({size}, {size}), axes=(0, 1), align='center', threads=1)")
finish()
