# SPDX-License-Identifier: MIT
"""Series and frames of pandas, tables of polars and arrays of xarray: what goes in comes back, along the index.

    frames.py PACKAGE_DIR
"""

import importlib
import sys
import types

from package import *
from harness import check, finish, needed_modules

with needed_modules():
    import pandas

ROWS = 12
rng = np.random.default_rng(1)
index = pandas.date_range("2024-01-01", periods=ROWS, freq="h", tz="Europe/Berlin")
frame = pandas.DataFrame(rng.normal(size=(ROWS, 3)), index, ["a", "b", "c"])
VALUES = frame.to_numpy()
FAMILY = [gpuenv.minmax, gpuenv.minimum, gpuenv.maximum, gpuenv.absmax, gpuenv.ptp, gpuenv.mid]


def check_like(got, due, rows, columns, *words):
    """Of results, alone or a pair."""
    pairs = zip(got, due) if isinstance(due, tuple) else [(got, due)]
    for one, values in pairs:
        check(type(one) is pandas.DataFrame and one.index.equals(rows) and one.columns.equals(columns), one, *words)
        check(same(one.to_numpy(), values), one, values, *words)


# ---- frames

for function in FAMILY:
    for align, hop in itertools.product(REACH, (1, 4)):
        options = {"align": align, "hop": hop}
        rows = index[list(outputs(ROWS, 5, align, hop))]
        words = (function.__name__, options)
        due = function(VALUES, 5, axis=0, **options)
        check_like(function(frame, 5, **options), due, rows, frame.columns, *words)
    due = function(VALUES, 2, axis=1)
    check_like(function(frame, 2, axis=1), due, index, frame.columns[:2], function.__name__, "along the columns")
    due = function(VALUES, "3h", axis=0, times=index)
    check_like(function(frame, "3h", times=index), due, index, frame.columns, function.__name__, "times")
check_like(gpuenv.zoom(frame, 5), gpuenv.zoom(VALUES, 5, axis=0), index[::5], frame.columns, "zoom")
check_like(gpuenv.zoom(frame, 5, emit="mean"), gpuenv.zoom(VALUES, 5, emit="mean", axis=0), index[::5], frame.columns, "mean")
check_like(gpuenv.maximum(frame, 99), np.empty((0, 3)), index[:0], frame.columns, "no window")
out = np.empty((ROWS - 1, 3))
check(gpuenv.maximum(frame, 2, out=out) is out and same(out, gpuenv.maximum(VALUES, 2, axis=0)), "out")
for got, due in zip(gpuenv.stats(frame), gpuenv.stats(VALUES, axis=0)):
    check(same(got, due), "stats", got, due)
stream = gpuenv.Stream(3)
parts = [stream.push(frame[:5]), stream.push(frame[5:]), stream.finish()]
for got, due in zip(zip(*parts), gpuenv.minmax(VALUES, 3, axis=0)):
    check(same(np.concatenate(got), due), "Stream", got, due)
Mine = type("Mine", (pandas.DataFrame,), {"_constructor": property(lambda self: Mine)})
check(type(gpuenv.maximum(Mine(frame), 2)) is Mine, "a subclass")
words = raises(TypeError, gpuenv.maximum, pandas.DataFrame({"a": [1, 2], "b": ["x", "y"]}), 2)
check("columns of other types" in words and "select_dtypes" in words, words)

# ---- series

series = frame["b"]
got = gpuenv.maximum(series, 5, hop=2)
check(type(got) is pandas.Series and got.name == "b" and got.index.equals(index[:8:2]), got)
check(same(got.to_numpy(), gpuenv.maximum(VALUES[:, 1], 5, hop=2)), got)
check(gpuenv.maximum(index.hour, 2).tolist() == gpuenv.maximum(np.array(index.hour), 2).tolist(), "an index")
words = raises(TypeError, gpuenv.maximum, series, "1h")
check("w must be an integer, not str" in words and "times=" in words, words)

# ---- results with as many rows as columns, and others


class Labelled:
    """A DataArray of xarray, as far as gpuenv uses it."""

    def __init__(self, values, dims):
        self.values, self.dims = values, dims

    def isel(self, rows):
        return Labelled(self.values[tuple(rows.get(name, slice(None)) for name in self.dims)], self.dims)

    def copy(self, data):
        assert data.shape == self.values.shape
        return Labelled(data, self.dims)

    def __array__(self, dtype=None, copy=None):
        return self.values


class Column:
    """A Series of polars."""

    def __init__(self, name, values):
        self.name, self.values, self.dtype = name, values, values.dtype


class Table:
    """A DataFrame of polars, which guesses how an array lies."""

    def __init__(self, data, schema=None):
        if isinstance(data, np.ndarray):
            data = map(Column, schema, data if len(data) == len(schema) else data.T)
        self.series = list(data)
        self.columns = [one.name for one in self.series]

    def get_columns(self):
        return self.series

    def to_numpy(self):
        return np.stack([one.values for one in self.series], 1)

    def __array__(self, dtype=None, copy=None):
        return self.to_numpy()


def library(name, **stands_in):
    """A module, or what stands in for it where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(name, "is not installed: a stand-in")
        return sys.modules.setdefault(name, types.SimpleNamespace(**stands_in))


xarray = library("xarray", DataArray=Labelled)
polars = library("polars", DataFrame=Table, Series=Column)
NAMES = list("abcdef")
for rows, columns in [(4, 4), (5, 4), (4, 5), (6, 3), (1, 1), (2, 1), (3, 6)]:
    x = rng.normal(size=(rows, columns))
    names = NAMES[:columns]
    of = [pandas.DataFrame(x, columns=names), xarray.DataArray(x, dims=["t", "c"]),
          polars.DataFrame(dict(zip(names, x.T)) if polars.DataFrame is not Table else map(Column, names, x.T))]  # fmt: skip
    for one, axis, (w, hop) in itertools.product(of, (0, 1), ((1, 1), (2, 1), (3, 2))):
        if w > x.shape[axis]:
            continue
        due = gpuenv.minmax(x, w, axis=axis, hop=hop)
        for got, values in zip(gpuenv.minmax(one, w, axis=axis, hop=hop), due):
            check(type(got) is type(one) and same(np.asarray(got), values), type(one), x.shape, axis, w, hop, got)
            kept = names[::hop][: values.shape[1]] if axis == 1 else names
            check(not hasattr(one, "columns") or list(got.columns) == kept, "names", type(one), axis, got)
        got = gpuenv.zoom(one, w, emit="max", axis=axis)
        check(same(np.asarray(got), gpuenv.zoom(x, w, emit="max", axis=axis)), "zoom", type(one), x.shape, axis, w, got)

# ---- masked arrays

for dtype in ("f8", "i4"):
    words = raises(TypeError, gpuenv.stats, np.ma.masked_array(VALUES.astype(dtype), VALUES < 0))
    check("masked" in words and "numpy.nan" in words and "omit" in words, dtype, words)

finish()
