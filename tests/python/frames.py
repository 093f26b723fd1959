"""Series and frames of pandas: what goes in comes back, along the index.

    frames.py PACKAGE_DIR
"""

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
    for align in REACH:
        for hop in (1, 4):
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

# ---- masked arrays

for dtype in ("f8", "i4"):
    words = raises(TypeError, gpuenv.stats, np.ma.masked_array(VALUES.astype(dtype), VALUES < 0))
    check("masked" in words and "numpy.nan" in words and "omit" in words, dtype, words)

finish()
