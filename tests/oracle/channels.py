#!/usr/bin/python3
"""Holds --pick, --mix and --overall against NumPy: channels.py PROGRAM [CASES [SEED]]

Random arrays of every type, through a file, a pipe, pieces on several threads, and the sequential algorithm."""

import os
import random
import sys
import tempfile
from fractions import Fraction

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, argument, check_seeds, finish, gpuenv, needed_modules

with needed_modules():
    import numpy
    from numpy.lib.stride_tricks import sliding_window_view

CASES = argument(2, 60)
FIRST = argument(3, 0)
TYPES = {"f32": "<f4", "f64": "<f8", "s16": "<i2", "s32": "<i4", "u32": "<u4", "s64": "<i8", "u64": "<u8"}


def samples_of(draw, kind, frames, channels):
    generator = numpy.random.default_rng(draw.getrandbits(32))
    if kind[0] == "f":
        values = generator.normal(size=(frames, channels)).round(draw.randint(0, 3)).astype(TYPES[kind])
        if draw.random() < 0.5:
            values[generator.random(values.shape) < 0.05] = numpy.nan
        return values
    limits = numpy.iinfo(TYPES[kind])
    return generator.integers(limits.min, limits.max, size=(frames, channels), dtype=TYPES[kind], endpoint=True)


def extremes(values, width, omit):
    """Of windows, over all channels of the last axis."""
    windows = sliding_window_view(values, width, axis=0)
    axes = (1, 2)
    if values.dtype.kind != "f":
        return windows.min(axis=axes), windows.max(axis=axes)
    if omit:
        with numpy.errstate(all="ignore"):
            return numpy.fmin.reduce(windows, axis=axes), numpy.fmax.reduce(windows, axis=axes)
    return windows.min(axis=axes), windows.max(axis=axes)


def faults_of(seed):
    draw = random.Random(seed)
    kind = draw.choice(list(TYPES))
    channels = draw.randint(1, 6)
    width = draw.choice([1, 2, 7, 30])
    frames = draw.choice([width, 100, 5000, 200000])
    samples = samples_of(draw, kind, max(frames, width), channels)
    omit = draw.random() < 0.5
    options = ["-q", "-t", kind, "-c", channels, "--counts", "-w", width, "--nan", "omit" if omit else "propagate",
               "--threads", draw.choice([1, 2, 3]), *draw.choice([[], ["--chunk", 64], ["--algorithm", "lemire"]])]
    chosen = samples
    if draw.random() < 0.6:
        picks = [draw.randint(1, channels) for _ in range(draw.randint(1, 4))]
        options += ["--pick", ",".join(map(str, picks))]
        chosen = samples[:, [pick - 1 for pick in picks]]
    if draw.random() < 0.3:
        options += ["--mix"]
        total = numpy.zeros(len(chosen))
        for channel in chosen.T:
            total = total + channel.astype("f8")
        mean = total / chosen.shape[1]
        chosen = mean.astype("f4" if kind in ("f32", "s16") else "f8")[:, None]
    overall = draw.random() < 0.6
    if overall:
        options += ["--overall"]
        low, high = extremes(chosen, width, omit)
        due = numpy.stack([low, high], axis=1)
        made = draw.random() < 0.5
        if made and chosen.dtype.kind == "f":
            options += ["--emit", "range,mid,abs"]
            mid = ((low.astype("f8") + high.astype("f8")) * 0.5).astype(chosen.dtype)
            due = numpy.stack([high - low, mid, numpy.maximum(abs(low), abs(high))], axis=1)
        elif made and chosen.itemsize == 8:
            options += ["--emit", "range,mid,abs"]
            due = numpy.array([[float(b - a), float(Fraction(a + b, 2)), float(max(abs(a), abs(b)))]
                               for a, b in zip(low.tolist(), high.tolist())])
        if due.dtype.kind == "f" and draw.random() < 0.5:
            options += ["--align", "causal", "--edge", "nan"]
            due = numpy.concatenate([numpy.full((width - 1, due.shape[1]), numpy.nan), due])
    else:
        pairs = [extremes(chosen[:, [i]], width, omit) for i in range(chosen.shape[1])]
        due = numpy.stack([one for pair in pairs for one in pair], axis=1)
    options = list(map(str, options))
    out = kind if due.dtype.kind in "iu" and kind in ("s64", "u64", "s32", "u32") else "f64"
    due = due.astype(TYPES[out])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "in")
        samples.tofile(path)
        way = draw.choice(["file", "pipe", "both"])
        if way == "pipe":
            run = gpuenv(*options, "-T", out, data=samples.tobytes())
            got = run.out
        else:
            run = gpuenv(*options, "-T", out, path, "-o", os.path.join(folder, "out"))
            got = open(os.path.join(folder, "out"), "rb").read() if run.status == 0 else b""
        got = numpy.frombuffer(got, TYPES[out]).reshape(-1, due.shape[1]) if run.status == 0 else numpy.empty((0, 0))
        if run.status != 0 or not numpy.array_equal(got, due, equal_nan=out[0] == "f"):
            return [str(run), f"{way}: {got[:3]}, not {due[:3]}"]
    return []


check_seeds(faults_of, range(FIRST, FIRST + CASES), lambda seed: [PROGRAM, 1, seed])
finish(f"{CASES} arrays,")
