# SPDX-License-Identifier: MIT
"""Dates and masked arrays against floats with NaN in the same places; arrays of xarray and polars, where they are installed.

    missing.py PACKAGE_DIR [ARRAYS]
"""

from package import *
from harness import argument, check, finish

rng = np.random.default_rng(11)
arrays = argument(2, 200)
FUNCTIONS = ["minimum", "maximum", "ptp"]


def random_case(kind):
    """Numbers, where some are missing, and how to filter them."""
    shape = [int(rng.integers(1, 30)) for _ in range(int(rng.integers(1, 4)))]
    axis = int(rng.integers(-len(shape), len(shape)))
    options = draw_count(rng, draw_options(rng, rng.integers(1, shape[axis] + 3), axis, [1, 1, 3]))
    if rng.random() < 0.5:
        del options["nan"]
    return rng.integers(0, 99, shape).astype(kind), rng.random(shape) < rng.choice([0, 0.1, 0.6]), options


def floats_of(numbers, missing, options, function):
    with np.errstate(all="ignore"):
        return function(np.where(missing, np.nan, numbers.astype("f8")), **options)


def same_places(got, due, values):
    """Does it have these numbers, and is it missing where they are NaN?"""
    gone = np.isnan(due)
    mask = np.ma.getmaskarray(got) if isinstance(got, np.ma.MaskedArray) else np.isnat(got)
    return got.shape == due.shape and np.array_equal(mask, gone) and np.array_equal(values[~gone], due[~gone])


for _ in range(arrays):
    numbers, missing, options = random_case("i8")
    dtype = str(rng.choice(["M8[ns]", "M8[D]", "m8[s]", ">M8[ms]"]))
    dates = (numbers + (0 if dtype[0] == "m" else 20000)).astype(dtype)
    dates[missing] = "NaT"
    dates = strided(rng, dates)
    for name in FUNCTIONS:
        due = floats_of(numbers + (0 if dtype[0] == "m" or name == "ptp" else 20000), missing, options, getattr(gpuenv, name))
        got = getattr(gpuenv, name)(dates, **options)
        unit = np.datetime_data(dates.dtype)[0]
        check(got.dtype == ("m8" if name == "ptp" else dtype.strip(">")[:2]) + f"[{unit}]" and
              same_places(got, due, got.view("i8")), name, dtype, options)  # fmt: skip
    pair = gpuenv.minmax(dates, **options)
    room = tuple(np.empty_like(one) for one in pair)
    check(gpuenv.minmax(dates, **options, out=room) is room, "out")
    check(all(np.array_equal(a, b, equal_nan=True) for a, b in zip(room, pair)), "out of dates")

for _ in range(arrays):
    numbers, missing, options = random_case(rng.choice("? i1 u2 i4 >i8 u8 f2 f4 >f8".split()))
    masked = np.ma.array(numbers, mask=missing)
    for name in FUNCTIONS + ["absmax", "mid"]:
        due = floats_of(numbers, missing, {"nan": "omit", **options}, getattr(gpuenv, name))
        got = getattr(gpuenv, name)(masked, **options)
        check(name not in FUNCTIONS[:2] or got.dtype == numbers.dtype.newbyteorder("="), "the type of masked arrays", got.dtype)
        check(isinstance(got, np.ma.MaskedArray) and same_places(got, due, got.data), name, numbers.dtype, options)

large = np.ma.array([2**62 + 1, 2**62 + 2, 0], mask=[0, 0, 1])
check(gpuenv.maximum(large, 2).tolist() == [2**62 + 2, 2**62 + 2], "masked integers are exact")
check(gpuenv.ptp(large, 2).tolist() == [1, 0], "so are differences of them", gpuenv.ptp(large, 2))
check(gpuenv.zoom(large, 2, emit="max,mean")[0].tolist() == [2**62 + 2, None], "and extremes beside means")
check(gpuenv.zoom(large[::-1], 3, emit="argmin,argmax") == (2, 1), "and positions of them")
infinite = np.ma.array([1, -np.inf, 5, 3], mask=[0, 0, 0, 1])
for name in FUNCTIONS + ["absmax", "mid"]:
    got = getattr(gpuenv, name)(infinite, 2)
    due = getattr(gpuenv, name)(infinite.filled(np.nan), 2, nan="omit")
    check(got.tolist() == due.tolist(), "infinities are values", name, got)
for emit in ["min", "max", "max,min", "abs", "range,max,mid", "count,min"]:
    masked = np.ma.array([5, -8, 7, 9, 4, 4, 6, 6], "i2", mask=[0, 0, 1, 0, 0, 0, 1, 1])
    due = gpuenv.zoom(masked.astype("f4").filled(np.nan), 2, emit=emit, nan="omit")
    got = gpuenv.zoom(masked, 2, emit=emit)
    for name, one, other in zip(emit.split(","), due, got) if "," in emit else [(emit, due, got)]:
        check(same_places(other, one, other.data), "zoom of masked arrays", emit, name, other, one)
dates = np.array(["2024-01-03", "NaT", "2024-01-01"], "M8[D]")
check([str(one) for one in gpuenv.zoom(dates, 2, nan="omit")[0]] == ["2024-01-03", "2024-01-01"], "zoom of dates")
check(gpuenv.zoom(np.ma.array([3, 1, 2], mask=[0, 1, 0]), 2, emit="mean,max")[1].tolist() == [3, 2], "zoom of masked arrays")
check_refused("missing", globals())

try:
    import pandas

    series = pandas.Series(dates.astype("M8[ns]"), index=list("abc"), name="day")
    got = gpuenv.maximum(series, 2, nan="omit")
    check(got.name == "day" and got.index.tolist() == ["a", "b"] and str(got.dtype) == "datetime64[ns]", "a series of dates")
except ImportError:
    print("no pandas")
try:
    import xarray

    array = xarray.DataArray(np.arange(12.0).reshape(3, 4), {"t": [10, 20, 30]}, ["t", "c"], "level", {"unit": "m"})
    got = gpuenv.maximum(array, 2, axis=0, hop=2)
    check(got.identical(array.isel(t=slice(0, 1)).copy(data=[[4.0, 5, 6, 7]])), "xarray", got)
    check(gpuenv.maximum(array, 2).dims == ("t", "c"), "xarray along the last axis")
except ImportError:
    print("no xarray")
try:
    import polars

    got = gpuenv.maximum(polars.Series("level", [3, 1, 2]), 2)
    check(got.equals(polars.Series("level", [3, 2])) and got.name == "level", "polars", got)
    got = gpuenv.minimum(polars.Series("level", [3, None, 2]), 2, nan="omit")
    check(got.to_list() == [3, 2], "nulls of polars", got)
    got = gpuenv.maximum(polars.DataFrame({"a": [3.0, 1, 2], "b": [1.0, 2, 3]}), 2)
    check(got.equals(polars.DataFrame({"a": [3.0, 2], "b": [2.0, 3]})), "a table of polars", got)
    got = gpuenv.maximum(polars.Series("day", dates).cast(polars.Datetime("us", "Europe/Berlin")), 2, nan="omit")
    check(got.dtype == polars.Datetime("us", "Europe/Berlin"), "a time zone", got)
except ImportError:
    print("no polars")
finish()
