#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The running minimum and maximum of the same samples by other libraries, in one thread:
peers.py PROGRAM [SAMPLES]

Each peer's output is compared before it is timed. gpuenv is timed as a whole process, from a file in
memory to /dev/null; the peers are timed inside Python, without its start and without reading. The
unit is 10^6 samples per second."""

import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, argument, memory_file, needed_modules

with needed_modules():
    import numpy

WIDTH = 512
COUNT = argument(2, 1 << 22)


def scipy_filter(x):
    from scipy import ndimage
    return ndimage.minimum_filter1d(x, WIDTH), ndimage.maximum_filter1d(x, WIDTH)


def pandas_rolling(x):
    import pandas
    rolling = pandas.Series(x).rolling(WIDTH)
    return rolling.min().to_numpy(), rolling.max().to_numpy()


def bottleneck_move(x):
    import bottleneck
    return bottleneck.move_min(x, WIDTH), bottleneck.move_max(x, WIDTH)


def opencv_erode(x):
    import cv2
    row = x.reshape(1, -1)
    box = numpy.ones((1, WIDTH), numpy.uint8)
    cv2.setNumThreads(1)
    return cv2.erode(row, box)[0], cv2.dilate(row, box)[0]


file = memory_file(4 * COUNT)
samples = numpy.fromfile(file.name, "<f4")
whole = subprocess.run([PROGRAM, "-w", str(WIDTH), file.name], check=True,
                       stdout=subprocess.PIPE).stdout
due = numpy.frombuffer(whole, "<f4").reshape(-1, 2)


def agrees(answer):
    """The whole windows are somewhere in the output: where depends on the alignment."""
    for first in (0, WIDTH // 2, WIDTH // 2 - 1, WIDTH - 1):
        low, high = (side[first:first + len(due)] for side in answer)
        if len(low) == len(due) and (low == due[:, 0]).all() and (high == due[:, 1]).all():
            return True
    return False


def rate(work, count):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return count / sorted(times)[2] / 1e6


print(f"w = {WIDTH}, {COUNT} random samples, min and max, 10^6 samples a second")
with memory_file(64 * COUNT) as large:
    command = [PROGRAM, "--threads", "1", "-w", str(WIDTH), large.name]
    ours = rate(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL), 16 * COUNT)
print(f"{'gpuenv, whole process':28} {ours:9.0f}")
lemire = command[:1] + ["--algorithm", "lemire", "-w", str(WIDTH), file.name]
theirs = rate(lambda: subprocess.run(lemire, check=True, stdout=subprocess.DEVNULL), COUNT)
print(f"{'gpuenv --algorithm lemire':28} {theirs:9.0f} {ours / theirs:8.1f}x")
for name, peer in (("scipy.ndimage", scipy_filter), ("pandas rolling", pandas_rolling),
                   ("bottleneck", bottleneck_move), ("OpenCV erode, dilate", opencv_erode)):
    try:
        answer = peer(samples)
    except ImportError:
        print(f"{name:28} not installed")
        continue
    if not agrees(answer):
        print(f"{name:28} WRONG")
        continue
    theirs = rate(lambda peer=peer: peer(samples), COUNT)
    print(f"{name:28} {theirs:9.0f} {ours / theirs:8.1f}x")
