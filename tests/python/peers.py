# SPDX-License-Identifier: MIT
"""gpuenv.scipy, gpuenv.bottleneck and the functions for pandas, each against its model: random arrays and arguments.

    peers.py PACKAGE_DIR [ARRAYS]
"""

import warnings

from package import *
from harness import argument, check, finish

with needed_modules():
    import bottleneck
    import pandas
    import scipy.ndimage

warnings.simplefilter("error")  # none of them warns
rng = np.random.default_rng(8)
arrays = argument(2, 300)
pandas_before_2_2 = tuple(map(int, pandas.__version__.split(".")[:2])) < (2, 2)
MODES = ["reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap"]


def shape_and_axis():
    dimensions = int(rng.integers(1, 4))
    shape = [int(rng.integers(1, 40 if dimensions < 3 else 9)) for _ in range(dimensions)]
    return shape, int(rng.integers(-dimensions, dimensions))


def scipy_case():
    shape, axis = shape_and_axis()
    x = strided(rng, samples(rng, shape, rng.choice("? i1 u1 i2 u2 i4 u4 i8 u8 f4 f8 >i4 >f8".split())))
    if x.dtype.itemsize == 8 and x.dtype.kind in "iu":
        x = x // np.array(2**12, x.dtype.newbyteorder("="))  # what scipy is exact for
    size = int(rng.integers(1, 4 * shape[axis] + 3))
    return x, {
        "size": size,
        "axis": axis,
        "mode": str(rng.choice(MODES)),
        "cval": float(rng.choice([0, 1, -1, 0.5])) if x.dtype.kind == "f" else int(rng.integers(0, 2)),
        "origin": int(rng.integers(-(size // 2), size - size // 2)),
    }


for _ in range(arrays):
    x, options = scipy_case()
    gpuenv.scipy._SMALL = rng.choice([0, 1 << 16])  # larger arrays are done in parts
    for name in ("minimum_filter1d", "maximum_filter1d"):
        expected = getattr(scipy.ndimage, name)(np.ascontiguousarray(x, x.dtype.newbyteorder("=")), **options)
        check(same(getattr(gpuenv.scipy, name)(x, **options), expected), name, x.dtype, x.shape, options)
        if rng.random() < 0.3:
            a = np.ascontiguousarray(x, x.dtype.newbyteorder("="))
            got = getattr(gpuenv.scipy, name)(a, output=a, **options)
            check(got is a and same(a, expected), name, "in place", x.dtype, x.shape, options)

# Every origin and mode of small sizes.
x = rng.standard_normal(7)
for n in (1, 2, 7):
    for size in range(1, 3 * n + 3):
        for origin in range(-(size // 2), size - size // 2):
            for mode in MODES:
                gpuenv.scipy._SMALL = rng.choice([0, 1 << 16])
                options = {"size": size, "origin": origin, "mode": mode, "cval": 0.25}
                check(same(gpuenv.scipy.maximum_filter1d(x[:n], **options), scipy.ndimage.maximum_filter1d(x[:n], **options)),
                      n, options)

# Constants that integers of 64 bits cannot hold: of windows beyond the ends alone.
for dtype in ("i8", "u8"):
    for _ in range(arrays):
        x = rng.integers(0 if dtype == "u8" else -4, 5, (int(rng.integers(1, 9)), 2)).astype(dtype)
        size = int(rng.integers(1, 2 * len(x) + 2))
        options = {
            "size": size, "axis": 0, "mode": "constant", "origin": int(rng.integers(-(size // 2), size - size // 2)),
            "cval": float(rng.choice([0.5, 1.5, 1e30] if dtype == "u8" else [0.5, -2.5, 1e30, -1e30, np.inf])), "output": "f8",
        }  # fmt: skip
        for name in ("minimum_filter1d", "maximum_filter1d"):
            check(same(getattr(gpuenv.scipy, name)(x, **options), getattr(scipy.ndimage, name)(x, **options)), name, x, options)
a = np.array([2**62 + 1, 2**62 + 3, 2**62 + 5])
check(gpuenv.scipy.maximum_filter1d(a, 3, mode="constant", cval=0.5).tolist() == [a[1], a[2], a[2]], "integers are exact")
check(gpuenv.scipy.minimum_filter1d(a, 3, mode="constant", cval=0.5).tolist() == [0, a[0], 0], "a constant between integers")
check(gpuenv.scipy.minimum_filter1d(a, 3, mode="constant", cval=1e30).tolist() == [a[0], a[0], a[1]], "a constant above all")
got = gpuenv.scipy.minimum_filter1d(np.array([np.nan, 1, 2, 3]), 2, output="i4")  # as scipy, without a warning
check(got[2:].tolist() == [1, 2], "integers of NaN")

a = np.array([2**53 + 1, 2**53, -(2**62) - 1])
check(gpuenv.scipy.maximum_filter1d(a, 3).tolist() == [2**53 + 1, 2**53 + 1, 2**53], "64 bits are exact")
check(np.isnan(gpuenv.scipy.maximum_filter1d([1, np.nan, 2, 3], 3)).tolist() == [True, True, True, False], "NaN")
for output in ("f4", np.float32, np.dtype("f4"), np.zeros(3, "f4")):
    got = gpuenv.scipy.minimum_filter1d(a, 2, output=output)
    check(got.dtype == "f4" and np.array_equal(got, scipy.ndimage.minimum_filter1d(a, 2, output="f")), "output", output)
u1 = np.array([3, 200], "u1")
check(same(gpuenv.scipy.minimum_filter1d(u1, 2, mode="constant", cval=0.5), scipy.ndimage.minimum_filter1d(u1, 2, mode="constant", cval=0.5)), "cval")
check(gpuenv.scipy.minimum_filter1d(np.zeros((3, 0)), 2).shape == (3, 0), "empty")
check_refused("scipy", globals())
f4 = np.array([3, 200], "f4")
options = {"size": 2, "mode": "constant", "cval": 0.1, "output": "f8"}
check(same(gpuenv.scipy.minimum_filter1d(f4, **options), scipy.ndimage.minimum_filter1d(f4, **options)), "cval is not rounded")
with warnings.catch_warnings():
    warnings.simplefilter("error")
    for x in (f4, u1, u1.astype("i4")):
        options = {"size": 3, "mode": "constant", "cval": np.float16(3)}
        got = gpuenv.scipy.maximum_filter1d(x, **options)
        check(same(got, scipy.ndimage.maximum_filter1d(x, **options)), "cval of float16", x.dtype)

# ---- bottleneck

for _ in range(arrays):
    shape, axis = shape_and_axis()
    x = samples(rng, shape, rng.choice("? i2 i4 i8 f4 f8".split()), rng.choice([0, 0.1, 0.5]))
    window = int(rng.integers(1, shape[axis] + 1))
    for need in {None, 1, int(rng.integers(1, window + 1)), window}:
        for name in ("move_min", "move_max"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model = x if x.dtype != "?" else x.astype("i4")
                expected = getattr(bottleneck, name)(model, window, need, axis)
            got = getattr(gpuenv.bottleneck, name)(strided(rng, x), window, need, axis)
            check(same(got, expected), name, x.dtype, shape, window, need, axis)
for dtype in (">f4", "<f4", ">f8", "f2", ">f2"):
    swapped = np.array([1, 3, np.nan, 2], dtype)
    check(gpuenv.bottleneck.move_max(np.ones((3, 2), dtype, "F"), 2).flags.f_contiguous, "the order of dimensions", dtype)
    for need in (1, 2, None):
        got = gpuenv.bottleneck.move_max(swapped, 2, need)
        check(got.dtype == dtype and same(got.astype("f4"), gpuenv.bottleneck.move_max(swapped.astype("f4"), 2, need)), "byte order")
x = rng.standard_normal(30)
x[rng.random(30) < 0.4] = np.nan
for window in range(1, 31):
    for need in range(1, window + 1):
        check(same(gpuenv.bottleneck.move_min(x, window, need), bottleneck.move_min(x, window, need)), window, need)
for wrong in [(0,), (31,), (3, 4), (3, 0), (3, -1), (2.5,), (2, 1, 1), (2, 1, None), (2, 1, 0, 0, 0)]:
    try:
        bottleneck.move_min(x, *wrong)
    except (TypeError, ValueError) as error:
        said = raises(type(error), gpuenv.bottleneck.move_min, x, *wrong)
        check(said == str(error) or isinstance(error, TypeError) and said, wrong, said, error)
check("ndim" in raises(ValueError, gpuenv.bottleneck.move_min, 1.0, 1), "no dimension")

# ---- pandas


def finite(x):
    """pandas takes infinities for missing."""
    return np.where(np.isinf(x), 0, x).astype(x.dtype) if x.dtype.kind == "f" else x


for _ in range(arrays // 3):
    n = int(rng.integers(0, 40))
    w = int(rng.integers(1, n + 4))
    need = rng.choice([None, int(rng.integers(0, w + 1))])
    index = pandas.date_range("2024-01-01", periods=n, freq="60min")
    kinds = rng.choice("? i2 u4 i8 f4 f8".split(), 3)
    columns = [finite(samples(rng, n, dtype, rng.choice([0, 0.1, 0.5]))) for dtype in kinds]
    columns = [c // 2**12 if c.dtype == "i8" else c for c in columns]
    series = pandas.Series(columns[0], index=index, name="pressure")
    frame = pandas.DataFrame({"a": columns[0], "b": columns[1], "c": columns[2]}, index=index)
    for data in (series, frame, frame[["b", "b"]].iloc[::-1], frame.astype("f8")):
        for ours, name in ((gpuenv.rolling_min, "min"), (gpuenv.rolling_max, "max")):
            expected = getattr(data.rolling(w, need), name)()
            try:
                getattr(pandas.testing, "assert_series_equal" if data.ndim == 1 else "assert_frame_equal")(
                    ours(data, w, need), expected)
                check(True)
            except AssertionError as differs:
                check(False, "rolling", name, kinds, n, w, need, differs)

for _ in range(arrays):
    n = int(rng.integers(0, 30 if rng.random() < 0.9 else 2000))
    timed, center, step = rng.random() < 0.5, bool(rng.random() < 0.5), int(rng.choice([1, 1, 2, 5]))
    closed = rng.choice([None, "right", "both", "left", "neither"])
    distances = rng.integers(0, 4, n) * 10**9
    if rng.random() < 0.5:  # bursts, and equal times
        distances = np.where(rng.random(n) < 0.05, distances * 10, rng.integers(0, 3, n))
    if timed and closed in ("left", "neither") and pandas_before_2_2:  # which take rows at the time of the row itself
        distances = np.maximum(distances, 1)
    moments = pandas.to_datetime(np.cumsum(distances) + rng.choice([0, 1 - 2**63, 2**63 - 1 - distances.sum()]))
    frame = pandas.DataFrame({"a": rng.standard_normal(n), "t": moments, "b": rng.integers(0, 9, n)})
    frame.loc[rng.random(n) < 0.2, "a"] = np.nan
    if rng.random() < 0.3:
        frame = frame[::-1].reset_index(drop=True)  # times that fall
    w = str(2 * int(rng.integers(1, 9))) + "s" if timed else int(rng.integers(0, n + 4))
    need = rng.choice([None, int(rng.integers(0, 4 if timed else w + 1))])
    options = {"min_periods": need, "center": center, "closed": closed}
    for on, data in [("t", frame), (None, frame.set_index("t")), (None, frame.set_index("t")["a"])]:
        theirs = data.rolling(w, on=on, step=None if timed else step, **options).max()[:: step if timed else 1]
        got = gpuenv.rolling_max(data, w, step=step, on=on, **options)
        theirs = theirs[list(data.columns)] if data.ndim == 2 else theirs
        check(got.equals(theirs), "rolling", n, w, options, on, step, got, theirs)
check(gpuenv.rolling_max(pandas.Series([1, np.inf, -np.inf]), 1).tolist() == [1, np.inf, -np.inf], "infinities")
equal = pandas.Series([5.0, 1, 7, 2, 9], pandas.to_datetime([10, 10, 11, 11, 13], unit="s"))  # as pandas since 2.2
check(gpuenv.rolling_min(equal, "2s", 1, closed="left").fillna(0).tolist() == [0, 0, 1, 1, 2], "equal times")
nullable = pandas.Series([3, None, 1], dtype="Int64")
check(gpuenv.rolling_min(nullable, 2, 1).tolist() == [3, 3, 1], "Int64")


class Levels(pandas.Series):
    _constructor = property(lambda self: Levels)


class Table(pandas.DataFrame):
    _constructor = property(lambda self: Table)


numbers = [pandas.Series([3, 1, None, 2], dtype="object"), pandas.Series([3, 1, 2, 2], dtype="category"),
           pandas.Series([True, False], dtype="object"), pandas.Series([3.5, pandas.NA], dtype="Float64"), Levels([3.0, 1, 2])]  # fmt: skip
for data in [*numbers, *(pandas.DataFrame({"a": n, "b": 1.0}) for n in numbers), Table({"a": [1, 2]}), pandas.DataFrame(index=[1, 2])]:
    got, expected = gpuenv.rolling_max(data, 2, 1), data.rolling(2, 1).max()
    check(type(got) is type(expected) and got.equals(expected), "rolling", type(data), got, expected)
check_refused("pandas", globals())

finish()
