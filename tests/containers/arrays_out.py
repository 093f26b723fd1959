#!/usr/bin/python3
"""The header of a .npy, against its data and NumPy, for every type in and everything that changes the values or their
number: arrays_out.py PROGRAM"""
import io
import itertools
import pathlib
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import check, finish, gpuenv, in_threads, needed_modules

with needed_modules():
    import numpy as np

WIDTH = 3
TYPES = "? i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 c8 c16 >i2 >f8".split()
CHOICES = [[], ["--pick", "1"], ["--pick", "1,1"], ["--mix"], ["--overall"], ["--pick", "1,1", "--mix"],
           ["--pick", "1,1", "--overall"]]
EMITS = "max", "min,max", "max,range"
EDGES = [], ["--align", "causal", "--edge", "nan"]
NAMED = [], ["-T", "npy:f32"], ["-T", "npy:s16"]


def wide(kind):
    """Does float32 not hold all values of the type?"""
    return np.dtype(kind).name in ("int32", "uint32", "int64", "uint64", "float64", "complex128")


def chosen(array, choice):
    """(frames, channels) in float64, which holds these values exactly."""
    values = array.reshape(len(array), -1)
    values = np.abs(values) if np.iscomplexobj(values) else values.astype("f8")
    if "--pick" in choice:
        values = values[:, [int(number) - 1 for number in choice[1].split(",")]]
    return values.mean(axis=1, keepdims=True) if "--mix" in choice else values


def extremes(values, edge):
    """The minimum and the maximum of each window, by channel."""
    if edge:
        before = np.full((WIDTH - 1, values.shape[1]), np.nan)
        values = np.concatenate([before, values])
    windows = np.lib.stride_tricks.sliding_window_view(values, WIDTH, axis=0)
    function = (np.min, np.max) if "nan" in edge else (np.nanmin, np.nanmax)
    return [each(windows, axis=-1) for each in function]


def results(array, choice, emit, edge):
    low, high = extremes(chosen(array, choice), edge)
    if "--overall" in choice:
        low, high = low.min(axis=1, keepdims=True), high.max(axis=1, keepdims=True)
    values = {"min": low, "max": high, "range": high - low, "abs": np.maximum(np.abs(low), np.abs(high))}
    parts = np.stack([values[name] for name in emit.split(",")], axis=-1)
    return parts.reshape(len(parts), -1)


def kind_of(kind, choice, emit, edge, named):
    """The type that the results have to have."""
    if named:
        return "f4" if "f32" in named[1] else "i2"
    kept = np.dtype(kind).newbyteorder("=")
    real = kept.kind != "c" and "--mix" not in choice
    if real and set(emit.split(",")) <= {"min", "max"} and ("nan" not in edge or kept.kind == "f"):
        return kept
    return "f8" if wide(kind) else "f4"


def case(arguments):
    array, kind, choice, emit, edge, named = arguments
    path = folder / f"{array.ndim}{TYPES.index(kind)}.npy"
    done = gpuenv("-q", "-w", WIDTH, *choice, "--emit", emit, *edge, *(named or ["-T", "npy"]), path)
    if not check(done.status == 0, done):
        return
    try:
        got = np.load(io.BytesIO(done.out))
    except ValueError as error:
        check(False, done, error)
        return
    due = results(array, choice, emit, edge)
    header = int.from_bytes(done.out[8:10], "little") + 10
    check(len(done.out) == header + got.nbytes, done, len(done.out), got.shape, got.dtype)
    check(got.dtype == kind_of(kind, choice, emit, edge, named), done, got.dtype)
    if not check(got.shape == (due[:, 0] if array.ndim == 1 and due.shape[1] == 1 else due).shape, done, got.shape):
        return
    if named and "s16" in named[1]:
        due = np.rint(np.nan_to_num(due))
    check(np.array_equal(got.reshape(due.shape).astype("f8"), due, equal_nan=True), done, got)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    arrays = []
    for (at, kind), shape in itertools.product(enumerate(TYPES), ((7,), (7, 2))):
        # 3-4-5: the magnitudes of complex ones are whole
        array = np.random.default_rng(at).integers(0, 2 if kind == "?" else 60, shape)
        array = (array * (3 + 4j) if kind[0] == "c" else array).astype(kind)
        np.save(folder / f"{array.ndim}{at}.npy", array)
        arrays.append((array, kind))
    cases = [(*array, *rest) for array, *rest in itertools.product(arrays, CHOICES, EMITS, EDGES, NAMED)]
    # Named types change the type alone.
    cases = [one for one in cases if not one[5] or one[3:5] == ("max", EDGES[0])]
    for _ in in_threads(case, cases):
        pass

finish(len(cases), "command lines,")
