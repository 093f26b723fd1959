#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Boxes of images against OpenCV's dilate, results given on both sides: images.py PACKAGE_DIR [CPUS ...]

Builds nothing. For each number of CPUs (2 and all, unless given) both sides have as many threads, and run on these CPUs
alone, by turns. Results are compared first. The table has the medians in milliseconds and the factor, the median of those
of neighbouring runs: above 1 gpuenv is faster. Without OpenCV, SciPy's results are compared, and only gpuenv is timed.

The bars: 0.8 for images of 1080 rows, 1.0 for larger ones."""

import importlib.util
import os
import statistics
import subprocess
import sys
import time

if len(sys.argv) < 2:
    sys.exit(__doc__)
CPUS = sorted(os.sched_getaffinity(0))
SHAPES = ((1080, 1920), (1080, 1920, 3), (4320, 7680), (2160, 3840, 3))
WIDTHS = (3, 5, 15, 31, 51)
SECONDS = 90

if os.environ.get("IMAGES_CPUS") is None:
    counts = [int(count) for count in sys.argv[2:]] or sorted({min(2, len(CPUS)), len(CPUS)})
    failed = 0
    for count in counts:
        share = str(SECONDS / len(counts))
        failed |= subprocess.run(
            [sys.executable, *sys.argv[:2], share], env={**os.environ, "IMAGES_CPUS": str(count)}
        ).returncode
    sys.exit(failed)

count = int(os.environ["IMAGES_CPUS"])
os.sched_setaffinity(0, CPUS[:count])
sys.path.insert(0, sys.argv[1])
import numpy
import gpuenv

cv2 = None
if importlib.util.find_spec("cv2") is not None:
    import cv2

    cv2.setNumThreads(count)


def run_ours(x, w, out):
    gpuenv.maximum(x, (w, w), axes=(0, 1), align="center", out=out, threads=count)


def run_theirs(x, w, out):
    cv2.dilate(x, numpy.ones((w, w), "u1"), dst=out)


def seconds(function, *arguments):
    begin = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - begin


def verify(x, w):
    """The results of a part, as others have them."""
    ours, theirs = numpy.empty_like(x), numpy.empty_like(x)
    run_ours(x, w, ours)
    if cv2 is not None:
        run_theirs(x, w, theirs)
        return numpy.array_equal(ours, theirs)
    from scipy import ndimage

    rows = slice(0, 4 * w)
    size = (w, w, 1)[: x.ndim]
    theirs = ndimage.maximum_filter(x[rows], size, mode="nearest")
    return numpy.array_equal(ours[: 3 * w], theirs[: 3 * w])


def measure(x, w, limit):
    """The times of both, by turns; the first round warms up."""
    outs = [numpy.empty_like(x) for _ in range(2)]
    rounds = []
    end = time.perf_counter() + limit
    while len(rounds) < 4 or (time.perf_counter() < end and len(rounds) < 200):
        ours = seconds(run_ours, x, w, outs[0])
        rounds.append((ours, seconds(run_theirs, x, w, outs[1]) if cv2 is not None else ours))
    return rounds[1:]


rng = numpy.random.default_rng(1)
limit = float(sys.argv[2]) / (2 * len(SHAPES) * len(WIDTHS)) / 2
wrong = 0
print(f"{count} CPUs; gpuenv {gpuenv.__version__}, " + (f"OpenCV {cv2.__version__}" if cv2 else "no OpenCV"))
print(f"{'image':28}{'box':>8}{'gpuenv ms':>12}{'OpenCV ms':>12}{'factor':>9}")
for kind in ("u1", "f4"):
    for shape in SHAPES:
        x = (rng.integers(0, 256, shape) if kind == "u1" else rng.standard_normal(shape)).astype(kind)
        for w in WIDTHS:
            right = verify(x, w)
            wrong += not right
            rounds = measure(x, w, limit)
            ours, theirs = (statistics.median(times) * 1e3 for times in zip(*rounds))
            factor = statistics.median(b / a for a, b in rounds)
            name = f"{numpy.dtype(kind).name} {' x '.join(map(str, shape))}"
            peer = f"{theirs:12.3f}{factor:9.2f}" if cv2 else ""
            print(f"{name:28}{f'{w} x {w}':>8}{ours:12.3f}{peer}" + ("" if right else "  WRONG"), flush=True)
sys.exit(wrong > 0)
